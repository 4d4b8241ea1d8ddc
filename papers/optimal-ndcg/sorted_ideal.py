"""Figure 3 as the paper probably made it: discounts that may rise, divided by the DCG of the gains sorted by rank.

That is not the largest DCG there is once a discount rises, so nDCG can exceed 1. The package never does this: it pairs
the largest gains with the largest weights.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from rankgauge.analysis.optimize.ranked_grades import RankedGrades
from rankgauge.analysis.optimize.search.form import discount_form
from rankgauge.analysis.optimize.search.weighting import named_discount
from rankgauge.arrays import Floats

STARTS = ("log2", "linear", "none")


@dataclass(frozen=True)
class SortedIdeal:
    """The best discount under the sorted ideal: its Φ for one query, its gap, and the largest nDCG it gives."""

    discount: Floats
    dependability: float
    gap: float
    highest: float


def with_sorted_ideal(grades: RankedGrades, gain: Floats) -> SortedIdeal:
    form = discount_form(grades, gain)

    def loss(weights: Floats) -> tuple[float, Floats]:
        slope = form.slope(weights)
        return -slope.value, slope.lost - slope.gained

    best = None
    for name in STARTS:
        start = named_discount(name, grades.ranks)
        found = minimize(
            loss,
            start / start.sum(),
            jac=True,
            method="L-BFGS-B",
            bounds=[(0.0, None)] * grades.ranks,
            options={"maxiter": 3000, "maxfun": 6000, "ftol": 1e-15, "gtol": 1e-9},
        )
        best = found if best is None or found.fun < best.fun else best
    weights = best.x / best.x.sum()
    slope = form.slope(weights)
    # First-order optimality on all weights of sum 1: the vertices are the single ranks.
    gap = float((slope.gained - slope.lost).max())
    return SortedIdeal(weights, slope.value, gap, float(np.nanmax(form.scores(weights))))
