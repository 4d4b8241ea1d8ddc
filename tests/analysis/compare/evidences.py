"""Evidence put together by hand, so that verdicts can be checked number by number."""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgauge.analysis.compare.evidence import Evidence, SystemSummary
from rankgauge.analysis.compare.options import Design
from rankgauge.analysis.compare.statistics.ranks import RankIntervals
from rankgauge.analysis.compare.statistics.shares import Bounded, exactly
from rankgauge.evaluation.intervals import Intervals, Moments


def design_of(pairs: int, **options: Any) -> Design:
    """So many systems against one baseline."""
    systems = ("base", *(f"s{number}" for number in range(1, pairs + 1)))
    return Design(**{"systems": systems, "measures": ("M",), "test": "t", "correction": "none"} | options)


def evidence_of(mean: list[float], p: list[float] | Bounded, *, queries: int = 25, **changes: Any) -> Evidence:
    """Pairs with these mean differences and p-values; a standard deviation of 1 and intervals of ±0.4 unless given."""
    middle, count = np.array(mean), np.full(len(mean), queries)
    one, places = np.ones(len(mean)), np.arange(1, len(mean) + 2)
    usual: dict[str, Any] = {
        "measure": "M",
        "queries": queries,
        "systems": tuple(SystemSummary(f"s{n}", 0.5, 0.4, 0.6, 1.0, queries, n, n, n) for n in places.tolist()),
        "ranks": RankIntervals(places, places, places, np.zeros((len(mean), 2), dtype=np.int64)),
        "sample": Moments(count, middle, one),
        "interval": Intervals(middle, middle - 0.4, middle + 0.4, count),
        "p": p if isinstance(p, Bounded) else exactly(np.array(p)),
        "refine": None,
        "family": None,
        "critical": float("nan"),
        "p_equivalence": np.nan * one,
        "effect": middle,
        "effect_error": 0.2 * one,
        "noise": one,
        "direction": np.sign(middle),
        "wins": count - 10,
        "losses": count - 18,
        "notes": (),
    }
    return Evidence(**usual | changes)


def between(*bounds: tuple[float, float]) -> Bounded:
    """p-values known only within bounds; the middle is the estimate."""
    low, high = np.array(bounds).T
    return Bounded((low + high) / 2.0, low.copy(), high.copy())
