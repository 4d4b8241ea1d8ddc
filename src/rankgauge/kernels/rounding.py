"""How many documents a share of the relevant ones is: tools round differently, and the number changes with it."""

from __future__ import annotations

from typing import Literal

import numpy as np

from rankgauge.kernels.hits import Floats, Ints

Rounding = Literal["up", "nearest", "trec"]


def documents_for(share: float, relevant: Ints, rounding: Rounding) -> Ints:
    """share · relevant as a whole number of documents.

    up       the fewest that reach the share
    nearest  halves go up, as in trec_eval 10
    trec     up, unless the remainder is below a tenth, as in trec_eval 9
    """
    exact: Floats = share * relevant.astype(np.float64)
    if rounding == "up":
        # 0.07 · 100 is a little more than 7 in binary.
        return np.ceil(exact - 1e-9).astype(np.int64)
    if rounding == "nearest":
        down = np.floor(exact)
        return (down + (exact - down >= 0.5)).astype(np.int64)
    return np.floor(exact + 0.9).astype(np.int64)
