"""The most dependable non-increasing weights reachable from a start: simplicial decomposition.

The optimum is a step function with few steps, so only a handful of vertices (see `steps`) matter. Each round maximises
over the vertices at hand with SLSQP, a problem of a dozen variables whatever the number of ranks; one pass over the
collection then gives the slope towards every vertex, and the steepest ones join. No slope left to climb is the
certificate (first-order, KKT).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rankgauge.analysis.fractional.form import LinearFractional, Order, dependability_slope
from rankgauge.analysis.fractional.grades import Floats
from rankgauge.analysis.fractional.newton import Uphill, gap_over, sharpened, within
from rankgauge.analysis.fractional.steps import levelled, shares_of, weights_of

GAP = 1e-9
FEW = 16  # vertices in one round; SLSQP's own linear algebra is slow on busy machines from some twenty variables on
JOIN = 8  # vertices that may join in one round
ROUNDS = 40
FLOOR = 1e-4  # see lowest_shares
WORST = -4.0  # below any dependability of three systems; stands for "undefined" where an optimiser needs a number


class Peak(NamedTuple):
    """Where an ascent ended: weights of sum 1, their dependability, and how far first-order optimality is missed."""

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
    """How fast dependability still grows towards the best vertex: 0 at a first-order optimum."""
    slope = form.slope(weights / weights.sum())
    return gap_over(_towards_vertices(slope.gained - slope.lost), lowest_shares(form, form.size))


def lowest_shares(form: LinearFractional, count: int) -> Floats:
    """Least shares of `count` vertices, the last being "all alike": 0 unless the first vertex has no dependability.

    That is so where a query has no document of the best grade (its ideal vanishes), or where all systems have the same
    at rank 1: there the maximum would not be attained, and nearly all weight would rest where nothing is told apart.
    """
    lowest, first = np.zeros(count), np.zeros(form.size)
    first[0] = 1.0
    lowest[-1] = FLOOR if form.value(first) == -np.inf else 0.0
    return lowest


def _climb(form: LinearFractional, start: Floats, ends: Order, gap: float) -> Peak:
    shares, lowest = levelled(start, ends), lowest_shares(form, form.size)
    best, stalled = Peak(start, -np.inf, np.inf), 0
    for _ in range(ROUNDS):
        shares = _maximise(form, ends, shares, lowest[ends - 1], gap)
        weights = weights_of(ends, shares, form.size)
        slope = form.slope(weights)
        towards = _towards_vertices(slope.gained - slope.lost)
        peak = Peak(weights, slope.value, gap_over(towards, lowest))
        stalled = 0 if peak.value > best.value + 1e-13 or peak.gap < best.gap / 2 else stalled + 1
        best = _better(best, peak)
        if peak.gap <= gap or stalled == 2:
            break
        ends, shares = _joined(ends, shares, towards)
    return best


def _better(one: Peak, other: Peak) -> Peak:
    # Values equal up to rounding are told apart by the gap.
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


def _towards_vertices(gradient: Floats) -> Floats:
    # The slope towards vertex k from any weights: a·∇ = 0 by Euler, so nothing is subtracted.
    towards: Floats = gradient.cumsum() / np.arange(1, len(gradient) + 1)
    return towards


def _joined(ends: Order, shares: Floats, towards: Floats) -> tuple[Order, Floats]:
    """The vertices in use, the steepest newcomers, and the last one, which keeps every ideal positive."""
    before, after = np.append(-np.inf, towards[:-1]), np.append(towards[1:], -np.inf)
    peaks = np.flatnonzero((towards >= before) & (towards >= after) & (towards > 0))
    used = shares > 1e-12
    room = min(JOIN, max(2, FEW - int(used.sum())))
    newcomers = peaks[np.argsort(-towards[peaks], kind="stable")][:room] + 1
    joined = np.unique(np.concatenate((ends[used], newcomers, [len(towards)])))
    kept = np.zeros(len(joined))
    kept[np.searchsorted(joined, ends[used])] = shares[used]
    return joined, kept / kept.sum()


def _maximise(form: LinearFractional, ends: Order, shares: Floats, lowest: Floats, gap: float) -> Floats:
    """The best shares of a few vertices: SLSQP, and Newton steps where it stops short."""
    from scipy.optimize import minimize

    uphill = _uphill(*form.columns(ends), form.systems)
    found = minimize(
        lambda shares: tuple(-part for part in uphill(shares)),
        within(shares, lowest),
        jac=True,
        method="SLSQP",
        bounds=[(low, None) for low in lowest],
        constraints={"type": "eq", "fun": lambda shares: shares.sum() - 1.0, "jac": np.ones_like},
        options={"ftol": gap * 1e-7, "maxiter": 300},
    )
    return sharpened(uphill, within(found.x, lowest), lowest, 10 * gap)


def _uphill(reached: Floats, ideal: Floats, systems: int) -> Uphill:
    def value_and_gradient(shares: Floats) -> tuple[float, Floats]:
        # einsum rather than BLAS: sums of one order whatever the number of threads, and no threads to wait for.
        best = np.einsum("k,kt->t", shares, ideal)
        if not (best > 0).all():
            return WORST, np.zeros(len(shares))
        scores = np.einsum("k,kn->n", shares, reached).reshape(systems, -1) / best
        value, push = dependability_slope(scores)
        push /= best
        lost = np.einsum("kt,t->k", ideal, (push * scores).sum(axis=0))
        return max(value, WORST), np.einsum("n,kn->k", push.ravel(), reached) - lost

    return value_and_gradient
