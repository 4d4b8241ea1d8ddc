"""Intervals at the level that decides, so that an interval never contradicts its verdict."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankgauge.arrays import Flags, Floats, Ints


@dataclass(frozen=True, slots=True)
class Shown:
    """Bounds of one value per pair."""

    low: Floats
    high: Floats


def t_quantile(queries: Ints, tail: Floats | float) -> Floats:
    """|t| that is exceeded on either side with chance `tail`, for this many queries."""
    from scipy.special import stdtrit

    tails = np.clip(np.asarray(tail, dtype=np.float64) / 2.0, 1e-300, 0.5)
    found: Floats = -stdtrit(np.maximum(np.asarray(queries) - 1, 1), tails)
    return found


def widened(value: Floats, low: Floats, high: Floats, factor: Floats) -> Shown:
    """The same interval with both arms longer."""
    return Shown(value - (value - low) * factor, value + (high - value) * factor)


def agreeing(value: Floats, shown: Shown, found: Flags, ratio: Floats) -> Shown:
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
    return Shown(low, high)
