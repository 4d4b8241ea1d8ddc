"""duplicates="best": of the rows of one document in one query, the best stands for all."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from rankgauge.data import checks
from rankgauge.data.dicts import kept_best
from rankgauge.data.findings import SHOWN
from rankgauge.data.tables import FrameTable


def repeated(table: FrameTable) -> tuple[list[tuple[str, str]], int]:
    """The first repeated pairs, and how many rows repeat one."""
    counted = table.data.group_by("query", "document", maintain_order=True).len().filter(pl.col("len") > 1)
    pairs = [(str(query), str(document)) for query, document, _ in counted.head(SHOWN).iter_rows()]
    return pairs, int((counted["len"] - 1).sum())


def keep_best(table: FrameTable) -> FrameTable:
    """Rows keep the order of first appearance; a remark counts those that gave way."""
    if not table.data[table.number].is_finite().all():
        return table  # a number that is none must be named, not hidden behind a better row
    pairs, count = repeated(table)
    found = checks.duplicates(pairs, count, len(table.data), table)
    if found is None:
        return table
    kept = table.data.group_by("query", "document", maintain_order=True).agg(pl.col(table.number).max())
    return replace(table, data=kept, remarks=(*table.remarks, kept_best(found)))
