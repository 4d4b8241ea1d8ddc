"""torchmetrics: the classes of retrieval with top_k; nDCG with the grades, the others with labels 0 and 1."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import torch
from given import Case, pairs
from torchmetrics import retrieval

TOOLS = ("torchmetrics", "torchmetrics-skip", "torchmetrics-pos")
PACKAGE = "torchmetrics"
CLASSES = {
    "nDCG@k": retrieval.RetrievalNormalizedDCG,
    "nDCG": retrieval.RetrievalNormalizedDCG,
    "AP@k": retrieval.RetrievalMAP,
    "AP": retrieval.RetrievalMAP,
    "RR@k": retrieval.RetrievalMRR,
    "RR": retrieval.RetrievalMRR,
    "P@k": retrieval.RetrievalPrecision,
    "R@k": retrieval.RetrievalRecall,
    "Hit@k": retrieval.RetrievalHitRate,
}


def measures(case: Case, tool: str) -> dict[str, Callable[[], float]]:
    found = pairs(case)
    _, _, empty = tool.partition("-")
    grades = torch.tensor([grade for grades, _ in found.values() for grade in grades])
    scores = torch.tensor([float(score) for _, scores in found.values() for score in scores])
    places = torch.tensor([at for at, (grades, _) in enumerate(found.values()) for _ in grades])

    def one(name: str) -> float:
        settings = {"top_k": case["k"]} if name.endswith("@k") else {}
        metric = CLASSES[name](empty_target_action=empty or "neg", **settings)
        target = grades if name.startswith("nDCG") else (grades >= case["rel"]).long()
        return float(metric(scores, target, indexes=places))

    return {name: partial(one, name) for name in CLASSES}
