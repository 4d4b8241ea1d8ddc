"""p-values that are known only within bounds: sampled ones, and those computed on a lattice."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rankgauge.arrays import Floats, Ints
from rankgauge.kernels.resampling import COARSE, FINE, FINEST, MOST_STEPS, flip_share_bounds, lattice_cost

# A verdict may flip between seeds once in so many: the chance that a sampled p lies outside its bounds, either side.
CHANCE = 1e-5


@dataclass(slots=True)
class Bounded:
    """One p-value per pair and the bounds that hold the exact one; equal where it is exact."""

    p: Floats
    low: Floats
    high: Floats

    def put(self, places: Ints, finer: Bounded) -> None:
        """Take over finer values; bounds of both hold, so their overlap does, unless a sample went astray."""
        low, high = np.maximum(self.low[places], finer.low), np.minimum(self.high[places], finer.high)
        apart = low > high
        self.p[places] = finer.p
        self.low[places] = np.where(apart, finer.low, low)
        self.high[places] = np.where(apart, finer.high, high)


Refine = Callable[[Ints], Bounded | None]
"""Sharper p-values of some pairs; None where nothing sharper can be had."""


def exactly(p: Floats) -> Bounded:
    return Bounded(p.copy(), p.copy(), p.copy())


def sampled(p: Floats, samples: int) -> Bounded:
    """Bounds of (1+#)/(1+samples): those of a share of which # in `samples` were seen (Clopper & Pearson)."""
    from scipy.special import betaincinv

    found = np.maximum(np.rint(np.nan_to_num(p) * (1 + samples)) - 1, 0)
    low = np.where(found > 0, betaincinv(np.maximum(found, 1), samples - found + 1, CHANCE), 0.0)
    high = np.where(found < samples, betaincinv(found + 1, np.maximum(samples - found, 1), 1 - CHANCE), 1.0)
    missing = np.isnan(p)
    # A sampled p counts the observed signs as one of the samples, and so lies a little above the share itself.
    return Bounded(
        p.copy(), np.where(missing, np.nan, np.minimum(low, p)), np.where(missing, np.nan, np.maximum(high, p))
    )


def _normal_share(differences: Floats) -> tuple[float, float, float]:
    """The sign-flip test in its normal limit: value, low, high.

    Bounds by Berry and Esseen (with Shevtsova's constant 0.56), from above also by Hoeffding, sharper in the tail.
    """
    from scipy.special import ndtr

    spread = math.sqrt(float(np.square(differences).sum()))
    z = abs(float(differences.sum())) / spread
    size = np.abs(differences / spread)
    value, error = 2.0 * float(ndtr(-z)), 1.12 * float(np.square(size) @ size)  # the cube by ** takes six times as long
    high = min(value + error, max(2.0 * math.exp(-0.5 * z * z), value), 1.0)
    return value, max(value - error, 0.0), high


def flipped(differences: Floats, per_difference: int = COARSE) -> Bounded:
    """The sign-flip test of every row by convolution, or in its normal limit where that would take too long; nan where
    fewer than two queries are left.
    """
    filled = np.nan_to_num(differences)
    shares = np.array(
        [
            _normal_share(row)
            if lattice_cost(int(np.count_nonzero(row)), per_difference) > MOST_STEPS
            else flip_share_bounds(row, per_difference)
            for row in filled
        ]
    ).reshape(-1, 3)
    shares[(~np.isnan(differences)).sum(axis=1) < 2] = np.nan
    return Bounded(*np.ascontiguousarray(shares.T))


def finer_flips(differences: Floats) -> Bounded | None:
    """As `flipped`, as finely as a few seconds allow; None where not even the coarse lattice is affordable."""
    most = int(np.count_nonzero(np.nan_to_num(differences), axis=1).max(initial=0))
    for per_difference in (FINEST, FINE, COARSE):
        if lattice_cost(most, per_difference) <= MOST_STEPS:
            return flipped(differences, per_difference)
    return None
