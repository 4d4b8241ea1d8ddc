"""TensorFlow Ranking: Keras metrics with topn, lists padded with the label -1, and a fixed seed, as it draws lots for ties."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import tensorflow as tf
import tensorflow_ranking as tfr
from given import Case, pairs

TOOLS = ("tensorflow-ranking",)
PACKAGE = "tensorflow-ranking"  # with tensorflow 2.15: it has no release for Keras 3
CLASSES = {
    "nDCG": "NDCGMetric",
    "AP": "MeanAveragePrecisionMetric",
    "RR": "MRRMetric",
    "P": "PrecisionMetric",
    "R": "RecallMetric",
    "Hit": "HitsMetric",
}
NAMES = ("nDCG@k", "nDCG", "AP@k", "AP", "RR@k", "P@k", "R@k", "Hit@k")


def measures(case: Case, _tool: str) -> dict[str, Callable[[], float]]:
    found = list(pairs(case).values())
    shape = (len(found), max(len(grades) for grades, _ in found))
    grades, scores = np.full(shape, -1, np.float32), np.zeros(shape, np.float32)
    for at, (labels, given) in enumerate(found):
        grades[at, : len(labels)], scores[at, : len(labels)] = labels, given
    binary = np.where(grades < 0, grades, grades >= case["rel"]).astype(np.float32)

    def value(name: str) -> float:
        kind, cut, _ = name.partition("@")
        tf.random.set_seed(1)
        metric: Any = getattr(tfr.keras.metrics, CLASSES[kind])(topn=case["k"] if cut else None)
        return float(metric(grades if kind == "nDCG" else binary, scores))

    return {name: partial(value, name) for name in NAMES}
