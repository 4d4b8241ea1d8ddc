"""How far a mean could move: by another order inside ties, and by judging what nobody judged."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rankgauge.errors import MeasureError
from rankgauge.evaluation.notes import Note
from rankgauge.evaluation.plan import Plan, looks_no_deeper
from rankgauge.kernels.hits import Flags, Floats
from rankgauge.measures.measure import Measure

Mean = Callable[[Floats, Measure], float]
LOUD = 0.05
"""A mean that ties alone could move by this much is not a statement about the system."""


def about_ties(plan: Plan, system: str, measures: tuple[Measure, ...], raw: list[Floats], mean: Mean) -> list[Note]:
    """For each measure that ties can move: from where to where, worst to best order. `raw` are its values as they are."""
    hits = plan.hits
    if not hits.is_tied:
        return []
    tied = hits.first != hits.last
    notes = []
    for measure, values in zip(measures, raw, strict=True):
        # Ties below the cutoff move nothing; queries without others keep their value.
        moving = tied & (hits.first <= measure.cutoff) if measure.cutoff and looks_no_deeper(measure) else tied
        touched = np.zeros(hits.queries, np.bool_)
        touched[hits.query[moving]] = True
        if not touched.any():
            continue
        low, high = (
            mean(np.where(touched, _on(plan, measure, order, touched), values), measure) for order in ("worst", "best")
        )
        if f"{low:.4f}" == f"{high:.4f}":
            continue
        loud = "TIES DECIDE THIS NUMBER: " if abs(high - low) >= LOUD else ""
        text = (
            f"{loud}{system}: equal scores could move {measure} from {low:.4f} (worst order) to {high:.4f} (best order)"
        )
        notes.append(Note("ties", text, int(np.count_nonzero(touched)), system, str(measure)))
    return notes


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
