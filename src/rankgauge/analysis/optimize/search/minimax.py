"""The weights under which the worst served of several collections is served best."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rankgauge.analysis.optimize.ranked_grades import RankedGrades
from rankgauge.analysis.optimize.search.form import Order
from rankgauge.analysis.optimize.search.mixture import cells_of, lowest_levels, slopes_everywhere, value_and_slopes
from rankgauge.analysis.optimize.search.search import Trial
from rankgauge.analysis.optimize.search.simplex import joined, levelled, on_simplex, slsqp, weights_of
from rankgauge.analysis.optimize.search.weighting import Question, Weighting
from rankgauge.arrays import Floats

GAP = 1e-8
ROUNDS = 40
FEW = 14  # vertices of the first round


class Problem(NamedTuple):
    """Collections, each with the value that counts as 1."""

    collections: tuple[RankedGrades, ...]
    scales: Floats
    asked: Question

    @property
    def ranks(self) -> int:
        return len(self.asked.start.discount)


class Summit(NamedTuple):
    """Where an ascent of the smallest value ended, and how far first-order optimality is missed."""

    discount: Floats
    gain: Floats
    worst: float
    gap: float


def climb_worst(problem: Problem, discount: Floats, gain: Floats) -> Summit:
    ends = np.unique(np.round(np.geomspace(1, problem.ranks, min(FEW, problem.ranks))).astype(np.intp))
    shares = levelled(discount, ends) if "discount" in problem.asked.over else np.ones(1)
    levels = np.diff(gain, prepend=0.0) / gain[-1] if "gain" in problem.asked.over else np.ones(1)
    best = Summit(discount, gain, -np.inf, np.inf)
    for _ in range(ROUNDS):
        shares, levels = _epigraph(problem, ends, shares, levels)
        discount = weights_of(ends, shares, problem.ranks) if "discount" in problem.asked.over else discount
        gain = levels.cumsum() if "gain" in problem.asked.over else gain
        values, gap, wanted = _first_order(problem, discount, gain)
        peak = Summit(discount, gain, float(values.min()), gap)
        stalled = peak.worst <= best.worst + 1e-12 and peak.gap >= best.gap / 2
        best = peak if peak.worst > best.worst - 1e-12 else best
        if gap <= GAP or stalled or "discount" not in problem.asked.over:
            break
        ends, shares = joined(ends, shares, [*np.flatnonzero(wanted > 1e-9) + 1, len(wanted)])
    return best


def _epigraph(problem: Problem, ends: Order, shares: Floats, levels: Floats) -> tuple[Floats, Floats]:
    """SLSQP in shares, levels and the level τ that every collection must reach."""
    cells = [cells_of(grades, ends, problem.asked.start, problem.asked.over) for grades in problem.collections]
    cut = len(shares)

    def reached(point: Floats) -> tuple[Floats, Floats]:
        values, slopes = [], []
        for cell, scale in zip(cells, problem.scales, strict=True):
            value, of_shares, of_levels = value_and_slopes(cell, point[:cut], point[cut:-1])
            values.append(max(value / scale, -1e3) - point[-1])
            slopes.append(np.concatenate((of_shares / scale, of_levels / scale, [-1.0])))
        return np.array(values), np.array(slopes)

    first = np.concatenate((shares, levels, [0.0]))
    first[-1] = reached(first)[0].min()
    sums = np.zeros((2, len(first)))
    sums[0, :cut] = sums[1, cut:-1] = 1.0
    aim = -np.eye(len(first))[-1]
    found = slsqp(
        lambda point: -point[-1],
        first,
        jac=lambda _: aim,
        bounds=[(0.0, None)] * cut + [(low, None) for low in lowest_levels(cells)] + [(None, None)],
        constraints=(
            {"type": "eq", "fun": lambda point: sums @ point - 1.0, "jac": lambda _: sums},
            {"type": "ineq", "fun": lambda point: reached(point)[0], "jac": lambda point: reached(point)[1]},
        ),
        options={"ftol": 1e-14, "maxiter": 300},
    )
    return on_simplex(found.x[:cut]), on_simplex(found.x[cut:-1])


def _first_order(problem: Problem, discount: Floats, gain: Floats) -> tuple[Floats, float, Floats]:
    """Values, the rise of the smallest one that linear prediction still sees, and the vertices it would go to."""
    from scipy.optimize import linprog

    pairs = [slopes_everywhere(grades, discount, gain, problem.asked.over) for grades in problem.collections]
    values = np.array([value for value, _ in pairs]) / problem.scales
    slopes = np.array([slope for _, slope in pairs]) / problem.scales[:, None]
    ranks = problem.ranks if "discount" in problem.asked.over else 0
    sums = np.zeros((2, slopes.shape[1] + 1))
    sums[0, :ranks], sums[1, ranks:-1] = 1.0, 1.0
    kept = sums.any(axis=1)
    found = linprog(
        np.append(np.zeros(slopes.shape[1]), -1.0),
        A_ub=np.hstack((-slopes, np.ones((len(values), 1)))),
        b_ub=values,
        A_eq=sums[kept],
        b_eq=np.ones(int(kept.sum())),
        bounds=[(0.0, None)] * slopes.shape[1] + [(None, None)],
    )
    return values, float(found.x[-1] - values.min()), found.x[:ranks]


def common_starts(own: Sequence[Trial], start: Weighting) -> list[tuple[Floats, Floats]]:
    ranks = len(start.discount)
    points = [(start.discount / start.discount.sum(), start.gain)]
    for trial in own:
        padded = np.zeros(ranks)
        padded[: len(trial.discount)] = trial.discount / trial.discount.sum()
        points.append((padded, trial.gain))
    shared = np.mean([discount for discount, _ in points[1:]], axis=0)
    gains = np.mean([gain / gain.sum() for _, gain in points[1:]], axis=0)
    return [*points, (shared, gains)]
