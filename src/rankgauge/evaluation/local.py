"""One run seen through judgments: what evaluate() does with a whole run, and a Spark worker with its bucket of queries."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankgauge.data.findings import Finding
from rankgauge.data.matching import Match
from rankgauge.data.policy import Policy
from rankgauge.evaluation.exposure import tie_spans, tied_groups, unjudged_bounds
from rankgauge.evaluation.facts import Names, RunFacts
from rankgauge.evaluation.observe import look_at_unjudged
from rankgauge.evaluation.plan import Plan
from rankgauge.evaluation.scores import Cube
from rankgauge.kernels.counting import relevant_in_pool
from rankgauge.kernels.hits import Flags, Floats, Ints, Pool
from rankgauge.measures.measure import Measure


@dataclass(frozen=True)
class Evaluated:
    """One run: queries × measures, the same for the bounds that unjudged documents leave, and what was counted."""

    values: Cube
    bounds: tuple[Cube, Cube] | None
    facts: RunFacts
    remarks: tuple[Finding, ...]
    """What the reader of the run has to say."""


def evaluate_match(
    matched: Match,
    measures: tuple[Measure, ...],
    policy: Policy,
    weights: Floats | None = None,
    *,
    is_part: bool = False,
) -> Evaluated:
    """Every value as the policy wants it. A part of a run also counts what is of use only together with other parts.

    Queries of the pool beyond those that have a name are seen by the measures, but have no value.
    """
    plan = Plan(matched, policy)
    named = len(matched.queries)
    missing = np.flatnonzero(matched.hits.retrieved[:named] == 0)

    def decided(values: Floats, measure: Measure) -> Floats:
        return decide(values[:named], measure, policy, missing, matched.pool)[0]

    raw = [plan.value(measure) for measure in measures]
    found = [
        decide(value[:named], measure, policy, missing, matched.pool)
        for value, measure in zip(raw, measures, strict=True)
    ]
    tied = tied_groups(plan)
    facts = RunFacts(
        answered=named - len(missing),
        missing=_names(matched, missing),
        foreign=Names.of(matched.foreign),
        undefined=tuple(_names(matched, np.flatnonzero(undefined)) for _, undefined in found),
        unjudged=look_at_unjudged(plan, measures),
        tied=tied,
        spans=tie_spans(plan, measures, raw, decided, weights) if tied or is_part else (),
    )
    bounds = None
    if policy.unjudged == "bounds":
        pairs = [unjudged_bounds(plan, measure) for measure in measures]
        low, high = (
            np.stack([decided(pair[side], measure) for pair, measure in zip(pairs, measures, strict=True)], axis=1)
            for side in (0, 1)
        )
        bounds = (low, high)
    return Evaluated(np.stack([values for values, _ in found], axis=1), bounds, facts, matched.remarks)


def decide(values: Floats, measure: Measure, policy: Policy, missing: Ints, pool: Pool | None) -> tuple[Floats, Flags]:
    """Undefined and missing values as the policy wants them, and where the measure is undefined.

    Where undefined values are left out, so are queries without a relevant document for every measure of relevance:
    P and RR are then 0 whatever a system does, and means over other queries than those of nDCG would not compare.
    """
    undefined = np.isnan(values)
    decided = values.copy()
    if pool is not None and policy.undefined == "drop" and measure.is_about_relevance:
        undefined |= relevant_in_pool(pool, measure.settings.get("rel"))[: len(values)] == 0
        decided[undefined] = np.nan
    if policy.missing == "drop":
        decided[missing] = np.nan
        undefined[missing] = False
    if (policy.undefined or measure.definition.undefined) == "zero":
        decided[undefined] = 0.0
    return decided, undefined


def _names(matched: Match, queries: Ints) -> Names:
    return Names.of([matched.queries[query] for query in queries])
