"""Evidently: a Report of its ranking metrics on a row per candidate; nDCG-all counts users without feedback."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pandas as pd
from evidently import DataDefinition, Dataset, Recsys, Report
from evidently.metrics import MAP, MRR, NDCG, HitRate, PrecisionTopK, RecallTopK
from given import Case, pairs

TOOLS = ("evidently",)
PACKAGE = "evidently"
CLASSES = {"nDCG@k": NDCG, "AP@k": MAP, "RR@k": MRR, "P@k": PrecisionTopK, "R@k": RecallTopK, "Hit@k": HitRate}


def measures(case: Case, _tool: str) -> dict[str, Callable[[], float]]:
    rows = [
        (query, str(at), float(grade), float(score))
        for query, (grades, scores) in pairs(case).items()
        for at, (grade, score) in enumerate(zip(grades, scores, strict=True))
    ]
    table = pd.DataFrame(rows, columns=["user", "item", "target", "prediction"])
    roles = Recsys(
        user_id="user", item_id="item", target="target", prediction="prediction", recommendations_type="score"
    )

    def value(metric: Any) -> float:
        data = Dataset.from_pandas(table, data_definition=DataDefinition(ranking=[roles]))
        (found,) = Report([metric]).run(data, None).metric_results.values()
        values = found.value["value"]  # at cutoffs 1, 2, …; the column beside it calls them 2, 3, …
        return float(values.iloc[min(case["k"], len(values)) - 1])

    kinds = {name: kind(k=case["k"]) for name, kind in CLASSES.items()}
    kinds["nDCG-all@k"] = NDCG(k=case["k"], no_feedback_users=True)
    return {name: partial(value, kind) for name, kind in kinds.items()}
