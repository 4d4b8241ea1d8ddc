"""How far a mean could move: by another order inside ties, and by judging what nobody judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from rankgauge.errors import MeasureError
from rankgauge.evaluation.facts import Span
from rankgauge.evaluation.plan import Plan
from rankgauge.evaluation.sums import Sum
from rankgauge.kernels.hits import Floats
from rankgauge.kernels.ties import Groups
from rankgauge.measures.measure import Measure

Decide = Callable[[Floats, Measure], Floats]


def tied_groups(plan: Plan) -> int:
    """How many groups of equal scores hold a judged document."""
    return int(np.count_nonzero(Groups(plan.hits).size > 1)) if plan.hits.is_tied else 0


def tie_spans(plan: Plan, measures: Sequence[Measure], decided: Decide, weights: Floats | None) -> tuple[Span, ...]:
    """Each measure in the worst and in the best order inside ties."""

    def total(measure: Measure, order: str) -> Sum:
        values = measure.compute(plan.under(order), plan.match.pool)
        return Sum.of(decided(values, measure), measure.definition.aggregate, weights)

    return tuple(Span(total(measure, "worst"), total(measure, "best")) for measure in measures)


def unjudged_bounds(plan: Plan, measure: Measure) -> tuple[Floats, Floats]:
    """Lowest and highest value of every query when each unjudged document may have any grade up to the largest."""
    definition = measure.definition
    if definition.bounds is None:
        raise MeasureError(f'{measure} has no bounds for unjudged documents; leave it out or use unjudged="zero"')
    rule = plan.policy.ties or definition.ties
    if rule == "mean":
        raise MeasureError('bounds for unjudged documents need one order; use another rule than ties="mean"')
    settings = measure.settings | {"cutoff": measure.cutoff}
    return definition.bounds(plan.under(rule), plan.match.pool, **settings)
