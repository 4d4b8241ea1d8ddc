"""Looks at matched data and counts what a reader of the numbers should know."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from rankgauge.data.findings import Finding
from rankgauge.evaluation.facts import Names, PoolFacts, Unjudged
from rankgauge.evaluation.notes import Note
from rankgauge.evaluation.plan import Plan
from rankgauge.kernels.counting import judged as judged_share
from rankgauge.kernels.hits import Pool
from rankgauge.measures.measure import Measure


def about_table(remark: Finding, system: str | None = None) -> Note:
    """What the reader of a file remarked."""
    return Note(remark.kind, f"{remark.origin}: {remark.message}", remark.count, system, examples=remark.places)


def look_at_unjudged(plan: Plan, measures: Sequence[Measure]) -> tuple[Unjudged, ...]:
    """Once per cutoff, the documents above it that nobody judged."""
    if plan.policy.unjudged == "drop":
        return ()
    found = []
    hits = plan.under(plan.policy.ties or "document")
    answered = hits.retrieved > 0
    for cutoff in dict.fromkeys(measure.cutoff for measure in measures if isinstance(measure.cutoff, int)):
        share = judged_share(hits, plan.match.pool, cutoff=cutoff)[answered]
        returned = np.minimum(hits.retrieved, cutoff)[answered]
        unjudged = math.fsum((returned * (1 - share)).tolist())
        found.append(Unjudged(cutoff, unjudged, int(returned.sum()), math.fsum(share.tolist())))
    return tuple(found)


def look_at_pool(pool: Pool, names: list[str]) -> PoolFacts:
    """Negative grades and queries without a relevant document: facts of the judgments alone."""
    best = np.zeros(pool.queries)
    filled = pool.judged > 0
    best[filled] = pool.value[pool.start[:-1][filled]]
    barren = [names[query] for query in np.flatnonzero(best <= 0)]
    return PoolFacts(int(np.sum(pool.value < 0)), Names.of(barren))
