"""One query of a run as a list of documents: for people to look at, so ids matter and speed does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgauge.data.run import Run
from rankgauge.data.tables.table import RowTable, flatten

if TYPE_CHECKING:
    import polars as pl


def rows_of(table: RowTable, query: str) -> dict[str, float]:
    """Documents and numbers of one query, in the order given."""
    mapping = table.mapping()
    if mapping is not None:
        documents = mapping.get(query, {})
        return dict(zip(documents, flatten({query: documents}, table.number, table.origin)[1].tolist(), strict=True))
    frame = table.frame()
    part = frame.filter(frame["query"] == query)
    return dict(zip(part["document"].to_list(), part[table.number].to_list(), strict=True))


def document_lists(run: Run, depth: int | None = None) -> dict[str, list[str]]:
    """Documents of every query, best first, inside ties by id descending; the first `depth` of them if given."""
    return dict(ranked_rows(run, depth).group_by("query").agg("document").sort("query").iter_rows())


def ranked_rows(run: Run, depth: int | None = None, *, given_order: bool = False, single: bool = False) -> pl.DataFrame:
    """Columns query, document, rank (from 1): the first `depth` documents of every query, as `evaluate` orders them."""
    import polars as pl

    frame = run.to_polars()
    if single:
        frame = frame.with_columns(pl.col("score").cast(pl.Float32))
    keys = ["score"] if given_order else ["score", "document"]
    ordered = frame.sort(keys, descending=True, maintain_order=True)
    ranked = ordered.select("query", "document", (pl.int_range(pl.len()).over("query") + 1).alias("rank"))
    return ranked if depth is None else ranked.filter(pl.col("rank") <= depth)
