from __future__ import annotations

import numpy as np
import pytest

from rankgauge import Scores
from rankgauge.evaluation.scores import weighted
from rankgauge.measures import parse


def scores_of(values, weights=None):
    cube = np.asarray(values, np.float64)[None, :, None]
    queries = tuple(f"q{at}" for at in range(cube.shape[1]))
    scores = Scores(("s",), queries, (parse("AP"),), cube)
    return scores if weights is None else weighted(scores, np.asarray(weights, float))


def interval(values, weights=None, **options):
    return scores_of(values, weights).intervals(**options)["s"]["AP"]


def test_equal_weights_change_nothing():
    values = [0.1, 0.4, 0.35, 0.8]
    assert interval(values, [3, 3, 3, 3]).low == pytest.approx(interval(values).low, abs=1e-12)


def test_a_weighted_interval_is_that_of_the_linearised_ratio():
    values, weights = np.array([0.1, 0.4, 0.35, 0.8]), np.array([1.0, 2.0, 3.0, 4.0])
    mean = weights @ values / weights.sum()
    error = np.sqrt(np.sum((weights * (values - mean)) ** 2) * 4 / 3) / weights.sum()
    found = interval(values, weights)
    assert found.value == pytest.approx(mean, abs=1e-15)
    assert (found.high - found.low) / 2 == pytest.approx(3.182446305284263 * error, rel=1e-9)  # t(0.975, 3)


def test_weights_alone_are_no_scatter():
    found = interval([0.5, 0.5, 0.5], [1, 50, 900])
    assert (found.low, found.high) == (0.5, 0.5)


def test_weighted_intervals_hold_the_truth_as_often_as_they_say():
    random = np.random.default_rng(5)
    hits = 0
    for _ in range(400):
        weights = random.exponential(size=60) + 0.1
        found = interval(random.beta(2, 3, size=60), weights)
        hits += found.low <= 0.4 <= found.high
    assert 0.92 <= hits / 400 <= 0.98


def test_left_out_queries_stay_out():
    values = [0.1, np.nan, 0.35, 0.8]
    assert interval(values, [1, 99, 3, 4]).high == pytest.approx(interval([0.1, 0.35, 0.8], [1, 3, 4]).high, abs=1e-12)
