"""Lists of many lengths have the nDCG that each of them has alone."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from rankgauge import Policy, score
from rankgauge.data.vectors import lists_of
from rankgauge.evaluation.list_values import values_of
from rankgauge.kernels import matrices
from rankgauge.kernels.matrices import can_fill
from rankgauge.measures.catalogue import bare


def made(seed, longest, *, ties):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, longest, 300)
    items = sizes.sum()
    scores = rng.integers(-4, 5, items).astype(float) if ties else rng.normal(size=items)
    return rng.choice([0, 0, 0.1, 1, 0.7, 3.3], items), scores, sizes


@pytest.mark.parametrize("longest", [7, 400])
@pytest.mark.parametrize("ties", ["mean", "worst", "best", "order"])
@pytest.mark.parametrize("depth", [3, 400])
def test_a_list_has_the_bits_that_it_has_alone(longest, ties, depth):
    gains, scores, sizes = made(1, longest, ties=True)
    weights = 1 / np.log2(np.arange(2, depth + 2))
    offsets = np.concatenate(([0], np.cumsum(sizes)))
    lists = lists_of(gains, scores, np.repeat(np.arange(len(sizes)), sizes))
    found = values_of(bare("nDCG") @ depth, lists, ties)
    for at, (begin, end) in enumerate(pairwise(offsets)):
        (alone,) = matrices.ndcg(gains[None, begin:end], scores[None, begin:end], weights, ties=ties)
        assert np.array_equal(found[at], alone, equal_nan=True)


@pytest.mark.parametrize("measure", ["nDCG@5", "nDCG", "nDCG(gain=exp)@10", "nDCG(discount=zipf)@10"])
@pytest.mark.parametrize("ties", [None, "worst", "best", "order"])
def test_score_is_what_the_formula_of_single_lists_gives(measure, ties):
    truth, predicted, sizes = made(2, 60, ties=True)
    policy = Policy(ties=ties) if ties else None
    groups = np.repeat(np.arange(len(sizes)), sizes)
    found = score(measure, truth, predicted, groups, policy=policy, details=True).per_group
    for group in range(0, len(sizes), 7):
        alone = score(measure, truth[groups == group], predicted[groups == group], policy=policy)
        assert found[str(group)] == pytest.approx(alone, abs=1e-14)


@pytest.mark.parametrize(
    ("scores", "is_possible"),
    [
        (np.array([0.5, -9e307]), True),
        (np.array([0.5, np.finfo(float).min]), False),
        (np.array([1, 2], np.int32), True),
        (np.array([0.5, -1.01e308]), False),
        (np.array([0.5, -3e38], np.float32), True),
        (np.array([True, False]), True),
        (np.empty(0), False),
    ],
)
def test_lists_are_filled_only_where_that_changes_nothing(scores, is_possible):
    assert can_fill(scores) is is_possible


def test_the_least_score_is_no_filling():
    least = np.finfo(float).min
    truth, predicted, groups = [0, 1, 1, 0, 2], [least, least, 3.0, 2.0, 1.0], [1, 1, 2, 2, 2]
    assert score("nDCG@3", truth, predicted, groups) == pytest.approx(
        np.mean([score("nDCG@3", [0, 1], [0, 0]), score("nDCG@3", [1, 0, 2], [3, 2, 1])])
    )
