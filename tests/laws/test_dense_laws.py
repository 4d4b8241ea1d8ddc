"""Laws of nDCG on matrices."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from rankgauge.kernels.matrices import ndcg

shapes = st.tuples(st.integers(1, 4), st.integers(1, 20))
any_scores = st.one_of(st.integers(-2, 2).map(float), st.floats(-1e300, 1e300), st.sampled_from([0.0, -0.0, 5e-324]))
any_gains = st.one_of(st.integers(0, 3).map(float), st.floats(1e-6, 1e6))


@st.composite
def matrices(draw):
    shape = draw(shapes)
    gains = draw(arrays.arrays(np.float64, shape, elements=any_gains))
    scores = draw(arrays.arrays(np.float64, shape, elements=any_scores))
    return gains, scores, 1 / np.log2(np.arange(2, draw(st.integers(1, 22)) + 2))


def defined(values):
    return values[~np.isnan(values)]


@given(matrices())
def test_values_lie_between_0_and_1_and_ties_are_ordered(case):
    worst, mean, best = (ndcg(*case, ties=ties) for ties in ("worst", "mean", "best"))
    assert np.all(defined(worst) >= 0)
    assert np.all(defined(mean - worst) >= -1e-12)
    assert np.all(defined(best - mean) >= -1e-12)
    assert np.all(defined(best) <= 1)


@given(matrices(), st.sampled_from(["mean", "worst", "best", "order"]))
def test_the_gains_as_scores_are_perfect(case, ties):
    gains, _, weights = case
    assert defined(ndcg(gains, gains, weights, ties=ties)) == pytest.approx(1, rel=1e-12)


@given(matrices(), st.sampled_from(["mean", "worst", "best"]), st.randoms(use_true_random=False))
def test_the_order_of_the_columns_does_not_matter(case, ties, random):
    gains, scores, weights = case
    order = list(range(gains.shape[1]))
    random.shuffle(order)
    mixed = ndcg(gains[:, order], scores[:, order], weights, ties=ties)
    assert mixed == pytest.approx(ndcg(*case, ties=ties), rel=1e-9, nan_ok=True)


@given(matrices(), st.floats(1e-3, 1e3), st.floats(1e-3, 1e3))
def test_the_units_of_gain_and_weight_do_not_matter(case, gain_unit, weight_unit):
    gains, scores, weights = case
    scaled = ndcg(gains * gain_unit, scores, weights * weight_unit)
    assert scaled == pytest.approx(ndcg(gains, scores, weights), rel=1e-9, nan_ok=True)


@given(matrices())
def test_only_the_order_of_the_scores_matters(case):
    gains, scores, weights = case
    ranks = np.unique(scores, return_inverse=True)[1].reshape(scores.shape)
    assert ndcg(gains, ranks - 7, weights) == pytest.approx(ndcg(*case), rel=1e-9, nan_ok=True)
