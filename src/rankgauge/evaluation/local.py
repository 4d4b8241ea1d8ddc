"""One run seen through judgments: what evaluate() does with a whole run, and a Spark worker with its bucket of queries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankgauge.data.findings import Finding
from rankgauge.data.matching import Match
from rankgauge.data.policy import Policy
from rankgauge.evaluation.exposure import extreme_orders, tie_spans, tied_groups, unjudged_bounds
from rankgauge.evaluation.facts import Names, RunFacts
from rankgauge.evaluation.observe import look_at_unjudged
from rankgauge.evaluation.plan import Plan
from rankgauge.evaluation.scores import Cube
from rankgauge.kernels.counting import relevant_in_pool
from rankgauge.kernels.hits import Flags, Floats, Pool, stacked
from rankgauge.measures.measure import Measure
from rankgauge.records import dataclass


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
    return evaluate_matches([matched], measures, policy, weights, is_part=is_part)[0]


def evaluate_matches(
    matches: Sequence[Match],
    measures: tuple[Measure, ...],
    policy: Policy,
    weights: Floats | None = None,
    *,
    is_part: bool = False,
) -> list[Evaluated]:
    """Several runs seen through the same judgments, as if they were one of so many times the queries."""
    runs, names, pool = len(matches), matches[0].queries, matches[0].pool
    together = Match(stacked([matched.hits for matched in matches]), pool.stacked(runs), names * runs, [])
    plan = Plan(together, policy)
    missing = _apart(together.hits.retrieved, runs)[:, : len(names)] == 0

    def decided(values: Floats, measure: Measure) -> tuple[Floats, Flags]:
        return decide(_apart(values, runs)[:, : len(names)], measure, policy, missing, pool)

    raw = [plan.value(measure) for measure in measures]
    found = list(map(decided, raw, measures))
    values = np.stack([value for value, _ in found], axis=2)
    undefined = np.stack([flags for _, flags in found], axis=1)
    tied = tied_groups(plan, runs)
    orders = extreme_orders(plan, measures, raw, lambda *given: decided(*given)[0]) if any(tied) or is_part else ()
    unjudged = look_at_unjudged(plan, measures, runs)
    bounds = None
    if policy.unjudged == "bounds":
        pairs = [unjudged_bounds(plan, measure) for measure in measures]
        bounds = [
            np.stack([decided(pair[side], measure)[0] for pair, measure in zip(pairs, measures, strict=True)], axis=2)
            for side in (0, 1)
        ]
    return [
        Evaluated(
            values[run],
            None if bounds is None else (bounds[0][run], bounds[1][run]),
            RunFacts(
                answered=int(np.count_nonzero(~missing[run])),
                missing=_named(names, missing[run]),
                foreign=Names.of(matched.foreign),
                undefined=tuple(_named(names, flags) for flags in undefined[run]),
                unjudged=unjudged[run],
                tied=tied[run],
                spans=tie_spans(orders, run, measures, weights) if tied[run] or is_part else (),
            ),
            matched.remarks,
        )
        for run, matched in enumerate(matches)
    ]


def decide(values: Floats, measure: Measure, policy: Policy, missing: Flags, pool: Pool | None) -> tuple[Floats, Flags]:
    """Undefined and missing values as the policy wants them, and where the measure is undefined; queries are the last axis.

    Where undefined values are left out, so are queries without a relevant document for every measure of relevance:
    P and RR are then 0 whatever a system does, and means over other queries than those of nDCG would not compare.
    """
    undefined = np.isnan(values)
    decided = values.copy()
    if pool is not None and policy.undefined == "drop" and measure.is_about_relevance:
        undefined |= relevant_in_pool(pool, measure.settings.get("rel"))[: values.shape[-1]] == 0
        decided[undefined] = np.nan
    if policy.missing == "drop":
        decided[missing] = np.nan
        undefined[missing] = False
    if (policy.undefined or measure.definition.undefined) == "zero":
        decided[undefined] = 0.0
    return decided, undefined


def _apart(column: NDArray[Any], runs: int) -> NDArray[Any]:
    """One row for each run."""
    return column.reshape(runs, -1)


def _named(names: list[str], chosen: Flags) -> Names:
    return Names.of([names[query] for query in np.flatnonzero(chosen)])
