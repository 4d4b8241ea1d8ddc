"""The probability that one system is better than another, when all systems together say how much systems differ.

True means of the systems scatter as a normal with variance τ², so a true difference is normal about 0 with variance 2τ²;
an observed one adds its own squared error s². Then a true difference, once d is observed, is about k·d with variance
k·s², where k = 2τ²/(2τ²+s²): noisy differences shrink towards 0, and the more so the more alike the systems are. What is
not known of τ (few systems) is averaged over, and what is not known of s is taken in by Student's t.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankgauge.analysis.compare.statistics.families import TwoWay, two_way
from rankgauge.arrays import Floats
from rankgauge.evaluation.intervals import Moments
from rankgauge.tables import Plain

# τ in residual standard deviations: from far below what any number of queries shows to far above what systems differ by.
SCALES = np.geomspace(1e-3, 1e2, 41)
STEPS = 40
# With fewer systems the prior would decide how much they differ; scales less likely than this are not looked at.
FEWEST_SYSTEMS, LEAST_WEIGHT = 5, 0.02


@dataclass(frozen=True, slots=True)
class PairBayes(Plain):
    """`better` is the probability that the true difference is `margin` or more, `worse` that it is -`margin` or less;
    `difference` is its mean, smaller than the observed one, `low` and `high` hold it with the confidence asked for.
    """

    margin: float
    better: float
    worse: float
    difference: float
    low: float
    high: float


def scale_weights(study: TwoWay) -> Floats:
    """Posterior weights of the SCALES: the likelihood of the mean square of systems, χ² with one degree fewer than there
    are systems, times a half-Cauchy prior, which says no more than that systems differ by about as much as one query
    adds in noise, give or take a lot.
    """
    expected = study.queries * np.square(SCALES) + 1.0
    freedom = len(study.means) - 1
    ratio = study.systems_mean_square / study.residual_mean_square / expected
    logs = (
        0.5 * freedom * (np.log(ratio) - ratio)
        if study.systems_mean_square > 0.0
        else -0.5 * freedom * np.log(expected)
    )
    # Steps of equal ratio: each stands for a width in proportion to its scale.
    logs += np.log(SCALES) - np.log1p(np.square(SCALES))
    weights = np.exp(logs - logs.max())
    shares: Floats = weights / weights.sum()
    return shares


@dataclass(frozen=True, slots=True)
class Scatter:
    """How much true differences scatter about 0: variances that they may have, and how likely each is."""

    variances: Floats
    weights: Floats


def scatter_of(values: Floats) -> Scatter | None:
    """Of the systems in `values`, systems × queries; None where these are too few to say."""
    if len(values) < FEWEST_SYSTEMS:
        return None
    complete = values[:, ~np.isnan(values).any(axis=0)]
    if complete.shape[1] < 2:
        return None
    study = two_way(complete)
    if not study.residual_mean_square:
        return None
    weights = scale_weights(study)
    likely = weights > LEAST_WEIGHT * weights.max()
    variances = 2.0 * np.square(SCALES[likely]) * study.residual_mean_square
    return Scatter(variances, weights[likely] / weights[likely].sum())


def pair_posteriors(sample: Moments, study: TwoWay, *, margin: float, confidence: float) -> list[PairBayes | None]:
    """Of every pair; None where it has fewer than two queries."""
    if not study.residual_mean_square:
        return [_certain(float(d), margin) if n > 1 else None for d, n in zip(sample.mean, sample.queries, strict=True)]
    weights = scale_weights(study)
    apart = 2.0 * np.square(SCALES) * study.residual_mean_square
    # A pair that never differed has no error of its own, but is not known for certain: half a residual of one query.
    least = 0.5 * study.residual_mean_square / np.square(np.maximum(sample.queries, 1))
    noise = np.maximum(np.square(sample.error), least)
    share = apart / (apart + noise[:, np.newaxis])
    middle, spread = share * sample.mean[:, np.newaxis], np.sqrt(share * noise[:, np.newaxis])
    mixture = _Mixture(middle, spread, weights, np.maximum(sample.queries - 1, 1))
    tail = (1.0 - confidence) / 2.0
    limit = np.full(len(noise), margin)
    columns = (
        *(1.0 - mixture.below(limit), mixture.below(-limit), middle @ weights),
        *(mixture.quantile(tail), mixture.quantile(1.0 - tail)),
    )
    return [
        PairBayes(margin, *row) if n > 1 else None
        for row, n in zip(np.transpose(columns).tolist(), sample.queries.tolist(), strict=True)
    ]


@dataclass(frozen=True, slots=True)
class _Mixture:
    """Shifted and scaled t distributions, one row per pair and one column per scale."""

    middle: Floats
    spread: Floats
    weights: Floats
    freedom: np.ndarray

    def below(self, place: Floats) -> Floats:
        from scipy.special import stdtr

        standard = (place[:, np.newaxis] - self.middle) / self.spread
        chance: Floats = stdtr(self.freedom[:, np.newaxis], standard) @ self.weights
        return chance

    def quantile(self, share: float) -> Floats:
        from scipy.special import stdtrit

        reach = np.abs(stdtrit(self.freedom, min(share, 1.0 - share)))[:, np.newaxis] * self.spread
        low, high = (self.middle - reach).min(axis=1), (self.middle + reach).max(axis=1)
        for _ in range(STEPS):
            place = (low + high) / 2.0
            under = self.below(place) < share
            low, high = np.where(under, place, low), np.where(under, high, place)
        return (low + high) / 2.0


def _certain(difference: float, margin: float) -> PairBayes:
    """Without any noise the difference is what it is; of two equal systems neither is better."""
    better, worse = (float(sign * difference >= margin and difference != 0.0) for sign in (1, -1))
    return PairBayes(margin, better, worse, difference, difference, difference)
