"""BEIR: evaluate and evaluate_custom of EvaluateRetrieval, which round to 5 digits."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from beir.retrieval.evaluation import EvaluateRetrieval
from given import Case, dicts

TOOLS = ("beir",)
PACKAGE = "beir"


def measures(case: Case, _tool: str) -> dict[str, Callable[[], float]]:
    dicts(case)  # a case that cannot be given is said at once
    k = case["k"]

    def usual(place: int) -> float:
        # It takes documents with the id of their query out of the dict that it is given: each call has its own.
        (value,) = EvaluateRetrieval.evaluate(*dicts(case), [k], ignore_identical_ids=True)[place].values()
        return value

    def custom(metric: str) -> float:
        (value,) = EvaluateRetrieval.evaluate_custom(*dicts(case), [k], metric=metric).values()
        return value

    found = {name: partial(usual, place) for place, name in enumerate(("nDCG@k", "AP@k", "R@k", "P@k"))}
    return found | {
        "RR@k": partial(custom, "mrr"),
        "Rcap@k": partial(custom, "recall_cap"),
        "Hit@k": partial(custom, "top_k_accuracy"),
    }
