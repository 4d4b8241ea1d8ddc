"""Curves that turn a judged value into relevance, relevance into gain, and a rank into a weight.

Those of most calls stand here; the others are loaded when a measure names one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from rankgauge.arrays import Floats, Ints
    from rankgauge.kernels.hits import Pool


def identity(value: Floats, query: Ints, pool: Pool) -> Floats:
    """The judged value; negative ones count as 0."""
    # Mostly there is nothing to clip, and then a copy of everything judged would be made for nothing.
    return np.maximum(value, 0) if value.min(initial=0) < 0 else value


def linear(relevance: Floats) -> Floats:
    """The relevance itself: Järvelin & Kekäläinen 2002."""
    return relevance


def log2(rank: Floats, cutoff: int | None) -> Floats:
    """1 / log2(rank + 1): nDCG as practiced."""
    return 1 / np.log2(rank + 1)
