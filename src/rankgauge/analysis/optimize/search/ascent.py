"""The best non-increasing weights reachable from a start: simplicial decomposition.

The optimum is a step function with few steps, so only a handful of vertices (see `simplex`) matter. Each round maximises
over the vertices at hand with SLSQP, a problem of a dozen variables whatever the number of ranks; one pass over the
collection then gives the slope towards every vertex, and the steepest ones join. No slope left to climb is the
certificate (first-order, KKT).

Weights that may rise and fall have their ideal by rearrangement: the largest gains are at the largest weights. For a
fixed order of the weights the problem is the monotone one with its coordinates renamed, so an ascent climbs within one
order, then renames coordinates of equal weight in the way that lets it climb further.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from rankgauge.analysis.optimize.search.form import LinearFractional, Order, Slope
from rankgauge.analysis.optimize.search.objective import Objective
from rankgauge.analysis.optimize.search.simplex import (
    Uphill,
    joined,
    levelled,
    local_maxima,
    on_simplex,
    shares_of,
    sharpened,
    slsqp,
    weights_of,
)
from rankgauge.arrays import Floats

GAP = 1e-9
FEW = 16  # vertices that SLSQP is given; its own linear algebra is slow on busy machines from some twenty on
JOIN = 8  # vertices that may join in one round
ROUNDS = 40
LITTLE = 1e-4  # see mute_vertices
WORST = -4.0  # below any objective of three systems; means "undefined" where an optimizer needs a number
ORDERS = 100  # of weights that may rise and fall
TIED = 1e-9  # relative to the largest weight


FormOf = Callable[[Order], LinearFractional]


class Peak(NamedTuple):
    """Where an ascent ended: weights of sum 1, the objective there, and how far first-order optimality is missed."""

    weights: Floats
    value: float
    gap: float


def climb(form: LinearFractional, start: Floats, gap: float = GAP) -> Peak:
    """The local maximum over non-increasing weights that the start leads to; never below the start itself."""
    start = weights_of(np.arange(1, form.size + 1), shares_of(start), form.size)
    peak = _climb(form, start, _first_ends(start), gap)
    if peak.value < form.value(start) - 1e-12:
        # The levelled start fell into another valley: begin again with every vertex.
        peak = _climb(form, start, np.arange(1, form.size + 1), gap)
    return peak


def gap_of(form: LinearFractional, weights: Floats) -> float:
    """How fast the objective still grows towards the best vertex: 0 at a first-order optimum."""
    slope = form.slope(weights / weights.sum())
    return float(_towards_vertices(slope, mute_vertices(form)).max())


def mute_vertices(form: LinearFractional) -> int:
    """How many of the first vertices have no value of their own.

    So it is with the first k ranks if all systems have the same there, and with the best grades if a query has none of
    them. The maximum need not be attained there, so these vertices keep a small share of the first one that speaks.
    """
    for count in range(form.size):
        if form.value(weights_of(np.array([count + 1]), np.ones(1), form.size)) > -np.inf:
            return count
    return form.size


def _climb(form: LinearFractional, start: Floats, ends: Order, gap: float) -> Peak:
    mute = mute_vertices(form)
    best, stalled = Peak(start, -np.inf, np.inf), 0
    if mute == form.size:
        return best
    ends = np.union1d(ends, [mute + 1])
    shares = levelled(start, ends)
    for _ in range(ROUNDS):
        # While vertices may still be missing, the last digits would be wasted.
        enough = gap if len(ends) == form.size else max(gap, min(1e-5, 1e-3 * best.gap))
        shares = _maximise(form, ends, shares, mute, enough)
        weights = weights_of(ends, _blended(ends, mute) @ shares, form.size)
        slope = form.slope(weights)
        towards = _towards_vertices(slope, mute)
        peak = Peak(weights, slope.value, float(towards.max()))
        stalled = 0 if peak.value > best.value + 1e-13 or peak.gap < best.gap / 2 else stalled + 1
        best = _better(best, peak)
        if peak.gap <= gap or stalled == 2:
            break
        ends, shares = _joined(ends, shares, towards, mute)
    return best


def _blended(ends: Order, mute: int) -> Floats:
    """Columns are the vertices in use: mute ones hold a little of the first that speaks."""
    blend = np.eye(len(ends))
    silent = ends <= mute
    blend[silent, silent] = 1 - LITTLE
    blend[np.searchsorted(ends, mute + 1), silent] = LITTLE
    return blend


def _better(one: Peak, other: Peak) -> Peak:
    # Values equal up to rounding are distinguished by the gap.
    if abs(one.value - other.value) <= 1e-13:
        return one if one.gap <= other.gap else other
    return one if one.value > other.value else other


def _first_ends(start: Floats) -> Order:
    size = len(start)
    if size <= FEW:
        return np.arange(1, size + 1)
    own = np.flatnonzero(np.diff(start)) + 1
    own = own if len(own) <= FEW else own[:0]
    grid = np.round(np.geomspace(1, size, max(2, FEW - len(own)))).astype(np.intp)
    return np.unique(np.concatenate((own, grid)))


def _towards_vertices(slope: Slope, mute: int) -> Floats:
    # The slope towards vertex k from any weights: a·∇ = 0 by Euler, so nothing is subtracted.
    towards = (slope.gained - slope.lost).cumsum() / np.arange(1, len(slope.gained) + 1)
    towards[:mute] = (1 - LITTLE) * towards[:mute] + LITTLE * towards[mute]
    return towards


def _joined(ends: Order, shares: Floats, towards: Floats, mute: int) -> tuple[Order, Floats]:
    """The vertices in use, the steepest newcomers, and the first that speaks."""
    peaks = np.flatnonzero(local_maxima(towards) & (towards > 0))
    newcomers = peaks[np.argsort(-towards[peaks], kind="stable")][:JOIN] + 1
    return joined(ends, shares, [*newcomers, mute + 1])


def _maximise(form: LinearFractional, ends: Order, shares: Floats, mute: int, gap: float) -> Floats:
    """The best shares of the vertices in use: SLSQP if they are few, and Newton steps for what is left."""
    blend = _blended(ends, mute)
    reached, ideal = form.columns(ends)
    if mute:
        reached, ideal = (np.einsum("kj,kn->jn", blend, columns) for columns in (reached, ideal))
    uphill = _uphill(reached, ideal, form.systems, form.objective)
    if len(ends) <= FEW:
        shares = _slsqp(uphill, shares, gap)
    return sharpened(uphill, shares, gap)


def _slsqp(uphill: Uphill, shares: Floats, gap: float) -> Floats:
    found = slsqp(
        lambda shares: tuple(-part for part in uphill(shares)),
        shares,
        jac=True,
        bounds=[(0.0, None)] * len(shares),
        constraints={"type": "eq", "fun": lambda shares: shares.sum() - 1.0, "jac": np.ones_like},
        options={"ftol": gap * 1e-7, "maxiter": 300},
    )
    return on_simplex(found.x)


def _uphill(reached: Floats, ideal: Floats, systems: int, objective: Objective) -> Uphill:
    def value_and_gradient(shares: Floats) -> tuple[float, Floats]:
        best = np.einsum("k,kt->t", shares, ideal)
        if not (best > 0).all():
            return WORST, np.zeros(len(shares))
        scores = np.einsum("k,kn->n", shares, reached).reshape(systems, -1) / best
        value, push = objective.slope(scores)
        push /= best
        lost = np.einsum("kt,t->k", ideal, (push * scores).sum(axis=0))
        return max(value, WORST), np.einsum("n,kn->k", push.ravel(), reached) - lost

    return value_and_gradient


def climb_free_discount(form_of: FormOf, start: Floats, gap: float = GAP) -> Peak:
    """A local maximum over all discounts. Its gap is exact: among tied ranks the most promising are split off first."""
    order = np.argsort(-start, kind="stable")
    best, before = _in_order(form_of, order, start, max(gap, 1e-5)), -np.inf
    for _ in range(ORDERS):
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


def climb_free_gain(form_of: FormOf, start: Floats, gap: float = GAP) -> Peak:
    """A local maximum over all gains: neighbors in the order of gains change places as long as that helps."""
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


def _in_order(form_of: FormOf, order: Order, weights: Floats, gap: float) -> Peak:
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
