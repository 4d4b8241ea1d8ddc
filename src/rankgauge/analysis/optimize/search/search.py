"""The best gain, discount or both on one collection.

From several starts: the objective is not quasi-concave, and two of them may lead to two maxima.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rankgauge.analysis.optimize.ranked_grades import RankedGrades, Stages
from rankgauge.analysis.optimize.search.ascent import GAP, Peak, climb, climb_free_discount, climb_free_gain
from rankgauge.analysis.optimize.search.form import discount_form, gain_form
from rankgauge.analysis.optimize.search.mixture import jointly
from rankgauge.analysis.optimize.search.objective import PHI, Objective
from rankgauge.analysis.optimize.search.simplex import weights_of
from rankgauge.analysis.optimize.search.weighting import (
    Over,
    Weighting,
    as_levels,
    as_steps,
    named_discount,
    named_gain,
)
from rankgauge.arrays import Floats

ALTERNATIONS = 60
COARSE = 1e-5  # gap inside cross-validation: the difference in the objective is far below its noise
RANDOM = 4
CONCENTRATION = 0.3  # of the Dirichlet distribution: most of the weight on few vertices
GRID = 200


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


class StartingPoint(NamedTuple):
    name: str
    discount: Floats
    gain: Floats


def starting_points(
    grades: RankedGrades,
    start: Weighting,
    over: Over,
    seed: int,
    *,
    constrained: bool = True,
    thorough: bool = True,
    objective: Objective = PHI,
) -> list[StartingPoint]:
    """The user's own weighting first unless it has a name; without `thorough`, that and the best vertex."""
    random = np.random.default_rng(seed)
    if "discount" in over:
        best = discount_form(grades, start.gain, objective=objective).best_vertex()
        points = _discounts(grades, start, random, best, thorough=thorough, with_gain="gain" in over)
    elif len(grades.grades) == 2:
        points = _on_a_grid(grades, start, objective, constrained=constrained)
    else:
        points = _gains(grades, start, random, thorough=thorough)
    own = StartingPoint("start", start.discount, start.gain)
    return points if any(_same(own, point) for point in points) else [own, *points]


def _discounts(
    grades: RankedGrades, start: Weighting, random: np.random.Generator, best: int, *, thorough: bool, with_gain: bool
) -> list[StartingPoint]:
    names = ("log2", "zipf", "linear", "none") if thorough else ()
    points = [StartingPoint(name, named_discount(name, grades.ranks), start.gain) for name in names]
    points.append(StartingPoint(f"first {best}", _vertex(best, grades.ranks), start.gain))
    for number in range(1, RANDOM + 1 if thorough else 1):
        gain = _falling(random, len(grades.grades))[::-1] if with_gain else start.gain
        points.append(StartingPoint(f"random {number}", _falling(random, grades.ranks), gain))
    return points


def _gains(
    grades: RankedGrades, start: Weighting, random: np.random.Generator, *, thorough: bool
) -> list[StartingPoint]:
    names = ("linear", "exp", "equal") if thorough else ("equal",)
    points = [StartingPoint(name, start.discount, named_gain(name, grades.grades)) for name in names]
    return points + [
        StartingPoint(f"random {number}", start.discount, _falling(random, len(grades.grades))[::-1])
        for number in range(1, RANDOM + 1 if thorough else 1)
    ]


def _on_a_grid(
    grades: RankedGrades, start: Weighting, objective: Objective, *, constrained: bool
) -> list[StartingPoint]:
    """Two grades have one ratio: every local maximum on a grid of the lower grade's share is a start."""
    shares = np.linspace(0, 0.5 if constrained else 1.0, GRID + 1)
    upright, inverted = (gain_form(grades, start.discount, order, objective) for order in (None, np.array([0, 1])))
    values = np.array(
        [
            upright.value(np.array([1 - share, share]))
            if share <= 0.5
            else inverted.value(np.array([share, 1 - share]))
            for share in shares
        ]
    )
    before, after = np.append(-np.inf, values[:-1]), np.append(values[1:], -np.inf)
    peaks = np.flatnonzero((values >= before) & (values >= after) & np.isfinite(values))
    return [StartingPoint(f"share {shares[i]:g}", start.discount, np.array([shares[i], 1 - shares[i]])) for i in peaks]


def _vertex(end: int, size: int) -> Floats:
    return weights_of(np.array([end]), np.ones(1), size)


def _falling(random: np.random.Generator, size: int) -> Floats:
    return weights_of(np.arange(1, size + 1), random.dirichlet(np.full(size, CONCENTRATION)), size)


def _same(one: StartingPoint, other: StartingPoint) -> bool:
    return all(
        np.allclose(a / a.sum(), b / b.sum(), rtol=1e-9, atol=0)
        for a, b in ((one.discount, other.discount), (one.gain, other.gain))
    )
