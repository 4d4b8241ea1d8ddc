"""Judgments × run → Hits: the one place where the two meet, whatever they are made of."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from rankgauge.data import checks
from rankgauge.data.findings import Finding
from rankgauge.data.judgments import Judgments
from rankgauge.data.matching_dicts import JudgedDicts
from rankgauge.data.policy import Policy
from rankgauge.data.run import Run
from rankgauge.data.tables import Table
from rankgauge.frozen import dataclass
from rankgauge.kernels.hits import Hits, Pool


@dataclass(frozen=True)
class Match:
    """A run seen through judgments: hits by query code, the pool, and the names behind the codes."""

    hits: Hits
    pool: Pool
    queries: list[str]
    foreign: list[str]
    """Queries of the run that nobody judged; they play no part."""
    remarks: tuple[Finding, ...] = ()
    """What the reader of the run has to say."""


def match(judgments: Judgments, run: Run, policy: Policy, deepest: int | None = None) -> Match:
    """A whole run."""
    return as_whole(match_part(judgments, run, policy, deepest), judgments, run)


def as_whole(matched: Match, judgments: Judgments, run: Run) -> Match:
    """A run that shares no query with the judgments is refused; only a look at all of it can tell."""
    foreign = matched.foreign
    if foreign and not matched.hits.retrieved.any():
        checks.no_query_in_common(matched.queries, foreign, run.table.origin, judgments.table.origin).refuse()
    if judgments.chosen is not None:
        foreign = [query for query in foreign if query in judgments.chosen]
    return replace(matched, foreign=foreign)


def match_part(judgments: Judgments, run: Run, policy: Policy, deepest: int | None = None) -> Match:
    """A run or a part of one, which may share no query with the judgments.

    Ranks are by score descending and, inside ties, by document id descending in byte order or as given.
    `deepest` is the last rank that matters, if not all do: hits that cannot stand there or above are left out.
    """
    how = options(policy, deepest)
    rows = run.table.mapping()
    judged = judgments.ready(as_dicts=rows is not None)
    if isinstance(judged, JudgedDicts) and rows is not None:
        table: Table = run.table
        hits, foreign = judged.match(rows, table, **how)
    else:
        table = run.table.load()
        hits, foreign = judged.match(table, **how)  # type: ignore[arg-type]
    return Match(hits.within(deepest), judged.pool, judged.names, foreign, table.remarks)


def match_nothing(judgments: Judgments) -> Match:
    """A system that returned no document at all."""
    judged = judgments.ready(as_dicts=False)
    none = np.empty(0, np.int64)
    hits = Hits(none, none, np.empty(0), none, none, np.zeros(len(judged.names), np.int64))
    return Match(hits, judged.pool, judged.names, [])


def options(policy: Policy, deepest: int | None) -> dict[str, Any]:
    """What a policy says about the order of documents."""
    return {"single": policy.precision == "single", "given_order": policy.ties == "order", "deepest": deepest}
