"""Order: rows by falling score within their lists, under every rule for ties. Nothing else in the package orders.

Nothing of the table's length is sorted unless it is out of order, and what breaks ties is looked at only inside ties
that hold a wanted row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rankgauge.arrays import Flags, Floats, Ints, Reals, Values

    TieKey = Callable[[Ints], Values]
    """Rows to numbers: inside a tie the smaller number ranks first."""

FILLING = 4
"""Lists become the rows of one matrix if it has at most so many places for each item."""
ITEMS = 100_000
"""Places of a matrix: what is computed on the way stays in the cache."""
_WIDE = 256
"""Shorter rows are sorted as fast as they are parted, and in single precision most of their scores differ."""


class Order:
    """`start` holds where each list begins, and the end of the last.

    `row[p]` is the row at position p, by falling score; None where every row is at its own place already. `tied[p]`
    marks positions whose score equals the one before in the same list; None where no two are equal. Inside ties rows
    come as they were given, until `ranks` is asked to break them.
    """

    def __init__(self, start: Ints, score: Reals) -> None:
        self.start = start
        opens = np.zeros(len(score) + 1, np.bool_)
        opens[start] = True
        inside = ~opens[1:-1]
        rises = score[1:] > score[:-1]
        rises &= inside
        self.row = by_falling_score(start, score) if rises.any() else None
        ordered = score if self.row is None else score[self.row]
        equal = ordered[1:] == ordered[:-1]
        equal &= inside
        self.tied: Flags | None = np.concatenate(([False], equal)) if equal.any() else None

    def every(self) -> tuple[Ints, Ints, Ints, Ints]:
        """All rows in rank order, with the rank of each and the first and last rank of its tie."""
        base, position = np.repeat(self.start[:-1] - 1, np.diff(self.start)), np.arange(self.start[-1])
        row, rank = position if self.row is None else self.row, position - base
        if self.tied is None:
            return row, rank, rank, rank
        opens = ~self.tied
        lead, group = np.flatnonzero(opens), np.cumsum(opens) - 1
        first = rank[lead]
        last = first + np.diff(lead, append=len(position)) - 1
        return row, rank, first[group], last[group]

    def ranks(self, rows: Ints, key: TieKey | None = None) -> tuple[Ints, Ints, Ints]:
        """The rank of these rows from 1, and the first and last rank of their ties; `key` breaks the ties."""
        base = self.start[np.searchsorted(self.start, rows, "right") - 1] - 1
        places = None
        if self.row is not None:
            places = np.empty(len(self.row), np.int64)
            places[self.row] = np.arange(len(places))
        position = rows if places is None else places[rows]
        if self.tied is None:
            rank = position - base
            return rank, rank, rank
        lead = np.flatnonzero(~self.tied)
        size = np.diff(lead, append=len(self.tied))
        group = np.searchsorted(lead, position, "right") - 1
        first, last = lead[group] - base, lead[group] + size[group] - 1 - base
        wanted = np.zeros(len(lead), np.bool_)
        wanted[group] = size[group] > 1
        if key is not None and wanted.any():
            open_groups = np.flatnonzero(wanted)
            length = size[open_groups]
            inner = np.arange(length.sum()) - np.repeat(np.cumsum(length) - length, length)
            member = np.repeat(lead[open_groups], length) + inner
            row = member if self.row is None else self.row[member]
            if places is None:
                places = np.arange(len(self.tied))
            places[row[np.lexsort((key(row), np.repeat(open_groups, length)))]] = member
            position = places[rows]
        return position - base, first, last


class Block(NamedTuple):
    """Lists as the rows of a matrix: which ones, where they begin in flat columns, and how many items they have."""

    lists: Ints
    begin: Ints
    size: Ints

    def _inside(self) -> Flags:
        """The places of the matrix that hold an item."""
        inside: Flags = np.arange(self.size.max()) < self.size[:, None]
        return inside

    def _places(self) -> Any:
        """Where the items, or with lists that are no neighbors the places of the matrix, are in flat columns."""
        if np.array_equal(self.begin[1:], self.begin[:-1] + self.size[:-1]):
            return slice(int(self.begin[0]), int(self.begin[-1] + self.size[-1]))
        return self.begin[:, None] + np.arange(self.size.max())

    def matrix(self, column: Values, rest: float) -> Floats:
        places = self._places()
        if isinstance(places, slice):
            return side_by_side(self.size, column[places], rest).astype(np.float64, copy=False)
        found = column.take(places, mode="clip").astype(np.float64, copy=False)
        np.copyto(found, rest, where=~self._inside())
        return found

    def put(self, column: Values, matrix: Values) -> None:
        """What a matrix holds of the lists, back into a flat column."""
        places = self._places()
        if matrix.size == self.size.sum():
            column[places] = matrix.ravel() if isinstance(places, slice) else matrix
        else:
            inside = self._inside()
            column[places if isinstance(places, slice) else places[inside]] = matrix[inside]


def blocks(start: Ints, filling: int = FILLING) -> Iterator[Block]:
    """Every list once, but for empty ones at the end; `start` says where they begin, and where the last ends.

    In their order, if one matrix of all had at most `filling` places for each item; else longer ones first.
    """
    sizes, at = np.diff(start), 0
    lists = np.arange(len(sizes))
    if sizes.max(initial=0) * len(sizes) > filling * start[-1]:
        lists = np.argsort(-sizes, kind="stable")
    longest = np.maximum.accumulate(sizes[lists][::-1])[::-1]
    while at < len(lists) and longest[at]:
        some = lists[at : at + max(1, ITEMS // int(longest[at]))]
        yield Block(some, start[some], sizes[some])
        at += len(some)


def leading(start: Ints, score: Reals, depth: int) -> Ints | None:
    """The rows at ranks 1 … depth of their lists and all tied with the last of these; None where that saves nothing.

    Ordered alone they have the ranks and ties that they have among all.
    """
    if 2 * depth > np.diff(start).max(initial=0):
        return None
    chosen = np.empty(len(score), np.bool_)
    for block in blocks(start):
        matrix = block.matrix(score, -np.inf)
        behind = max(0, matrix.shape[1] - depth)
        least = np.partition(matrix, behind, axis=1)[:, behind]
        block.put(chosen, matrix >= least[:, None])
    return np.flatnonzero(chosen)


def by_falling_score(start: Ints, score: Reals) -> Ints:
    """Rows list by list, by falling score; equal scores as they come."""
    out = np.empty(len(score), np.int64)
    for block in blocks(start):
        column = rising(0.0 - block.matrix(score, -np.inf))  # 0 - x, so that -0 equals 0
        column += start[block.lists, None]
        block.put(out, column)
    return out


def rising(matrix: Floats) -> Ints:
    """The columns of each row of a matrix by rising number, equal ones from left to right; 0 must not come as -0.

    Processors sort plain numbers many times faster than positions. So the last bits of each number are replaced by its
    column, which comes back with it; the few rows in which these bits would have decided something are sorted again.
    """
    packed, columns = _packed(matrix)
    packed.sort(axis=1)
    alike = (packed | columns).ravel()
    packed &= columns
    if np.any(alike[1:] == alike[:-1]):
        odd = np.flatnonzero(_rise(-taken(matrix, packed)))
        packed[odd] = np.argsort(matrix[odd], axis=1, kind="stable")
    return packed


def highest(scores: Floats, depth: int, count: int) -> tuple[Ints, Ints]:
    """The columns of the `count` highest scores of each row, falling, and the rows in which they may be others.

    In all other rows they are right down to `depth`, and further to the last that is tied with it. Single precision is
    enough in most rows that are not wide, and sorted in half the time.
    """
    width = scores.shape[1]
    with np.errstate(over="ignore"):
        keys = scores.astype(np.float32 if width <= _WIDE else np.float64)
    packed, columns = _packed(np.subtract(0.0, keys, out=keys))  # 0 - x, so that -0 equals 0
    if width > _WIDE:
        packed = np.partition(packed, count, axis=1)[:, : count + 1]
    packed.sort(axis=1)
    last = packed[:, depth - 1 : count + 1] | columns
    found = (packed[:, :count] & columns).astype(np.int64)
    return found, np.flatnonzero(_rise(taken(scores, found)) | (last == last[:, :1]).all(axis=1))


def _packed(matrix: NDArray[Any]) -> tuple[NDArray[Any], Any]:
    """Whole numbers in the order of the floats, the column in their last bits; and which bits these are."""
    kind, width = np.dtype(f"i{matrix.itemsize}").type, matrix.shape[1]
    columns, bits = kind((1 << width.bit_length()) - 1), matrix.view(kind)
    packed = bits >> kind(8 * matrix.itemsize - 1)
    packed &= np.iinfo(kind).max  # below 0, floats fall where their bits rise
    packed ^= bits
    packed &= ~columns
    packed |= np.arange(width, dtype=kind)
    return packed, columns


def taken(matrix: Floats, columns: Ints) -> Floats:
    """What each row has at its columns."""
    rows, width = matrix.shape
    return matrix.ravel().take(columns + np.arange(0, rows * width, width)[:, None], mode="clip")


def _rise(seen: Floats) -> Flags:
    """The rows in which a number is higher than the one before."""
    rows: Flags = np.any(seen[:, 1:] > seen[:, :-1], axis=1)
    return rows


def side_by_side(size: Ints, column: Values, rest: Any) -> Values:
    """Lists as the rows of a matrix, filled up to the longest."""
    width = int(size.max(initial=0))
    if width * len(size) == len(column):
        return column.reshape(len(size), width)
    matrix = np.full((len(size), width), rest, column.dtype)
    matrix[np.arange(width) < size[:, None]] = column
    return matrix
