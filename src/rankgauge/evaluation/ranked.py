"""Ranked view: which grade is at which rank, and which document, by the match and the order that scores come from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rankgauge.data.judgments import Judgments, Run, table_of
from rankgauge.data.match import Match, compared, prepared, ranks_of_all, taking_part
from rankgauge.data.policy import Policy
from rankgauge.data.table import Table
from rankgauge.errors import plural
from rankgauge.evaluation.columns import Ruled
from rankgauge.evaluation.notes import Names
from rankgauge.kernels.cumulated import gains_of
from rankgauge.kernels.hits import count
from rankgauge.kernels.order import leading
from rankgauge.measures.measure import Measure
from rankgauge.tables.notes import Note

if TYPE_CHECKING:
    from rankgauge.arrays import Flags, Floats, Ints


def itself(relevance: Floats) -> Floats:
    """The gain of those who try gains of their own."""
    return relevance


class Found(NamedTuple):
    """Documents that are worth something, at a rank of their query; one in an open tie is at each rank of its span."""

    query: Ints
    rank: Ints
    worth: Floats
    share: Floats
    """The chance to be at this rank: 1 unless the order inside a tie is open."""


class Ranked:
    """The lists of all runs as a measure of graded relevance sees them under a policy, before gain and discount."""

    def __init__(self, matches: Sequence[Match], measure: Measure, policy: Policy) -> None:
        self.measure, self.policy, self.matches = measure, policy, matches
        self.ruled = [Ruled(match, policy) for match in matches]
        self.ties = policy.ties or measure.definition.ties
        self.queries, self.pool = matches[0].queries, matches[0].pool

    @cached_property
    def kept(self) -> Flags:
        """The queries that take part: all but those that some run lacks, where these are left out."""
        if self.policy.missing != "drop":
            return np.ones(len(self.queries), np.bool_)
        return np.logical_and.reduce([match.hits.retrieved > 0 for match in self.matches])

    def left_out(self, noun: str) -> list[Note]:
        """A note on the others."""
        absent = Names.where(~self.kept, self.queries)
        text = f"{plural(absent.count, noun)} that some run lacks, left out for all ({absent})"
        return [Note("missing-queries", text, absent.count, examples=absent.first)] if absent.count else []

    @cached_property
    def worth(self) -> Floats:
        """What each judged document is worth, in the order of the pool."""
        return gains_of(self.pool.value, self.pool.query, self.pool, self.measure.settings["relevance"], itself)

    @cached_property
    def levels(self) -> Floats:
        """Everything above 0 that some judged document is worth, rising."""
        return np.unique(self.worth[self.worth > 0])

    @cached_property
    def judged(self) -> Ints:
        """How many documents of each level were judged, retrieved or not: queries × levels."""
        good, queries, levels = self.worth > 0, len(self.queries), len(self.levels)
        cell = self.pool.query[good] * levels + np.searchsorted(self.levels, self.worth[good])
        return count(cell, queries * levels).reshape(queries, levels)

    def found(self, run: int, depth: int, gain: Callable[[Floats], Floats] = itself) -> Found:
        """What is worth something in the first ranks of a run."""
        hits = self.ruled[run].hits(self.ties)
        shown = hits.keep(hits.first <= depth)
        worth = gains_of(shown.value, shown.query, self.pool, self.measure.settings["relevance"], gain)
        shown, worth = shown.keep(worth > 0), worth[worth > 0]
        size = shown.last - shown.first + 1
        entry = np.repeat(np.arange(len(size)), size)
        rank = shown.first[entry] + np.arange(len(entry)) - np.repeat(np.cumsum(size) - size, size)
        entry, rank = entry[rank <= depth], rank[rank <= depth]
        return Found(shown.query[entry], rank, worth[entry], 1.0 / size[entry])


def best_first(run: Run, policy: Policy, depth: int | None = None) -> Table:
    """The rows of a run that take part, best first in every list, down to a depth: the ranks that `evaluate` sees."""
    table = taking_part(table_of(run.table), policy)
    depth = min(filter(None, (depth, policy.depth)), default=None)
    if depth is not None and (rows := leading(table.start, compared(table, policy), depth)) is not None:
        table = table.keep(rows)
    rank = ranks_of_all(table, policy)[0]
    row, size = np.empty(len(rank), np.int64), table.size
    row[np.repeat(table.start[:-1] - 1, size) + rank] = np.arange(len(rank))
    if depth is not None:
        row, size = row[rank[row] <= depth], np.minimum(size, depth)
    ids = table.ids.column.take(row)
    start = np.concatenate(([0], np.cumsum(size)))
    return table._replace(start=start, ids=ids, number=table.number[row], place=table.rows_of(row))


@dataclass(frozen=True, eq=False)
class Lists:
    """The first documents of all runs: `start[q]` to `start[q + 1]` are those of a query, run by run, best first."""

    start: Ints
    run: Ints
    rank: Ints
    value: Floats
    """As judged; nan where nobody did."""
    documents: list[str]


def lists_of(
    judgments: Judgments, runs: Sequence[Run], queries: Sequence[str], policy: Policy, depth: int | None
) -> Lists:
    """What the runs have for these queries, judged or not."""
    import polars as pl

    judged, codes = prepared(judgments), {query: code for code, query in enumerate(queries)}
    found: list[tuple[Any, ...]] = []
    documents: list[pl.Series] = []
    for at, run in enumerate(runs):
        table = best_first(run, policy, depth)
        hits = judged.match(table._replace(place=0), Policy(ties="order", repeated="count")).hits
        value = np.full(len(table.number), np.nan)
        value[hits.row] = hits.value
        code = np.repeat([codes.get(query, -1) for query in table.queries], table.size)
        rank = np.arange(1, len(code) + 1) - np.repeat(table.start[:-1], table.size)
        kept = np.flatnonzero(code >= 0)
        found.append((code[kept], np.full(len(kept), at), rank[kept], value[kept]))
        documents.append(table.ids.column.as_texts.at(kept))
    code, system, rank, value = map(np.concatenate, zip(*found, strict=True))
    by = np.argsort(code, kind="stable")
    start = np.searchsorted(code[by], np.arange(len(queries) + 1))
    return Lists(start, system[by], rank[by], value[by], pl.concat(documents)[by].to_list())
