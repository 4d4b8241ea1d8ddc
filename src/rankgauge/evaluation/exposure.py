"""How far a mean could move: by another order inside ties, and by judging what nobody judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from rankgauge.errors import MeasureError
from rankgauge.evaluation.facts import Span
from rankgauge.evaluation.plan import Plan, looks_no_deeper
from rankgauge.evaluation.sums import Sum
from rankgauge.kernels.hits import Flags, Floats
from rankgauge.kernels.ties import Groups
from rankgauge.measures.measure import Measure

Decide = Callable[[Floats, Measure], Floats]


def tied_groups(plan: Plan) -> int:
    """How many groups of equal scores hold a judged document."""
    return int(np.count_nonzero(Groups(plan.hits).size > 1)) if plan.hits.is_tied else 0


def tie_spans(
    plan: Plan, measures: Sequence[Measure], raw: Sequence[Floats], decided: Decide, weights: Floats | None
) -> tuple[Span, ...]:
    """Each measure in the worst and in the best order inside ties; `raw` are its values as they are."""

    def total(values: Floats, measure: Measure) -> Sum:
        return Sum.of(decided(values, measure), measure.definition.aggregate, weights)

    spans = []
    for measure, values in zip(measures, raw, strict=True):
        touched = _touched(plan, measure)
        worst, best = (
            np.where(touched, _on(plan, measure, order, touched), values) if touched.any() else values
            for order in ("worst", "best")
        )
        spans.append(Span(total(worst, measure), total(best, measure)))
    return tuple(spans)


def _touched(plan: Plan, measure: Measure) -> Flags:
    """Queries with ties that can move the measure: those below its cutoff cannot."""
    hits = plan.hits
    moving = hits.first != hits.last
    if measure.cutoff and looks_no_deeper(measure):
        moving = moving & (hits.first <= measure.cutoff)
    touched = np.zeros(hits.queries, np.bool_)
    touched[hits.query[moving]] = True
    return touched


def _on(plan: Plan, measure: Measure, order: str, touched: Flags) -> Floats:
    """The measure under another order, on some of the queries; what it says of the others is not used."""
    settled = plan.under(order)
    return measure.compute(settled.keep(touched[settled.query]), plan.match.pool)


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
