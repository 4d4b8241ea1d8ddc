"""A depth cuts a run after ties are settled: names of documents decide nothing that the rule for ties does not."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from laws import strategies as some
from rankgauge import Policy, evaluate
from rankgauge.errors import PolicyError
from rankgauge.evaluation.explain import explain

TIED = {"q": {"a": 1.0, "b": 1.0}}


def value(measure, judged, run, **policy):
    return evaluate(judged, run, measure, policy=Policy(**policy)).values[0, 0, 0]


@pytest.mark.parametrize(("ties", "expected"), [("best", 1.0), ("worst", 0.0)])
def test_what_was_judged_moves_with_its_document(ties, expected):
    judged, run = {"q": {"a": 2, "b": 0, "c": 1}}, {"q": {"a": 1.0, "b": 1.0, "c": -1.0}}
    # The pool of what was returned is a or b alone; without a there is nothing to find.
    assert value("R@1", judged, run, ties=ties, floor="zero", pool="returned", depth=1) == expected


@pytest.mark.parametrize("relevant", ["a", "b"])
def test_worst_and_best_hold_whatever_the_document_is_called(relevant):
    judged = {"q": {relevant: 1}}
    assert value("P@1", judged, TIED, ties="worst", depth=1) == 0.0
    assert value("P@1", judged, TIED, ties="best", depth=1) == 1.0


def test_a_depth_that_parts_a_tie_leaves_no_one_list_for_the_mean():
    with pytest.raises(PolicyError, match="query q has equal scores at ranks 1 to 2, which depth=1 splits"):
        value("P@1", {"q": {"a": 1}}, TIED, ties="mean", depth=1)
    assert value("P@2", {"q": {"a": 1}}, TIED, ties="mean", depth=2) == 0.5
    assert value("P@1", {"q": {"z": 1}}, TIED, ties="mean", depth=1) == 0.0  # nothing judged is in the tie


def test_a_parted_tie_is_noted_and_can_be_an_error():
    judged = {"q": {"a": 1}}
    (note,) = [note for note in evaluate(judged, TIED, "P@1", policy=Policy(depth=1)).notes if note.kind == "ties"]
    assert "from 0.0000 (worst order) to 1.0000 (best order)" in note.text
    with pytest.raises(PolicyError, match="equal scores at ranks 1 to 2"):
        value("P@1", judged, TIED, ties="error", depth=1)


@given(
    st.lists(st.tuples(st.sampled_from([None, 0, 1, 2]), st.integers(0, 2)), min_size=1, max_size=5),
    st.integers(1, 5),
    st.sampled_from(["zero", "drop"]),
)
def test_worst_and_best_are_the_extremes_over_all_orders(items, depth, unjudged):
    judged = {"q": {f"d{at}": grade for at, (grade, _) in enumerate(items) if grade is not None}}
    assume(judged["q"])
    names = [f"d{at}" for at in range(len(items))]
    scores = dict(zip(names, (score for _, score in items), strict=True))
    orders = (
        order
        for order in itertools.permutations(names)
        if all(scores[a] >= scores[b] for a, b in itertools.pairwise(order))
    )
    found = [
        value("nDCG", judged, {"q": {name: -at for at, name in enumerate(order)}}, depth=depth, unjudged=unjudged)
        for order in orders
    ]
    for ties, extreme in (("worst", min(found)), ("best", max(found))):
        policy = {"ties": ties, "depth": depth, "unjudged": unjudged}
        assert value("nDCG", judged, {"q": scores}, **policy) == pytest.approx(extreme, abs=1e-12)
        told = explain("nDCG", judged, {"q": scores}, "q", policy=Policy(**policy))
        assert told.value == value("nDCG", judged, {"q": scores}, **policy)


BARREN = {"p": {"a": 1, "b": 0}, "q": {"a": 0, "b": 0}}
RUN = {"p": {"b": 2, "a": 1}, "q": {"a": 2, "b": 1}}


@given(some.any_measure())
def test_a_query_without_a_relevant_document_is_left_out_of_every_measure_of_relevance(measure):
    assume(measure.is_about_relevance)
    rel = measure.settings.get("rel")
    assume(rel is None or rel <= 1)
    scores = evaluate(BARREN, RUN, measure, policy=Policy(undefined="drop"))
    assert np.isnan(scores.values[0, 1, 0])
    assert not np.isnan(evaluate(BARREN, RUN, measure).values[0, 1, 0])
