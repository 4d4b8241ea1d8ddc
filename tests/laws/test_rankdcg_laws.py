"""Laws of rankDCG: bounds, ends, and what it must not see."""

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rankgauge.kernels.rankdcg import rank_dcg

values = st.one_of(
    st.integers(-3, 3),
    st.integers(-(2**53), 2**53),
    st.floats(-1e300, 1e300),
    st.sampled_from([0.0, -0.0, 5e-324, -5e-324]),
)
cutoffs = st.one_of(st.none(), st.integers(1, 14))
tie_rules = st.sampled_from(["worst", "mean", "best"])


@st.composite
def lists(draw):
    size = draw(st.integers(2, 12))
    truth, score = (np.array(draw(st.lists(values, min_size=size, max_size=size)), np.float64) for _ in range(2))
    return truth, score


def one(truth, score, **options):
    return float(rank_dcg(truth, score, np.array([0, len(truth)]), **options)[0])


def same(first, second):
    return first == second or (math.isnan(first) and math.isnan(second))


def is_constant(truth):
    return np.all(truth == truth[0])


@given(lists(), cutoffs, tie_rules)
def test_values_lie_between_0_and_1_or_are_undefined(pair, cutoff, ties):
    value = one(*pair, cutoff=cutoff, ties=ties)
    assert math.isnan(value) if is_constant(pair[0]) else 0 <= value <= 1


@given(lists(), cutoffs)
def test_ties_are_ordered(pair, cutoff):
    worst, mean, best = (one(*pair, cutoff=cutoff, ties=ties) for ties in ("worst", "mean", "best"))
    assert is_constant(pair[0]) or worst <= mean + 1e-12 <= best + 2e-12


@given(lists(), cutoffs, tie_rules)
def test_the_true_values_as_scores_are_perfect_and_reversed_are_worthless(pair, cutoff, ties):
    truth, _ = pair
    if not is_constant(truth):
        assert one(truth, truth, cutoff=cutoff, ties=ties) == 1
        assert one(truth, -truth, cutoff=cutoff, ties=ties) == 0


@given(lists(), cutoffs, tie_rules, st.randoms(use_true_random=False))
def test_the_order_of_the_items_does_not_matter(pair, cutoff, ties, random):
    order = list(range(len(pair[0])))
    random.shuffle(order)
    mixed = one(pair[0][order], pair[1][order], cutoff=cutoff, ties=ties)
    assert same(one(*pair, cutoff=cutoff, ties=ties), mixed)


@given(lists(), cutoffs, tie_rules)
@example((np.array([0.0, -0.0, 1.0]), np.array([-0.0, 0.0, 0.0])), None, "worst")
def test_only_the_order_of_values_and_of_scores_matters(pair, cutoff, ties):
    # Replacing numbers by their ranks, bent and moved, is a strictly increasing map.
    truth, score = (np.unique(column, return_inverse=True)[1] for column in pair)
    value = one(*pair, cutoff=cutoff, ties=ties)
    assert same(value, one(truth**3 - 10.5, np.exp(score / 4), cutoff=cutoff, ties=ties))


@given(lists(), cutoffs)
def test_a_constant_prediction_is_worth_nothing_at_worst_and_chance_on_average(pair, cutoff):
    truth, _ = pair
    if is_constant(truth):
        return
    constant = np.zeros(len(truth))
    assert one(truth, constant, cutoff=cutoff, ties="worst") == 0
    assert one(truth, constant, cutoff=cutoff, ties="best") == 1
    assert one(truth, constant, cutoff=cutoff, ties="mean") == pytest.approx(expected_by_chance(truth, cutoff))


def expected_by_chance(truth, cutoff):
    """E = (mean(level)·Σw - least) / (most - least)."""
    levels = np.sort(np.unique(truth, return_inverse=True)[1] + 1)[::-1]
    weights = 1 / (levels[0] + 1 - levels)
    weights[len(weights) if cutoff is None else cutoff :] = 0
    most, least = levels @ weights, levels[::-1] @ weights
    return (levels.mean() * weights.sum() - least) / (most - least)


@given(lists())
def test_a_cutoff_beyond_the_list_changes_nothing(pair):
    assert same(one(*pair), one(*pair, cutoff=len(pair[0])))
    assert same(one(*pair), one(*pair, cutoff=1000))


@given(st.lists(lists(), max_size=6), cutoffs, tie_rules)
def test_a_list_has_the_same_bits_in_every_company(pairs, cutoff, ties):
    offsets = np.cumsum([0, *(len(truth) for truth, _ in pairs)])
    truth, score = (np.concatenate([np.zeros(0), *(pair[side] for pair in pairs)]) for side in (0, 1))
    together = rank_dcg(truth, score, offsets, cutoff=cutoff, ties=ties)
    assert all(same(value, one(*pair, cutoff=cutoff, ties=ties)) for value, pair in zip(together, pairs, strict=True))
