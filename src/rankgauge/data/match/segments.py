"""The rows of each query as one stretch, whatever order a table has."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, overload

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rankgauge.arrays import Ints
from rankgauge.data.match.threads import AT_ONCE, in_threads
from rankgauge.data.tables.table import as_text

_LONG, _SAMPLE = 1 << 14, 1 << 10
_WIDE = 4
"""Whole numbers are looked up in a table of their range if it has at most so many places for each of them."""


@dataclass(frozen=True)
class Stretch:
    """Some neighboring segments; their rows are counted from the first of them on."""

    segments: slice
    start: Ints
    """Where each segment begins, and the end."""
    rows: slice | Ints
    """The rows of the table behind."""

    def take(self, column: NDArray[Any]) -> NDArray[Any]:
        return column[self.rows]

    def source(self, rows: Ints) -> Ints:
        """Rows of the table behind rows of the stretch."""
        return rows + self.rows.start if isinstance(self.rows, slice) else self.rows[rows]


class Column:
    """Numbers made of a column, stretch by stretch; at once only where its rows have to be rearranged."""

    def __init__(self, column: pl.Series, make: Callable[[pl.Series], NDArray[Any]], segments: QueryRows) -> None:
        self._column, self._make = column, make
        self._made = make(column) if segments.scattered else None

    def take(self, stretch: Stretch) -> NDArray[Any]:
        return self._make(self._column[stretch.rows]) if self._made is None else stretch.take(self._made)


class Texts(Sequence[str]):
    """Ids as texts, made when somebody asks for one: of 200,000 users they would take a seventh of an evaluation."""

    def __init__(self, ids: pl.Series) -> None:
        self._ids = ids

    @cached_property
    def _made(self) -> list[str]:
        return as_text(self._ids).to_list()

    def __len__(self) -> int:
        return len(self._ids)

    @overload
    def __getitem__(self, at: int) -> str: ...

    @overload
    def __getitem__(self, at: slice) -> list[str]: ...

    def __getitem__(self, at: int | slice) -> str | list[str]:
        return self._made[at]

    def __iter__(self) -> Iterator[str]:
        return iter(self._made)


class ScatteredError(Exception):
    """A query has rows in several places of one of several tables, which have to be looked at one by one."""


class QueryRows:
    """Which rows each query has; rows are rearranged only where a query is scattered.

    `ids` are the queries in order of appearance, `size` counts their rows. Where several tables follow each
    other, `rows` counts those of each, and `table` says to which a segment belongs.
    """

    def __init__(self, query: pl.Series, rows: Sequence[int] = ()) -> None:
        self._order: Ints | None = None
        ends = np.cumsum(rows or [len(query)])
        self.ids, self.size = (
            (query.clear(), np.empty(0, np.int64)) if _looks_scattered(query) else _stretches(query, ends)
        )
        self.table: Ints = np.searchsorted(ends, np.cumsum(self.size))
        if not len(self.ids) or _repeats(self.ids, self.table if len(ends) > 1 else None):
            if len(ends) > 1:
                raise ScatteredError
            self.ids = query.unique(maintain_order=True)
            code = _codes(query, self.ids)
            self._order = _grouping(code, len(self.ids))
            self.size = np.bincount(code, minlength=len(self.ids)).astype(np.int64)
            self.table = np.zeros(len(self.ids), np.int64)
        self._start: Ints = np.concatenate(([0], np.cumsum(self.size))).astype(np.int64)

    @property
    def scattered(self) -> bool:
        return self._order is not None

    @cached_property
    def names(self) -> Texts:
        return Texts(self.ids)

    def whole(self) -> Stretch:
        return self._between(0, len(self.size))

    def stretches(self, rows: int) -> list[Stretch]:
        """All segments in stretches of about this many rows, or of one segment that has more."""
        if self._start[-1] <= rows:
            return [self.whole()]
        wanted = np.searchsorted(self._start, np.arange(rows, self._start[-1], rows)).tolist()
        cuts = sorted({0, *wanted, len(self.size)})
        return [self._between(first, last) for first, last in pairwise(cuts)]

    def _between(self, first: int, last: int) -> Stretch:
        begin, end = int(self._start[first]), int(self._start[last])
        rows = slice(begin, end) if self._order is None else self._order[begin:end]
        return Stretch(slice(first, last), self._start[first : last + 1] - begin, rows)


def _stretches(query: pl.Series, ends: Ints) -> tuple[pl.Series, Ints]:
    """Queries and how many rows each has, started again after every table."""
    if query.dtype == pl.Int64:
        ids, end = _changes(query)
    else:
        found = query.rle().struct.unnest()
        ids, end = found["value"], np.cumsum(found["len"].to_numpy().astype(np.int64))
    if len(ends) > 1:
        cuts = np.sort(np.concatenate((end, ends)))
        cuts = cuts[np.diff(cuts, prepend=0) > 0]
        ids, end = ids[np.searchsorted(end, cuts)], cuts
    return ids, np.diff(end, prepend=0)


def _changes(query: pl.Series) -> tuple[pl.Series, Ints]:
    """The numbers of a column where they change, and the rows behind their last; looked for in several threads."""

    def look(begin: int) -> tuple[Ints, Ints]:
        number = query[begin : begin + AT_ONCE + 1].to_numpy()
        at = np.flatnonzero(number[1:] != number[:-1])
        return number[at], at + begin + 1

    ids, ends = zip(*in_threads(look, range(0, len(query), AT_ONCE)), strict=True)
    return pl.Series(np.concatenate((*ids, query.tail(1).to_numpy()))), np.append(np.concatenate(ends), len(query))


def _repeats(ids: pl.Series, table: Ints | None) -> bool:
    """Whether a query begins twice in a table."""
    if table is not None:
        pairs = pl.DataFrame({"ids": ids, "table": table})
        return pairs.n_unique() < len(ids)
    if ids.dtype == pl.Int64 and np.all(ids.to_numpy()[1:] > ids.to_numpy()[:-1]):
        return False
    return ids.n_unique() < len(ids)


def _codes(query: pl.Series, ids: pl.Series) -> NDArray[Any]:
    """The place of each query among the ids."""
    if query.dtype == pl.Int64:
        return places_of(query.to_numpy(), ids.to_numpy())
    return query.cast(pl.Enum(ids)).to_physical().to_numpy()


def places_of(numbers: Ints, among: Ints) -> Ints:
    """The place of each of the numbers among distinct ones; as many as there are where it is not there."""
    least, most = (int(among.min()), int(among.max())) if len(among) else (0, 0)
    if most - least > _WIDE * (len(among) + len(numbers)):
        order = np.argsort(among)
        at = np.searchsorted(among, numbers, sorter=order)
        place = np.append(order, len(among))[at]
        return np.where(np.append(among, 0)[place] == numbers, place, len(among))
    table = np.full(most - least + 2, len(among), np.int64)
    table[among - least] = np.arange(len(among))
    inside = (numbers >= least) & (numbers <= most)
    return table[np.where(inside, numbers - least, most - least + 1)]


def _looks_scattered(query: pl.Series) -> bool:
    """Whether a long column changes its query so often at its beginning that its stretches would only cost time."""
    return len(query) > _LONG and len(query.head(_SAMPLE).rle()) > _SAMPLE // 2


def _grouping(code: NDArray[Any], codes: int) -> Ints:
    """The order that brings equal codes together and keeps the rest; by radix, which NumPy has for 16 bits only."""
    if codes <= 1 << 16:
        return np.argsort(code.astype(np.uint16), kind="stable")
    low = np.argsort(code.astype(np.uint16), kind="stable")  # the cast keeps the low bits
    return low[np.argsort((code >> 16).astype(np.uint16)[low], kind="stable")]
