"""sentence-transformers: compute_metrics of its InformationRetrievalEvaluator on the lists as they are."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

from given import Case, dicts
from sentence_transformers.evaluation import InformationRetrievalEvaluator

TOOLS = ("sentence-transformers",)
PACKAGE = "sentence-transformers"
NAMES = {
    "nDCG@k": "ndcg@k",
    "AP@k": "map@k",
    "RR@k": "mrr@k",
    "P@k": "precision@k",
    "R@k": "recall@k",
    "Hit@k": "accuracy@k",
}


def measures(case: Case, _tool: str) -> dict[str, Callable[[], float]]:
    judged, run = dicts(case)
    k = case["k"]
    relevant = {query: {d for d, grade in of.items() if grade >= case["rel"]} for query, of in judged.items()}

    @cache
    def metrics() -> dict[str, Any]:
        evaluator = InformationRetrievalEvaluator(
            dict.fromkeys(judged, ""),
            {document: "" for of in (*judged.values(), *run.values()) for document in of},
            relevant,
            **{f"{name}_at_k": [k] for name in ("mrr", "ndcg", "accuracy", "precision_recall", "map")},
        )
        hits = [
            [{"corpus_id": document, "score": score} for document, score in run.get(query, {}).items()]
            for query in evaluator.queries_ids
        ]
        return evaluator.compute_metrics(hits)

    return {ours: partial(lambda theirs: metrics()[theirs][k], theirs) for ours, theirs in NAMES.items()}
