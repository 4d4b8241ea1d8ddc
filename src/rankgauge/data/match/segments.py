"""The rows of each query as one stretch, whatever order a table has."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rankgauge.arrays import Ints
from rankgauge.frozen import dataclass

_LONG, _SAMPLE = 1 << 18, 1 << 10


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

    def of_row(self, column: NDArray[Any], rows: Ints | None = None) -> NDArray[Any]:
        """What is known of segments, for each of some rows or for all."""
        mine = column[self.segments]
        if rows is None:
            return np.repeat(mine, np.diff(self.start))
        return mine[np.searchsorted(self.start, rows, "right") - 1]


class ScatteredError(Exception):
    """A query has rows in several places of one of several tables, which have to be looked at one by one."""


class Segments:
    """Which rows each query has; rows are rearranged only where a query is scattered.

    `names` are the queries in order of appearance, `size` counts their rows. Where several tables follow each
    other, `rows` counts those of each, and `table` says to which a segment belongs.
    """

    def __init__(self, query: pl.Series, rows: Sequence[int] = ()) -> None:
        self._order: Ints | None = None
        ends = np.cumsum(rows or [len(query)])
        self.names, self.size = ([], np.empty(0, np.int64)) if _looks_scattered(query) else _stretches(query, ends)
        self.table: Ints = np.searchsorted(ends, np.cumsum(self.size))
        if len(set(zip(self.table.tolist(), self.names, strict=True))) < max(len(self.names), 1):
            if len(ends) > 1:
                raise ScatteredError
            self.names = query.unique(maintain_order=True).to_list()
            code = query.cast(pl.Enum(self.names)).to_physical().to_numpy()
            self._order = _grouping(code, len(self.names))
            self.size = np.bincount(code, minlength=len(self.names)).astype(np.int64)
            self.table = np.zeros(len(self.names), np.int64)
        self._start: Ints = np.concatenate(([0], np.cumsum(self.size))).astype(np.int64)

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


def _stretches(query: pl.Series, ends: Ints) -> tuple[list[str], Ints]:
    """Queries and how many rows each has, started again after every table."""
    found = query.rle().struct.unnest()
    names, end = found["value"].to_list(), np.cumsum(found["len"].to_numpy().astype(np.int64))
    if len(ends) > 1:
        cuts = np.sort(np.concatenate((end, ends)))
        cuts = cuts[np.diff(cuts, prepend=0) > 0]
        names, end = [names[at] for at in np.searchsorted(end, cuts)], cuts
    return names, np.diff(end, prepend=0)


def _looks_scattered(query: pl.Series) -> bool:
    """Whether a long column changes its query so often at its beginning that its stretches would only cost time."""
    return len(query) > _LONG and len(query.head(_SAMPLE).rle()) > _SAMPLE // 2


def _grouping(code: NDArray[Any], codes: int) -> Ints:
    """The order that brings equal codes together and keeps the rest; by radix, which NumPy has for 16 bits only."""
    if codes <= 1 << 16:
        return np.argsort(code.astype(np.uint16), kind="stable")
    low = np.argsort(code.astype(np.uint16), kind="stable")  # the cast keeps the low bits
    return low[np.argsort((code >> 16).astype(np.uint16)[low], kind="stable")]
