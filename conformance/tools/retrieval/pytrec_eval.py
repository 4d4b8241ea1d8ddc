"""pytrec_eval (pytrec-eval-terrier): dicts in, a value per query out, the mean over the queries it returns."""

from __future__ import annotations

from collections.abc import Callable

import pytrec_eval
from given import Case, dicts, mean

TOOLS = ("pytrec_eval",)
PACKAGE = "pytrec-eval-terrier"


def measures(case: Case, _tool: str) -> dict[str, Callable[[], float]]:
    judged, run = dicts(case)
    k = case["k"]
    names = {
        "nDCG@k": f"ndcg_cut_{k}",
        "AP@k": f"map_cut_{k}",
        "AP": "map",
        "RR": "recip_rank",
        "P@k": f"P_{k}",
        "R@k": f"recall_{k}",
        "Hit@k": f"success_{k}",
        "nDCG": "ndcg",
    }
    asked = {f"{name}.{k}" for name in ("ndcg_cut", "map_cut", "P", "recall", "success")} | {
        "map",
        "recip_rank",
        "ndcg",
    }

    def one(name: str) -> float:
        found = pytrec_eval.RelevanceEvaluator(judged, asked).evaluate(run)
        return mean([values[name] for values in found.values()])

    return {ours: lambda theirs=theirs: one(theirs) for ours, theirs in names.items()}
