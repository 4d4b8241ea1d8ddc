"""Shares of sign patterns without sampling: the distribution of Σ ±aᵢ by convolution on a lattice, with bounds.

A pattern is a subset F of the sizes a (those that count as negative), and Σ ±a ≥ T means that the sum over F is at most
(A-T)/2, where A is the sum of all. Sizes are rounded to whole numbers of steps; what rounding may have moved is bounded,
so every share comes as an interval that holds the true one. The additions are of positive numbers only: a share of 1e-12
is as sharp as one of 1/2. Nothing here depends on a seed.
"""

from __future__ import annotations

import math

import numpy as np

from rankgauge.arrays import Floats
from rankgauge.kernels.resampling import ROUNDING, exact_flip_share

# 2ⁿ patterns, half a millisecond a row up to 24 and ten up to 30 (two sorted halves of 2¹⁵).
MOST_EXACT, MOST_EXACT_SLOWLY = 24, 30
# Steps of the lattice per difference: the first bounds lie a few percent apart, the finest ones a thousandth.
COARSE, FINE, FINEST = 64, 1024, 8192
FEWEST_STEPS = 2048
# Rounding errors of random signs add up to more than 8 of their standard deviations less often than this (Hoeffding).
SPREAD, BEYOND = 8.0, 2.0 * math.exp(-32.0)
# Additions for one row: a few seconds. Beyond it, patterns are sampled.
MOST_STEPS = 2e9


def lattice_cost(differences: int, per_difference: int = COARSE) -> float:
    """Additions for one row with this many differences other than 0."""
    return 0.5 * differences * max(FEWEST_STEPS, per_difference * differences)


def flip_share_bounds(differences: Floats, per_difference: int = COARSE) -> tuple[float, float, float]:
    """The share of sign patterns whose sum is at least as far from 0 as the observed one: value, low, high.

    Exact (low = high) with few differences, or where all are multiples of one number, as with P@10.
    """
    sizes = np.sort(np.abs(differences[differences != 0.0]))
    total = float(sizes.sum())
    threshold = abs(float(differences.sum())) - ROUNDING * total
    if threshold <= 0.0:
        return 1.0, 1.0, 1.0
    if len(sizes) <= (MOST_EXACT if per_difference <= COARSE else MOST_EXACT_SLOWLY):
        return (exact_flip_share(differences),) * 3
    step = _common_step(sizes) or total / max(FEWEST_STEPS, per_difference * len(sizes))
    scaled = sizes / step
    whole = np.rint(scaled)
    errors = scaled - whole
    errors[np.abs(errors) <= 1e-6] = 0.0
    random = 0.5 * SPREAD * math.sqrt(float(np.square(errors).sum()))
    reach = min(random, 0.5 * float(np.abs(errors).sum()))
    beyond = BEYOND if 0.0 < reach == random else 0.0
    middle = (total - threshold) / (2.0 * step) - 0.5 * float(errors.sum())
    shares = _shares_up_to(whole.astype(np.int64), middle + reach)
    value, low, high = (2.0 * _at(shares, place) for place in (middle, middle - reach, middle + reach))
    floor = 2.0 ** (1 - min(len(sizes), 1000))  # the observed pattern and its mirror image always count
    return max(value, floor), max(low - beyond, floor), min(max(high + beyond, floor), 1.0)


def _shares_up_to(whole: np.ndarray, largest: float) -> Floats:
    """Shares of all subsets whose sum is 0, 1, … steps, cumulated; `whole` ascends."""
    size = max(1, math.floor(largest + 1e-9) + 1)
    ways, reached = np.zeros(size), 0
    ways[0], done = 1.0, 0
    for number in whole.tolist():
        done += 1
        if number < size:
            reached = min(reached + number, size - 1)
            if number:
                ways[number : reached + 1] += ways[: reached + 1 - number].copy()
            else:
                ways[: reached + 1] *= 2.0
        if done % 512 == 0:
            ways *= 2.0**-512
    return np.cumsum(ways) * 2.0 ** -(done % 512)


def _at(shares: Floats, place: float) -> float:
    at = math.floor(place + 1e-9)
    return float(shares[at]) if at >= 0 else 0.0


def _common_step(sizes: Floats) -> float:
    """The number that all sizes are multiples of, if it is not too small to be of use; else 0."""
    total, step = float(sizes.sum()), float(sizes[0])
    for size in sizes.tolist():
        step, rest = size, step
        while rest > 1e-7 * total / len(sizes):
            step, rest = rest, step - rest * round(step / rest)
            rest = abs(rest)
        if step < total / (4 * FEWEST_STEPS):
            return 0.0
    whole = np.rint(sizes / step)
    return step if bool(np.all(np.abs(sizes - whole * step) <= 1e-9 * total)) else 0.0
