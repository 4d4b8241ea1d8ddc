"""RecTools: its classes on tables of interactions and recommendations; nDCG-e has natural logarithms."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import pandas as pd
from given import Case, lists
from rectools.metrics import MAP, MRR, NDCG, HitRate, Precision, Recall

TOOLS = ("rectools", "rectools-achievable")
PACKAGE = "rectools"


def measures(case: Case, tool: str) -> dict[str, Callable[[], float]]:
    given, k = lists(case), case["k"]
    names = {
        name: at for at, name in enumerate(dict.fromkeys(d for one in given for d in (*one.documents, *one.grades)))
    }
    judged = [(at, names[name]) for at, one in enumerate(given) for name in one.relevant]
    returned = [(at, names[name], rank) for at, one in enumerate(given) for rank, name in enumerate(one.documents, 1)]
    interactions = pd.DataFrame(judged, columns=["user_id", "item_id"])
    recommended = pd.DataFrame(returned, columns=["user_id", "item_id", "rank"])

    def value(metric: Any) -> float:
        return metric.calc(recommended, interactions)

    if tool == "rectools-achievable":
        kinds = {"nDCG@k": NDCG(k=k, divide_by_achievable=True), "AP@k": MAP(k=k, divide_by_k=True)}
    else:
        kinds = {"nDCG@k": NDCG(k=k), "AP@k": MAP(k=k), "RR@k": MRR(k=k), "P@k": Precision(k=k), "R@k": Recall(k=k)}
        kinds |= {"Hit@k": HitRate(k=k), "nDCG-e@k": NDCG(k=k, log_base=math.e)}
    return {name: partial(value, kind) for name, kind in kinds.items()}
