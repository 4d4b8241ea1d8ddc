"""Scores to ranks and tie spans, for the rows that matter only.

Rows come in segments, one per query. Nothing of the table's length is sorted unless it is out of order, and ids are
looked at only inside tie groups that hold a wanted row.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.kernels.hits import Hits

if TYPE_CHECKING:
    from rankgauge.arrays import Flags, Floats, Ints, Reals, Values

    TieKey = Callable[[Ints], Values]
    """Rows to numbers: inside a tie group, the smaller number ranks first."""

SHORT, _FEW = 32, 4
"""Segments of up to this many rows are counted through; at most so many comparisons for each row are worth it."""


@dataclass(frozen=True)
class RankedRows:
    """For each wanted row its segment, its rank (from 1) and the ranks its tie group spans."""

    segment: Ints
    rank: Ints
    first: Ints
    last: Ints

    def hits(self, code: Ints, value: Floats, retrieved: Ints) -> Hits:
        """The wanted rows as hits: `code` names the query of each segment, `value` is judged of each row."""
        query = code[self.segment]
        place = query * (self.rank.max(initial=0) + 1) + self.rank
        if np.all(place[1:] > place[:-1]):
            return Hits(query, self.rank, value, self.first, self.last, retrieved)
        order = np.argsort(place, kind="stable")  # made for what is nearly in order, as here where only ties are not
        return Hits(query[order], self.rank[order], value[order], self.first[order], self.last[order], retrieved)


def rank_rows(start: Ints, score: Reals, rows: Ints, tie_key: TieKey) -> RankedRows:
    """Ranks of `rows` by score descending within their segments; `start` holds where segments begin, and the end."""
    segment = np.searchsorted(start, rows, "right") - 1
    opens = _opens(start)
    in_order = is_descending(score, opens)
    counted = None if in_order else _counted(start, score, rows, segment)
    if counted is not None:
        return counted
    order = None if in_order else descending_order(start, score)
    position = rows.copy() if order is None else _inverse(order)[rows]
    first, last = position.copy(), position.copy()
    joined = _joined(score if order is None else score[order], opens)
    if joined.any():
        _settle(_Ties(joined, order), rows, tie_key, position, first, last)
    base = start[segment]
    return RankedRows(segment, position - base + 1, first - base + 1, last - base + 1)


def _opens(start: Ints) -> Flags:
    """Marks the first row of each segment."""
    opens = np.zeros(start[-1], np.bool_)
    opens[start[:-1][np.diff(start) > 0]] = True
    return opens


def _counted(start: Ints, score: Reals, rows: Ints, segment: Ints) -> RankedRows | None:
    """Ranks of a few rows of short segments: one more than there are higher scores, so that nothing has to be sorted.

    None where this would not pay, or where a wanted row is tied.
    """
    size = np.diff(start)
    width = int(size.max(initial=0))
    if width > SHORT or width * len(rows) > _FEW * len(score):
        return None
    own, begin, end = score[rows], start[segment], start[segment + 1]
    rank, equal = np.ones(len(rows), np.int64), np.zeros(len(rows), np.int64)
    for at in range(width):
        # Beyond its end a segment is compared with its last row again, which is taken back below.
        other = score[np.minimum(begin + at, end - 1)]
        rank += other > own
        equal += other == own
    again, last = width - (end - begin), score[end - 1]
    rank -= again * (last > own)
    equal -= again * (last == own)
    return None if np.any(equal > 1) else RankedRows(segment, rank, rank, rank)


def is_descending(score: Reals, opens: Flags) -> bool:
    rises = score[1:] > score[:-1]
    rises &= ~opens[1:]
    return not rises.any()


def falls_strictly(start: Ints, score: Reals) -> bool:
    """Whether every row but the first of a segment has a lower score than the row before; no segment is empty."""
    falls = score[1:] < score[:-1]
    across = start[1:-1] - 1
    return np.count_nonzero(falls) - np.count_nonzero(falls[across]) == len(falls) - len(across)


def rank_all(start: Ints, score: Reals) -> tuple[Ints, RankedRows]:
    """All rows in rank order, and their ranks in this order; equal scores as they come.

    As rank_rows where every row is wanted and the row number breaks ties, for a tenth of the time.
    """
    size = np.diff(start)
    segment = np.repeat(np.arange(len(size)), size)
    order = descending_order(start, score, stable=True)
    position, base = np.arange(len(score)), start[:-1][segment]
    opens = position == base
    leads = np.flatnonzero(~_joined(score[order], opens))
    spans = np.diff(leads, append=len(score))
    first = np.repeat(leads, spans) - base + 1
    return order, RankedRows(segment, position - base + 1, first, first + np.repeat(spans, spans) - 1)


def descending_order(start: Ints, score: Reals, *, stable: bool = False) -> Ints:
    """Row numbers ordered by segment and then by score descending; equal scores in any order, or as they come."""
    size = np.diff(start)
    width = int(size.max(initial=0))
    if width * len(size) > 4 * len(score):
        return np.lexsort((-score, np.repeat(np.arange(len(size)), size)))
    # Sorting the rows of a padded matrix is several times faster than one lexsort of everything.
    inside = np.arange(width) < size[:, None]
    padded = np.full(inside.shape, np.inf, score.dtype)
    padded[inside] = -score
    kind: Any = "stable" if stable else None
    return (np.argsort(padded, axis=1, kind=kind) + start[:-1, None])[inside]


def leading_rows(start: Ints, score: Reals, depth: int) -> Ints | None:
    """The rows at ranks 1 … depth of their segments, with all that are tied with the last of these.

    Ranked alone they have the same ranks and spans as among all. None where singling them out would not pay.
    """
    size = np.diff(start)
    width = int(size.max(initial=0))
    if depth >= width:
        return None
    if is_descending(score, _opens(start)):  # as most systems write them
        least = score[start[:-1] + np.minimum(size, depth) - 1]
        return np.flatnonzero(score >= np.repeat(least, size))
    if width <= SHORT or width * len(size) > 4 * len(score):
        return None
    if width * len(size) == len(score):
        matrix = score.reshape(-1, width)
        least = np.partition(matrix, width - depth, axis=1)[:, width - depth]
        return np.flatnonzero(matrix >= least[:, None])
    inside = np.arange(width) < size[:, None]
    matrix = np.full(inside.shape, -np.inf, score.dtype)
    matrix[inside] = score
    matrix.partition(width - depth, axis=1)
    return np.flatnonzero(score >= np.repeat(matrix[:, width - depth], size))


def _inverse(order: Ints) -> Ints:
    inverse = np.empty_like(order)
    inverse[order] = np.arange(len(order))
    return inverse


def _joined(score: Reals, opens: Flags) -> Flags:
    """Marks positions whose score equals the one before in the same segment."""
    joined = np.zeros(len(score), np.bool_)
    np.equal(score[1:], score[:-1], out=joined[1:])
    joined &= ~opens
    return joined


class _Ties:
    """The tie groups of a ranking: positions that share their score with a neighbor."""

    def __init__(self, joined: Flags, order: Ints | None) -> None:
        shared = joined.copy()
        shared[:-1] |= joined[1:]
        self.position = np.flatnonzero(shared)
        leads = ~joined[self.position]
        self.group = np.cumsum(leads) - 1
        self.first = self.position[leads]
        self.size = np.bincount(self.group)
        self.row = self.position if order is None else order[self.position]


def _settle(ties: _Ties, rows: Ints, tie_key: TieKey, position: Ints, first: Ints, last: Ints) -> None:
    """Write the spans and the settled positions of the wanted rows that are in a tie group."""
    at = np.searchsorted(ties.position, position)
    at[at == len(ties.position)] = 0
    tied = ties.position[at] == position
    group = ties.group[at[tied]]
    first[tied] = ties.first[group]
    last[tied] = ties.first[group] + ties.size[group] - 1

    wanted = np.zeros(len(ties.size), np.bool_)
    wanted[group] = True
    member = wanted[ties.group]
    row, place = ties.row[member], ties.position[member]
    settled = row[np.lexsort((tie_key(row), ties.group[member]))]
    by_row = np.argsort(settled)
    position[tied] = place[by_row[np.searchsorted(settled, rows[tied], sorter=by_row)]]
