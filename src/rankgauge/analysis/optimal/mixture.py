"""Gain and discount together as mixtures: shares of the vertices "first k ranks" and of the levels "grade j or better".

A list's DCG is then Σ_k Σ_j a_k b_j M_kj with M_kj the share of its first k ranks that hold a document of grade j or
better, and its ideal the same sum over the ideal list.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rankgauge.analysis.fractional.form import (
    Order,
    dependability_slope,
    discount_form,
    gain_form,
)
from rankgauge.analysis.fractional.grades import Floats, RankedGrades
from rankgauge.analysis.optimal.starts import Over
from rankgauge.analysis.optimal.weighting import Weighting


class Cells(NamedTuple):
    """M of every list, [vertices, levels, systems · queries], and of the ideals, [vertices, levels, queries].

    What is not searched is summed up beforehand and has one vertex or one level.
    """

    reached: Floats
    ideal: Floats
    systems: int


def cells_of(grades: RankedGrades, ends: Order, fixed: Weighting, over: Over) -> Cells:
    """The cells of the vertices `ends` and all levels; `fixed` has the discount or gain that is not searched."""
    if "discount" not in over:
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
    if "gain" in over:
        return Cells(reached, ideal, grades.systems)
    rises = np.diff(fixed.gain, prepend=0.0)
    return Cells(
        np.einsum("j,kjn->kn", rises, reached)[:, None],
        np.einsum("j,kjt->kt", rises, ideal)[:, None],
        grades.systems,
    )


def value_and_slopes(cells: Cells, shares: Floats, levels: Floats) -> tuple[float, Floats, Floats]:
    """Φ for one query, and its gradients in the shares and in the levels."""
    by_level = np.einsum("k,kjt->jt", shares, cells.ideal)
    best = np.einsum("j,jt->t", levels, by_level)
    if not (best > 0).all():
        return -np.inf, np.zeros(len(shares)), np.zeros(len(levels))
    reached_by_level = np.einsum("k,kjn->jn", shares, cells.reached)
    scores = np.einsum("j,jn->n", levels, reached_by_level).reshape(cells.systems, -1) / best
    value, push = dependability_slope(scores)
    push /= best
    lost = (push * scores).sum(axis=0)
    of_levels = np.einsum("n,jn->j", push.ravel(), reached_by_level) - np.einsum("t,jt->j", lost, by_level)
    reached_by_share = np.einsum("j,kjn->kn", levels, cells.reached)
    ideal_by_share = np.einsum("j,kjt->kt", levels, cells.ideal)
    of_shares = np.einsum("n,kn->k", push.ravel(), reached_by_share) - np.einsum("t,kt->k", lost, ideal_by_share)
    return value, of_shares, of_levels


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
