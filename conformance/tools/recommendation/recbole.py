"""RecBole: its metric classes on a table of hits; a list that is missing has no hit."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from given import Case, lists, without

with without(
    "colorlog", "tensorboard", "torch.utils.tensorboard", "thop", "texttable", "ray"
):  # only its training needs them
    from recbole.evaluator import metrics

if not hasattr(np, "float"):  # its code is older than NumPy 1.24, which took that name away
    np.float = float  # noqa: NPY001 - that is the name

TOOLS = ("recbole",)
PACKAGE = "recbole"
CLASSES = {
    "nDCG@k": metrics.NDCG,
    "AP@k": metrics.MAP,
    "RR@k": metrics.MRR,
    "P@k": metrics.Precision,
    "R@k": metrics.Recall,
    "Hit@k": metrics.Hit,
}


class _Settings(dict[str, Any]):
    """What the classes read of RecBole's own settings."""


def measures(case: Case, _tool: str) -> dict[str, Callable[[], float]]:
    k = case["k"]
    given = lists(case)
    hits = np.zeros((len(given), max(k, *(len(one.documents) for one in given))), bool)
    for at, one in enumerate(given):
        hits[at, : len(one.documents)] = [document in one.relevant for document in one.documents]
    relevant = np.array([len(one.relevant) for one in given])

    def value(kind: Any) -> float:
        metric = kind(_Settings(topk=[k], metric_decimal_place=16))
        metric.used_info = lambda _: (hits, relevant)
        (found,) = metric.calculate_metric(None).values()
        return found

    return {name: partial(value, kind) for name, kind in CLASSES.items()}
