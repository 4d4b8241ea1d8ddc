"""All comparisons of a table at once: the largest |t| of the family, resampled.

The queries are resampled for all pairs together, so that what the pairs have in common (a baseline, the queries) counts.
The level that the largest |t| exceeds with chance α is the margin of every interval, in standard errors: the intervals
hold together, and a pair is a finding exactly when its interval excludes 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rankgauge.analysis.compare.statistics.shares import Bounded, sampled
from rankgauge.analysis.compare.statistics.tests import squared_t
from rankgauge.arrays import Flags, Floats
from rankgauge.evaluation.intervals import moments
from rankgauge.kernels.resampling import ROUNDING, Progress, centre, count_blocks, studentised

# More samples are drawn while a pair lies at the limit, up to so many numbers: about a second.
ROUNDS, MOST_DRAWN = 3, 1_000_000_000
# Numbers in a block, 16 MB in single precision: with smaller products, threads wait for each other more than they work.
CELLS = 4_000_000


@dataclass(frozen=True, slots=True)
class MaxT:
    """p-values for the whole family, and the |t| beyond which a pair is a finding."""

    p: Bounded
    critical: float


def max_t(
    differences: Floats,
    *,
    alpha: float,
    samples: int,
    seed: int,
    rounds: int = ROUNDS,
    progress: Progress | None = None,
) -> MaxT:
    """By the studentized bootstrap of the centered differences, which follows their skew; sign flips cannot."""
    observed = squared_t(moments(differences)) * (1.0 - ROUNDING)
    largest = np.empty(0)
    for round_ in range(rounds):
        # Three times as many as there are, drawn afresh and added: 1, 4, 16 times the first number.
        more = samples if not round_ else 3 * len(largest)
        largest = np.sort(np.concatenate([largest, _largest(differences, more, seed + round_, progress)]))
        total = len(largest)
        reaching = total - np.searchsorted(largest, np.nan_to_num(observed), side="left")
        p = sampled(np.where(np.isnan(observed), np.nan, (1.0 + reaching) / (1.0 + total)), total)
        if 4 * total * differences.size > MOST_DRAWN or not ((p.low < alpha) & (p.high >= alpha)).any():
            break
    # p < α exactly when at most `allowed` samples reach the observed t²: the next one is the limit.
    allowed = math.ceil(alpha * (1 + total)) - 2
    critical = float(largest[total - 1 - allowed]) if 0 <= allowed < total else math.inf
    return MaxT(p, math.sqrt(critical))


def _largest(differences: Floats, samples: int, seed: int, progress: Progress | None) -> Floats:
    """The largest t² over all rows, one per sample."""
    used = moments(differences).deviation > 0.0
    if not used.any():
        return np.zeros(samples)
    present, centered = ~np.isnan(differences[used]), centre(differences[used])
    largest, done = np.empty(samples), 0
    by_row = _complete if present.all() else _with_gaps
    for counts in count_blocks(differences.shape[1], samples, seed, beside=3 * len(centered), cells=CELLS):
        largest[done : done + len(counts)] = by_row(centered, present, counts)
        done += len(counts)
        if progress is not None:
            progress(done, samples)
    return largest


def _with_gaps(centered: Floats, present: Flags, counts: Floats) -> Floats:
    squared = studentised(centered, present, counts)[1]
    # A resample without variance says nothing about t.
    largest: Floats = np.where(np.isfinite(squared), squared, 0.0).max(axis=0)
    return largest


def _complete(centered: Floats, present: Flags, counts: Floats) -> Floats:
    """As `studentised`, in single precision and in place: only the largest counts, and thousands of pairs are many."""
    queries = present.shape[1]
    scaled = (centered / np.abs(centered).max(axis=1, keepdims=True)).astype(np.float32)
    drawn = (counts / queries).astype(np.float32).T
    means, spread = scaled @ drawn, np.square(scaled) @ drawn
    np.square(means, out=means)
    spread -= means
    spread[spread <= 1e-5 * means] = np.inf
    means /= spread
    largest: Floats = means.max(axis=0).astype(np.float64) * (queries - 1)
    return largest
