"""All pairs of a table at once: Tukey's honestly significant differences with the queries as blocks.

Every system is measured on the same queries, so Tukey's error is what is left after system and query are taken out
(two-way analysis of variance without replication). p-values hold for the whole family of pairs and need no further
correction.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankgauge.analysis.compare.statistics.studentized import crossing, studentized_range_survival
from rankgauge.arrays import Floats
from rankgauge.errors import AnalysisError
from rankgauge.kernels.resampling import CELLS, ROUNDING, Progress

FAMILY_TESTS = ("tukey", "randomised-tukey")
# Standard errors at which the search for a critical value gives up.
FARTHEST = 2.0**20


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
