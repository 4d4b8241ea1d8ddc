"""Monotone piecewise cubic interpolation through control points that a user gives."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np

from rankgauge.arrays import Floats
from rankgauge.kernels.curves.phi import LARGEST


def fault(knots: Sequence[tuple[float, float]]) -> str | None:
    """What is wrong with (score, relevance) points as control points of a relevance function, or None."""
    return next(_faults(knots), None)


def slopes(x: Floats, v: Floats) -> Floats:
    """Slopes at the control points (x strictly increasing, v non-decreasing), after Fritsch & Carlson 1980.

    Inside, a weighted harmonic mean of the two secants, 0 where one of them is level; at the ends, Moler's three-point
    formula, never below 0. Two points give a straight line. Equal to SciPy's PchipInterpolator.
    """
    h = np.diff(x)
    secant = np.diff(v) / h
    if len(x) == 2:
        return np.repeat(secant, 2)
    left, right = 2 * h[1:] + h[:-1], h[1:] + 2 * h[:-1]
    result = np.zeros(len(x))
    bent = np.flatnonzero((secant[:-1] > 0) & (secant[1:] > 0))
    total = left[bent] + right[bent]
    with np.errstate(over="ignore"):  # next to an all but level secant the slope is 0
        result[1 + bent] = total / (left[bent] / secant[bent] + right[bent] / secant[1 + bent])
    result[0] = _end(h[0], h[1], secant[0], secant[1])
    result[-1] = _end(h[-1], h[-2], secant[-1], secant[-2])
    return result


def evaluate(x: Floats, v: Floats, slope: Floats, values: Floats) -> Floats:
    """The curve at `values`: the first control point's value before it, the last one's after it."""
    inside = np.clip(values, x[0], x[-1])
    piece = np.clip(np.searchsorted(x, inside, side="right") - 1, 0, len(x) - 2)
    h, low, high = np.diff(x)[piece], v[piece], v[piece + 1]
    t = (inside - x[piece]) / h
    begin, end, rise = slope[piece] * h, slope[piece + 1] * h, high - low
    bend = 3 * rise - 2 * begin - end + (begin + end - 2 * rise) * t
    return np.where(inside == x[-1], v[-1], np.clip(low + t * (begin + t * bend), low, high))


def _end(near: float, far: float, secant: float, next_secant: float) -> float:
    # Moler also caps the slope at three secants where the next one has another sign; upward secants stay below two.
    return max(secant + near / (near + far) * (secant - next_secant), 0.0)


def _faults(knots: Sequence[tuple[float, float]]) -> Iterator[str]:
    if len(knots) < 2:
        yield f"{len(knots)} control point{'' if len(knots) == 1 else 's'}; a function needs two or more"
    for x, v in knots:
        if not abs(x) <= LARGEST:
            yield f"score {x} is not a finite number up to {LARGEST:g}"
        if not 0 <= v <= 1:
            yield f"relevance {v} of score {x:g} is not between 0 and 1"
    for (x, v), (later, value) in itertools.pairwise(knots):
        if later <= x:
            yield f"score {later:g} follows {x:g}; scores must increase"
        if value < v:
            yield f"relevance falls from {v:g} at score {x:g} to {value:g} at {later:g}"
        if (value - v) / (later - x) > LARGEST:
            yield f"scores {x!r} and {later!r} are too close together"
