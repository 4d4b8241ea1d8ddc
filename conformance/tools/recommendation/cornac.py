"""Cornac: metric.compute for each user with a positive item, and the mean, as its ranking_eval does."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from cornac import metrics
from given import Case, lists, mean

TOOLS = ("cornac",)
PACKAGE = "cornac"


def measures(case: Case, _tool: str) -> dict[str, Callable[[], float]]:
    given, k = lists(case), case["k"]

    def value(metric: Any) -> float:
        found = []
        for one in given:
            if not one.relevant:
                continue
            names = {name: at for at, name in enumerate(dict.fromkeys((*one.documents, *one.grades)))}
            ranked = np.array([names[name] for name in one.documents], int)
            positive = np.array([names[name] for name in one.relevant], int)
            told = {"gt_pos": positive, "pd_rank": ranked, "item_indices": ranked, "pd_scores": np.array(one.scores)}
            found.append(metric.compute(**told))
        return mean(found)

    kinds = {"nDCG@k": metrics.NDCG(k), "nDCG": metrics.NDCG(), "AP": metrics.MAP(), "RR": metrics.MRR()}
    kinds |= {"P@k": metrics.Precision(k), "R@k": metrics.Recall(k), "Hit@k": metrics.HitRatio(k)}
    return {name: partial(value, kind) for name, kind in kinds.items()}
