"""rs_metrics: its functions on dicts of lists."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import rs_metrics
from given import Case, lists

TOOLS = ("rs_metrics",)
PACKAGE = "rs_metrics"
NAMES = {"nDCG@k": "ndcg", "AP@k": "mapr", "RR@k": "mrr", "P@k": "precision", "R@k": "recall", "Hit@k": "hitrate"}


def measures(case: Case, _tool: str) -> dict[str, Callable[[], float]]:
    given = lists(case)
    relevant = {one.query: one.relevant for one in given}
    returned = {one.query: one.documents for one in given}

    def value(metric: Any) -> float:
        return metric(relevant, returned, k=case["k"])

    return {ours: partial(value, getattr(rs_metrics, theirs)) for ours, theirs in NAMES.items()}
