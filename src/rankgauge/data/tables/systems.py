"""Several runs in one table, told apart by a `system` column."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from rankgauge.data.tables import faults as checks
from rankgauge.data.tables.dicts import kept_best
from rankgauge.data.tables.table import FrameTable
from rankgauge.errors import DataError, did_you_mean
from rankgauge.tables.notes import SHOWN, clip, noted


def only_system(table: FrameTable) -> FrameTable:
    """The table without its column of systems; more than one system is a fault."""
    if "system" not in table.data.columns:
        return table
    names = table.data["system"].unique(maintain_order=True).to_list()
    bare = replace(table, data=table.data.drop("system"))
    if len(names) < 2:
        return bare
    some = ", ".join(map(clip, names[:SHOWN])) + (" …" if len(names) > SHOWN else "")
    finding = noted(
        "several-runs",
        f"this holds the runs of {len(names):,} systems ({some})",
        table.origin,
        hint=f"Take all with read_runs, or name one, as in PATH:{clip(names[0])} or part={clip(names[0])!r}.",
    )
    return replace(bare, faults=(*bare.faults, finding))


def split(table: FrameTable) -> dict[str, FrameTable]:
    """One table per system, in order of appearance. Lines are not told, for a pair may stand in every system."""
    parts = table.data.partition_by("system", maintain_order=True, include_key=False)
    names = table.data["system"].unique(maintain_order=True).to_list()
    return {name: replace(table, data=part, lines=None) for name, part in zip(names, parts, strict=True)}


def one_of(table: FrameTable, system: str) -> FrameTable:
    """The rows of one system."""
    part = table.data.filter(pl.col("system") == system).drop("system")
    if not len(part):
        known = table.data["system"].unique(maintain_order=True).to_list()
        raise DataError(f"no system {clip(system)!r}", table.origin, hint=clip(did_you_mean(system, known), 300))
    return replace(table, data=part, lines=None)


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
