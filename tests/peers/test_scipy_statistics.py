"""Coefficients and quantiles that SciPy also has."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankgauge.kernels.ranks import kendall_tau

stats = pytest.importorskip("scipy.stats")

few_levels = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=40)
many_levels = st.lists(st.tuples(st.floats(-1, 1), st.floats(-1, 1)), min_size=2, max_size=70)


@given(few_levels | many_levels)
def test_tau_b_equals_scipys(pairs):
    first, second = zip(*pairs, strict=True)
    found = kendall_tau(first, second)
    if len(set(first)) == 1 or len(set(second)) == 1:
        assert math.isnan(found)
    else:
        assert found == pytest.approx(stats.kendalltau(first, second).statistic, abs=1e-12)


@pytest.mark.parametrize("probability", [0.005, 0.025, 0.1, 0.5, 0.9, 0.975, 0.995])
@pytest.mark.parametrize(("above", "below"), [(1, 1), (1, 3), (9, 99), (59, 2891), (2, 500), (300, 3)])
def test_quantiles_from_scipy_special_are_those_of_the_distributions(above, below, probability):
    from scipy.special import chdtri, fdtri

    assert fdtri(above, below, probability) == pytest.approx(stats.f.ppf(probability, above, below), rel=1e-9)
    assert chdtri(above, 1 - probability) == pytest.approx(stats.chi2.ppf(probability, above), rel=1e-9)
