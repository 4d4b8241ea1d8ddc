"""Newton steps on a simplex: the last digits of a maximum that a quasi-Newton method only came near."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rankgauge.arrays import Floats

Uphill = Callable[[Floats], tuple[float, Floats]]  # shares → value and gradient

ITERATIONS = 40
DIFFERENCE = 1e-5  # of the shares, for the Hessian from central differences of the gradient


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


def on_simplex(shares: Floats) -> Floats:
    shares = np.maximum(shares, 0.0)
    return shares / shares.sum()


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
