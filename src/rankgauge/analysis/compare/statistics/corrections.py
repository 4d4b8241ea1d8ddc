"""Many comparisons at once: p-values adjusted so that α keeps its meaning for the whole family."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from rankgauge.arrays import Floats
from rankgauge.errors import UsageError, did_you_mean


def adjust(p_values: npt.ArrayLike, correction: str) -> Floats:
    """Adjusted p-values in the order given; nan (nothing could be tested) stays nan and is not counted."""
    p_values = np.asarray(p_values, dtype=np.float64)
    adjusted = np.full(p_values.shape, np.nan)
    tested = ~np.isnan(p_values)
    adjusted[tested] = _method(correction)(p_values[tested])
    return adjusted


def holm(p_values: Floats) -> Floats:
    """Holm 1979: the chance of even one false alarm in the family stays below α, whatever the dependence."""
    order = np.argsort(p_values, kind="stable")
    factors = len(p_values) - np.arange(len(p_values))
    adjusted = np.empty_like(p_values)
    adjusted[order] = np.minimum(np.maximum.accumulate(p_values[order] * factors), 1.0)
    return adjusted


def benjamini_hochberg(p_values: Floats) -> Floats:
    """Benjamini & Hochberg 1995: the expected share of false alarms among the findings stays below α."""
    order = np.argsort(p_values, kind="stable")[::-1]
    factors = len(p_values) / np.arange(len(p_values), 0, -1)
    adjusted = np.empty_like(p_values)
    adjusted[order] = np.minimum(np.minimum.accumulate(p_values[order] * factors), 1.0)
    return adjusted


def next_level(family: int, found: int, alpha: float, correction: str) -> float:
    """The p-value that one more comparison must reach to become a finding, when `found` of the family already are."""
    found = min(found, family - 1)
    if correction in {"holm", "max-t"}:
        return alpha / (family - found)
    return alpha * (found + 1) / family if correction == "bh" else alpha


def _unchanged(p_values: Floats) -> Floats:
    return p_values


CORRECTIONS: dict[str, Callable[[Floats], Floats]] = {
    "holm": holm,
    "bh": benjamini_hochberg,
    # p-values by max-t hold for the family as they are; what is adjusted here (equivalence) takes Holm's steps.
    "max-t": holm,
    "none": _unchanged,
}


def _method(correction: str) -> Callable[[Floats], Floats]:
    if correction not in CORRECTIONS:
        raise UsageError(f"unknown correction {correction!r}; {did_you_mean(correction, CORRECTIONS)}")
    return CORRECTIONS[correction]
