"""How far a mean could move: by another order inside ties, and by judging what nobody judged."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rankgauge.errors import MeasureError
from rankgauge.evaluation.notes import Note
from rankgauge.evaluation.plan import Plan
from rankgauge.kernels.hits import Floats
from rankgauge.kernels.ties import Groups
from rankgauge.measures.measure import Measure

Mean = Callable[[Floats, Measure], float]
LOUD = 0.05
"""A mean that ties alone could move by this much is not a statement about the system."""


def about_ties(plan: Plan, system: str, measures: tuple[Measure, ...], mean: Mean) -> list[Note]:
    """For each measure that ties can move: from where to where, worst to best order."""
    if not plan.hits.is_tied:
        return []
    groups = Groups(plan.hits)
    tied = int(np.count_nonzero(groups.size > 1))
    notes = []
    for measure in measures:
        low, high = (mean(measure.compute(plan.under(order), plan.match.pool), measure) for order in ("worst", "best"))
        if f"{low:.4f}" == f"{high:.4f}":
            continue
        loud = "TIES DECIDE THIS NUMBER: " if abs(high - low) >= LOUD else ""
        text = (
            f"{loud}{system}: equal scores could move {measure} from {low:.4f} (worst order) to {high:.4f} (best order)"
        )
        notes.append(Note("ties", text, tied, system, str(measure)))
    return notes


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
