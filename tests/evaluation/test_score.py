from __future__ import annotations

import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import ndcg_score

from laws import strategies as some
from rankgauge import Policy
from rankgauge.errors import DataError, PolicyError
from rankgauge.evaluation.score import score, score_groups

TRUTH = [9, 4, 4, 2, 2, 2, 1, 1, 1, 1]
PREDICTED = [4, 4, 2, 9, 2, 2, 1, 1, 1, 1]

values = st.sampled_from([0, 0, 1, 2, 3.5])
predictions = st.sampled_from([-1.0, 0.0, 0.5, 0.5, 2.0])


@given(some.any_measure(), st.lists(st.tuples(values, predictions), min_size=1, max_size=8))
def test_every_measure_scores_two_columns(measure, items):
    truth, predicted = zip(*items, strict=True)
    result = score(measure, truth, predicted, policy=Policy(ties="order"))
    low, high = measure.definition.range
    assert np.isnan(result) or low - 1e-12 <= result <= high + 1e-12


@given(st.integers(1, 6), st.integers(2, 7), st.one_of(st.none(), st.integers(1, 9)), st.data())
def test_the_dense_path_equals_the_plain_one_and_scikit_learn(rows, width, cutoff, data):
    truth = np.array(
        data.draw(st.lists(st.lists(values, min_size=width, max_size=width), min_size=rows, max_size=rows))
    )
    predicted = np.array(
        data.draw(st.lists(st.lists(predictions, min_size=width, max_size=width), min_size=rows, max_size=rows))
    )
    measure = "nDCG" if cutoff is None else f"nDCG@{cutoff}"
    whole = score_groups(measure, truth, predicted).matrix()[0]
    for row in range(rows):
        assert whole[row] == pytest.approx(score(measure, truth[row], predicted[row]), abs=1e-12)
        if truth[row].any():
            assert whole[row] == pytest.approx(ndcg_score(truth[[row]], predicted[[row]], k=cutoff), abs=1e-12)


def test_groups_name_the_lists_in_order_of_appearance():
    scores = score_groups("P@1", [1, 0, 0, 1], [1, 2, 3, 4], ["b", "b", "a", "a"])
    assert scores.queries == ("b", "a")
    assert scores.matrix()[0].tolist() == [0, 1]
    assert score("P@1", [1, 0, 0, 1], [1, 2, 3, 4], ["b", "b", "a", "a"]) == 0.5


def test_groups_may_be_scattered():
    together = score_groups("AP", [1, 0, 0, 1], [1, 2, 3, 4], ["a", "a", "b", "b"]).matrix()
    assert np.array_equal(score_groups("AP", [1, 0, 0, 1], [1, 3, 2, 4], ["a", "b", "a", "b"]).matrix()[0], together[0])


@pytest.mark.parametrize("kind", [list, np.array, pd.Series, pl.Series])
def test_columns_of_any_kind_score_alike(kind):
    assert score("nDCG", kind(TRUTH), kind(PREDICTED)) == score("nDCG", TRUTH, PREDICTED)


def test_ties_count_with_their_mean_unless_the_policy_says_otherwise():
    assert score("P@1", [1, 0], [5, 5]) == 0.5
    assert score("P@1", [1, 0], [5, 5], policy=Policy(ties="worst")) == 0
    assert score("P@1", [1, 0], [5, 5], policy=Policy(ties="order")) == 1
    with pytest.raises(PolicyError):
        score("P@1", [1, 0], [5, 5], policy=Policy(ties="error"))


def test_rising_weights_take_the_plain_path():
    assert score("nDCG(discount=weights(0.2, 1))", [[1, 3], [1, 3]], [[2, 1], [2, 1]]) == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: score("AP", [1, 2], [1]), "truth has 2 items and predicted 1"),
        (lambda: score("AP", [1, float("nan")], [1, 2]), "not finite"),
        (lambda: score("AP", ["a", "b"], [1, 2]), "holds text"),
        (lambda: score("AP", [], []), "no items"),
        (lambda: score("AP", [[1, 2]], [[1]]), "shape"),
        (lambda: score("AP", [1, 2], [1, 2], ["a"]), "groups has 1 entries and truth 2"),
    ],
)
def test_columns_that_do_not_fit_are_refused(call, message):
    with pytest.raises(DataError, match=message):
        call()


def test_one_item_is_a_list():
    assert score("nDCG", [1], [0.5]) == 1


@pytest.mark.parametrize("gap", [None, math.nan, pd.NA])
def test_an_item_without_a_group_is_refused(gap):
    with pytest.raises(DataError, match="1 of 3 items have no group") as caught:
        score("AP", [1, 0, 1], [1, 2, 3], pd.Series(["a", gap, "b"], dtype=object))
    assert "item 2" in str(caught.value)


def test_groups_of_nothing_are_refused():
    with pytest.raises(DataError, match="no items"):
        score("AP", [], [], [])


@given(st.lists(st.integers(0, 3), min_size=1, max_size=30), st.randoms(use_true_random=False))
def test_scattered_groups_equal_gathered_ones_whatever_names_them(labels, random):
    truth, predicted = ([random.randrange(4) for _ in labels] for _ in range(2))
    by_group = {label: [place for place, other in enumerate(labels) if other == label] for label in labels}
    one_by_one = [
        score("AP", [truth[place] for place in places], [predicted[place] for place in places])
        for places in by_group.values()
    ]
    for named in (labels, [f"query {label}" for label in labels], pd.Series(labels), pl.Series(map(str, labels))):
        together = score_groups("AP", truth, predicted, named)
        assert together.matrix()[0].tolist() == one_by_one
        assert len(together.queries) == len(by_group)


@pytest.mark.parametrize(("scores", "value"), [([100, 80, 90, 15, 10], 0.956522), ([100, 20, 90, 15, 10], 0.923380)])
def test_rbp_over_its_ideal_is_an_ndcg(scores, value):
    measure = "nDCG(relevance=phi, gain=linear, discount=rbp(0.8))"
    assert score(measure, scores, [5, 4, 3, 2, 1]) == pytest.approx(value, abs=5e-7)
