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


def look_at_unjudged(plan: Plan, measures: Sequence[Measure], runs: int = 1) -> list[tuple[Unjudged, ...]]:
    """Once per cutoff, the documents above it that nobody judged, of each of the runs that the plan holds."""
    if plan.policy.unjudged == "drop":
        return [()] * runs
    hits = plan.under(plan.policy.ties or "document")
    retrieved = hits.retrieved.reshape(runs, -1)
    answered = retrieved > 0
    found = []
    for cutoff in dict.fromkeys(measure.cutoff for measure in measures if isinstance(measure.cutoff, int)):
        share = judged_share(hits, plan.match.pool, cutoff=cutoff).reshape(runs, -1)
        returned = np.minimum(retrieved, cutoff)
        unjudged = returned * (1 - share)
        found.append(
            [
                Unjudged(
                    cutoff,
                    math.fsum(unjudged[run][mask].tolist()),
                    int(returned[run][mask].sum()),
                    math.fsum(share[run][mask].tolist()),
                )
                for run, mask in enumerate(answered)
            ]
        )
    return list(zip(*found, strict=True)) if found else [()] * runs


def look_at_pool(pool: Pool, names: list[str]) -> PoolFacts:
    """Negative grades and queries without a relevant document: facts of the judgments alone."""
    best = np.zeros(pool.queries)
    filled = pool.judged > 0
    best[filled] = pool.value[pool.start[:-1][filled]]
    barren = [names[query] for query in np.flatnonzero(best <= 0)]
    return PoolFacts(int(np.sum(pool.value < 0)), Names.of(barren))
