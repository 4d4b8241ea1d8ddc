"""Recommenders: its functions on tables; ratings with at least the relevant grade, for raw and exp all judgments."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pandas as pd
from given import Case, lists
from recommenders.evaluation import python_evaluation as tool

TOOLS = ("recommenders", "recommenders-raw-log2", "recommenders-exp-log2")
PACKAGE = "recommenders"
NAMES = {"AP@k": "map_at_k", "APR@k": "map", "P@k": "precision_at_k", "R@k": "recall_at_k"}


def measures(case: Case, tool_name: str) -> dict[str, Callable[[], float]]:
    given = lists(case)
    _, _, settings = tool_name.partition("-")
    judged = pd.DataFrame(
        [
            (one.query, name, float(one.grades[name]))
            for one in given
            for name in (one.grades if settings else one.relevant)
        ],
        columns=["userID", "itemID", "rating"],
    )
    returned = pd.DataFrame(
        [(one.query, name, -float(at)) for one in given for at, name in enumerate(one.documents)],
        columns=["userID", "itemID", "prediction"],
    )

    def value(metric: Any, **told: str) -> float:
        return metric(judged, returned, k=case["k"], **told)

    if settings:
        kind, discount = settings.split("-")
        return {"nDCG@k": partial(value, tool.ndcg_at_k, score_type=kind, discfun_type=discount)}
    return {"nDCG@k": partial(value, tool.ndcg_at_k)} | {
        ours: partial(value, getattr(tool, theirs)) for ours, theirs in NAMES.items()
    }
