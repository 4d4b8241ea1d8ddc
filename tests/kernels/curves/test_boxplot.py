import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankgauge.kernels.curves.phi import BLOCK, boxes, falling, observed_whisker

SCORES = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40)


def one(scores, quartiles="linear"):
    ordered = np.sort(np.array(scores, dtype=float))[::-1]
    return boxes(ordered, np.array([0]), np.array([len(ordered)]), quartiles)


@given(SCORES)
def test_linear_quartiles_are_numpys_to_the_last_bit(scores):
    box = one(scores)
    assert [box.lower[0], box.upper[0]] == np.quantile(scores, [0.25, 0.75]).tolist()
    assert [box.minimum[0], box.maximum[0]] == [min(scores), max(scores)]


@given(SCORES)
def test_the_median_is_the_mean_of_the_middle_two(scores):
    ordered = sorted(scores)
    n = len(ordered)
    assert one(scores).median[0] == (ordered[(n - 1) // 2] + ordered[n // 2]) / 2


# Values of fivenum() in R; a half has the middle score where the number of scores is odd.
@pytest.mark.parametrize(
    ("scores", "lower", "upper"),
    [([1, 2, 3, 4, 5], 2, 4), ([1, 2, 3, 4], 1.5, 3.5), ([1, 2, 3, 4, 5, 6], 2, 5), ([7], 7, 7), ([1, 9], 1, 9)],
)
def test_hinges_are_medians_of_the_halves(scores, lower, upper):
    box = one(scores, "hinges")
    assert (box.lower[0], box.upper[0]) == (lower, upper)


@pytest.mark.parametrize("n", range(1, 30))
def test_hinges_of_any_length_are_medians_of_the_halves(n):
    half = (n + 1) // 2
    box = one(np.arange(n) ** 2, "hinges")
    assert box.lower[0] == np.median((np.arange(n) ** 2)[:half])
    assert box.upper[0] == np.median((np.arange(n) ** 2)[n - half :])


def test_the_fence_stands_one_and_a_half_boxes_above():
    assert one([1, 2, 3, 4, 5]).fence(1.5)[0] == 4 + 1.5 * (4 - 2)


def test_queries_without_scores_have_boxes_of_zeros():
    box = boxes(np.array([3.0, 1.0]), np.array([0, 0, 2]), np.array([0, 2, 0]), "linear")
    assert box.maximum.tolist() == [0, 3, 0]
    assert box.median.tolist() == [0, 2, 0]


def test_the_observed_whisker_is_the_largest_score_up_to_the_fence():
    ordered, offsets = np.array([50.0, 9, 8, 1, 7, 7, 2]), np.array([0, 4, 4, 7])
    assert observed_whisker(ordered, offsets, np.array([9.0, 0, 8])).tolist() == [9, 7, 7]


def test_scores_that_fall_already_are_returned_as_they_are():
    values = np.array([3.0, 1, 1, 9, 8])
    assert falling(values, np.array([0, 3, 3, 5])) is values
    rising = np.array([1.0, 3.0])
    assert falling(rising, np.array([0, 1, 2])) is rising


def test_every_query_is_sorted_on_its_own():
    values, offsets = np.array([1.0, 3, 9, 8, 7, 2, 4]), np.array([0, 0, 2, 5, 7, 7])
    assert falling(values, offsets).tolist() == [3, 1, 9, 8, 7, 4, 2]
    assert values.tolist() == [1, 3, 9, 8, 7, 2, 4]
    assert falling(np.array([5.0, 1, 3]), np.array([0, 1, 3])).tolist() == [5, 3, 1]


def test_no_scores_at_all_need_no_sorting():
    assert falling(np.array([]), np.array([0, 0])).tolist() == []


@pytest.mark.parametrize("n", range(1, 30))
def test_linear_quartiles_of_any_length_are_numpys(n):
    scores = np.arange(n, dtype=float) ** 3
    box = one(scores)
    assert [box.lower[0], box.upper[0]] == np.quantile(scores, [0.25, 0.75]).tolist()


def test_more_scores_than_fit_a_block_are_sorted_too():
    values = np.random.default_rng(1).random(3 * BLOCK + 1)
    found = falling(values, np.array([0, BLOCK, 3 * BLOCK + 1]))
    assert found.tolist() == [*sorted(values[:BLOCK], reverse=True), *sorted(values[BLOCK:], reverse=True)]


def test_a_quartile_in_the_middle_of_two_scores_has_the_bits_of_numpys():
    for scores in np.random.default_rng(5).normal(size=(200, 3)):
        ordered = np.sort(scores)[::-1]
        box = boxes(ordered, np.array([0]), np.array([3]), "linear")
        assert (box.lower[0], box.upper[0]) == tuple(np.quantile(scores, [0.25, 0.75]))
