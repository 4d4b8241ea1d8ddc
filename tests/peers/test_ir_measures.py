"""ir_measures with what a plain installation has: pytrec_eval, its own providers, and gdeval in Perl."""

from __future__ import annotations

import shutil

import ir_measures
import pytest

from conftest import missing
from peers.small_collections import small_collections
from rankgauge import Policy, evaluate

SAME = [
    "nDCG@3",
    "nDCG@10",
    "nDCG",
    "nDCG(gains={1:0,2:1,3:5})@5",
    "AP",
    "AP@3",
    "AP(rel=2)",
    "RR",
    "RR(rel=2)",
    "P@1",
    "P(rel=2)@5",
    "R@5",
    "R(rel=2)@5",
    "Rprec",
    "Bpref",
    "Bpref(rel=2)",
    "infAP",
    "Success@3",
    "IPrec@0.0",
    "IPrec@0.1",
    "IPrec@0.5",
    "IPrec@1.0",
    "SetP",
    "SetRelP",
    "SetP(relative=True)",
    "SetR",
    "SetF",
    "SetAP",
    "NumRet",
    "NumRel",
    "NumRet(rel=2)",
]


def theirs(judged, run, names):
    """Their values; asked again where a query that both sides have is absent, which now and then happens to the peer."""
    measures = [ir_measures.parse_measure(name) for name in names]
    expected = {(query, str(measure)) for query in set(judged) & set(run) for measure in measures}
    for _ in range(5):
        found = {(m.query_id, str(m.measure)): m.value for m in ir_measures.iter_calc(measures, judged, run)}
        if expected <= found.keys():
            break
    return found


def test_every_shared_measure_agrees_under_the_same_spelling():
    for judged, run in small_collections(200, seed=14):
        found = theirs(judged, run, SAME)
        scores = evaluate(judged, run, [name for name in SAME if "relative" not in name])
        for name in SAME:
            canonical = str(ir_measures.parse_measure(name))
            values = scores.matrix(name)[0]
            for query, value in zip(scores.queries, values, strict=True):
                # A query that the run lacks has 0 relevant documents there; here, and in trec_eval -c, its own number.
                if query in run or name != "NumRel":
                    assert value == pytest.approx(found.get((query, canonical), 0), abs=1e-12), (name, query)


def test_means_agree_with_missing_queries_counted_as_0():
    names = ["nDCG@10", "AP", "P@5"]
    for judged, run in small_collections(100, seed=15):
        means = ir_measures.calc_aggregate([ir_measures.parse_measure(name) for name in names], judged, run)
        ours = evaluate(judged, run, names).mean()["run"]
        for measure, value in means.items():
            assert ours[str(measure)] == pytest.approx(value, abs=1e-12)


def test_judged_agrees_where_scores_are_not_tied():
    for judged, run in small_collections(200, seed=16):
        strict = {query: {document: float(at) for at, document in enumerate(found)} for query, found in run.items()}
        found = theirs(judged, strict, ["Judged@5", "Judged@20"])
        scores = evaluate(judged, strict, "Judged@5 Judged@20", policy=Policy(missing="drop")).per_query()["run"]
        for query in set(judged) & set(strict):
            for name, value in scores[query].items():
                assert value == pytest.approx(found[query, name], abs=1e-12)


def test_known_difference_the_beta_of_their_set_f_is_the_square_of_beta():
    judged, run = {"q": {"a": 1, "b": 1, "c": 1}}, {"q": {"a": 2.0, "x": 1.0}}
    found = theirs(judged, run, ["SetF(beta=0.25)"])["q", "SetF(beta=0.25)"]
    assert evaluate(judged, run, "SetF(beta=0.5)").values.item() == pytest.approx(found, abs=1e-12)
    assert evaluate(judged, run, "set_F.0.25").values.item() == pytest.approx(found, abs=1e-12)
    assert evaluate(judged, run, "SetF(beta=0.25)").values.item() != pytest.approx(found, abs=1e-3)


def test_known_difference_their_ties_depend_on_the_provider_and_ours_do_not():
    judged, run = {"q": {"a": 1}}, {"q": {"a": 1.0, "b": 1.0, "c": 1.0}}
    found = theirs(judged, run, ["RR", "RR@10"])
    assert found["q", "RR"] != found["q", "RR@10"]
    assert evaluate(judged, run, "RR RR@10").mean()["run"] == {"RR": 1 / 3, "RR@10": 1 / 3}


def test_known_difference_their_judged_orders_ties_by_id_ascending():
    judged, run = {"q": {"a": 1}}, {"q": {"a": 1.0, "b": 1.0}}
    assert theirs(judged, run, ["Judged@1"])["q", "Judged@1"] == 1
    assert evaluate(judged, run, "Judged@1").values.item() == 0


def test_known_difference_exponential_gain_and_err_are_rounded_to_5_decimals_there():
    if not shutil.which("perl"):
        missing("perl is not installed: ir_measures runs gdeval with it")
    judged, run = {"1": {"a": 2, "b": 1}}, {"1": {"b": 2.0, "a": 1.0}}
    found = theirs(judged, run, ["nDCG(dcg='exp-log2')@10", "ERR@10"])
    ours = evaluate(judged, run, "nDCG(dcg='exp-log2')@10 ERR@10", like="gdeval").mean()["run"]
    assert ours["nDCG(gain=exp)@10"] == pytest.approx(found["1", "nDCG(dcg='exp-log2')@10"], abs=5.1e-6)
    assert ours["ERR(max=4)@10"] == pytest.approx(found["1", "ERR@10"], abs=5.1e-6)
    assert found["1", "ERR@10"] == round(found["1", "ERR@10"], 5) != ours["ERR(max=4)@10"]
