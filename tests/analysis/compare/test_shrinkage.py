"""How much systems differ, learned from all of them, and what that makes of one difference."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize, stats

from rankgauge.analysis.compare.statistics.families import two_way
from rankgauge.analysis.compare.statistics.shrinkage import (
    SCALES,
    pair_posteriors,
    scale_weights,
    scatter_of,
)
from rankgauge.evaluation.intervals import Moments

TABLE = np.random.default_rng(8).normal(np.linspace(0, 0.3, 6)[:, None], 0.2, (6, 15))


def test_weights_are_likelihood_times_prior():
    study = two_way(TABLE)
    expected = 15 * SCALES**2 + 1
    ratio = study.systems_mean_square / study.residual_mean_square / expected
    likelihood = stats.chi2.pdf(5 * ratio, 5) * 5 / expected
    weights = likelihood * SCALES / (1 + SCALES**2)
    assert scale_weights(study) == pytest.approx(weights / weights.sum(), rel=1e-9)


def test_five_systems_and_two_complete_queries_say_how_much_systems_scatter():
    assert scatter_of(TABLE[:5]) is not None
    assert scatter_of(TABLE[:4]) is None
    gaps = TABLE.copy()
    gaps[0, 2:] = np.nan
    assert scatter_of(gaps) is not None
    gaps[0, 1:] = np.nan
    assert scatter_of(gaps) is None
    assert scatter_of(np.tile(np.arange(6.0)[:, None], (1, 4))) is None  # no noise at all


def by_hand(difference, error, queries, study, margin, confidence):
    """The posterior of one pair: a mixture of shifted t distributions, one for every scale."""
    apart = 2 * SCALES**2 * study.residual_mean_square
    share = apart / (apart + error**2)
    parts = stats.t(queries - 1, share * difference, np.sqrt(share) * error)
    weights = scale_weights(study)

    def below(place):
        return float(parts.cdf(place) @ weights)

    tail = (1 - confidence) / 2
    low, high = (optimize.brentq(lambda x, s=s: below(x) - s, -5, 5, xtol=1e-13) for s in (tail, 1 - tail))
    return 1 - below(margin), below(-margin), difference * float(share @ weights), low, high


@pytest.mark.parametrize("margin", [0.0, 0.05])
@pytest.mark.parametrize("confidence", [0.95, 0.5])
def test_the_posterior_of_a_pair_is_a_mixture_of_shrunk_differences(margin, confidence):
    study = two_way(TABLE)
    pairs = ((0.12, 0.3, 15), (-0.2, 0.25, 4), (0.1, 0.2, 2), (0.3, np.nan, 1))
    means, deviations, counts = map(np.array, zip(*pairs, strict=True))
    sample = Moments(counts, means, deviations)
    *posteriors, nothing = pair_posteriors(sample, study, margin=margin, confidence=confidence)
    assert nothing is None
    for found, (difference, deviation, queries) in zip(posteriors, pairs[:3], strict=True):
        expected = by_hand(difference, deviation / np.sqrt(queries), queries, study, margin, confidence)
        assert found.margin == margin
        assert (found.better, found.worse, found.difference, found.low, found.high) == pytest.approx(expected, abs=1e-8)


def test_a_pair_that_never_differed_has_half_the_noise_of_one_query():
    study = two_way(TABLE)
    sample = Moments(np.array([10]), np.array([0.1]), np.array([0.0]))
    (found,) = pair_posteriors(sample, study, margin=0.0, confidence=0.9)
    expected = by_hand(0.1, np.sqrt(0.5 * study.residual_mean_square) / 10, 10, study, 0.0, 0.9)
    assert (found.better, found.worse, found.difference, found.low, found.high) == pytest.approx(expected, abs=1e-8)
