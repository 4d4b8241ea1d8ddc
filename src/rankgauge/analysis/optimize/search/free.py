"""Weights that may rise and fall, with the ideal by rearrangement: the largest gains are at the largest weights.

For a fixed order of the weights the problem is the monotone one with its coordinates renamed, so an ascent climbs
within one order, then renames coordinates of equal weight in the way that lets it climb further.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rankgauge.analysis.optimize.ranked_grades import RankedGrades
from rankgauge.analysis.optimize.search.ascent import GAP, Peak, climb, gap_of
from rankgauge.analysis.optimize.search.form import LinearFractional, Order, discount_form, gain_form
from rankgauge.analysis.optimize.search.objective import PHI, Objective
from rankgauge.arrays import Floats

ROUNDS = 100
TIED = 1e-9  # relative to the largest weight


def climb_free_discount(
    grades: RankedGrades, gain: Floats, start: Floats, gap: float = GAP, objective: Objective = PHI
) -> Peak:
    """A local maximum over all discounts. Its gap is exact: among tied ranks the most promising are split off first."""

    def form_of(order: Order) -> LinearFractional:
        return discount_form(grades, gain, order, objective)

    order = np.argsort(-start, kind="stable")
    best, before = _in_order(form_of, order, start, max(gap, 1e-5)), -np.inf
    for _ in range(ROUNDS):
        order = _most_promising(form_of(order), order, best.weights)
        best = best._replace(gap=gap_of(form_of(order), best.weights[order]))
        if best.gap <= gap or best.value <= before + 1e-13:
            break
        # While the order still changes, the last digits would be wasted.
        peak = _in_order(form_of, order, best.weights, max(gap, min(1e-5, 1e-2 * best.gap)))
        if peak.value < best.value:
            break
        best, before = peak, best.value
    return best


def climb_free_gain(
    grades: RankedGrades, discount: Floats, start: Floats, gap: float = GAP, objective: Objective = PHI
) -> Peak:
    """A local maximum over all gains: neighbours in the order of gains change places as long as that helps."""

    def form_of(order: Order) -> LinearFractional:
        return gain_form(grades, discount, order, objective)

    order = np.argsort(-start, kind="stable")
    best = _in_order(form_of, order, start, gap)
    improved = True
    while improved:
        improved = False
        for place in range(len(order) - 1):
            swapped = order.copy()
            swapped[[place, place + 1]] = swapped[[place + 1, place]]
            peak = _in_order(form_of, swapped, best.weights, gap)
            if peak.value > best.value + 1e-12:
                order, best, improved = swapped, peak, True
    return best


def _in_order(form_of: Callable[[Order], LinearFractional], order: Order, weights: Floats, gap: float) -> Peak:
    # Where weights do not follow the order, the earlier ones rise; to sink them might leave nothing at all.
    falling = np.maximum.accumulate(weights[order][::-1])[::-1]
    peak = climb(form_of(order), falling, gap)
    weights = np.empty_like(peak.weights)
    weights[order] = peak.weights
    return peak._replace(weights=weights)


def _most_promising(form: LinearFractional, order: Order, weights: Floats) -> Order:
    """Largest weights first; among equals, those whose documents push the objective up most."""
    gained = np.empty_like(weights)
    gained[order] = form.slope(weights[order]).gained
    # Weights that differ by rounding are tied: were they not, the order of their last bits would be final.
    ranked = np.argsort(-weights, kind="stable")
    apart = np.append(0, np.cumsum(-np.diff(weights[ranked]) > TIED * weights.max()))
    group = np.empty_like(order)
    group[ranked] = apart
    return np.lexsort((-gained, group))
