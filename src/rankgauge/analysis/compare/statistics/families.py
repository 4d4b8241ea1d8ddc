"""All pairs of a table at once: Tukey's honestly significant differences with the queries as blocks, and max-t.

Every system is measured on the same queries, so Tukey's error is what is left after system and query are taken out
(two-way analysis of variance without replication). p-values hold for the whole family of pairs and need no further
correction.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rankgauge.analysis.compare.statistics.shares import Bounded, sampled
from rankgauge.analysis.compare.statistics.studentized import crossing, studentized_range_survival
from rankgauge.analysis.compare.statistics.tests import squared_t
from rankgauge.arrays import Flags, Floats
from rankgauge.errors import AnalysisError
from rankgauge.evaluation.intervals import moments
from rankgauge.kernels.resampling import CELLS, ROUNDING, Progress, centre, count_blocks, studentised

FAMILY_TESTS = ("tukey", "randomised-tukey")
# Standard errors at which the search for a critical value gives up.
FARTHEST = 2.0**20
# More samples are drawn while a pair lies at the limit, up to so many numbers: about a second.
ROUNDS, MOST_DRAWN = 3, 1_000_000_000
# Numbers in a block, 16 MB in single precision: with smaller products, threads wait for each other more than they work.
BLOCK = 4_000_000


@dataclass(frozen=True, slots=True)
class TwoWay:
    """Two-way analysis of variance, systems × queries."""

    means: Floats
    systems_mean_square: float
    residual_mean_square: float
    freedom: int
    queries: int

    @property
    def effect_sizes(self) -> Floats:
        """Differences of means in residual standard deviations, [i, j] = i minus j; nan without residual variance."""
        if not self.residual_mean_square:
            return np.where(self.differences == 0.0, 0.0, np.nan)
        return np.divide(self.differences, np.sqrt(self.residual_mean_square))

    @property
    def differences(self) -> Floats:
        differences: Floats = self.means[:, np.newaxis] - self.means
        return differences


def complete_queries(values: Floats) -> Floats:
    """The columns in which every system has a score; an error where fewer than two are left."""
    complete = values[:, ~np.isnan(values).any(axis=0)]
    if complete.shape[1] < 2:
        raise AnalysisError(
            f"only {complete.shape[1]} of {values.shape[1]} queries have a score of every system, and two are needed.\n"
            "Leave out the system that misses most, count missing queries as 0, or use a test of pairs (sign-flip)."
        )
    return complete


def two_way(values: Floats) -> TwoWay:
    """Of a table systems × queries without missing cells."""
    systems, queries = values.shape
    means = values.mean(axis=1)
    residuals = values - means[:, np.newaxis] - values.mean(axis=0) + values.mean()
    residuals[np.abs(residuals) <= ROUNDING * np.abs(values).max()] = 0.0
    freedom = (systems - 1) * (queries - 1)
    between = queries * float(np.square(means - means.mean()).sum()) / (systems - 1)
    return TwoWay(means, between, float(np.square(residuals).sum()) / freedom, freedom, queries)


def tukey_test(values: Floats) -> Floats:
    """p-values of all pairs, symmetric float64[systems, systems]; queries that some system misses are left out.

    Good to about 1e-12, which is also the smallest value given; without residual variance, 2^(1-n) as in the t-test.
    """
    values = complete_queries(values)
    study = two_way(values)
    p_values = np.ones((len(values), len(values)))
    first, second = np.triu_indices(len(values), 1)
    gaps = np.abs(study.differences[first, second])
    gaps[gaps <= ROUNDING * np.abs(values).max()] = 0.0
    if study.residual_mean_square:
        ranges = gaps / np.sqrt(study.residual_mean_square / study.queries)
        tail = np.maximum(studentized_range_survival(ranges, len(values), study.freedom), 1e-12)
    else:
        tail = np.where(gaps > 0.0, 2.0 ** (1.0 - min(study.queries, 1000)), 1.0)
    p_values[first, second] = p_values[second, first] = tail
    return p_values


def tukey_critical(study: TwoWay, systems: int, alpha: float) -> float:
    """How many standard errors of a difference two means must lie apart to be significantly different."""

    def is_below(span: float) -> bool:
        return span < FARTHEST and bool(studentized_range_survival(span, systems, study.freedom)[0] > alpha)

    return crossing(is_below, 1e-9) / float(np.sqrt(2.0))


def randomised_tukey_test(values: Floats, *, samples: int, seed: int, progress: Progress | None = None) -> Floats:
    """As `tukey_test` without a normal distribution: the scores of each query are dealt out again among the systems.

    A pair's p is the share of deals, the observed one included, whose largest difference of means reaches the pair's
    own (Carterette 2012, Sakai's book). Sums that differ by rounding alone are equal.
    """
    values = complete_queries(values)
    systems, queries = values.shape
    sums = values.sum(axis=1)
    gaps = np.abs(sums[:, np.newaxis] - sums) - ROUNDING * np.abs(values).sum()
    random, columns = np.random.default_rng(seed), np.ascontiguousarray(values.T)
    found, block = np.zeros((systems, systems)), max(1, CELLS // values.size)
    for start in range(0, samples, block):
        size = min(block, samples - start)
        dealt = random.permuted(np.broadcast_to(columns, (size, queries, systems)), axis=2).sum(axis=1)
        spans = np.sort(dealt.max(axis=1) - dealt.min(axis=1))
        found += size - np.searchsorted(spans, gaps, side="left")
        if progress is not None:
            progress(start + size, samples)
    return (1.0 + found) / (1.0 + samples)


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
    """The largest |t| of the family, by the studentized bootstrap of the centered differences, which follows their skew;
    sign flips cannot.

    The queries are resampled for all pairs together, so that what the pairs have in common (a baseline, the queries)
    counts. The level that the largest |t| exceeds with chance α is the margin of every interval, in standard errors: the
    intervals hold together, and a pair is a finding exactly when its interval excludes 0.
    """
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
    for counts in count_blocks(differences.shape[1], samples, seed, beside=3 * len(centered), cells=BLOCK):
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
