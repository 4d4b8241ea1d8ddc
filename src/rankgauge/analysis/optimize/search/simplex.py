"""Non-increasing weights as mixtures of vertices, as the steps a measure prints, and Newton steps to the best mixture.

The vertex k puts equal weight on the first k coordinates and none beyond: plain cumulated gain at k. Non-increasing
weights of sum 1 are exactly the mixtures of vertices, with shares a_k = k (w_k - w_{k+1}) >= 0.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankgauge.analysis.optimize.search.form import Order
from rankgauge.arrays import Floats

DIGITS = 10  # significant digits of a printed weight; the dependability of the printed measure agrees to 1e-9

ITERATIONS = 40
DIFFERENCE = 1e-5  # of the shares, for the Hessian from central differences of the gradient

Steps = tuple[tuple[int, float], ...]
Uphill = Callable[[Floats], tuple[float, Floats]]  # shares → value and gradient


def shares_of(weights: Floats) -> Floats:
    """Shares of the vertices 1, 2, … in non-increasing weights; they sum to 1."""
    return on_simplex(np.arange(1, len(weights) + 1) * -np.diff(weights, append=0.0))


def weights_of(ends: Order, shares: Floats, size: int) -> Floats:
    """The weights that mix the vertices `ends` in these shares."""
    drops = np.zeros(size)
    drops[ends - 1] = shares / ends
    return drops[::-1].cumsum()[::-1]


def levelled(weights: Floats, ends: Order) -> Floats:
    """Shares of the vertices `ends` (the last one is the size) nearest to the weights: averages between the ends."""
    widths = np.diff(ends, prepend=0)
    levels = np.add.reduceat(weights, np.concatenate(([0], ends[:-1]))) / widths
    return on_simplex(ends * -np.diff(levels, append=0.0))


def joined(ends: Order, shares: Floats, newcomers: Iterable[int]) -> tuple[Order, Floats]:
    """The vertices that have a share and the newcomers, which have none yet."""
    used = shares > 1e-12
    together = np.unique(np.concatenate((ends[used], np.array([*newcomers], dtype=np.intp))))
    kept = np.zeros(len(together))
    kept[np.searchsorted(together, ends[used])] = shares[used]
    return together, kept / kept.sum()


def local_maxima(values: Floats) -> NDArray[np.bool_]:
    """Where neither neighbor is higher."""
    padded = np.concatenate(([-np.inf], values, [-np.inf]))
    return (values >= padded[:-2]) & (values >= padded[2:])


def rounded(weights: Floats) -> Floats:
    """Largest weight 1, as many digits as a measure prints, and 0 for what is left of rounding."""
    scaled = weights / weights.max()
    return np.array([float(f"{weight:.{DIGITS}g}") if weight > 1e-12 else 0.0 for weight in scaled])


def steps_of(weights: Floats) -> Steps:
    """(first rank, weight) of every level; the weight holds until the next step."""
    firsts = np.concatenate(([0], np.flatnonzero(np.diff(weights)) + 1))
    return tuple((int(first) + 1, float(weights[first])) for first in firsts)


def sharpened(uphill: Uphill, shares: Floats, enough: float) -> Floats:
    """Shares at least as good as the given ones, nearer to a stationary point: the gap `enough`, if it can be had."""
    value, gradient = uphill(shares)
    for _ in range(ITERATIONS):
        if gradient.max() <= enough:  # the slope towards the best vertex, as shares · gradient = 0
            break
        free = (shares > 0) | (gradient > 0)
        step = _improved(uphill, shares, value, _direction(uphill, shares, gradient, free))
        if step is None:
            break
        shares, value, gradient = step
    return shares


def slsqp(loss: Callable[..., Any], first: Any, **how: Any) -> Any:
    """SciPy's sequential quadratic programming; older versions warn of each step that rounding puts beyond a bound."""
    from scipy.optimize import minimize

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Values in x were outside bounds", RuntimeWarning)
        return minimize(loss, first, method="SLSQP", **how)


def on_simplex(shares: Floats) -> Floats:
    shares = np.maximum(shares, 0.0)
    whole: Floats = shares / shares.sum()
    return whole


def _direction(uphill: Uphill, shares: Floats, gradient: Floats, free: np.ndarray) -> Floats:
    """Newton's step among the free shares, its sum 0; where the surface curves upwards the gradient leads instead."""
    index = np.flatnonzero(free)
    hessian = np.empty((len(index), len(index)))
    for row, coordinate in enumerate(index):
        offset = np.zeros_like(shares)
        offset[coordinate] = DIFFERENCE
        hessian[row] = (uphill(shares + offset)[1] - uphill(shares - offset)[1])[index] / (2 * DIFFERENCE)
    center = np.eye(len(index)) - 1 / len(index)
    bends, axes = np.linalg.eigh(center @ ((hessian + hessian.T) / 2) @ center)
    slopes = axes.T @ (center @ gradient[index])
    steep = np.maximum(np.abs(bends), 1e-8 * max(1e-300, float(np.abs(bends).max())))
    direction = np.zeros_like(shares)
    direction[index] = center @ (axes @ (slopes / steep))
    return direction


def _improved(uphill: Uphill, shares: Floats, value: float, direction: Floats) -> tuple[Floats, float, Floats] | None:
    length = 1.0
    for _ in range(20):
        trial = on_simplex(shares + length * direction)
        reached, gradient = uphill(trial)
        if reached > value:
            return trial, reached, gradient
        length /= 2
    return None
