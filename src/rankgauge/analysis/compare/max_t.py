"""All comparisons of a table at once: the largest |t| of the family, resampled.

The queries are resampled for all pairs together, so that what the pairs have in common (a baseline, the queries) counts.
The level that the largest |t| exceeds with chance α is the margin of every interval, in standard errors: the intervals
hold together, and a pair is a finding exactly when its interval excludes 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rankgauge.analysis.compare.shares import Bounded, sampled
from rankgauge.analysis.compare.tests import squared_t
from rankgauge.arrays import Floats
from rankgauge.evaluation.intervals import moments
from rankgauge.kernels.resampling import ROUNDING, Progress, centre, count_blocks, flip_blocks, studentised

# More samples are drawn while a pair lies at the limit, up to so many numbers: about a second.
ROUNDS, MOST_DRAWN = 3, 1_000_000_000


@dataclass(frozen=True, slots=True)
class MaxT:
    """p-values for the whole family, and the |t| beyond which a pair is a finding."""

    p: Bounded
    critical: float


def max_t(
    differences: Floats, *, test: str, alpha: float, samples: int, seed: int, progress: Progress | None = None
) -> MaxT:
    """By sign flips of the centered differences, or (`test="bootstrap"`) by resampled queries."""
    observed = squared_t(moments(differences)) * (1.0 - ROUNDING)
    largest = np.empty(0)
    for round_ in range(ROUNDS):
        # Three times as many as there are, drawn afresh and added: 1, 4, 16 times the first number.
        more = samples if not round_ else 3 * len(largest)
        largest = np.sort(np.concatenate([largest, _largest(differences, test, more, seed + round_, progress)]))
        total = len(largest)
        reaching = total - np.searchsorted(largest, np.nan_to_num(observed), side="left")
        p = sampled(np.where(np.isnan(observed), np.nan, (1.0 + reaching) / (1.0 + total)), total)
        if more * differences.size > MOST_DRAWN or not ((p.low < alpha) & (p.high >= alpha)).any():
            break
    # p < α exactly when at most `allowed` samples reach the observed t²: the next one is the limit.
    allowed = math.ceil(alpha * (1 + total)) - 2
    critical = float(largest[total - 1 - allowed]) if 0 <= allowed < total else math.inf
    return MaxT(p, math.sqrt(critical))


def _largest(differences: Floats, test: str, samples: int, seed: int, progress: Progress | None) -> Floats:
    """The largest t² over all rows, one per sample."""
    present, centered = ~np.isnan(differences), centre(differences)
    squares, queries = np.square(centered).sum(axis=1), np.maximum(present.sum(axis=1), 2)
    used = (squares > 0.0) & (present.sum(axis=1) > 1)
    if not used.any():
        return np.zeros(samples)
    centered, present, squares, queries = centered[used], present[used], squares[used], queries[used]
    blocks = flip_blocks if test == "sign-flip" else count_blocks
    largest, done = np.empty(samples), 0
    for drawn in blocks(differences.shape[1], samples, seed, beside=3 * len(centered)):
        if test == "sign-flip":
            # Σ s·c with s = 1-2f and Σ c = 0 is -2 Σ f·c; t² grows with its square over Σ c².
            shares = np.square(2.0 * (drawn @ centered.T)) / (squares * queries)
            rest = np.maximum(1.0 - shares, ROUNDING)
            found = (shares / rest * (queries - 1)).max(axis=1)
        else:
            squared = studentised(centered, present, drawn)[1]
            found = np.where(np.isfinite(squared), squared, 0.0).max(axis=0)
        largest[done : done + len(drawn)] = found
        done += len(drawn)
        if progress is not None:
            progress(done, samples)
    return largest
