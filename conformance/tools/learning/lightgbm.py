"""LightGBM: the scores are the init_score of a data set on which no tree can grow, so that its metrics are theirs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import lightgbm
import numpy as np
from given import Case, pairs

TOOLS = ("lightgbm",)
PACKAGE = "lightgbm"


def measures(case: Case, _tool: str) -> dict[str, Callable[[], float]]:
    lists = pairs(case)
    k = case["k"]
    grades = np.concatenate([np.array(grades, float) for grades, _ in lists.values()])
    return {
        "nDCG@k": partial(_metric, lists, grades, "ndcg", k),
        "AP@k": partial(_metric, lists, (grades >= case["rel"]).astype(float), "map", k),
    }


def _metric(lists: dict[str, tuple[list[float], list[float]]], labels: np.ndarray, metric: str, k: int) -> float:
    scores = np.concatenate([np.array(scores, float) for _, scores in lists.values()])
    data = lightgbm.Dataset(
        np.zeros((len(labels), 1)),
        label=labels,
        group=[len(grades) for grades, _ in lists.values()],
        init_score=scores,
        params={"feature_pre_filter": False, "verbose": -1},
        free_raw_data=False,
    )
    settings = {
        "objective": "lambdarank",
        "metric": metric,
        "eval_at": [k],
        "verbose": -1,
        "min_data_in_leaf": len(labels) + 1,
        "num_threads": 1,
        "label_gain": [2**grade - 1 for grade in range(31)],
    }
    seen: dict[str, dict[str, list[float]]] = {}
    lightgbm.train(
        settings,
        data,
        num_boost_round=1,
        valid_sets=[data],
        valid_names=["here"],
        callbacks=[lightgbm.record_evaluation(seen)],
    )
    return seen["here"][f"{metric}@{k}"][0]
