"""What a measure is searched for: a number of its score matrix (systems × queries), and the slope of that number.

Two are shares of variance for one query (Kanoulas & Aslam 2009, section 2.2): Φ, how far scores can be depended on, and
Eρ², how far the order of systems can.

The third is power: how many pairs of systems can a measure separate? Paired t-tests at 0.05, two-sided, not corrected.
The share of pairs separated is a step function of the weights: no slope leads anywhere. What can be climbed is the
share that a fresh sample of as many queries would separate if the true t of every pair were the observed one,
N(t - c) + N(-t - c) with c the critical value: smooth, and between pairs that are safely apart and pairs that never
will be it counts those that a better measure could win.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import inf, sqrt
from typing import NamedTuple

import numpy as np

from rankgauge.arrays import Floats

FLAT = 1e-24  # squared relative spread (1e-12) below which a score matrix is constant up to rounding
ROUNDED = 1e-12  # share of the squares that two sums of them may differ by
LEVEL = 0.05
EQUAL = 1e-20  # squared: differences of two systems that are the same but for rounding
SURE = 1e3  # t of two systems with the same difference in every query: no test could miss it


class Objective(NamedTuple):
    """`value` is what the search climbs, with `slope`; `seen` is what is told of a measure, the same where it can be.

    `climbed` is the name of the former. `value` is -inf for a matrix without any variance. `folds` and `repeats` are what a trial on unseen queries takes.
    """

    name: str
    sign: str
    words: str
    value: Callable[[Floats], float]
    slope: Callable[[Floats], tuple[float, Floats]]
    seen: Callable[[Floats], float]
    climbed: str
    folds: int = 5
    repeats: int = 4

    @property
    def is_coefficient(self) -> bool:
        """Whether the number of queries for a target follows from it."""
        return self.seen is self.value


def dependability(scores: Floats) -> float:
    """Φ for one query, σ²s / (σ²s + σ²t + σ²e), components not truncated; -inf for a matrix without any variance."""
    return _value(scores, absolute=True)


def _value(scores: Floats, *, absolute: bool) -> float:
    """Φ, or Eρ² = σ²s / (σ²s + σ²e), for one query, components not truncated; -inf for a matrix without any variance."""
    spread = _spread(scores)
    if not (spread.varied and (absolute or spread.apart)):
        return -inf
    return _share(*_signal_and_noise(spread, absolute=absolute))


def _slope(scores: Floats, *, absolute: bool) -> tuple[float, Floats]:
    """Φ or Eρ² for one query and its slope in every score, components not truncated; zeros where it is undefined."""
    systems, queries = scores.shape
    spread = _spread(scores)
    if not (spread.varied and (absolute or spread.apart)):
        return -inf, np.zeros_like(scores)
    signal, noise = _signal_and_noise(spread, absolute=absolute)
    per_signal, per_noise = noise / (signal + noise) ** 2, -signal / (signal + noise) ** 2
    # ∂MSs = 2 ds/(S-1), ∂MSt = 2 dt/(T-1), ∂MSe = 2 e/((S-1)(T-1)), e = x - x̄ - ds - dt: multiples of deviations.
    of_system = 2 * per_signal / (queries * (systems - 1))
    of_query = 2 * per_noise / (systems * (queries - 1)) if absolute else 0.0
    rest = (systems - 1) / systems if absolute else 1.0
    of_rest = 2 * (per_noise * rest - per_signal / queries) / ((systems - 1) * (queries - 1))
    push = of_rest * spread.centred
    push += ((of_system - of_rest) * spread.by_system)[:, None]
    push += (of_query - of_rest) * spread.by_query
    return _share(signal, noise), push


class _Spread(NamedTuple):
    centred: Floats
    by_system: Floats
    by_query: Floats
    systems: float  # the three mean squares
    queries: float
    residual: float
    varied: bool
    apart: bool  # whether systems differ in any query, beyond rounding


def _spread(scores: Floats) -> _Spread:
    systems, queries = scores.shape
    centred = scores - np.add.reduce(scores, axis=None) / scores.size
    by_system, by_query = np.add.reduce(centred, axis=1) / queries, np.add.reduce(centred, axis=0) / systems
    whole, square = _square(centred), _square(scores)
    of_systems, of_queries = queries * float(by_system @ by_system), systems * float(by_query @ by_query)
    rest = max(0.0, whole - of_systems - of_queries)
    return _Spread(
        centred,
        by_system,
        by_query,
        of_systems / (systems - 1),
        of_queries / (queries - 1),
        rest / ((systems - 1) * (queries - 1)),
        varied=whole > FLAT * square,  # False for nan
        apart=whole - of_queries > ROUNDED * square,
    )


def _square(values: Floats) -> float:
    # BLAS would add up large matrices in several threads, which on a busy machine wait for each other.
    return float(np.einsum("st,st->", values, values))


def _signal_and_noise(spread: _Spread, *, absolute: bool) -> tuple[float, float]:
    # A = σ²s and B = σ²t + σ²e, or σ²e alone; B is never negative, and with three systems A + B is positive.
    systems, queries = spread.centred.shape
    signal = (spread.systems - spread.residual) / queries
    if not absolute:
        return signal, spread.residual
    return signal, spread.queries / systems + spread.residual * (systems - 1) / systems


def _share(signal: float, noise: float) -> float:
    # What rounding leaves of equal systems is not variance, however many queries it is multiplied by.
    share = signal / (signal + noise)
    return share if abs(share) > 1e-14 else 0.0


def power_of(scores: Floats) -> float:
    """The share of pairs of systems (rows) whose means differ at 0.05; -inf for a matrix without any variance."""
    if not _spread(scores).varied:
        return -inf
    pairs = _pairs(scores)
    return float(np.mean(np.abs(pairs.t[np.triu_indices(len(scores), 1)]) > pairs.critical))


def expected_power(scores: Floats) -> float:
    """The share of pairs that as many fresh queries are expected to separate, the observed t taken for the true one."""
    return _expected(_pairs(scores)) if _spread(scores).varied else -inf


def expected_power_slope(scores: Floats) -> tuple[float, Floats]:
    """Expected power, and its slope in every score."""
    if not _spread(scores).varied:
        return -inf, np.zeros_like(scores)
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
    return _expected(pairs), push / (systems * (systems - 1) / 2)


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


def _expected(pairs: _Pairs) -> float:
    from scipy.special import ndtr

    t = pairs.t[np.triu_indices(len(pairs.t), 1)]
    return float(np.mean(ndtr(t - pairs.critical) + ndtr(-t - pairs.critical)))


def _density(values: Floats) -> Floats:
    density: Floats = np.exp(-values * values / 2) / sqrt(2 * np.pi)
    return density


def _coefficient(name: str, sign: str, words: str, *, absolute: bool) -> Objective:
    value = partial(_value, absolute=absolute)
    return Objective(name, sign, f"{words} for one {{}}", value, partial(_slope, absolute=absolute), value, sign)


PHI = _coefficient("phi", "Φ", "dependability", absolute=True)
ERHO = _coefficient("erho", "Eρ²", "generalizability", absolute=False)
# Half of the queries are held out: with a fifth of them hardly a pair can be separated.
POWER = Objective(
    "power",
    "power",
    "share of the pairs of systems that paired t-tests separate",
    expected_power,
    expected_power_slope,
    power_of,
    "expected power",
    folds=2,
    repeats=10,
)
OBJECTIVES = {one.name: one for one in (PHI, ERHO, POWER)}
