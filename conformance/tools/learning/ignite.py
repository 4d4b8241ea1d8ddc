"""PyTorch-Ignite: rec_sys.NDCG and HitRate, one list in each update."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from given import Case, pairs
from ignite.metrics.rec_sys import NDCG, HitRate

TOOLS = ("ignite", "ignite-linear-zero")
PACKAGE = "pytorch-ignite"


def measures(case: Case, tool: str) -> dict[str, Callable[[], float]]:
    zero = {"ignore_zero_hits": False} if tool.endswith("-zero") else {}
    linear = {"gain_function": "linear_rank"} if tool.endswith("-zero") else {}

    def one(make: Callable[[], Any]) -> float:
        metric = make()
        for grades, scores in pairs(case).values():
            metric.update((torch.tensor([scores]).float(), torch.tensor([grades]).float()))
        return float(metric.compute()[0])

    return {
        "nDCG@k": partial(one, lambda: NDCG(top_k=[case["k"]], **zero, **linear)),
        "Hit@k": partial(one, lambda: HitRate(top_k=[case["k"]], **zero)),
    }
