"""Matching of Polars frames: a join on 64-bit keys, verified on the strings, and ranks by position.

Joining on hashes is a third faster than on two string columns. A false match of hashes is dropped when the strings
are compared; a false miss cannot happen, since equal strings have equal hashes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rankgauge.data import checks
from rankgauge.data.tables import FrameTable, Table
from rankgauge.kernels.hits import Floats, Hits, Ints, Pool, pool_of
from rankgauge.kernels.ranking import rank_rows

_MIX = 0x9E3779B97F4A7C15  # an odd number, so that (a, b) and (b, a) have different keys
_KEY = pl.col("document").hash() ^ (pl.col("query").hash() * _MIX)


class JudgedFrame:
    """Judgments as a frame, with their pool and the table a run is joined with."""

    def __init__(self, table: FrameTable) -> None:
        self.table, frame = table, table.data
        value = frame[table.number].to_numpy()
        checks.refuse(checks.no_rows(len(frame), table))
        checks.refuse(checks.not_finite(value, table, lambda row: _name(frame, row)))
        names = frame["query"].unique(maintain_order=True)
        self.names: list[str] = names.to_list()
        self.codes = pl.DataFrame({"query": names, "code": np.arange(len(names))})
        self.lookup = frame.select(_KEY.alias("key"), pl.col(table.number).alias("value"), "query", "document")
        _refuse_duplicates(frame, self.lookup["key"].to_numpy(), None, table)
        code = frame.join(self.codes, on="query", maintain_order="left")["code"].to_numpy()
        self.pool: Pool = pool_of(code, value, len(names))

    def match(self, table: FrameTable, *, single: bool, given_order: bool) -> tuple[Hits, list[str]]:
        """Hits of a run, and the ids of its queries that nobody judged."""
        frame = table.data
        score = frame[table.number].to_numpy()
        checks.refuse(checks.no_rows(len(frame), table))
        checks.refuse(checks.not_finite(score, table, lambda row: _name(frame, row)))
        key = frame.select(_KEY.alias("key"))
        hit, value = self._join(frame, key)
        segments = _Segments(frame["query"])
        _refuse_duplicates(frame, key["key"].to_numpy(), segments, table)
        document = frame["document"]

        def by_document(rows: Ints) -> NDArray[Any]:
            return document.gather(segments.source(rows)).rank("dense", descending=True).to_numpy()

        def as_given(rows: Ints) -> NDArray[Any]:
            return segments.source(rows)

        score = segments.arrange(score)
        wanted = segments.arranged_rows(hit)
        ranks = rank_rows(
            segments.start,
            score.astype(np.float32) if single else score,
            wanted,
            as_given if given_order else by_document,
        )
        code = self._codes_of(segments.names)
        retrieved = np.zeros(len(self.names), np.int64)
        retrieved[code[code >= 0]] = segments.size[code >= 0]
        return ranks.hits(code, value, retrieved), segments.names.filter(pl.Series(code < 0)).to_list()

    def _join(self, frame: pl.DataFrame, key: pl.DataFrame) -> tuple[Ints, Floats]:
        """Row numbers of judged documents and their judged values."""
        joined = key.with_row_index("row").join(self.lookup, on="key", maintain_order="left")
        row = joined["row"].to_numpy().astype(np.int64)
        same = (frame["query"].gather(row) == joined["query"]) & (frame["document"].gather(row) == joined["document"])
        if same.all():
            return row, joined["value"].to_numpy()
        kept = same.to_numpy()
        return row[kept], joined["value"].to_numpy()[kept]

    def _codes_of(self, names: pl.Series) -> Ints:
        found = names.to_frame("query").join(self.codes, on="query", how="left", maintain_order="left")["code"]
        return found.fill_null(-1).to_numpy().astype(np.int64)


class _Segments:
    """The rows of each query as one stretch; rows are rearranged only where a query is scattered."""

    def __init__(self, query: pl.Series) -> None:
        stretches = query.rle()
        self.names: pl.Series = stretches.struct.field("value")
        self.size: Ints = stretches.struct.field("len").to_numpy().astype(np.int64)
        self._order: Ints | None = None
        if self.names.n_unique() < len(self.names):
            self.names = query.unique(maintain_order=True)
            codes = pl.DataFrame({"query": self.names, "code": np.arange(len(self.names), dtype=np.uint32)})
            code = query.to_frame("query").join(codes, on="query", maintain_order="left")["code"].to_numpy()
            # A stable sort of 16-bit numbers is a radix sort, several times faster than one of 32 bits.
            narrow = code.astype(np.uint16) if len(self.names) <= 1 << 16 else code
            self._order = np.argsort(narrow, kind="stable")
            self.size = np.bincount(code, minlength=len(self.names)).astype(np.int64)
        self.start: Ints = np.concatenate(([0], np.cumsum(self.size))).astype(np.int64)

    def arrange(self, column: NDArray[Any]) -> NDArray[Any]:
        return column if self._order is None else column[self._order]

    def source(self, rows: Ints) -> Ints:
        """Rows of the frame behind arranged rows."""
        return rows if self._order is None else self._order[rows]

    def arranged_rows(self, rows: Ints) -> Ints:
        if self._order is None:
            return rows
        place = np.empty_like(self._order)
        place[self._order] = np.arange(len(place))
        return place[rows]


def _refuse_duplicates(frame: pl.DataFrame, key: NDArray[np.uint64], segments: _Segments | None, table: Table) -> None:
    """Equal keys are suspects; only equal strings are duplicates."""
    ordered = _sorted_keys(key, segments)
    suspect = ordered[1:][ordered[1:] == ordered[:-1]]
    if not len(suspect):
        return
    rows = frame.filter(pl.Series(np.isin(key, suspect))).select("query", "document")
    repeats = rows.group_by("query", "document", maintain_order=True).len().filter(pl.col("len") > 1)
    pairs = list(repeats.select("query", "document").iter_rows())
    checks.refuse(checks.duplicates(pairs, int((repeats["len"] - 1).sum()), len(frame), table))


def _sorted_keys(key: NDArray[np.uint64], segments: _Segments | None) -> NDArray[np.uint64]:
    """Keys in an order that brings equal ones together; a duplicate always stands in the same query."""
    if segments is not None:
        width = int(segments.size.max(initial=0))
        if width * len(segments.size) == len(key):
            return np.sort(segments.arrange(key).reshape(-1, width), axis=1).ravel()
    return np.sort(key)


def _name(frame: pl.DataFrame, row: int) -> tuple[str, str]:
    return str(frame["query"][row]), str(frame["document"][row])
