"""Matching of Polars frames: judged rows by 64-bit keys, verified on the texts, and ranks by position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rankgauge.arrays import Floats, Ints
from rankgauge.data.match.lookup import Hashes, Lookup, refuse_duplicates
from rankgauge.data.match.segments import Segments, Stretch
from rankgauge.data.match.threads import AT_ONCE, in_threads
from rankgauge.data.tables import faults
from rankgauge.data.tables.table import FrameTable
from rankgauge.frozen import dataclass
from rankgauge.kernels.hits import Hits, Pool, joined, pool_of, unstacked
from rankgauge.kernels.ranking import RankedRows, leading_rows, rank_rows


class JudgedFrame:
    """Judgments as a frame, with their pool and the lookup that runs are held against."""

    def __init__(self, table: FrameTable) -> None:
        self.table = table
        rows = _examined(table)
        self.names = rows.segments.names
        self._codes = {name: code for code, name in enumerate(self.names)}
        whole = rows.segments.whole()
        code, value = np.repeat(np.arange(len(self.names)), rows.segments.size), whole.take(rows.number)
        documents = rows.documents if isinstance(whole.rows, slice) else rows.documents[whole.rows]
        self._lookup = Lookup(code, whole.take(rows.hashes), documents, value, len(self.names))
        self.pool: Pool = pool_of(code, value, len(self.names))

    def match(
        self, table: FrameTable, *, single: bool, given_order: bool, deepest: int | None = None
    ) -> tuple[Hits, list[str]]:
        """Hits of a run, and the ids of its queries that nobody judged.

        With `deepest`, hits further down may be left out, and most rows need not be looked up.
        """
        return self.match_each(table, [len(table.data)], single=single, given_order=given_order, deepest=deepest)[0]

    def match_each(
        self, table: FrameTable, rows_of_runs: Sequence[int], *, single: bool, given_order: bool, deepest: int | None
    ) -> list[tuple[Hits, list[str]]]:
        """The same for several runs whose rows follow each other."""
        rows = _examined(table, rows_of_runs)
        segments, other, runs = rows.segments, len(self.names), len(rows_of_runs)
        code = np.array([self._codes.get(name, other) for name in segments.names], np.int64)
        is_judged = code < other
        place = segments.table * other + code
        retrieved = np.zeros(runs * other, np.int64)
        retrieved[place[is_judged]] = segments.size[is_judged]

        def part(stretch: Stretch) -> Hits:
            score = stretch.take(rows.number)
            order = _Order(rows.documents, stretch, score.astype(np.float32) if single else score, given_order)
            ranks, value = self._ranks(order, stretch.take(rows.hashes), code, deepest)
            return ranks.hits(place[stretch.segments], value, retrieved)

        hits = joined(in_threads(part, segments.stretches(AT_ONCE)), retrieved).within(deepest)
        foreign: list[list[str]] = [[] for _ in range(runs)]
        for at in np.flatnonzero(~is_judged).tolist():
            foreign[segments.table[at]].append(segments.names[at])
        return list(zip(unstacked(hits, runs), foreign, strict=True))

    def _ranks(self, order: _Order, hashes: Hashes, code: Ints, deepest: int | None) -> tuple[RankedRows, Floats]:
        """The ranks of the judged documents of a stretch, and their judged values."""
        stretch, score, start = order.stretch, order.score, order.stretch.start
        chosen = None if deepest is None else leading_rows(start, score, deepest)
        if chosen is None:
            hit, value = self._lookup.find(stretch.of_row(code), hashes, order.texts)
            ranks = rank_rows(start, score, hit, order.tie_key)
        else:
            wanted, texts = stretch.of_row(code, chosen), lambda rows: order.texts(chosen[rows])
            hit, value = self._lookup.find(wanted, hashes[chosen], texts)
            start = np.searchsorted(chosen, start)
            ranks = rank_rows(start, score[chosen], hit, lambda rows: order.tie_key(chosen[rows]))
        return ranks, value


@dataclass(frozen=True)
class _Rows:
    """The columns of a table that has passed all checks."""

    segments: Segments
    documents: pl.Series
    hashes: Hashes
    """One per document, the same for the same text wherever it is."""
    number: Floats


@dataclass(frozen=True)
class _Order:
    """How the rows of a stretch are compared."""

    documents: pl.Series
    stretch: Stretch
    score: NDArray[np.floating[Any]]
    given: bool

    def texts(self, rows: Ints) -> pl.Series:
        return self.documents[self.stretch.source(rows)]

    def tie_key(self, rows: Ints) -> NDArray[Any]:
        if self.given:
            return self.stretch.source(rows)
        return self.texts(rows).rank("dense", descending=True).to_numpy()


def _examined(table: FrameTable, rows: Sequence[int] = ()) -> _Rows:
    frame = table.data
    number = frame[table.number].to_numpy()
    faults.refuse(faults.no_rows(len(frame), table))
    faults.refuse(faults.not_finite(number, table, lambda row: (str(frame["query"][row]), str(frame["document"][row]))))
    segments, hashes = Segments(frame["query"], rows), hashes_of(frame["document"])
    refuse_duplicates(table, segments, hashes)
    return _Rows(segments, frame["document"], hashes, number)


def hashes_of(documents: pl.Series) -> Hashes:
    return documents.hash().to_numpy()
