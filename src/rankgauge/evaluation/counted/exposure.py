"""How far a mean could move: by another order inside ties, and by judging what nobody judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from rankgauge.arrays import Flags, Floats
from rankgauge.errors import MeasureError
from rankgauge.evaluation.aggregates import Sum
from rankgauge.evaluation.counted.facts import Span
from rankgauge.evaluation.counted.plan import Plan, looks_no_deeper
from rankgauge.kernels.hits import count
from rankgauge.kernels.ties import Groups
from rankgauge.measures.measure import Measure

CONVENTIONS = {"over", "at", "first", "ideal"}
"""Options that follow other tools; bounds are known for our own form only."""
Decide = Callable[[Floats, Measure], Floats]


def look_at_ties(
    plan: Plan,
    measures: Sequence[Measure],
    raw: Sequence[Floats],
    decided: Decide,
    weights: Floats | None,
    runs: int,
    *,
    is_part: bool,
) -> tuple[list[int], list[tuple[Span, ...]]]:
    """For each run, the groups of equal scores, and how far they could move each measure's mean."""
    tied = tied_groups(plan, runs)
    orders = extreme_orders(plan, measures, raw, decided) if any(tied) or is_part else []
    return tied, [
        tie_spans(orders, run, measures, weights) if count or is_part else () for run, count in enumerate(tied)
    ]


def tied_groups(plan: Plan, runs: int = 1) -> list[int]:
    """How many groups of equal scores hold a judged document, of each of the runs that the plan holds."""
    if not plan.hits.is_tied:
        return [0] * runs
    groups = Groups(plan.hits)
    run = groups.query[groups.size > 1] // (plan.hits.queries // runs)
    return count(run, runs).tolist()


def extreme_orders(
    plan: Plan, measures: Sequence[Measure], raw: Sequence[Floats], decided: Decide
) -> list[tuple[Floats, Floats]]:
    """Each measure's values in the worst and in the best order inside ties; `raw` are its values as they are."""
    found = []
    for measure, values in zip(measures, raw, strict=True):
        touched = _touched(plan, measure)
        worst, best = (
            np.where(touched, _on(plan, measure, order, touched), values) if touched.any() else values
            for order in ("worst", "best")
        )
        found.append((decided(worst, measure), decided(best, measure)))
    return found


def tie_spans(
    orders: Sequence[tuple[Floats, Floats]], run: int, measures: Sequence[Measure], weights: Floats | None
) -> tuple[Span, ...]:
    """How far each measure's mean could move, for one of the runs."""
    return tuple(
        Span(*(Sum.of(side[run], measure.definition.aggregate, weights) for side in sides))
        for sides, measure in zip(orders, measures, strict=True)
    )


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
    return measure.compute(settled.keep(touched[settled.query]), plan.pool_under(order))


def unjudged_bounds(plan: Plan, measure: Measure) -> tuple[Floats, Floats]:
    """Lowest and highest value of every query when each unjudged document may have any grade up to the largest."""
    definition = measure.definition
    if definition.bounds is None:
        raise MeasureError(f'{measure} has no bounds for unjudged documents; leave it out or use unjudged="zero"')
    rule = plan.policy.ties or definition.ties
    if rule == "mean":
        raise MeasureError('bounds for unjudged documents need one order; use another rule than ties="mean"')
    given = dict(measure.options)
    if CONVENTIONS & given.keys():
        raise MeasureError(f'{measure} has no bounds for unjudged documents; leave it out or use unjudged="zero"')
    settings = {name: value for name, value in measure.settings.items() if name not in CONVENTIONS}
    return definition.bounds(plan.under(rule), plan.pool_under(rule), **settings, cutoff=measure.cutoff)
