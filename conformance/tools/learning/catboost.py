"""CatBoost: utils.eval_metric on labels and scores; all but NDCG with labels 0 and 1."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from catboost.utils import eval_metric
from given import Case, pairs

TOOLS = ("catboost", "catboost-exp", "catboost-position")
PACKAGE = "catboost"
TYPES = {"catboost": "Base;denominator=LogPosition", "catboost-exp": "Exp;denominator=LogPosition"}
BINARY = {"AP@k": "MAP:top={k}", "AP": "MAP", "RR@k": "MRR:top={k}", "RR": "MRR"}
BINARY |= {"P@k": "PrecisionAt:top={k}", "R@k": "RecallAt:top={k}"}


def measures(case: Case, tool: str) -> dict[str, Callable[[], float]]:
    found = pairs(case)
    grades = [float(grade) for grades, _ in found.values() for grade in grades]
    scores = [score for _, scores in found.values() for score in scores]
    groups = [at for at, (grades, _) in enumerate(found.values()) for _ in grades]
    labels = [float(grade >= case["rel"]) for grade in grades]
    kind = TYPES.get(tool, "Base;denominator=Position")

    def one(target: list[float], metric: str) -> float:
        (value,) = eval_metric(target, scores, metric, group_id=groups)
        return value

    graded = {"nDCG@k": f"NDCG:top={case['k']};type={kind}", "nDCG": f"NDCG:type={kind}"}
    values = {name: partial(one, grades, metric) for name, metric in graded.items()}
    if tool == "catboost":
        values |= {name: partial(one, labels, metric.format(k=case["k"])) for name, metric in BINARY.items()}
    return values
