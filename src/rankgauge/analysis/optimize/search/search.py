"""The best gain, discount or both on one collection.

From several starts: the objective is not quasi-concave, and two of them may lead to two maxima.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np

from rankgauge.analysis.optimize.ranked_grades import RankedGrades, Stages, with_progress
from rankgauge.analysis.optimize.search.ascent import GAP, Peak, climb, climb_free_discount, climb_free_gain
from rankgauge.analysis.optimize.search.form import discount_form, gain_form
from rankgauge.analysis.optimize.search.mixture import jointly, jointly_in_order
from rankgauge.analysis.optimize.search.simplex import local_maxima, weights_of
from rankgauge.analysis.optimize.search.weighting import Question, named_discount, named_gain
from rankgauge.arrays import Floats

ALTERNATIONS = 60
SETTLED = 2  # turns in which weights that may rise and fall find their order; keeping it sooner missed some maxima
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
    grades: RankedGrades, asked: Question, *, thorough: bool = True, progress: Stages | None = None
) -> list[Trial]:
    """The local maximum of every start, best first. Without `thorough`, as in cross-validation, two starts must do."""
    points = starting_points(grades, asked, thorough=thorough)
    gap = GAP if thorough else COARSE
    trials = [_trial(grades, point, asked, gap) for point in with_progress(points, "starts", progress)]
    return sorted(trials, key=lambda trial: -trial.value)


def _trial(grades: RankedGrades, point: StartingPoint, asked: Question, gap: float) -> Trial:
    name, discount, gain = point
    gaps = {"discount": 0.0, "gain": 0.0}
    value = -np.inf
    together = len(asked.over) > 1
    for turn in range(ALTERNATIONS if together else 1):
        before = value
        if "discount" in asked.over:
            discount, value, gaps["discount"] = _climb_discount(grades, gain, discount, asked, gap)
        if "gain" in asked.over:
            gain, value, gaps["gain"] = _climb_gain(grades, discount, gain, asked, gap)
        if value - before <= 1e5 * gap**2:  # near a maximum the value lacks the square of the gap
            break
        if together and (asked.constrained or turn >= SETTLED):
            move = jointly if asked.constrained else jointly_in_order
            discount, gain = move(grades, discount, gain, asked.objective)
    return Trial(name, discount, gain, value, max(gaps.values()))


def _climb_discount(grades: RankedGrades, gain: Floats, start: Floats, asked: Question, gap: float) -> Peak:
    form_of = partial(discount_form, grades, gain, objective=asked.objective)
    return climb(form_of(), start, gap) if asked.constrained else climb_free_discount(form_of, start, gap)


def _climb_gain(grades: RankedGrades, discount: Floats, start: Floats, asked: Question, gap: float) -> Peak:
    form_of = partial(gain_form, grades, discount, objective=asked.objective)
    if not asked.constrained:
        return climb_free_gain(form_of, start, gap)
    peak = climb(form_of(), start[::-1], gap)
    return peak._replace(weights=peak.weights[::-1])


class StartingPoint(NamedTuple):
    name: str
    discount: Floats
    gain: Floats


def starting_points(grades: RankedGrades, asked: Question, *, thorough: bool = True) -> list[StartingPoint]:
    """The user's own weighting first unless it has a name; without `thorough`, that and the best vertex."""
    start, random = asked.start, np.random.default_rng(asked.seed)
    repeats = range(1, RANDOM + 1 if thorough else 1)
    if "discount" in asked.over:
        points = _discounts(grades, asked, random, repeats)
    elif len(grades.grades) == 2:
        points = _on_a_grid(grades, asked)
    else:
        names = ("linear", "exp", "equal") if thorough else ("equal",)
        points = [StartingPoint(name, start.discount, named_gain(name, grades.grades)) for name in names]
        points += [StartingPoint(f"random {at}", start.discount, _rising(random, grades)) for at in repeats]
    own = StartingPoint("start", start.discount, start.gain)
    return points if any(_same(own, point) for point in points) else [own, *points]


def _discounts(
    grades: RankedGrades, asked: Question, random: np.random.Generator, repeats: range
) -> list[StartingPoint]:
    gain, ranks = asked.start.gain, grades.ranks
    best = discount_form(grades, gain, objective=asked.objective).best_vertex()
    names = ("log2", "zipf", "linear", "none") if repeats else ()
    points = [StartingPoint(name, named_discount(name, ranks), gain) for name in names]
    points.append(StartingPoint(f"first {best}", weights_of(np.array([best]), np.ones(1), ranks), gain))
    for at in repeats:
        drawn = _rising(random, grades) if "gain" in asked.over else gain
        points.append(StartingPoint(f"random {at}", _falling(random, ranks), drawn))
    return points


def _on_a_grid(grades: RankedGrades, asked: Question) -> list[StartingPoint]:
    """Two grades have one ratio: every local maximum on a grid of the lower grade's share is a start."""
    discount = asked.start.discount
    shares = np.linspace(0, 0.5 if asked.constrained else 1.0, GRID + 1)
    upright, inverted = (gain_form(grades, discount, order, asked.objective) for order in (None, np.array([0, 1])))
    values = np.array(
        [
            upright.value(np.array([1 - share, share]))
            if share <= 0.5
            else inverted.value(np.array([share, 1 - share]))
            for share in shares
        ]
    )
    peaks = np.flatnonzero(local_maxima(values) & np.isfinite(values))
    return [StartingPoint(f"share {shares[i]:g}", discount, np.array([shares[i], 1 - shares[i]])) for i in peaks]


def _falling(random: np.random.Generator, size: int) -> Floats:
    return weights_of(np.arange(1, size + 1), random.dirichlet(np.full(size, CONCENTRATION)), size)


def _rising(random: np.random.Generator, grades: RankedGrades) -> Floats:
    return _falling(random, len(grades.grades))[::-1]


def _same(one: StartingPoint, other: StartingPoint) -> bool:
    return all(
        np.allclose(a / a.sum(), b / b.sum(), rtol=1e-9, atol=0)
        for a, b in ((one.discount, other.discount), (one.gain, other.gain))
    )
