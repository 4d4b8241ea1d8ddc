"""MTEB: calculate_retrieval_scores, which rounds to 5 digits (MRR not)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from given import Case, dicts
from mteb._evaluators.retrieval_metrics import calculate_retrieval_scores

TOOLS = ("mteb",)
PACKAGE = "mteb"


def measures(case: Case, _tool: str) -> dict[str, Callable[[], float]]:
    judged, run = dicts(case)
    k = case["k"]

    def one(field: str, name: str) -> float:
        return getattr(calculate_retrieval_scores(run, judged, [k]), field)[f"{name}@{k}"]

    return {
        "nDCG@k": partial(one, "ndcg", "NDCG"),
        "AP@k": partial(one, "map", "MAP"),
        "R@k": partial(one, "recall", "Recall"),
        "P@k": partial(one, "precision", "P"),
    }
