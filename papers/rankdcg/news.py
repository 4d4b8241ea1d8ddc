"""Table 2 on real data: news ranked by their shares after 1, 2, 4 and 12 hours, each a better prediction of the final shares.

The paper's users are not public; these windows of 100 news items are those of papers/ndcg-phi.
"""

from __future__ import annotations

import functools
import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np

import rankgauge

MEASURES = ("tau_b", "exact_AP", "nDCG", "nDCG(relevance=phi, gain=exp)", "rankDCG")
PLACE = Path(__file__).parents[1] / "ndcg-phi" / "popularity.py"


@functools.cache
def popularity() -> Any:
    spec = importlib.util.spec_from_file_location("popularity", PLACE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["popularity"] = module
    spec.loader.exec_module(module)
    return module


@functools.cache
def values() -> dict[str, np.ndarray]:
    """By measure: ages × windows."""
    truth, early = popularity().shares()
    found = rankgauge.score(list(MEASURES), truth, {f"{at // 3} h": predicted for at, predicted in early.items()})
    return {str(name): found.scores.values[:, :, at] for at, name in enumerate(found.scores.measures)}


def rises() -> dict[str, tuple[float, float]]:
    """By measure: the share of windows in which it rises from age to age, and of pairs of neighboring ages."""
    return {name: _rises(np.diff(np.nan_to_num(rows, nan=-np.inf), axis=0)) for name, rows in values().items()}


def _rises(steps: np.ndarray) -> tuple[float, float]:
    return float((steps > 0).all(axis=0).mean()), float((steps > 0).mean())


def windows() -> int:
    return len(popularity().shares()[0])
