"""Matching of Polars frames: judged rows by hashes, verified on the ids, and ranks by position."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rankgauge.arrays import Floats, Ints
from rankgauge.data.match.lookup import Hashes, Lookup, refuse_duplicates, refuse_repeated, repeats_in
from rankgauge.data.match.segments import Column, QueryRows, Stretch, places_of
from rankgauge.data.match.side_by_side import ShortLists, ShortPool, fits
from rankgauge.data.match.threads import AT_ONCE, in_threads
from rankgauge.data.policy import Policy
from rankgauge.data.tables import faults
from rankgauge.data.tables.table import FrameTable, as_text
from rankgauge.kernels.hits import Hits, Pool, joined, pool_of_segments, unstacked
from rankgauge.kernels.ranking import SHORT, RankedRows, falls_strictly, leading_rows, rank_rows


class JudgedFrame:
    """Judgments as a frame, with their pool and the lookup that runs are held against.

    Ids are compared as whole numbers where both sides have them, else as texts.
    """

    def __init__(self, table: FrameTable, beside: FrameTable | None = None) -> None:
        """`beside` is the run that will be matched first; where it is long, both are examined at the same time."""
        self.table = table
        self._lookups: dict[pl.DataType, Lookup] = {}
        self._lock = Lock()  # pieces of runs come in several threads
        self._first: tuple[FrameTable, _Rows] | None = None
        if beside is None or len(beside.rows) <= AT_ONCE:
            self._prepare()
        else:
            work: list[Callable[[], Any]] = [self._prepare, lambda: _examined(beside, table.rows)]
            self._first = beside, in_threads(lambda one: one(), work)[1]

    def _prepare(self) -> None:
        """All that does not depend on the run."""
        table = self.table
        _refuse_not_finite(table)
        examined = _examined(table, table.rows)
        refuse_duplicates(table, examined.segments, examined.hashes)
        self._segments, whole = examined.segments, examined.segments.whole()
        self.queries = len(whole.start) - 1
        self._value = examined.number.take(whole)
        self._documents = examined.documents if isinstance(whole.rows, slice) else examined.documents[whole.rows]
        self.pool: Pool = pool_of_segments(whole.start, self._value)

    @property
    def names(self) -> Sequence[str]:
        """The queries in order of appearance; their places are their codes."""
        return self._segments.names

    def match(
        self, table: FrameTable, *, single: bool, given_order: bool, deepest: int | None = None
    ) -> tuple[Hits, list[str]]:
        """Hits of a run, and the ids of its queries that nobody judged.

        With `deepest`, hits further down may be left out, and most rows need not be looked up.
        """
        return self.match_each(table, [len(table.rows)], single=single, given_order=given_order, deepest=deepest)[0]

    def match_each(
        self, table: FrameTable, rows_of_runs: Sequence[int], *, single: bool, given_order: bool, deepest: int | None
    ) -> list[tuple[Hits, list[str]]]:
        """The same for several runs whose rows follow each other."""
        rows = self._beside(table, rows_of_runs)
        segments, other, runs = rows.segments, self.queries, len(rows_of_runs)
        code, kind, short = self._codes(segments), rows.documents.dtype, fits(segments.size, SHORT)
        pool = self._short_pool if short and kind == pl.Int64 else None
        lookup = self._lookup(kind) if pool is None else None
        # Side by side, whole numbers are compared as they are; a lookup needs their hashes.
        keys = rows.hashes if pool is None else Column(rows.documents, pl.Series.to_numpy, segments)
        is_judged = code < other
        place = segments.table * other + code
        retrieved = np.zeros(runs * other, np.int64)
        retrieved[place[is_judged]] = segments.size[is_judged]

        def part(stretch: Stretch) -> tuple[Hits, Ints] | None:
            score, key = rows.number.take(stretch), keys.take(stretch)
            if not _are_finite(score, table):
                return None
            order = _Order(rows.documents, stretch, score.astype(np.float32) if single else score, given_order)
            lists = ShortLists(stretch.start, key) if short else None
            repeated = repeats_in(stretch, key, lists)
            if lists is not None and pool is not None:
                ranks, value = _ranks_side_by_side(order, pool, lists, code[stretch.segments], deepest)
            elif lookup is not None:
                ranks, value = _ranks(order, lookup, key, code[stretch.segments], deepest)
            return ranks.hits(place[stretch.segments], value, retrieved), repeated

        found = in_threads(part, segments.stretches(AT_ONCE))
        if None in found:
            _refuse_not_finite(table)
        parts, repeated = zip(*filter(None, found), strict=True)
        refuse_repeated(table, repeated)
        hits = joined(parts, retrieved).within(deepest)
        foreign: list[list[str]] = [[] for _ in range(runs)]
        for at in np.flatnonzero(~is_judged).tolist():
            foreign[segments.table[at]].append(segments.names[at])
        return list(zip(unstacked(hits, runs), foreign, strict=True))

    def _beside(self, table: FrameTable, rows_of_runs: Sequence[int]) -> _Rows:
        """The rows of runs; those of the first were examined together with the judgments."""
        if self._first is not None and self._first[0] is table:
            rows, self._first = self._first[1], None
            return rows
        return _examined(table, self.table.rows, rows_of_runs)

    def _codes(self, segments: QueryRows) -> Ints:
        """The code of each query of a run; that behind the last for a query that nobody judged."""
        if segments.ids.dtype == self._segments.ids.dtype and segments.ids.equals(self._segments.ids):
            return np.arange(self.queries)
        if segments.ids.dtype == self._segments.ids.dtype == pl.Int64:
            return places_of(segments.ids.to_numpy(), self._segments.ids.to_numpy())
        return np.array([self._by_name.get(name, self.queries) for name in segments.names], np.int64)

    @cached_property
    def _by_name(self) -> dict[str, int]:
        return {name: code for code, name in enumerate(self.names)}

    @cached_property
    def _short_pool(self) -> ShortPool | None:
        """Where whole numbers are the ids, and no query has more than a few judged documents."""
        start = self.pool.start
        if self._documents.dtype != pl.Int64 or not ShortPool.fit(start):
            return None
        return ShortPool(start, self._documents.to_numpy(), self._value, is_uniform=self.pool.is_uniform)

    def _lookup(self, kind: pl.DataType) -> Lookup:
        with self._lock:
            if kind not in self._lookups:
                documents = self._documents if self._documents.dtype == kind else as_text(self._documents)
                texts = None if kind == pl.Int64 else documents
                code = np.repeat(np.arange(self.queries), self.pool.judged)
                self._lookups[kind] = Lookup(code, hashes_of(documents), texts, self._value, self.queries)
            return self._lookups[kind]


def _ranks(order: _Order, lookup: Lookup, hashes: Hashes, code: Ints, deepest: int | None) -> tuple[RankedRows, Floats]:
    """The ranks of the judged documents of a stretch, and their judged values."""
    score, start = order.score, order.stretch.start
    chosen = None if deepest is None else leading_rows(start, score, deepest)
    if chosen is None:
        hit, value = lookup.find(np.repeat(code, np.diff(start)), hashes, order.documents_of)
        return rank_rows(start, score, hit, order.tie_key), value
    start = np.searchsorted(chosen, start)
    documents = lambda rows: order.documents_of(chosen[rows])  # noqa: E731
    hit, value = lookup.find(np.repeat(code, np.diff(start)), hashes[chosen], documents)
    return rank_rows(start, score[chosen], hit, lambda rows: order.tie_key(chosen[rows])), value


def _ranks_side_by_side(
    order: _Order, pool: ShortPool, lists: ShortLists, code: Ints, deepest: int | None
) -> tuple[RankedRows, Floats]:
    """The same for short lists."""
    start, score = order.stretch.start, order.score
    falls = falls_strictly(start, score)
    segment, place, value = lists.judged(pool, code, deepest if falls else None)
    if falls:
        rank = place + 1
        return RankedRows(segment, rank, rank, rank), value
    return rank_rows(start, score, start[segment] + place, order.tie_key), value


@dataclass(frozen=True)
class _Rows:
    """The columns of a table that has passed all checks."""

    segments: QueryRows
    documents: pl.Series
    hashes: Column
    """One per document, the same for the same id wherever it is."""
    number: Column


@dataclass(frozen=True)
class _Order:
    """How the rows of a stretch are compared."""

    documents: pl.Series
    stretch: Stretch
    score: NDArray[np.floating[Any]]
    given: bool

    def documents_of(self, rows: Ints) -> pl.Series:
        return self.documents[self.stretch.source(rows)]

    def tie_key(self, rows: Ints) -> NDArray[Any]:
        if self.given:
            return self.stretch.source(rows)
        return as_text(self.documents_of(rows)).rank("dense", descending=True).to_numpy()


def _examined(table: FrameTable, beside: pl.DataFrame, rows: Sequence[int] = ()) -> _Rows:
    """A table that can be held against `beside`; its numbers, and repeated documents, are looked at later."""
    frame = table.rows
    faults.refuse(faults.no_rows(len(frame), table))
    query, document = (
        frame[role] if frame[role].dtype == beside[role].dtype else as_text(frame[role])
        for role in ("query", "document")
    )
    segments = QueryRows(query, rows)
    hashes, number = Column(document, hashes_of, segments), Column(frame[table.number], pl.Series.to_numpy, segments)
    return _Rows(segments, document, hashes, number)


def _are_finite(numbers: NDArray[Any], table: FrameTable) -> bool:
    return faults.not_finite(numbers, table, lambda row: (str(row), "")) is None


def _refuse_not_finite(table: FrameTable) -> None:
    """Names the numbers of a table that are none."""

    def names(row: int) -> tuple[str, str]:
        return str(table.rows["query"][row]), str(table.rows["document"][row])

    faults.refuse(faults.not_finite(table.rows[table.number].to_numpy(), table, names))


def hashes_of(documents: pl.Series) -> Hashes:
    """Whole numbers times an odd one: no two have the same hash, and all of its bits depend on those of the number."""
    if documents.dtype == pl.Int64:
        return documents.to_numpy().view(np.uint64) * _ODD
    return documents.hash().to_numpy()


_ODD = np.uint64(0x9E3779B97F4A7C15)
_KEYS = {
    "document-asc": ("document", False),
    "order": ("row", False),
    "mean-rank": ("row", False),
    "reverse": ("row", True),
}


def match_unusual(
    judged: pl.DataFrame, names: Sequence[str], run: FrameTable, policy: Policy
) -> tuple[Hits, list[str]]:
    """Matching under decisions that only some tools take: their orders inside ties, repeated documents, a floor for scores.

    One plain sort of all rows: this is for numbers that must be somebody else's, not for speed. Gives the hits of a run,
    and the ids of its queries that nobody judged; `names` are the judged queries by code.
    """
    faults.refuse(faults.no_rows(len(run.rows), run))
    rows = run.data.select("query", "document", "score").with_row_index("row")
    score = rows["score"].to_numpy()
    faults.refuse(faults.not_finite(score, run, lambda row: (rows["query"][row], rows["document"][row])))
    codes = pl.DataFrame({"query": list(names), "code": np.arange(len(names))}, schema_overrides={"query": pl.String})
    foreign = rows.join(codes, on="query", how="anti")["query"].unique(maintain_order=True).to_list()
    if policy.repeated in {None, "error"}:
        segments = QueryRows(rows["query"])
        refuse_duplicates(run, segments, Column(rows["document"], hashes_of, segments))
    if policy.own_id == "drop":
        rows = rows.filter(pl.col("query") != pl.col("document"))
    if policy.precision == "single":
        rows = rows.with_columns(pl.col("score").cast(pl.Float32))
    rows = rows.join(codes, on="query", how="inner").join(judged, on=["query", "document"], how="left")
    return _hits(_ranked(rows, policy), len(names), policy), foreign


def _ranked(rows: pl.DataFrame, policy: Policy) -> pl.DataFrame:
    """Ranks from 1 within each query, and the ranks that each tie spans."""
    key, descending = _KEYS.get(policy.ties or "document", ("document", True))
    rows = rows.sort("code", pl.col("score"), key, "row", descending=[False, True, descending, False])
    rows = rows.with_columns(rank=pl.int_range(1, pl.len() + 1).over("code"))
    tie = pl.col("rank")
    return rows.with_columns(first=tie.min().over("code", "score"), last=tie.max().over("code", "score"))


def _hits(rows: pl.DataFrame, queries: int, policy: Policy) -> Hits:
    retrieved = np.bincount(rows["code"].to_numpy(), minlength=queries).astype(np.int64)
    found = rows.filter(pl.col("value").is_not_null())
    counted = pl.col("value")
    if policy.floor == "zero":
        counted = pl.when(pl.col("score") > 0).then(counted).otherwise(0.0)
    if policy.repeated == "first":
        counted = pl.when(pl.struct("code", "document").is_first_distinct()).then(counted).otherwise(0.0)
    columns: dict[str, Any] = {
        name: found[column].to_numpy().astype(np.int64)
        for name, column in (("query", "code"), ("rank", "rank"), ("first", "first"), ("last", "last"))
    }
    value, judged = found.select(counted).to_series().to_numpy(), found["value"].to_numpy()
    return Hits(**columns, value=value, retrieved=retrieved, judged=None if np.array_equal(value, judged) else judged)
