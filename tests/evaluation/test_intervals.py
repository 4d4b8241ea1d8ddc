import inspect

import numpy as np
import pytest
from scipy import stats

from rankgauge.analysis.compare.statistics.tests import paired_differences
from rankgauge.evaluation.intervals import mean_interval
from sakai import GOLDEN, A, B


def test_the_margin_of_error_of_sakais_pair():
    interval = mean_interval(paired_differences(A, B))
    assert interval.mean[0] == pytest.approx(0.075)
    assert (interval.high - interval.mean)[0] == pytest.approx(GOLDEN["pair"]["margin_of_error"], abs=5e-5)
    assert interval.queries.tolist() == [20]


def test_t_intervals_equal_scipys():
    rows = np.random.default_rng(1).beta(1, 2, size=(6, 23))
    peer = stats.ttest_1samp(rows, 0.0, axis=1).confidence_interval(0.9)
    ours = mean_interval(rows, confidence=0.9)
    np.testing.assert_allclose([ours.low, ours.high], [peer.low, peer.high], rtol=1e-12)


@pytest.mark.parametrize("queries", [2, 8, 60])
def test_bootstrap_intervals_are_scipys_percentiles_further_out(queries):
    row = np.random.default_rng(1).beta(1, 2, size=queries)
    tail = stats.norm.cdf(np.sqrt(queries / (queries - 1)) * stats.t.ppf(0.025, queries - 1))
    assert tail < 0.025
    random = np.random.default_rng(2)
    options = {"method": "percentile", "n_resamples": 40_000, "confidence_level": 1 - 2 * tail}
    drawn = {
        "rng" if "rng" in inspect.signature(stats.bootstrap).parameters else "random_state": random
    }  # until SciPy 1.14
    peer = stats.bootstrap((row,), np.mean, **drawn, **options).confidence_interval
    ours = mean_interval(row, method="bootstrap", samples=40_000)
    width = peer.high - peer.low
    assert ours.low[0] == pytest.approx(peer.low, abs=0.02 * width)
    assert ours.high[0] == pytest.approx(peer.high, abs=0.02 * width)


@pytest.mark.parametrize("queries", [7, 50, 2_000])
def test_the_order_of_queries_changes_no_bit_of_a_t_interval(queries):
    """Seen red: the last digits moved."""
    random = np.random.default_rng(3)
    rows = random.random((20, queries))
    rows[0, :3] = np.nan
    first, again = (mean_interval(part) for part in (rows, rows[:, random.permutation(queries)]))
    for side in ("mean", "low", "high"):
        assert np.array_equal(getattr(first, side), getattr(again, side), equal_nan=True)


@pytest.mark.parametrize("method", ["t", "bootstrap"])
def test_higher_confidence_is_wider(method):
    narrow, wide = (mean_interval(A, confidence=level, method=method) for level in (0.8, 0.99))
    assert wide.low[0] < narrow.low[0] < narrow.mean[0] < narrow.high[0] < wide.high[0]


def test_bootstrap_intervals_stay_within_the_scores():
    row = np.array([0.0, 0.0, 0.0, 0.0, 1.0])
    assert mean_interval(row).low[0] < 0
    assert mean_interval(row, method="bootstrap").low[0] >= 0


@pytest.mark.parametrize("method", ["t", "bootstrap"])
def test_missing_cells_are_left_out(method):
    gaps = np.concatenate([A, [np.nan, np.nan]])
    ours, whole = mean_interval(gaps, method=method), mean_interval(A, method=method)
    assert ours.queries[0] == 20
    assert ours.mean[0] == pytest.approx(whole.mean[0])
    assert ours.low[0] == pytest.approx(whole.low[0], abs=0.02)


@pytest.mark.parametrize("method", ["t", "bootstrap"])
def test_one_query_has_a_mean_and_no_interval(method):
    interval = mean_interval([[0.5, np.nan], [0.2, 0.4]], method=method)
    assert interval.mean[0] == 0.5
    assert np.isnan([interval.low[0], interval.high[0]]).all()
    assert interval.low[1] < 0.3


def test_equal_scores_have_an_interval_of_no_width():
    interval = mean_interval([0.1 + 0.2, 0.3, 0.3])
    assert interval.low[0] == interval.high[0]


def test_rows_in_many_batches_see_the_same_resamples(monkeypatch):
    import rankgauge.evaluation.intervals as module

    rows = np.random.default_rng(1).normal(size=(7, 30))
    whole = mean_interval(rows, method="bootstrap", samples=500)
    monkeypatch.setattr(module, "CELLS", 60)
    np.testing.assert_allclose(mean_interval(rows, method="bootstrap", samples=500).low, whole.low, rtol=1e-12)


def test_two_queries_have_one_degree_of_freedom():
    t = stats.t.ppf(0.975, 1)
    found = mean_interval([[0.1, 0.3]])
    assert (found.low[0], found.high[0]) == pytest.approx((0.2 - t * 0.1, 0.2 + t * 0.1))


def test_the_seed_of_the_bootstrap_is_7_unless_given():
    unnamed, named = mean_interval(A, method="bootstrap"), mean_interval(A, method="bootstrap", seed=7)
    assert (unnamed.low[0], unnamed.high[0]) == (named.low[0], named.high[0])
