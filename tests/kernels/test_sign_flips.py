"""Shares of sign patterns by convolution against walking through all of them."""

import numpy as np
import pytest

from rankgauge.kernels.resampling import COARSE, FINE, FINEST, exact_flip_share, flip_share_bounds


@pytest.mark.parametrize("shift", [0.0, 0.2, 0.5, 0.9])
@pytest.mark.parametrize("queries", [25, 28, 31])
def test_bounds_hold_the_exact_share_and_close_in_on_it(queries, shift):
    differences = np.random.default_rng(queries).standard_t(3, queries) + shift
    exact = exact_flip_share(differences)
    widths = []
    for fineness in (COARSE, FINE, FINEST):
        value, low, high = flip_share_bounds(differences, fineness)
        assert low <= exact <= high
        assert low <= value <= high
        widths.append(high / low - 1)
    assert widths[0] < 0.5
    assert widths[1] < 0.02
    assert widths[2] <= widths[1] <= widths[0]


def test_multiples_of_one_number_are_exact():
    differences = np.round(np.random.default_rng(1).normal(0.3, 1, 29)) / 10
    assert flip_share_bounds(differences)[1:] == pytest.approx([exact_flip_share(differences)] * 2, rel=1e-12)


def test_many_queries_are_near_the_sampled_share():
    differences = np.random.default_rng(5).normal(0.08, 1, 700)
    value, low, high = flip_share_bounds(differences)
    signs = 1 - 2 * np.random.default_rng(6).integers(0, 2, size=(40_000, 700))
    sampled = np.mean(np.abs(signs @ differences) >= abs(differences.sum()))
    assert low - 0.004 < sampled < high + 0.004
    assert high / low < 1.3
    assert low < value < high


def test_tiny_shares_keep_their_digits():
    # Forty equal differences: only the observed signs and their mirror image reach the sum.
    assert flip_share_bounds(np.full(40, 0.3)) == pytest.approx((2.0**-39,) * 3, rel=1e-12)


def test_nothing_to_flip_is_certain():
    assert flip_share_bounds(np.zeros(50)) == (1.0, 1.0, 1.0)
    balanced = np.concatenate([np.arange(1, 31), -np.arange(1, 31)]) / 7
    assert flip_share_bounds(balanced) == (1.0, 1.0, 1.0)
