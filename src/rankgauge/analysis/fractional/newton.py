"""Newton steps on a simplex: the last digits of a maximum that a quasi-Newton method only came near."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rankgauge.analysis.fractional.grades import Floats

Uphill = Callable[[Floats], tuple[float, Floats]]  # shares → value and gradient

ITERATIONS = 12
DIFFERENCE = 1e-5  # of the shares, for the Hessian from central differences of the gradient


def sharpened(uphill: Uphill, shares: Floats, lowest: Floats, enough: float) -> Floats:
    """Shares at least as good as the given ones, nearer to a stationary point: the gap `enough`, if it can be had."""
    value, gradient = uphill(shares)
    for _ in range(ITERATIONS):
        if gap_over(gradient, lowest) <= enough:
            break
        free = (shares > lowest) | (gradient > 0)
        direction = _direction(uphill, shares, gradient, free)
        step = _improved(uphill, shares, value, direction, lowest)
        if step is None:
            break
        shares, value, gradient = step
    return shares


def gap_over(gradient: Floats, lowest: Floats) -> float:
    """The slope towards the best shares within `lowest`, for a function of degree 0 (shares · gradient = 0)."""
    return float((1 - lowest.sum()) * gradient.max() + lowest @ gradient)


def within(shares: Floats, lowest: Floats) -> Floats:
    """The same proportions above `lowest`, brought to sum 1."""
    above = np.maximum(shares - lowest, 0.0)
    brought: Floats = lowest + above * ((1 - lowest.sum()) / above.sum())
    return brought


def _direction(uphill: Uphill, shares: Floats, gradient: Floats, free: np.ndarray) -> Floats:
    """Newton's step among the free shares, its sum 0; where the surface curves upwards the gradient leads instead."""
    index = np.flatnonzero(free)
    hessian = np.empty((len(index), len(index)))
    for row, coordinate in enumerate(index):
        offset = np.zeros_like(shares)
        offset[coordinate] = DIFFERENCE
        hessian[row] = (uphill(shares + offset)[1] - uphill(shares - offset)[1])[index] / (2 * DIFFERENCE)
    centre = np.eye(len(index)) - 1 / len(index)
    bends, axes = np.linalg.eigh(centre @ ((hessian + hessian.T) / 2) @ centre)
    slopes = axes.T @ (centre @ gradient[index])
    steep = np.maximum(np.abs(bends), 1e-8 * max(1e-300, float(np.abs(bends).max())))
    direction = np.zeros_like(shares)
    direction[index] = centre @ (axes @ (slopes / steep))
    return direction


def _improved(
    uphill: Uphill, shares: Floats, value: float, direction: Floats, lowest: Floats
) -> tuple[Floats, float, Floats] | None:
    length = 1.0
    for _ in range(20):
        trial = within(shares + length * direction, lowest)
        reached, gradient = uphill(trial)
        if reached > value:
            return trial, reached, gradient
        length /= 2
    return None
