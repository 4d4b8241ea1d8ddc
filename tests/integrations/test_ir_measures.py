"""The provider inside the real ir_measures and PyTerrier."""

from __future__ import annotations

import math

import numpy as np
import pytest

from conftest import missing
from peers.small_collections import small_collections
from rankgauge import Policy, Scores, compare, evaluate, read_scores
from rankgauge.errors import DataError, MeasureError, UsageError
from rankgauge.integrations import pyterrier

try:
    import ir_measures as library
    from ir_measures import AP, ERR, RR, P, R, StRecall, nDCG

    from rankgauge.integrations import ir_measures
except ImportError:
    library = None

POLICIES = [
    Policy(),
    Policy(ties="mean"),
    Policy(ties="worst", missing="drop", undefined="drop"),
    Policy(unjudged="drop"),
]


@pytest.fixture(autouse=True)
def installed():
    if library is None:
        missing("ir_measures is not installed")


@pytest.mark.parametrize("policy", POLICIES, ids=["default", "mean", "worst, drop", "condensed"])
def test_values_and_means_have_our_bits(policy):
    asked = {
        nDCG @ 10: "nDCG@10",
        AP(rel=2): "AP(rel=2)",
        RR @ 3: "RR@3",
        P @ 5: "P@5",
        nDCG(dcg="exp-log2"): "nDCG(gain=exp)",
    }
    provider = ir_measures(policy=policy)
    for judged, run in small_collections(15, seed=27):
        scores = evaluate(judged, {"run": run}, list(asked.values()), policy=policy)
        found = provider.calc(list(asked), judged, run)
        assert {asked[measure]: mean for measure, mean in found.aggregated.items()} == pytest.approx(
            scores.mean()["run"], abs=0, nan_ok=True
        )
        per_query = {(one.query_id, asked[one.measure]): one.value for one in found.per_query}
        assert per_query == {
            (query, name): value
            for query, values in scores.per_query()["run"].items()
            for name, value in values.items()
        }
        assert {
            (m.query_id, asked[m.measure]): m.value for m in provider.iter_calc(list(asked), judged, run)
        } == per_query


def test_our_default_is_theirs_where_nothing_is_tied():
    judged = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"b": 1}}
    run = {"q1": {"a": 0.1, "b": 0.8, "c": 0.7}, "q2": {"b": 0.1, "a": 0.5}}
    measures = [nDCG @ 10, AP, RR, P @ 2, R @ 1]
    theirs, ours = library.calc_aggregate(measures, judged, run), ir_measures().calc_aggregate(measures, judged, run)
    assert ours == pytest.approx(theirs, abs=1e-12)


def test_judged_only_is_our_policy_for_that_measure_alone():
    judged, run = {"q": {"a": 1, "b": 2}}, {"q": {"x": 9.0, "a": 3.0, "b": 2.0}}
    found = ir_measures().calc_aggregate([nDCG @ 10, nDCG(judged_only=True) @ 10], judged, run)
    assert found[nDCG @ 10] == evaluate(judged, run, "nDCG@10").mean()["run"]["nDCG@10"]
    condensed = evaluate(judged, run, "nDCG@10", policy=Policy(unjudged="drop")).mean()["run"]["nDCG@10"]
    assert found[nDCG(judged_only=True) @ 10] == condensed > found[nDCG @ 10]


def test_the_supported_measures_are_those_of_our_catalogue():
    provider = ir_measures()
    names = {measure.NAME for measure in provider.SUPPORTED_MEASURES}
    assert {
        "nDCG",
        "AP",
        "RR",
        "P",
        "R",
        "Rprec",
        "Bpref",
        "infAP",
        "ERR",
        "RBP",
        "Judged",
        "Success",
        "IPrec",
    } <= names
    assert provider.supports(nDCG(gains={1: 0, 2: 5}) @ 10)
    assert provider.supports(ERR @ 20)
    assert not provider.supports(StRecall @ 10)
    assert "StRecall" not in names
    with pytest.raises(MeasureError, match="StRecall is not in the catalogue"):
        provider.calc_aggregate([StRecall @ 10], {"q": {"a": 1}}, {"q": {"a": 1.0}})


def test_in_a_with_block_ir_measures_takes_our_ties_and_afterwards_its_own():
    judged, run = {"q": {"a": 1, "z": 0}}, {"q": {"a": 0.5, "z": 0.5}}
    before = library.calc_aggregate([RR], judged, run)[RR]
    with ir_measures(policy=Policy(ties="mean")):
        assert library.calc_aggregate([RR], judged, run)[RR] == 0.75
    assert library.calc_aggregate([RR], judged, run)[RR] == before == 0.5


@pytest.fixture
def experiment():
    try:
        import pandas as pd
        import pyterrier as pt
    except ImportError:
        missing("PyTerrier is not installed")
    topics = pd.DataFrame([["q1", "a b"], ["q2", "c"], ["q3", "d"]], columns=["qid", "query"])
    qrels = pd.DataFrame(
        [["q1", "a", 2], ["q1", "z", 0], ["q2", "a", 1], ["q3", "z", 1]], columns=["qid", "docno", "label"]
    )
    runs = [
        pd.DataFrame(rows, columns=["qid", "docno", "score"])
        for rows in (
            [["q1", "a", 1.0], ["q1", "z", 1.0], ["q2", "z", 3.0], ["q2", "a", 3.0]],
            [["q1", "z", 2.0], ["q1", "a", 1.0], ["q2", "a", 3.0], ["q3", "z", 1.0]],
        )
    ]

    def run(**settings):
        return pt.Experiment(runs, topics, qrels, [nDCG @ 10, RR], names=["tied", "other"], **settings)

    return run


def test_pyterrier_computes_with_our_ties(experiment):
    plain = experiment().set_index("name")
    with ir_measures(policy=Policy(ties="mean")):
        ours = experiment().set_index("name")
    assert plain.loc["tied", "RR"] == pytest.approx((0.5 + 0.5 + 0) / 3)
    assert ours.loc["tied", "RR"] == pytest.approx((0.75 + 0.75 + 0) / 3)
    assert ours.loc["other", "RR"] == plain.loc["other", "RR"]


def test_pyterrier_s_results_become_scores(experiment):
    with ir_measures(policy=Policy(ties="mean")):
        results = experiment(perquery=True)
    scores = pyterrier(results)
    assert isinstance(scores, Scores)
    assert scores.systems == ("other", "tied")  # PyTerrier's order
    assert scores.queries == ("q1", "q2", "q3")
    for row in results.itertuples():
        at = scores.systems.index(row.name), scores.queries.index(row.qid)
        assert scores.matrix(row.measure)[at] == row.value
    assert compare(scores, baseline="tied")["RR"].pairs[0].difference == pytest.approx(2.5 / 3 - 0.5)
    assert read_scores(scores) is scores


def test_a_table_of_another_form_is_refused(experiment):
    pd = pytest.importorskip("pandas")
    with pytest.raises(DataError, match=r"(?s)no column 'qid'.*perquery=True"):
        pyterrier(experiment())
    with pytest.raises(UsageError, match="not dict"):
        pyterrier({"name": []})
    twice = pd.DataFrame({"name": ["a", "a"], "qid": ["q", "q"], "measure": ["AP", "AP"], "value": [0.5, 0.6]})
    with pytest.raises(DataError, match="a has two values of AP for query q"):
        pyterrier(twice)
    gaps = pd.DataFrame({"name": ["a", "b"], "qid": ["1", "2"], "measure": ["AP", "AP"], "value": [0.5, math.nan]})
    assert np.isnan(pyterrier(gaps).values).sum() == 3
