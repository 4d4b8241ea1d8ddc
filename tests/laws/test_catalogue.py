"""Laws that tie the measures of the catalogue to each other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws import strategies as some
from rankgauge import Policy, evaluate
from rankgauge.measures import IAP, parse

LIFTED = [
    "AP",
    "RR",
    "P@2",
    "R@3",
    "F@2",
    "Rprec",
    "Success@2",
    "ERR(max=3)",
    "nERR",
    "RBP",
    "RBP@3",
    "Q",
    "Q@3",
    "Bpref",
]


def values(collection, *measures):
    return np.moveaxis(evaluate(*collection, measures, policy=Policy(unjudged="zero")).values, -1, 0)


@given(some.collections(), st.sampled_from(["linear", "exp", "power(0.5)"]))
def test_q_that_only_counts_is_average_precision(collection, gain):
    q, average = values(collection, f"Q(beta=0, gain={gain})", "AP")
    assert np.allclose(q, average, rtol=1e-14, atol=0)


@given(some.collections())
def test_the_set_measures_are_those_without_a_cutoff(collection):
    for whole, ranked in (("SetP", "P"), ("SetR", "R"), ("SetF(beta=2)", "F(beta=2)")):
        first, second = values(collection, whole, ranked)
        assert np.array_equal(first, second)
    product, precision, recall = values(collection, "SetAP", "SetP", "SetR")
    assert np.allclose(product, precision * recall, rtol=1e-14, atol=0)


@given(some.collections(), st.integers(1, 12), st.sampled_from([0.5, 1, 2, 3]))
def test_f_is_the_weighted_harmonic_mean(collection, cutoff, beta):
    f, precision, recall = values(collection, f"F(beta={beta})@{cutoff}", f"P@{cutoff}", f"R@{cutoff}")
    below = beta**2 * precision + recall
    expected = np.divide((1 + beta**2) * precision * recall, below, out=np.zeros_like(below), where=below > 0)
    assert np.allclose(f, expected, rtol=1e-13, atol=1e-15)


@given(some.collections(), st.sampled_from(["up", "nearest", "trec"]))
def test_the_eleven_point_average_is_the_mean_of_its_points(collection, rounding):
    points = [f"IPrec(rounding={rounding})@{level}" for level in IAP.settings["recall"]]
    average, *each = values(collection, f"IAP(rounding={rounding})", *points)
    assert np.allclose(average, np.mean(each, axis=0), rtol=1e-13, atol=1e-15)
    assert np.all(np.diff(np.stack(each), axis=0) <= 1e-15)


@given(
    some.collections(), st.floats(0.01, 0.99), st.sampled_from(["", "@3"]), st.sampled_from(["", ", rel=1", ", max=4"])
)
def test_rank_biased_precision_and_its_residual_stay_within_1(collection, p, cut, option):
    rbp, residual = values(collection, f"RBP(p={p}{option}){cut}", f"RBPResidual(p={p}){cut}")
    assert np.all((rbp >= 0) & (residual >= 0) & (rbp + residual <= 1 + 1e-12))


@given(some.collections(), st.integers(1, 12))
def test_judged_and_unjudged_documents_make_up_what_was_returned(collection, cutoff):
    judged, run = collection
    judged = {query: {d: abs(v) for d, v in found.items()} for query, found in judged.items()}
    share, unjudged, returned = values((judged, run), f"Judged@{cutoff}", f"Unjudged@{cutoff}", "NumRet")
    seen = np.minimum(returned, cutoff)
    assert np.allclose(share * seen + unjudged * cutoff, seen, rtol=1e-13, atol=1e-13)


@given(st.lists(some.grades, min_size=2, max_size=7), st.sampled_from(LIFTED), st.data())
def test_lifting_a_better_document_never_lowers_the_value(found, measure, data):
    rises = [at for at in range(len(found) - 1) if found[at + 1] > found[at] and found[at] >= 0]
    if not rises:
        return
    at = data.draw(st.sampled_from(rises))
    lifted = [*found[:at], found[at + 1], found[at], *found[at + 2 :]]

    def value(order):
        judged = {"q": {f"d{place}": grade for place, grade in enumerate(order)}}
        return evaluate(judged, {"q": {f"d{place}": -place for place in range(len(order))}}, measure).values.item()

    assert value(lifted) >= value(found) - 1e-12


@pytest.mark.parametrize("measure", ["AP", "RR", "R", "Success", "ERR", "nERR", "RBP", "RBPResidual", "Q", "NumRelRet"])
@given(some.collections())
def test_a_cutoff_beyond_list_and_pool_changes_nothing(measure, collection):
    whole, deep = values(collection, measure, f"{measure}@1000")
    assert np.allclose(whole, deep, rtol=1e-14, atol=0)


@pytest.mark.parametrize(
    "text",
    [
        "RBP(p=0.95, rel=2, max=query)@10",
        "RBP(max=3)",
        "Rprec(times=0.4, rounding=trec, rel=2)",
        "IAP(recall=at(0.2, 0.8), rounding=nearest)",
        "IPrec(rounding=nearest)@0.25",
        "ERR(max=query)@20",
        "F(beta=2)@5",
        "Q(beta=0, gain=exp)@10",
        "NumRelRet(rel=2)@5",
    ],
)
def test_every_kind_of_option_prints_as_it_is_written(text):
    assert str(parse(text)) == text
