"""Spark: RankingMetrics of mllib and RankingEvaluator of ml; a row for each judged query."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

from given import Case, lists
from pyspark.ml.evaluation import RankingEvaluator
from pyspark.mllib.evaluation import RankingMetrics
from pyspark.sql import SparkSession

TOOLS = ("spark", "spark-graded", "spark-ml")
PACKAGE = "pyspark"
METHODS = {"nDCG@k": "ndcgAt", "AP@k": "meanAveragePrecisionAt", "P@k": "precisionAt", "R@k": "recallAt"}
NAMES = {"nDCG@k": "ndcgAtK", "AP@k": "meanAveragePrecisionAtK", "AP": "meanAveragePrecision"}
NAMES |= {"P@k": "precisionAtK", "R@k": "recallAtK"}


@cache
def session() -> Any:
    made = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    made.sparkContext.setLogLevel("OFF")
    return made


def measures(case: Case, tool: str) -> dict[str, Callable[[], float]]:
    given, k = lists(case), case["k"]
    places = {
        name: float(at)
        for at, name in enumerate(dict.fromkeys(d for one in given for d in (*one.documents, *one.grades)))
    }

    def numbers(names: Any) -> list[float]:
        return [places[name] for name in names]

    if tool == "spark-ml":
        rows = [(numbers(one.documents), numbers(one.relevant)) for one in given]

        def by_name(name: str) -> float:
            table = session().createDataFrame(rows, "prediction array<double>, label array<double>")
            return RankingEvaluator(k=k, metricName=name).evaluate(table)

        return {ours: partial(by_name, theirs) for ours, theirs in NAMES.items()}

    def metrics() -> RankingMetrics:
        if tool == "spark":
            rows = [(numbers(one.documents), numbers(one.relevant)) for one in given]
        else:
            rows = [
                (numbers(one.documents), numbers(one.grades), [float(g) for g in one.grades.values()]) for one in given
            ]
        return RankingMetrics(session().sparkContext.parallelize(rows))

    if tool == "spark-graded":
        return {"nDCG@k": lambda: metrics().ndcgAt(k)}
    found = {ours: partial(lambda name: getattr(metrics(), name)(k), theirs) for ours, theirs in METHODS.items()}
    return found | {"AP": lambda: metrics().meanAveragePrecision}
