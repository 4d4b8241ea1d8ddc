"""mapk of ml_metrics, which Kaggle's competitions used; a row for each judged query."""

from __future__ import annotations

from collections.abc import Callable

from given import Case, lists
from ml_metrics import mapk

TOOLS = ("kaggle-mapk",)
PACKAGE = "ml_metrics"


def measures(case: Case, _tool: str) -> dict[str, Callable[[], float]]:
    given = lists(case)
    return {"AP@k": lambda: mapk([one.relevant for one in given], [one.documents for one in given], case["k"])}
