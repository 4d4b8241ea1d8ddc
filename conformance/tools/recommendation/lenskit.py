"""LensKit: RunAnalysis with test items of at least the relevant grade; for lenskit-graded all judgments are ratings."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from given import Case, pairs
from lenskit.data import ItemList, ItemListCollection
from lenskit.metrics import NDCG, Hit, Precision, Recall, RecipRank, RunAnalysis
from lenskit.metrics.ranking import AveragePrecision

TOOLS = ("lenskit", "lenskit-graded")
PACKAGE = "lenskit"


def measures(case: Case, tool: str) -> dict[str, Callable[[], float]]:
    k = case["k"]
    run: dict[str, list[tuple[str, float]]] = {query: [] for query in pairs(case)}
    for query, document, score in case["run"]:
        run[query].append((document, score))
    outputs, tests = ItemListCollection(["user_id"]), ItemListCollection(["user_id"])
    for query, rows in run.items():
        rows.sort(key=lambda row: -row[1])
        outputs.add(
            ItemList([name for name, _ in rows], scores=[score for _, score in rows], ordered=True), user_id=query
        )
    for query, grades in case["judgments"].items():
        graded = tool == "lenskit-graded"
        kept = {name: grade for name, grade in grades.items() if graded or grade >= case["rel"]}
        ratings = {"rating": [float(grade) for grade in kept.values()]} if graded else {}
        tests.add(ItemList(list(kept), **ratings), user_id=query)

    def value(metric: Any) -> float:
        analysis = RunAnalysis()
        analysis.add_metric(metric)
        return float(analysis.measure(outputs, tests).list_summary()["mean"].iloc[0])

    if tool == "lenskit-graded":
        kinds: dict[str, Any] = {"nDCG@k": NDCG(k, gain="rating"), "nDCG": NDCG(gain="rating")}
    else:
        kinds = {"nDCG@k": NDCG(k), "nDCG": NDCG(), "AP@k": AveragePrecision(k), "AP": AveragePrecision()}
        kinds |= {"RR@k": RecipRank(k), "RR": RecipRank(), "P@k": Precision(k), "R@k": Recall(k), "Hit@k": Hit(k)}
    return {name: partial(value, kind) for name, kind in kinds.items()}
