"""pytrec_eval, which is trec_eval 9 in a Python module: every shared measure, on thousands of random collections."""

from __future__ import annotations

import math

import numpy as np
import pytest
import pytrec_eval

from peers.small_collections import small_collections
from rankgauge import Policy, evaluate
from rankgauge.evaluation.presets import PRESETS
from rankgauge.measures.grammar import parse_spelled

NOT_SHARED = {
    "num_q": "pytrec_eval gives it for each query only, as 1",
    "gm_map": "pytrec_eval gives the logarithm of each query; asserted below",
    "gm_bpref": "as gm_map",
}
SHARED = {
    str(one.label): one.measure
    for one in parse_spelled("all_trec", lacking=PRESETS["trec_eval-9"].lacks)
    if one.label not in NOT_SHARED
}
LABELS = list(SHARED)
FAMILIES = {name for name in pytrec_eval.supported_measures if any(label.startswith(name) for label in LABELS)}


def differences(judged, run, labels, level):
    """(query, label, ours, theirs) wherever the two are further apart than rounding."""
    measures = list(dict.fromkeys(SHARED[label] for label in labels))
    scores = evaluate(judged, run, measures, like="trec_eval-9", policy=Policy(rel=level))
    theirs = pytrec_eval.RelevanceEvaluator(judged, FAMILIES, relevance_level=level).evaluate(run)
    answered = set(judged) & set(run)
    assert set(theirs) == answered
    for at, query in enumerate(scores.queries):
        for label in labels:
            ours = scores.values[0, at, measures.index(SHARED[label])]
            if query not in answered:
                assert math.isnan(ours)
            elif not abs(ours - theirs[query][label]) <= 1e-12:
                yield query, label, ours, theirs[query][label]


def test_every_shared_measure_agrees_on_thousands_of_collections():
    rng = np.random.default_rng(4)
    seen = 0
    for judged, run in small_collections(2200, seed=4):
        labels = rng.choice(LABELS, 20, replace=False).tolist()
        assert list(differences(judged, run, labels, int(rng.integers(1, 4)))) == []
        seen += 1
    assert seen > 2000


def test_all_shared_measures_agree_at_once_on_hundreds_of_collections():
    assert len(LABELS) > 80
    for judged, run in small_collections(250, seed=5):
        assert list(differences(judged, run, LABELS, 1)) == []


@pytest.mark.parametrize(
    ("name", "measure"),
    [
        ("map_cut.3,7", "AP@7"),
        ("P.3", "P@3"),
        ("recall.2,4", "R@4"),
        ("ndcg_cut.1,2", "nDCG@1"),
        ("success.3", "Success@3"),
    ],
)
def test_any_cutoff_agrees(name, measure):
    label = f"{name.partition('.')[0]}_{measure.partition('@')[2]}"
    for judged, run in small_collections(60, seed=6):
        theirs = pytrec_eval.RelevanceEvaluator(judged, {name}).evaluate(run)
        ours = evaluate(judged, run, measure, like="trec_eval-9").per_query()["run"]
        for query in set(judged) & set(run):
            assert ours[query][measure] == pytest.approx(theirs[query][label], abs=1e-12)


def test_dropping_unjudged_documents_agrees():
    names = {"map", "P", "recip_rank", "ndcg_cut", "Rprec", "bpref"}
    labels = {"AP": "map", "P@5": "P_5", "RR": "recip_rank", "nDCG@5": "ndcg_cut_5", "Rprec": "Rprec", "Bpref": "bpref"}
    for judged, run in small_collections(200, seed=7):
        theirs = pytrec_eval.RelevanceEvaluator(judged, names, judged_docs_only_flag=True).evaluate(run)
        policy = Policy(unjudged="drop", missing="drop")
        scores = evaluate(judged, run, list(labels), policy=policy).per_query()["run"]
        for query in set(judged) & set(run):
            if any(document in judged[query] and judged[query][document] >= 0 for document in run[query]):
                for ours, label in labels.items():
                    assert scores[query][ours] == pytest.approx(theirs[query][label], abs=1e-12), (query, label)


def test_known_difference_gm_map_is_a_logarithm_per_query_there_and_average_precision_here():
    for judged, run in small_collections(50, seed=8):
        theirs = pytrec_eval.RelevanceEvaluator(judged, {"gm_map", "gm_bpref"}).evaluate(run)
        scores = evaluate(judged, run, "gm_map gm_bpref", like="trec_eval-9")
        for query in set(judged) & set(run):
            for ours, label in (("GMAP", "gm_map"), ("GMBpref", "gm_bpref")):
                value = scores.per_query()["run"][query][ours]
                assert math.log(max(value, 1e-5)) == pytest.approx(theirs[query][label], abs=1e-12)
        logarithms = [theirs[query]["gm_map"] for query in set(judged) & set(run)]
        assert scores.mean()["run"]["GMAP"] == pytest.approx(math.exp(np.mean(logarithms)), rel=1e-12)


def test_known_difference_missing_queries_are_left_out_there_and_score_0_here():
    judged, run = {"a": {"d": 1}, "b": {"d": 1}}, {"a": {"d": 1.0}}
    assert set(pytrec_eval.RelevanceEvaluator(judged, {"map"}).evaluate(run)) == {"a"}
    assert evaluate(judged, run, "AP").mean()["run"]["AP"] == 0.5


def test_known_difference_scores_are_compared_in_single_precision_there():
    judged, run = {"q": {"a": 1}}, {"q": {"a": 10 + 1e-9, "b": 10.0}}
    assert pytrec_eval.RelevanceEvaluator(judged, {"recip_rank"}).evaluate(run)["q"]["recip_rank"] == 0.5
    assert evaluate(judged, run, "RR").mean()["run"]["RR"] == 1


def test_known_difference_recall_levels_are_rounded_up_here_and_almost_up_there():
    # 0.35 · 3 = 1.05 documents: two are needed, but trec_eval 9 takes the one whose remainder is below a tenth.
    judged, run = {"q": {"a": 1, "b": 1, "c": 1}}, {"q": {"a": 3.0, "x": 2.0, "b": 1.0}}
    theirs = pytrec_eval.RelevanceEvaluator(judged, {"iprec_at_recall.0.35"}).evaluate(run)["q"]
    assert theirs["iprec_at_recall_0.35"] == 1
    assert evaluate(judged, run, "IPrec@0.35").mean()["run"]["IPrec@0.35"] == 2 / 3
    assert evaluate(judged, run, "IPrec@0.35", like="trec_eval-9").values.item() == 1
