"""Rax: its metrics on lists padded under a mask, in single precision."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import jax.numpy as jnp
import numpy as np
import rax
from given import Case, pairs

TOOLS = ("rax",)
PACKAGE = "rax"
BINARY = {"AP": rax.ap_metric, "RR": rax.mrr_metric, "P": rax.precision_metric, "R": rax.recall_metric}


def measures(case: Case, _tool: str) -> dict[str, Callable[[], float]]:
    found = list(pairs(case).values())
    shape = (len(found), max(len(grades) for grades, _ in found))
    grades, scores, there = np.zeros(shape, np.float32), np.zeros(shape, np.float32), np.zeros(shape, bool)
    for at, (labels, given) in enumerate(found):
        grades[at, : len(labels)], scores[at, : len(labels)], there[at, : len(labels)] = labels, given, True
    binary = (grades >= case["rel"]).astype(np.float32)

    def value(metric: Any, labels: np.ndarray, *, cut: bool) -> float:
        told = {"topn": case["k"]} if cut else {}
        return float(metric(jnp.array(scores), jnp.array(labels), where=jnp.array(there), **told))

    values = {}
    for name in ("nDCG@k", "nDCG", "AP@k", "AP", "RR@k", "RR", "P@k", "R@k"):
        kind = name.removesuffix("@k")
        metric, labels = (rax.ndcg_metric, grades) if kind == "nDCG" else (BINARY[kind], binary)
        values[name] = partial(value, metric, labels, cut=name.endswith("@k"))
    return values
