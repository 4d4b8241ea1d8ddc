"""Keras Recommenders: its metrics with k, without shuffling ties, on lists padded under a mask."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from given import Case, pairs

os.environ.setdefault("KERAS_BACKEND", "jax")  # read when Keras is imported; the metrics are the same in every backend
import keras_rs

TOOLS = ("keras-rs",)
PACKAGE = "keras-rs"
CLASSES = {
    "nDCG@k": "NDCG",
    "AP@k": "MeanAveragePrecision",
    "RR@k": "MeanReciprocalRank",
    "P@k": "PrecisionAtK",
    "R@k": "RecallAtK",
}


def measures(case: Case, _tool: str) -> dict[str, Callable[[], float]]:
    found = list(pairs(case).values())
    shape = (len(found), max(len(grades) for grades, _ in found))
    grades, scores, there = np.zeros(shape, np.float32), np.zeros(shape, np.float32), np.zeros(shape, bool)
    for at, (labels, given) in enumerate(found):
        grades[at, : len(labels)], scores[at, : len(labels)], there[at, : len(labels)] = labels, given, True
    binary = np.where(grades < 0, grades, grades >= case["rel"]).astype(np.float32)

    def value(name: str) -> float:
        kind: Any = getattr(keras_rs.metrics, CLASSES[name])
        metric = kind(k=case["k"], shuffle_ties=False)
        metric.update_state({"labels": grades if name == "nDCG@k" else binary, "mask": there}, scores)
        return float(metric.result())

    return {name: partial(value, name) for name in CLASSES}
