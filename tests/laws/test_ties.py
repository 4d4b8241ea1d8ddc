"""One rule for ties holds for every measure of the catalogue."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, example, given
from sklearn.metrics import ndcg_score

from kernels.tied import groups, open_hits, orders, pool_for, settled_hits
from laws import strategies as some
from rankgauge import Policy, evaluate
from rankgauge.errors import MeasureError
from rankgauge.kernels import ties
from rankgauge.measures import Measure, catalogue, parse

INTERPOLATED = {"IPrec", "IAP"}
BOUNDED = [
    "nDCG@3",
    "nDCG(gain=exp)",
    "DCG",
    "AP",
    "AP@2",
    "RR",
    "RR@2",
    "P@2",
    "R@2",
    "ERR",
    "ERR@3",
    "RBP",
    "RBP(rel=2)@3",
]


@pytest.mark.parametrize("definition", catalogue(), ids=lambda definition: definition.name)
def test_every_measure_but_the_interpolated_ones_is_tried(definition):
    measure = Measure(definition)
    if definition.needs_cutoff:
        measure @= 1
    tied = [[2, 1, None], [1, 0], [0, 2]]
    hits = open_hits(tied)
    if definition.name in INTERPOLATED:
        with pytest.raises(MeasureError, match="ties"):
            measure.compute(hits, pool_for(hits))
        return
    pool = pool_for(hits) if definition.name == "rankDCG" else pool_for(hits, 1.0, 0.0, 2.0)
    values = [measure.compute(settled_hits(order), pool)[0] for order in orders(tied)]
    assert np.isfinite(values).all()
    assert measure.compute(hits, pool)[0] == pytest.approx(np.mean(values), abs=1e-10)


@given(groups, some.any_measure())
@example([[1, 0], [None, 2, 1]], parse("infAP"))
@example([[None, 1, 0, 2]], parse("Bpref"))
@example([[2, 1, None], [1, 0]], parse("Q(beta=2)@3"))
@example([[2, 1, None], [1, 0]], parse("nERR@4"))
@example([[3, 1, 2], [1, 0]], parse("rankDCG@4"))
def test_mean_equals_the_mean_over_all_orders(tied, measure):
    assume(measure.definition.name not in INTERPOLATED)
    hits = open_hits(tied)
    pool = pool_for(hits, 1.0, 0.0, 2.0)
    if measure.definition.name == "rankDCG":
        # What was not returned is tied as well; the other orders of it are the kernel's own business.
        pool = pool_for(hits)
        assume(len(hits.value) == sum(map(len, tied)))
    values = [measure.compute(settled_hits(order), pool)[0] for order in orders(tied)]
    assert measure.compute(hits, pool)[0] == pytest.approx(np.mean(values), abs=1e-10, nan_ok=True)


@given(groups, some.any_measure())
def test_worst_and_best_are_the_values_of_their_orders(tied, measure):
    assume("tiers" not in str(measure))
    hits = open_hits(tied)
    pool = pool_for(hits, 1.0, 0.0)

    def key(grade):
        return (1, grade) if grade is not None and grade > 0 else (0, 0) if grade is None else (-1, grade)

    for is_best in (False, True):
        order = [grade for group in tied for grade in sorted(group, key=key, reverse=is_best)]
        assert measure.compute(ties.by_value(hits, best=is_best), pool)[0] == pytest.approx(
            measure.compute(settled_hits(order), pool)[0], nan_ok=True
        )


@pytest.mark.parametrize("text", BOUNDED)
@given(tied=groups)
def test_worst_and_best_bound_every_order(text, tied):
    measure, hits = parse(text), open_hits(tied)
    pool = pool_for(hits, 1.0, 2.0)
    low, high = (measure.compute(ties.by_value(hits, best=is_best), pool)[0] for is_best in (False, True))
    values = [measure.compute(settled_hits(order), pool)[0] for order in orders(tied)]
    assert low == pytest.approx(min(values), abs=1e-12)
    assert high == pytest.approx(max(values), abs=1e-12)
    assert low - 1e-12 <= measure.compute(hits, pool)[0] <= high + 1e-12


@given(some.collections())
def test_the_order_by_document_lies_between_worst_and_best(collection):
    values = [
        evaluate(*collection, "nDCG@3", policy=Policy(ties=rule)).values for rule in ("worst", "document", "best")
    ]
    assert np.all(values[0] <= values[1] + 1e-12)
    assert np.all(values[1] <= values[2] + 1e-12)


@given(some.collections())
def test_mean_equals_scikit_learn(collection):
    judged, run = collection
    for query in set(judged) & set(run):
        documents = sorted(set(judged[query]) | set(run[query]))
        if len(documents) < 2 or set(run[query]) != set(documents):
            continue
        truth = [[max(judged[query].get(document, 0), 0) for document in documents]]
        predicted = [[run[query][document] for document in documents]]
        ours = evaluate(judged, run, "nDCG", like="sklearn").per_query()["run"][query]["nDCG"]
        assert ours == pytest.approx(ndcg_score(truth, predicted), abs=1e-12)


def test_mcsherry_and_najork_on_a_worked_example():
    judged = {"q": dict(zip("abcdef", [3, 2, 0, 1, 2, 0], strict=True))}
    run = {"q": dict(zip("abcdef", [0.9, 0.5, 0.5, 0.5, 0.1, 0.1], strict=True))}
    expected = {
        "nDCG": (0.931863, 0.891302, 0.972425),
        "nDCG@3": (0.785070, 0.665164, 0.904977),
        "nDCG@2": (0.851959, 0.703918, 1.0),
    }
    for measure, numbers in expected.items():
        for rule, number in zip(("mean", "worst", "best"), numbers, strict=True):
            got = evaluate(judged, run, measure, policy=Policy(ties=rule)).values[0, 0, 0]
            assert got == pytest.approx(number, abs=5e-7), (measure, rule)


@pytest.mark.parametrize("measure", ["IPrec@0.5", "IAP"])
def test_interpolated_precision_refuses_the_mean_with_a_reason(measure):
    tied = ({"q": {"a": 1, "b": 0}}, {"q": {"a": 1.0, "b": 1.0}})
    with pytest.raises(MeasureError, match="a maximum, whose mean over tied orders has no closed form"):
        evaluate(*tied, measure, policy=Policy(ties="mean"))


def test_geometric_means_are_taken_of_the_expected_values():
    judged = {"q1": {"a": 1, "b": 0}, "q2": {"a": 1}}
    run = {"q1": {"a": 1.0, "b": 1.0}, "q2": {"a": 1.0}}
    scores = evaluate(judged, run, "GMAP", policy=Policy(ties="mean"))
    assert scores.mean()["run"]["GMAP"] == pytest.approx((0.75 * 1.0) ** 0.5)
