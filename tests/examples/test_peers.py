"""The example collection through other tools: the numbers that they print are those of their presets, and are traced back."""

from __future__ import annotations

import numpy as np
import pytest

import rankgauge

NAMES = {"nDCG@10": "ndcg_cut_10", "AP": "map", "RR": "recip_rank", "P@5": "P_5", "R@10": "recall_10"}


@pytest.fixture(scope="module")
def collection():
    return rankgauge.examples.load()


def nested(frame):
    found = {}
    for query, document, value in frame.iter_rows():
        found.setdefault(query, {})[document] = value
    return found


@pytest.fixture(scope="module")
def printed(collection):
    """What pytrec_eval gives: system → query → its name of a measure → value."""
    pytrec_eval = pytest.importorskip("pytrec_eval")
    judged = pytrec_eval.RelevanceEvaluator(nested(collection.judgments), set(NAMES.values()))
    return {name: judged.evaluate(nested(run)) for name, run in collection.runs.items()}


def test_every_value_is_that_of_pytrec_eval(collection, printed):
    scores = rankgauge.evaluate(collection.judgments, collection.runs, list(NAMES), like="trec_eval-9").per_query()
    for system, theirs in printed.items():
        for query, values in theirs.items():
            ours = scores[system][query]
            assert {name: ours[name] for name in NAMES} == pytest.approx(
                {name: values[other] for name, other in NAMES.items()}, abs=1e-12
            )


def test_tied_scores_count_as_in_scikit_learn(collection):
    metrics = pytest.importorskip("sklearn.metrics")
    run = collection.runs["best-feature"]
    ours = rankgauge.evaluate(collection.judgments, run, "nDCG@10", like="sklearn").per_query()["run"]
    judged, found = nested(collection.judgments), nested(run)
    for query in [query for query, grades in judged.items() if len(grades) > 1]:
        grades, scores = list(judged[query].values()), [found[query][document] for document in judged[query]]
        assert ours[query]["nDCG@10"] == pytest.approx(metrics.ndcg_score([grades], [scores], k=10), abs=1e-12)


def test_a_printed_mean_is_traced_back_to_its_tool(collection, printed):
    mean = np.mean([values["ndcg_cut_10"] for values in printed["best-feature"].values()])
    found = rankgauge.reconcile(f"{mean:.4f}", collection.judgments, collection.runs["best-feature"], "nDCG@10")
    assert any(tool.startswith(("trec_eval", "pytrec_eval")) for tool in found.best.tools)
