"""The best gain, discount or both on one collection, from several starts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rankgauge.analysis.optimize.ranked_grades import RankedGrades, Stages
from rankgauge.analysis.optimize.search.ascent import GAP, Peak, climb
from rankgauge.analysis.optimize.search.form import discount_form, gain_form
from rankgauge.analysis.optimize.search.free import climb_free_discount, climb_free_gain
from rankgauge.analysis.optimize.search.mixture import jointly
from rankgauge.analysis.optimize.search.objective import PHI, Objective
from rankgauge.analysis.optimize.search.starts import Over, StartingPoint, starting_points
from rankgauge.analysis.optimize.search.weighting import Weighting, as_levels, as_steps
from rankgauge.arrays import Floats

ALTERNATIONS = 60
COARSE = 1e-5  # gap inside cross-validation: the difference in the objective is far below its noise


class Trial(NamedTuple):
    """One start and the local maximum that it led to."""

    start: str
    discount: Floats
    gain: Floats
    value: float
    gap: float


def search(
    grades: RankedGrades,
    start: Weighting,
    over: Over,
    *,
    constrained: bool = True,
    seed: int = 0,
    thorough: bool = True,
    objective: Objective = PHI,
    progress: Stages | None = None,
) -> list[Trial]:
    """The local maximum of every start, best first. Without `thorough`, as in cross-validation, two starts must do."""
    how = _Climb(constrained, GAP if thorough else COARSE, objective)
    points = starting_points(grades, start, over, seed, constrained=constrained, thorough=thorough, objective=objective)
    trials = []
    for done, point in enumerate(points, 1):
        trials.append(_trial(grades, point, over, how))
        if progress:
            progress("starts", done, len(points))
    return sorted(trials, key=lambda trial: -trial.value)


def as_weighting(trial: Trial, start: Weighting, over: Over, grades: RankedGrades) -> Weighting:
    """What a measure can print of a trial; the part that was not searched stays the start's."""
    found = start
    if "discount" in over:
        found = found.with_discount(*as_steps(trial.discount))
    if "gain" in over:
        found = found.with_gain(*as_levels(trial.gain, grades.grades))
    return found


class _Climb(NamedTuple):
    """How to climb: within which rules, how far, and what."""

    constrained: bool
    gap: float
    objective: Objective


def _trial(grades: RankedGrades, point: StartingPoint, over: Over, how: _Climb) -> Trial:
    name, discount, gain = point
    discount_gap = gain_gap = 0.0
    value = -np.inf
    for _ in range(ALTERNATIONS if len(over) > 1 else 1):
        before = value
        if "discount" in over:
            peak = _climb_discount(grades, gain, discount, how)
            discount, value, discount_gap = peak.weights, peak.value, peak.gap
        if "gain" in over:
            peak = _climb_gain(grades, discount, gain, how)
            gain, value, gain_gap = peak.weights, peak.value, peak.gap
        if value - before <= 1e5 * how.gap**2:  # near a maximum the value lacks the square of the gap
            break
        if how.constrained and len(over) > 1:
            discount, gain = jointly(grades, discount, gain, how.objective)
    return Trial(name, discount, gain, value, max(discount_gap, gain_gap))


def _climb_discount(grades: RankedGrades, gain: Floats, start: Floats, how: _Climb) -> Peak:
    if how.constrained:
        return climb(discount_form(grades, gain, objective=how.objective), start, how.gap)
    return climb_free_discount(grades, gain, start, how.gap, how.objective)


def _climb_gain(grades: RankedGrades, discount: Floats, start: Floats, how: _Climb) -> Peak:
    if not how.constrained:
        return climb_free_gain(grades, discount, start, how.gap, how.objective)
    peak = climb(gain_form(grades, discount, objective=how.objective), start[::-1], how.gap)
    return peak._replace(weights=peak.weights[::-1])
