"""Laws of single measures, by Hypothesis."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import assume, example, given
from hypothesis import strategies as st

from laws import strategies as some
from rankgauge import Policy, evaluate
from rankgauge.measures import nDCG, parse

ANY = Policy(unjudged="zero")
"""A run may return nothing that was judged."""

EMPTY_POOL = ({"q1": {"d0": 0}}, {"q1": {"d1": 1.0}})


@given(some.any_measure())
def test_print_then_parse_is_the_identity(measure):
    assert parse(str(measure)) == measure


@given(some.collections(), some.any_measure())
@example(EMPTY_POOL, nDCG @ 10)
def test_every_value_lies_in_the_range_of_its_definition(collection, measure):
    low, high = measure.definition.range
    values = evaluate(*collection, measure).values
    values = values[~np.isnan(values)]  # left out where undefined, if the definition says so
    assert np.all((values >= low) & (values <= high + 1e-12))


@given(some.judgments, some.cumulated(("nDCG",), some.falling_discounts, some.growing_gains))
def test_the_ideal_order_scores_1(judged, measure):
    run = {query: {document: float(value) for document, value in found.items()} for query, found in judged.items()}
    for value, found in zip(evaluate(judged, run, measure).matrix()[0], judged.values(), strict=True):
        has_gain = max(found.values()) > 0 or "tiers" in str(measure)
        assert math.isclose(value, 1, rel_tol=1e-12) if has_gain else value == 0


out_of_order = st.lists(some.grades, min_size=2, max_size=7).filter(lambda found: found != sorted(found, reverse=True))


@given(out_of_order, some.cumulated(("nDCG", "DCG"), some.falling_discounts, some.growing_gains), st.data())
def test_lifting_a_better_document_never_lowers_the_value(found, measure, data):
    at = data.draw(st.sampled_from([at for at in range(len(found) - 1) if found[at + 1] > found[at]]))
    lifted = [*found[:at], found[at + 1], found[at], *found[at + 2 :]]

    def value(order):
        judged = {"q": {f"d{place}": grade for place, grade in enumerate(order)}}
        return evaluate(judged, {"q": {f"d{place}": -place for place in range(len(order))}}, measure).values[0, 0, 0]

    assert value(lifted) >= value(found) - 1e-12


@given(some.collections(), some.any_measure())
def test_queries_do_not_see_each_other(collection, measure):
    judged, run = collection
    together = evaluate(judged, run, measure).per_query()["run"]
    for query in set(judged) & set(run):
        alone = evaluate({query: judged[query]}, {query: run[query]}, measure).per_query()["run"]
        assert alone[query] == together[query]


@given(some.collections(), some.any_measure(), st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_nothing(collection, measure, random):
    judged, run = collection

    def shuffled(rows):
        keys = list(rows)
        random.shuffle(keys)
        return {key: shuffled(rows[key]) if isinstance(rows[key], dict) else rows[key] for key in keys}

    assert evaluate(shuffled(judged), shuffled(run), measure).per_query() == {
        "run": evaluate(judged, run, measure).per_query()["run"]
    }


@given(some.collections(), some.any_measure())
def test_renaming_queries_and_documents_in_order_changes_nothing(collection, measure):
    judged, run = collection

    def renamed(rows):
        return {f"topic {q}": {f"doc/{d}": v for d, v in found.items()} for q, found in rows.items()}

    before = evaluate(judged, run, measure).per_query()["run"]
    after = evaluate(renamed(judged), renamed(run), measure).per_query()["run"]
    assert after == {f"topic {query}": values for query, values in before.items()}


@given(some.collections(), some.cumulated())
def test_a_cutoff_beyond_list_and_pool_changes_nothing(collection, measure):
    assume("linear" not in str(measure.settings["discount"]))
    deep = measure @ 1000
    whole = type(measure)(measure.definition, measure.options)
    assert np.allclose(evaluate(*collection, deep).values, evaluate(*collection, whole).values, rtol=1e-12, atol=0)


@given(some.collections(), some.cumulated(("nDCG",)), st.floats(0.01, 100), st.floats(0.01, 100))
def test_scaling_gains_and_weights_leaves_ndcg_unchanged(collection, measure, up, down):
    assume(measure.cutoff is not None)
    gain, discount = measure.settings["gain"], measure.settings["discount"]
    scaled = measure(gain=lambda v: up * gain(v), discount=lambda rank: down * discount(rank, measure.cutoff))
    assert np.allclose(
        evaluate(*collection, scaled, policy=ANY).values,
        evaluate(*collection, measure, policy=ANY).values,
        rtol=1e-9,
        atol=1e-12,
    )


@given(some.collections())
def test_exponential_and_linear_gain_agree_on_binary_grades(collection):
    judged = {query: {d: int(v > 0) for d, v in found.items()} for query, found in collection[0].items()}
    values = evaluate(judged, collection[1], ["nDCG", "nDCG(gain=exp)"], policy=ANY).values
    assert np.array_equal(values[..., 0], values[..., 1])
