"""Gain and discount together as mixtures: shares of the vertices "first k ranks" and of the levels "grade j or better".

A list's DCG is then Σ_k Σ_j a_k b_j M_kj with M_kj the share of its first k ranks that hold a document of grade j or
better, and its ideal the same sum over the ideal list.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rankgauge.analysis.optimize.ranked_grades import RankedGrades
from rankgauge.analysis.optimize.search.ascent import LITTLE, WORST
from rankgauge.analysis.optimize.search.form import Order, discount_form, gain_form
from rankgauge.analysis.optimize.search.objective import PHI, Objective
from rankgauge.analysis.optimize.search.simplex import on_simplex, shares_of, slsqp, weights_of
from rankgauge.analysis.optimize.search.weighting import Over, Weighting
from rankgauge.arrays import Floats


class Cells(NamedTuple):
    """M of every list, [vertices, levels, systems · queries], and of the ideals, [vertices, levels, queries].

    What is not searched is summed up beforehand and has one vertex or one level.
    """

    reached: Floats
    ideal: Floats
    systems: int


def cells_of(grades: RankedGrades, ends: Order, fixed: Weighting | None, over: Over) -> Cells:
    """The cells of the vertices `ends` and all levels; `fixed` has the discount or gain that is not searched."""
    if fixed and "discount" not in over:
        return _under_discount(grades, fixed.discount[: grades.ranks])
    local = np.minimum(ends, grades.ranks)
    inner, place = np.unique(local, return_inverse=True)
    firsts = np.concatenate(([0], inner[:-1]))
    relevant = grades.pool[:, ::-1].cumsum(axis=1)[:, ::-1]
    levels = len(grades.grades)
    reached = np.empty((len(ends), levels, grades.systems * grades.queries))
    ideal = np.empty((len(ends), levels, grades.queries))
    for level in range(levels):
        good = (grades.codes[:, :, : inner[-1]] > level).view(np.int8)
        counts = np.add.reduceat(good, firsts, axis=2, dtype=np.float64).cumsum(axis=2).reshape(-1, len(inner)).T
        reached[:, level] = counts[place] / ends[:, None]
        ideal[:, level] = np.minimum(local[:, None], relevant[:, level]) / ends[:, None]
    if fixed is None or "gain" in over:
        return Cells(reached, ideal, grades.systems)
    rises = np.diff(fixed.gain, prepend=0.0)
    return Cells(
        np.einsum("j,kjn->kn", rises, reached)[:, None], np.einsum("j,kjt->kt", rises, ideal)[:, None], grades.systems
    )


def value_and_slopes(
    cells: Cells, shares: Floats, levels: Floats, objective: Objective = PHI
) -> tuple[float, Floats, Floats]:
    """The objective, and its gradients in the shares and in the levels."""
    by_level = np.einsum("k,kjt->jt", shares, cells.ideal)
    best = np.einsum("j,jt->t", levels, by_level)
    if not (best > 0).all():
        return -np.inf, np.zeros(len(shares)), np.zeros(len(levels))
    reached_by_level = np.einsum("k,kjn->jn", shares, cells.reached)
    scores = np.einsum("j,jn->n", levels, reached_by_level).reshape(cells.systems, -1) / best
    value, push = objective.slope(scores)
    push /= best
    lost = (push * scores).sum(axis=0)
    of_levels = np.einsum("n,jn->j", push.ravel(), reached_by_level) - np.einsum("t,jt->j", lost, by_level)
    reached_by_share = np.einsum("j,kjn->kn", levels, cells.reached)
    ideal_by_share = np.einsum("j,kjt->kt", levels, cells.ideal)
    of_shares = np.einsum("n,kn->k", push.ravel(), reached_by_share) - np.einsum("t,kt->k", lost, ideal_by_share)
    return value, of_shares, of_levels


def jointly(grades: RankedGrades, discount: Floats, gain: Floats, objective: Objective = PHI) -> tuple[Floats, Floats]:
    """A better discount with the same steps or fewer and a better gain, moved at once; the given ones if none is found.

    Taking turns between discount and gain climbs a ridge in many small steps; along it both must move together.
    """
    every = shares_of(discount)
    ends = np.flatnonzero(every > 1e-12) + 1
    cut = len(ends)
    cells = cells_of(grades, ends, None, ("discount", "gain"))
    first = np.concatenate((every[ends - 1], np.diff(gain, prepend=0.0) / gain[-1]))

    def loss(point: Floats) -> tuple[float, Floats]:
        value, of_shares, of_levels = value_and_slopes(cells, point[:cut], point[cut:], objective)
        return -max(value, WORST), -np.concatenate((of_shares, of_levels))

    sums = np.zeros((2, len(first)))
    sums[0, :cut] = sums[1, cut:] = 1.0
    found = slsqp(
        loss,
        first,
        jac=True,
        bounds=[(0.0, None)] * cut + [(low, None) for low in lowest_levels([cells])],
        constraints={"type": "eq", "fun": lambda point: sums @ point - 1.0, "jac": lambda _: sums},
        options={"ftol": 1e-15, "maxiter": 200},
    )
    if not found.fun < loss(first)[0]:
        return discount, gain
    shares, levels = on_simplex(found.x[:cut]), on_simplex(found.x[cut:])
    return weights_of(ends, shares, len(discount)), levels.cumsum()


def jointly_in_order(
    grades: RankedGrades, discount: Floats, gain: Floats, objective: Objective = PHI
) -> tuple[Floats, Floats]:
    """As `jointly`, for a discount that may rise and a gain that may fall: ranks and grades keep the order that they have."""
    ranks, levels = np.argsort(-discount, kind="stable"), np.argsort(gain, kind="stable")
    moved = np.empty_like(discount), np.empty_like(gain)
    moved[0][ranks], moved[1][levels] = jointly(
        grades.reordered(ranks, levels), discount[ranks], gain[levels], objective
    )
    return moved


def lowest_levels(cells: Sequence[Cells]) -> list[float]:
    """Lower bounds of the levels: a query without documents of the better grades needs some gain for the lowest one."""
    levels = cells[0].ideal.shape[1]
    needed = levels > 1 and any(bool((cell.ideal <= 0).any()) for cell in cells)
    return [LITTLE if needed else 0.0] + [0.0] * (levels - 1)


def slopes_everywhere(grades: RankedGrades, discount: Floats, gain: Floats, over: Over) -> tuple[float, Floats]:
    """Φ and its slopes towards every vertex and every level that is searched, one after the other."""
    slopes, value = [], -np.inf
    if "discount" in over:
        slope = discount_form(grades, gain).slope(discount[: grades.ranks])
        value = slope.value
        reached = np.zeros(len(discount))
        reached[: grades.ranks] = slope.gained - slope.lost
        slopes.append(reached.cumsum() / np.arange(1, len(discount) + 1))
    if "gain" in over:
        slope = gain_form(grades, discount[: grades.ranks]).slope(gain[::-1])
        value = slope.value
        slopes.append((slope.gained - slope.lost).cumsum()[::-1])
    return value, np.concatenate(slopes)


def _under_discount(grades: RankedGrades, discount: Floats) -> Cells:
    form = gain_form(grades, discount)
    met = form.block(slice(None)).cumsum(axis=2)[:, :, ::-1]
    ideal = form.ideal.cumsum(axis=1)[:, ::-1]
    return Cells(np.moveaxis(met, 2, 0).reshape(1, len(grades.grades), -1), ideal.T[None], grades.systems)
