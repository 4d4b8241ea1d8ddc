"""ranx: evaluate, with make_comparable (ranx) and without it (ranx-strict, its default)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from given import Case, dicts
from ranx import Qrels, Run, evaluate

TOOLS = ("ranx", "ranx-strict")
PACKAGE = "ranx"
NAMES = {
    "nDCG@k": "ndcg@{k}",
    "nDCG-exp@k": "ndcg_burges@{k}",
    "AP@k": "map@{k}",
    "AP": "map",
    "RR@k": "mrr@{k}",
    "RR": "mrr",
    "P@k": "precision@{k}",
    "R@k": "recall@{k}",
    "Hit@k": "hit_rate@{k}",
    "nDCG": "ndcg",
}


def measures(case: Case, tool: str) -> dict[str, Callable[[], float]]:
    judged, run = dicts(case)

    def one(name: str) -> float:
        return evaluate(Qrels(judged), Run(run), name.format(k=case["k"]), make_comparable=tool == "ranx")

    return {ours: partial(one, theirs) for ours, theirs in NAMES.items()}
