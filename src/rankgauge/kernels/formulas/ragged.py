"""nDCG of lists of many lengths: lists of similar length are rows of one matrix, filled up with documents that gain nothing.

The rest of a row has the least score there is, so it comes last and changes no rank; its zeros change no bit of a sum.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankgauge.arrays import Flags, Floats, Ints
from rankgauge.kernels.formulas import dense

LEAST = np.finfo(np.float64).min


def can_fill(scores: NDArray[Any]) -> bool:
    """Whether a score below all of these is left, and doubles tell all of them apart."""
    if scores.dtype.kind != "f":
        return scores.dtype.kind == "b" or scores.dtype.itemsize < 8
    return scores.dtype.itemsize <= 8 and bool(scores.min() > LEAST)


def ndcg(gains: Floats, scores: Floats, offsets: Ints, weights: Floats, *, ties: dense.Ties) -> Floats:
    """The nDCG of every list; `offsets` says where lists begin in the flat columns, and where the last ends."""
    sizes = np.diff(offsets)
    found = np.full(len(sizes), np.nan)
    classes = np.zeros(len(sizes), np.int64) if sizes.max() * len(sizes) < 2 * len(gains) else _bits(sizes)
    for one in np.unique(classes):
        chosen = classes == one
        inside = np.arange(sizes[chosen].max()) < sizes[chosen][:, None]
        items = slice(None) if chosen.all() else np.repeat(chosen, sizes)
        filled = _filled(scores[items], inside, LEAST)
        found[chosen] = dense.ndcg(_filled(gains[items], inside, 0.0), filled, weights, ties=ties)
    return found


def _bits(sizes: Ints) -> NDArray[np.int64]:
    """Lists whose lengths are within a factor of two are of one class."""
    return np.frexp(sizes.astype(np.float64))[1].astype(np.int64)


def _filled(column: Floats, inside: Flags, rest: float) -> Floats:
    matrix = np.full(inside.shape, rest)
    matrix[inside] = column
    return matrix
