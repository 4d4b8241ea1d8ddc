"""Matching under decisions that only some tools take: their orders inside ties, repeated documents, a floor for scores.

One plain sort of all rows: this is for numbers that must be somebody else's, not for speed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from rankgauge.data.policy import Policy
from rankgauge.data.tables import faults
from rankgauge.data.tables.table import FrameTable
from rankgauge.kernels.hits import Hits

_KEYS = {
    "document-asc": ("document", False),
    "order": ("row", False),
    "mean-rank": ("row", False),
    "reverse": ("row", True),
}


def match_unusual(judged: pl.DataFrame, names: list[str], run: FrameTable, policy: Policy) -> tuple[Hits, list[str]]:
    """Hits of a run, and the ids of its queries that nobody judged; `names` are the judged queries by code."""
    faults.refuse(faults.no_rows(len(run.rows), run))
    rows = run.data.select("query", "document", "score").with_row_index("row")
    score = rows["score"].to_numpy()
    faults.refuse(faults.not_finite(score, run, lambda row: (rows["query"][row], rows["document"][row])))
    codes = pl.DataFrame({"query": names, "code": np.arange(len(names))}, schema_overrides={"query": pl.String})
    foreign = rows.join(codes, on="query", how="anti")["query"].unique(maintain_order=True).to_list()
    if policy.repeated in {None, "error"}:
        _refuse_repeated(rows, run)
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


def _refuse_repeated(rows: pl.DataFrame, run: FrameTable) -> None:
    from rankgauge.data.match.lookup import refuse_duplicates
    from rankgauge.data.match.segments import Segments

    refuse_duplicates(run, Segments(rows["query"]), rows["document"].hash().to_numpy())
