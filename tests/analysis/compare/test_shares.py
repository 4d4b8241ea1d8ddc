"""p-values that are known only within bounds."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from rankgauge.analysis.compare.statistics import shares
from rankgauge.analysis.compare.statistics.shares import Bounded, _normal_share, exactly, finer_flips, flipped, sampled


def test_an_exact_p_is_its_own_bounds():
    p = np.array([0.1, 0.2])
    found = exactly(p)
    p[0] = 0.9
    assert found.p.tolist() == found.low.tolist() == found.high.tolist() == [0.1, 0.2]


def test_finer_bounds_overlap_with_the_coarse_ones_or_take_their_place():
    found = Bounded(np.array([0.5, 0.5, 0.5, 0.9]), np.array([0.4, 0.4, 0.4, 0.8]), np.array([0.6, 0.6, 0.6, 1.0]))
    finer = Bounded(np.array([0.5, 0.3, 0.58]), np.array([0.45, 0.2, 0.55]), np.array([0.7, 0.35, 0.6]))
    found.put(np.array([0, 1, 2]), finer)
    assert found.p.tolist() == [0.5, 0.3, 0.58, 0.9]
    assert found.low.tolist() == [0.45, 0.2, 0.55, 0.8]
    assert found.high.tolist() == [0.6, 0.35, 0.6, 1.0]


def test_bounds_that_meet_in_one_number_overlap():
    found = Bounded(np.array([0.5]), np.array([0.4]), np.array([0.6]))
    found.put(np.array([0]), Bounded(np.array([0.7]), np.array([0.6]), np.array([0.8])))
    assert (found.low[0], found.high[0]) == (0.6, 0.6)


def test_bounds_of_a_sampled_share_are_clopper_and_pearsons():
    samples, counts = 999, np.array([1, 40, 500, 998])
    found = sampled((1 + counts) / 1000, samples)
    assert found.p.tolist() == ((1 + counts) / 1000).tolist()
    exact = [stats.binomtest(int(count), samples).proportion_ci(1 - 2e-5) for count in counts]
    assert found.low == pytest.approx([one.low for one in exact], rel=1e-6)
    assert found.high == pytest.approx([one.high for one in exact], rel=1e-6)


def test_bounds_of_nothing_and_of_all():
    found = sampled(np.array([1 / 100, 1.0, np.nan]), 99)
    assert found.low[0] == 0
    assert found.high[0] == pytest.approx(1 - 1e-5 ** (1 / 99))
    assert found.low[1] == pytest.approx(1e-5 ** (1 / 99))
    assert found.high[1] == 1
    assert np.isnan([found.low[2], found.high[2], found.p[2]]).all()


def test_the_normal_limit_and_how_far_it_may_be_off():
    differences = np.array([0.3, -0.1, 0.4, 0.2])
    spread = np.sqrt(0.3)
    z, error = 0.8 / spread, 1.12 * (0.027 + 0.001 + 0.064 + 0.008) / spread**3
    value, low, high = _normal_share(differences)
    assert value == pytest.approx(2 * stats.norm.sf(z))
    assert low == max(0.0, value - error) == 0
    assert high == pytest.approx(min(value + error, 2 * np.exp(-z * z / 2)))
    assert _normal_share(-differences) == (value, low, high)


def test_the_normal_limit_of_many_equal_sizes_is_close():
    differences = np.concatenate([np.full(60, 0.1), np.full(40, -0.1)])
    value, low, high = _normal_share(differences)
    assert value == pytest.approx(2 * stats.norm.sf(2.0))
    assert (value - low, high - value) == pytest.approx((min(value, 0.112), 0.112), abs=1e-12)
    value, low, high = _normal_share(np.array([1.0, -1.0]))
    assert (value, high) == (1, 1)
    assert 0 < low < 1


def test_flips_by_convolution_hold_the_exact_share_and_rows_of_one_query_have_none():
    rows = np.array([[0.3, -0.1, 0.4, np.nan], [0.2, np.nan, np.nan, np.nan], [0.2, 0.1, np.nan, np.nan]])
    found = flipped(rows)
    exact = stats.permutation_test(([0.3, -0.1, 0.4],), np.mean, permutation_type="samples", n_resamples=np.inf)
    assert found.low[0] <= exact.pvalue <= found.high[0]
    assert np.isnan(found.p).tolist() == [False, True, False]
    assert found.p[2] == 0.5


def test_where_the_lattice_takes_too_long_the_normal_limit_serves(monkeypatch):
    rows = np.array([[0.3, -0.1, 0.4, 0.2, 0.5, 0.1], [0.3, 0.1, 0.0, 0.0, 0.0, 0.0]])
    monkeypatch.setattr(shares, "lattice_cost", lambda count, _: count)
    monkeypatch.setattr(shares, "MOST_STEPS", 6)
    on_lattice = flipped(rows)
    assert on_lattice.high[0] - on_lattice.low[0] < 0.01
    monkeypatch.setattr(shares, "MOST_STEPS", 5)
    assert (flipped(rows).p[0], flipped(rows).p[1]) == (_normal_share(rows[0])[0], on_lattice.p[1])


def test_the_finest_lattice_that_can_be_had_is_taken(monkeypatch):
    rows = np.array([[0.3, -0.1, 0.4], [0.3, -0.1, np.nan]])
    asked = []
    monkeypatch.setattr(shares, "flipped", lambda _, per_difference: asked.append(per_difference))
    monkeypatch.setattr(shares, "lattice_cost", lambda count, per_difference: count * per_difference)
    for most in (3 * shares.FINEST, 3 * shares.FINEST - 1, 3 * shares.FINE - 1, 3 * shares.COARSE - 1):
        monkeypatch.setattr(shares, "MOST_STEPS", most)
        assert finer_flips(rows) is None
    assert asked == [shares.FINEST, shares.FINE, shares.COARSE]
