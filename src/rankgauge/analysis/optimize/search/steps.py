"""Non-increasing weights as mixtures of vertices, and as the steps a measure prints.

The vertex k puts equal weight on the first k coordinates and none beyond: plain cumulated gain at k. Non-increasing
weights of sum 1 are exactly the mixtures of vertices, with shares a_k = k (w_k - w_{k+1}) >= 0.
"""

from __future__ import annotations

import numpy as np

from rankgauge.analysis.optimize.search.form import Order
from rankgauge.arrays import Floats

DIGITS = 10  # significant digits of a printed weight; the dependability of the printed measure agrees to 1e-9

Steps = tuple[tuple[int, float], ...]


def shares_of(weights: Floats) -> Floats:
    """Shares of the vertices 1, 2, … in non-increasing weights; they sum to 1."""
    shares = np.arange(1, len(weights) + 1) * -np.diff(weights, append=0.0)
    return _to_one(shares)


def weights_of(ends: Order, shares: Floats, size: int) -> Floats:
    """The weights that mix the vertices `ends` in these shares."""
    drops = np.zeros(size)
    drops[ends - 1] = shares / ends
    return drops[::-1].cumsum()[::-1]


def levelled(weights: Floats, ends: Order) -> Floats:
    """Shares of the vertices `ends` (the last one is the size) nearest to the weights: averages between the ends."""
    widths = np.diff(ends, prepend=0)
    levels = np.add.reduceat(weights, np.concatenate(([0], ends[:-1]))) / widths
    return _to_one(ends * -np.diff(levels, append=0.0))


def rounded(weights: Floats) -> Floats:
    """Largest weight 1, as many digits as a measure prints, and 0 for what is left of rounding."""
    scaled = weights / weights.max()
    return np.array([float(f"{weight:.{DIGITS}g}") if weight > 1e-12 else 0.0 for weight in scaled])


def steps_of(weights: Floats) -> Steps:
    """(first rank, weight) of every level; the weight holds until the next step."""
    firsts = np.concatenate(([0], np.flatnonzero(np.diff(weights)) + 1))
    return tuple((int(first) + 1, float(weights[first])) for first in firsts)


def weights_from(steps: Steps, cutoff: int) -> Floats:
    """The weights of ranks 1 to `cutoff` that these steps describe."""
    weights = np.zeros(cutoff)
    for first, weight in steps:
        weights[first - 1 :] = weight
    return weights


def _to_one(shares: Floats) -> Floats:
    shares = np.maximum(shares, 0.0)
    whole: Floats = shares / shares.sum()
    return whole
