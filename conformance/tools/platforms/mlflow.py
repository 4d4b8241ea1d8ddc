"""MLflow: the metrics of retrievers, a row for each judged query, the mean over rows."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import mlflow.metrics
import pandas as pd
from given import Case, lists
from mlflow import version

TOOLS = ("mlflow",)
PACKAGE = "mlflow"
VERSION = version.VERSION  # also that of mlflow-skinny
NAMES = {"nDCG@k": "ndcg_at_k", "P@k": "precision_at_k", "R@k": "recall_at_k"}


def measures(case: Case, _tool: str) -> dict[str, Callable[[], float]]:
    given = lists(case)

    def value(metric: Any) -> float:
        returned = pd.Series([one.documents for one in given])
        relevant = pd.Series([one.relevant for one in given])
        return metric(case["k"]).eval_fn(returned, relevant).aggregate_results["mean"]

    return {ours: partial(value, getattr(mlflow.metrics, theirs)) for ours, theirs in NAMES.items()}
