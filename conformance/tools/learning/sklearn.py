"""scikit-learn: ndcg_score query by query, and the mean; AP is average_precision_score, AP-lrap the score of label ranking."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from given import Case, mean, pairs
from sklearn.metrics import average_precision_score, label_ranking_average_precision_score, ndcg_score

TOOLS = ("sklearn", "sklearn-ignore_ties")
PACKAGE = "scikit-learn"


def measures(case: Case, tool: str) -> dict[str, Callable[[], float]]:
    lists = pairs(case)
    ignore = tool == "sklearn-ignore_ties"

    def over(one: Callable[[np.ndarray, np.ndarray], float]) -> float:
        return mean([one(np.array([grades]), np.array([scores])) for grades, scores in lists.values()])

    def binary(grades: np.ndarray) -> np.ndarray:
        return (grades >= case["rel"]).astype(int)

    found = {
        "nDCG@k": partial(over, lambda grades, scores: ndcg_score(grades, scores, k=case["k"], ignore_ties=ignore)),
        "nDCG": partial(over, lambda grades, scores: ndcg_score(grades, scores, ignore_ties=ignore)),
    }
    if not ignore:
        found["AP"] = partial(over, lambda grades, scores: average_precision_score(binary(grades)[0], scores[0]))
        found["AP-lrap"] = partial(
            over, lambda grades, scores: label_ranking_average_precision_score(binary(grades), scores)
        )
    return found
