"""Paired tests on tables of differences: a row per pair of systems, a column per query, nan where a score is missing.

Every function returns one two-sided p-value per row; nan where fewer than two queries are left. Identical systems give
1, and no p-value is 0: a test on n queries knows at most 2ⁿ sign patterns, a sampled one at most the number of samples.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rankgauge.arrays import Flags, Floats
from rankgauge.evaluation.intervals import Moments, moments
from rankgauge.kernels.resampling import (
    ROUNDING,
    Progress,
    centre,
    count_blocks,
    exact_flip_share,
    flips_as_extreme,
    studentised,
)

PAIRED_TESTS = ("sign-flip", "bootstrap", "t", "wilcoxon")

# 2²⁴ sign patterns, half a millisecond a pair; with more differences than that, flips are sampled.
MOST_EXACT_FLIPS = 24
# SciPy's limit for the exact distribution of Wilcoxon's statistic; it costs n³ additions.
MOST_EXACT_RANKS = 50


def paired_differences(first: npt.ArrayLike, second: npt.ArrayLike) -> Floats:
    """One minus the other, nan where either is missing; a difference due to rounding alone is 0, and so a tie."""
    first, second = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    differences: Floats = first - second
    limit = np.maximum(np.abs(first), np.abs(second))
    limit *= ROUNDING
    np.copyto(differences, 0.0, where=np.abs(differences) <= limit)
    return differences


def sign_flip_test(differences: Floats, *, samples: int, seed: int, progress: Progress | None = None) -> Floats:
    """Permutation test of the mean difference: between equal systems, any difference may have the other sign.

    Exact with at most 24 differences other than 0; otherwise (1+#)/(1+samples), the observed signs being one of the
    samples. Rows share the flips. Nothing is assumed of the scores but that symmetry.
    """
    filled = np.nan_to_num(differences)
    different = np.count_nonzero(filled, axis=1)
    p_values = np.empty(len(filled))
    small = different <= MOST_EXACT_FLIPS
    p_values[small] = [exact_flip_share(row) for row in filled[small]]
    if not small.all():
        found = flips_as_extreme(filled[~small], samples, seed, progress)
        p_values[~small] = (1 + found) / (1 + samples)
    return _defined(p_values, differences)


def bootstrap_test(differences: Floats, *, samples: int, seed: int, progress: Progress | None = None) -> Floats:
    """Studentised bootstrap of the centred differences (Sakai 2006), (1+#)/(1+samples). Rows share the resamples."""
    present, centred, observed = ~np.isnan(differences), centre(differences), squared_t(moments(differences))
    found, done = np.zeros(len(differences)), 0
    for counts in count_blocks(differences.shape[1], samples, seed, beside=3 * len(differences)):
        _, squared = studentised(centred, present, counts)
        found += np.count_nonzero(squared >= observed[:, np.newaxis] * (1.0 - ROUNDING), axis=1)
        done += len(counts)
        if progress is not None:
            progress(done, samples)
    return _defined((1 + found) / (1 + samples), differences)


def t_test(differences: Floats) -> Floats:
    """Student's paired test. Differences that are all equal but not 0 have no variance: p is then `smallest_p`."""
    return t_of(moments(differences))


def t_of(sample: Moments) -> Floats:
    """The same test, which sees no more of the differences than their moments."""
    from scipy.special import stdtr

    tails = 2.0 * stdtr(np.maximum(sample.queries - 1, 1), -np.sqrt(squared_t(sample)))
    p_values: Floats = np.maximum(tails, smallest_p(sample, sample.mean != 0.0))
    return p_values


def wilcoxon_test(differences: Floats) -> Floats:
    """Wilcoxon's signed-rank test; differences of 0 are left out, equal sizes share their mean rank.

    Exact up to 50 differences, with ties too; beyond, the normal approximation with the correction for ties.
    """
    return _defined(np.array([_signed_rank_p(row) for row in _nonzero_rows(differences)]), differences)


def wilcoxon_direction(differences: Floats) -> Floats:
    """Which way the signed ranks point, +1, 0 or -1 per row: not always the way of the mean."""
    return np.array([np.sign((np.sign(row) * _mean_ranks(np.abs(row))).sum()) for row in _nonzero_rows(differences)])


def squared_t(sample: Moments) -> Floats:
    """t² of the mean; infinite without variance, 0 where the mean is 0 too, nan for fewer than two queries."""
    with np.errstate(divide="ignore", invalid="ignore"):
        squared = np.square(sample.mean / sample.error)
    return np.where(sample.mean == 0.0, np.where(sample.queries > 1, 0.0, np.nan), squared)


def smallest_p(sample: Moments, apart: Flags) -> Floats:
    """2^(1-n) where n differences are equal and `apart` (no exact test can go below it), else the smallest float."""
    return np.where(
        (sample.deviation == 0.0) & apart, 2.0 ** (1.0 - np.minimum(sample.queries, 1000)), np.finfo(np.float64).tiny
    )


def equivalence_test(differences: Floats, margin: float) -> Floats:
    """Two one-sided t-tests: p of "the true difference lies outside ±margin"; small means practically equal."""
    from scipy.special import stdtr

    sample = moments(differences)
    room = margin - np.abs(sample.mean)
    room[np.abs(room) <= ROUNDING * margin] = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(room == 0.0, 0.0, room / sample.error)
    p_values = stdtr(np.maximum(sample.queries - 1, 1), -t)
    return _defined(np.maximum(p_values, smallest_p(sample, room > 0.0)), differences)


def effect_sizes(sample: Moments) -> Floats:
    """Mean differences in standard deviations of the differences; nan for fewer than two queries."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(sample.mean == 0.0, np.where(sample.queries > 1, 0.0, np.nan), sample.mean / sample.deviation)


def effect_errors(differences: Floats, sample: Moments, effect: Floats) -> Floats:
    """Standard error of the effect size, skew and heavy tails taken in (delta method)."""
    present = ~np.isnan(differences)
    with np.errstate(divide="ignore", invalid="ignore"):
        scaled = np.where(present, (differences - sample.mean[:, np.newaxis]) / sample.deviation[:, np.newaxis], 0.0)
        squared = np.square(scaled)
        skew, tails = ((power * squared).sum(axis=1) / sample.queries for power in (scaled, squared))
        variance = (1.0 - effect * skew + np.square(effect) * (tails - 1.0) / 4.0) / sample.queries
        error: Floats = np.sqrt(np.maximum(variance, 0.0))
    return error


def _signed_rank_p(differences: Floats) -> float:
    from scipy.special import ndtr

    if not len(differences):
        return 1.0
    ranks = _mean_ranks(np.abs(differences))
    total, positive = float(ranks.sum()), float(ranks[differences > 0.0].sum())
    if len(ranks) <= MOST_EXACT_RANKS:
        # Twice the mean ranks are whole numbers; `ways[s]` sign patterns have 2·(sum of positive ranks) = s.
        ways = np.zeros(round(2.0 * total) + 1)
        ways[0] = 1.0
        for step in np.rint(2.0 * ranks).astype(np.int64):
            ways[step:] += ways[:-step].copy()
        extreme = np.abs(np.arange(len(ways)) - total) >= abs(2.0 * positive - total)
        return float(ways[extreme].sum() / ways.sum())
    # Var of the sum of positive ranks is Σ rank²/4: the usual formula with its correction for ties, in one step.
    z = (positive - total / 2.0) / np.sqrt(np.square(ranks).sum() / 4.0)
    return float(max(2.0 * ndtr(-abs(z)), np.finfo(np.float64).tiny))


def _nonzero_rows(differences: Floats) -> list[Floats]:
    return [row[(row != 0.0) & ~np.isnan(row)] for row in differences]


def _mean_ranks(sizes: Floats) -> Floats:
    order = np.argsort(sizes, kind="stable")
    ordered = sizes[order]
    # Sizes apart by rounding only (0.3 - 0.2 and 0.7 - 0.6) are tied.
    starts = np.diff(ordered, prepend=-np.inf) > ROUNDING * ordered.max(initial=0.0)
    group = np.cumsum(starts) - 1
    first, size = np.flatnonzero(starts), np.bincount(group)
    ranks = np.empty(len(sizes))
    ranks[order] = (first + (size + 1) / 2.0)[group]
    return ranks


def _defined(p_values: Floats, differences: Floats) -> Floats:
    return np.where((~np.isnan(differences)).sum(axis=1) > 1, p_values, np.nan)
