"""trectools: TrecEval on files, with its defaults; AP is get_map, nDCG-exp its nDCG with trec_eval=False."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import partial

from given import Case, files
from trectools import TrecEval, TrecQrel, TrecRun

TOOLS = ("trectools",)
PACKAGE = "trectools"


def measures(case: Case, _tool: str) -> dict[str, Callable[[], float]]:
    def value(name: str, depth: int | None = None, **told: bool) -> float:
        with tempfile.TemporaryDirectory() as folder:
            judged, run = files(case, folder)
            tool = TrecEval(TrecRun(run), TrecQrel(judged))
        return getattr(tool, f"get_{name}")(**({} if depth is None else {"depth": depth}), **told)

    k = case["k"]
    return {
        "nDCG@k": partial(value, "ndcg", k),
        "nDCG-exp@k": partial(value, "ndcg", k, trec_eval=False),
        "AP@k": partial(value, "map", k),
        "AP": partial(value, "map"),
        "RR@k": partial(value, "reciprocal_rank", k),
        "P@k": partial(value, "precision", k),
        "R@k": partial(value, "recall", k),
    }
