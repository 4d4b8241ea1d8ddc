"""Many comparisons at once: p-values adjusted so that α keeps its meaning for the whole family, and intervals at the level
that decides, so that an interval never contradicts its verdict.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rankgauge.arrays import Flags, Floats, Ints
from rankgauge.errors import UsageError, did_you_mean


def adjust(p_values: npt.ArrayLike, correction: str) -> Floats:
    """Adjusted p-values in the order given; nan (nothing could be tested) stays nan and is not counted."""
    if correction not in CORRECTIONS:
        raise UsageError(f"unknown correction {correction!r}; {did_you_mean(correction, CORRECTIONS)}")
    p_values = np.asarray(p_values, dtype=np.float64)
    adjusted = np.full(p_values.shape, np.nan)
    tested = ~np.isnan(p_values)
    adjusted[tested] = CORRECTIONS[correction](p_values[tested])
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


CORRECTIONS: dict[str, Callable[[Floats], Floats]] = {
    "holm": holm,
    "bh": benjamini_hochberg,
    # p-values by max-t hold for the family as they are; what is adjusted here (equivalence) takes Holm's steps.
    "max-t": holm,
    "none": np.positive,
}


@dataclass(frozen=True, slots=True)
class Bounds:
    """Bounds of one value per pair."""

    low: Floats
    high: Floats


def t_quantile(queries: Ints, tail: Floats | float) -> Floats:
    """|t| that is exceeded on either side with chance `tail`, for this many queries."""
    from scipy.special import stdtrit

    tails = np.clip(np.asarray(tail, dtype=np.float64) / 2.0, 1e-300, 0.5)
    found: Floats = -stdtrit(np.maximum(np.asarray(queries) - 1, 1), tails)
    return np.maximum(found, 0.0)  # where the tail is all, older versions of SciPy are a rounding below


def widened(value: Floats, low: Floats, high: Floats, factor: Floats) -> Bounds:
    """The same interval with both arms longer."""
    return Bounds(value - (value - low) * factor, value + (high - value) * factor)


def agreeing(value: Floats, shown: Bounds, found: Flags, ratio: Floats) -> Bounds:
    """Bounds that exclude 0 exactly where a difference was `found`.

    A test and an interval rest on different assumptions and may stand on different sides of 0 when 0 is very near a
    bound. There the test decides, and the interval takes its width from it (Miettinen's test-based interval): `ratio` is
    the quantile of the level over that of the p-value, below 1 for a finding.
    """
    low, high = shown.low.copy(), shown.high.copy()
    excludes = (low > 0.0) | (high < 0.0)
    arm = np.where(value > 0.0, value - low, high - value)
    for place in np.flatnonzero(excludes != found):
        if np.isnan(low[place]):
            continue
        wanted = min(float(ratio[place]), 1.0 - 1e-6) if found[place] else max(float(ratio[place]), 1.0 + 1e-6)
        if arm[place] > 0.0 and np.isfinite(wanted) and wanted < 2.0:
            factor = wanted * abs(value[place]) / arm[place]
            low[place] = value[place] - (value[place] - low[place]) * factor
            high[place] = value[place] + (high[place] - value[place]) * factor
        else:
            low[place], high[place] = min(low[place], 0.0), max(high[place], 0.0)
    return Bounds(low, high)
