"""Where the search begins: the objective is not quasi-concave, and two starts may lead to two maxima."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rankgauge.analysis.optimize.ranked_grades import RankedGrades
from rankgauge.analysis.optimize.search.form import discount_form, gain_form
from rankgauge.analysis.optimize.search.objective import PHI, Objective
from rankgauge.analysis.optimize.search.steps import weights_of
from rankgauge.analysis.optimize.search.weighting import Weighting, named_discount, named_gain
from rankgauge.arrays import Floats

Over = tuple[str, ...]
CHOICES: dict[str, Over] = {"discount": ("discount",), "gain": ("gain",), "both": ("discount", "gain")}

RANDOM = 4
CONCENTRATION = 0.3  # of the Dirichlet distribution: most of the weight on few vertices
GRID = 200


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
