"""XGBoost: the scores are the base_margin of an empty booster, so that its metrics are theirs."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

import numpy as np
import xgboost
from given import Case, pairs

TOOLS = ("xgboost", "xgboost-minus", "xgboost-linear")
PACKAGE = "xgboost-cpu"
VERSION = xgboost.__version__


def measures(case: Case, tool: str) -> dict[str, Callable[[], float]]:
    lists = pairs(case)
    grades = np.concatenate([np.array(grades, float) for grades, _ in lists.values()])
    binary = (grades >= case["rel"]).astype(float)
    k, sign = case["k"], "-" if tool == "xgboost-minus" else ""
    exponential = tool != "xgboost-linear"
    graded = {"nDCG@k": f"ndcg@{k}{sign}", "nDCG": f"ndcg{sign}"}
    counted = {"AP@k": f"map@{k}{sign}", "AP": f"map{sign}", "P@k": f"pre@{k}{sign}"}

    @cache
    def metrics(*, is_graded: bool) -> list[float]:
        names = graded if is_graded else counted
        return _metrics(lists, grades if is_graded else binary, list(names.values()), exponential=exponential)

    def one(name: str) -> float:
        names = list(graded if name in graded else counted)
        return metrics(is_graded=name in graded)[names.index(name)]

    return {name: partial(one, name) for name in (*graded, *counted)}


def _metrics(
    lists: dict[str, tuple[list[float], list[float]]], labels: np.ndarray, names: list[str], *, exponential: bool
) -> list[float]:
    data = xgboost.DMatrix(np.zeros((len(labels), 1)), label=labels, nthread=1)
    data.set_group([len(grades) for grades, _ in lists.values()])
    data.set_base_margin(np.concatenate([np.array(scores, np.float32) for _, scores in lists.values()]))
    settings = {"objective": "rank:ndcg", "ndcg_exp_gain": exponential, "nthread": 1, "verbosity": 0}
    booster = xgboost.Booster(settings, [data])
    booster.set_param([("eval_metric", name) for name in names])
    return [float(part.split(":")[-1]) for part in booster.eval(data).split("\t")[1:]]
