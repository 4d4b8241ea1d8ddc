"""allRank: its functions ndcg and mrr on lists padded with the label -1."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from given import Case, pairs, without

with without(
    "torchvision", "torchvision.transforms", "tensorboardX", "gcsfs", "flatten_dict"
):  # only its training needs them
    from allrank.models.metrics import mrr, ndcg

TOOLS = ("allrank",)
PACKAGE = "allrank"  # pip install --no-deps allrank attrs scikit-learn "setuptools<81": what it asks for is older than Python 3.10


def measures(case: Case, _tool: str) -> dict[str, Callable[[], float]]:
    found = pairs(case).values()
    longest = max(len(grades) for grades, _ in found)
    labels, scores = torch.full((len(found), longest), -1.0), torch.zeros((len(found), longest))
    for at, (grades, given) in enumerate(found):
        labels[at, : len(grades)] = torch.tensor(grades).float()
        scores[at, : len(grades)] = torch.tensor(given).float()

    def one(metric: Any) -> float:
        return float(metric(scores, labels, ats=[case["k"]]).mean())

    return {"nDCG@k": partial(one, ndcg), "RR@k": partial(one, mrr)}
