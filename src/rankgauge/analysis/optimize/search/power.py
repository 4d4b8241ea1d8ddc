"""Power: how many pairs of systems can a measure tell apart? Paired t-tests at 0.05, two-sided, not corrected.

The share of pairs told apart is a step function of the weights: no slope leads anywhere. What can be climbed is the
share that a fresh sample of as many queries would tell apart if the true t of every pair were the observed one,
N(t - c) + N(-t - c) with c the critical value: smooth, and between pairs that are safely apart and pairs that never
will be it counts those that a better measure could win.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from rankgauge.arrays import Floats

LEVEL = 0.05
EQUAL = 1e-20  # squared: differences of two systems that are the same but for rounding
SURE = 1e3  # t of two systems with the same difference in every query: no test could miss it


def power_of(scores: Floats) -> float:
    """The share of pairs of systems (rows) whose means differ at 0.05."""
    pairs = _pairs(scores)
    upper = np.triu_indices(len(scores), 1)
    return float(np.mean(np.abs(pairs.t[upper]) > pairs.critical))


def expected_power(scores: Floats) -> float:
    """The share of pairs that as many fresh queries are expected to tell apart, the observed t taken for the true one."""
    from scipy.special import ndtr

    pairs = _pairs(scores)
    t = pairs.t[np.triu_indices(len(scores), 1)]
    return float(np.mean(ndtr(t - pairs.critical) + ndtr(-t - pairs.critical)))


def expected_power_slope(scores: Floats) -> tuple[float, Floats]:
    """Expected power, and its slope in every score."""
    systems, queries = scores.shape
    pairs = _pairs(scores)
    lift = _density(pairs.t - pairs.critical) - _density(pairs.t + pairs.critical)  # of each pair's power in its t
    with np.errstate(divide="ignore"):
        scale = np.where(pairs.variance > 0, 1 / pairs.variance, 0.0)
    of_means = (lift * np.sqrt(scale / queries)).sum(axis=1)
    # t falls with the variance of the differences: ∂V_ij/∂x_i = 2 (c_i - c_j) / (T - 1), c the deviations from the means.
    of_spread = lift * pairs.t * scale / (queries - 1)
    push = np.einsum("ij,jq->iq", of_spread, pairs.centred)
    push -= of_spread.sum(axis=1)[:, None] * pairs.centred
    push += of_means[:, None]
    return expected_power(scores), push / (systems * (systems - 1) / 2)


class _Pairs(NamedTuple):
    t: Floats
    variance: Floats
    centred: Floats
    critical: float


def _pairs(scores: Floats) -> _Pairs:
    """t of the paired differences of all systems, row minus column; 0 where two systems are the same in every query."""
    from scipy.special import stdtrit

    queries = scores.shape[1]
    means = scores.sum(axis=1) / queries
    centred = scores - means[:, None]
    # Not BLAS: one order of summing whatever the threads.
    products = np.einsum("iq,jq->ij", centred, centred) / (queries - 1)
    own = np.diag(products)
    variance = own[:, None] + own - 2 * products
    apart = means[:, None] - means
    same = variance <= EQUAL + 1e-13 * (own[:, None] + own)
    variance = np.where(same, 0.0, variance)
    known = np.where(np.abs(apart) > sqrt(EQUAL), SURE * np.sign(apart), 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(same, known, apart / np.sqrt(variance / queries))
    return _Pairs(t, variance, centred, float(stdtrit(queries - 1, 1 - LEVEL / 2)))


def _density(values: Floats) -> Floats:
    density: Floats = np.exp(-values * values / 2) / sqrt(2 * np.pi)
    return density
