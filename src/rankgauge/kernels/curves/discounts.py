"""Rank to weight. Every function takes ranks (from 1) and the cutoff, which only `linear` needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rankgauge.errors import MeasureError

if TYPE_CHECKING:
    from rankgauge.arrays import Floats


def jk(rank: Floats, cutoff: int | None, base: float) -> Floats:
    """1 / max(1, log_base rank): Järvelin & Kekäläinen 2002, no discount before rank `base`."""
    # log2(rank) / log2(base) is exact where rank is a power of a whole base; log(rank) / log(base) is not.
    return 1 / np.maximum(1, np.log2(rank) / np.log2(base))


def zipf(rank: Floats, cutoff: int | None, exponent: float = 1.0, shift: float = 0.0) -> Floats:
    """(rank + shift) ** -exponent: Zipf's law, or with a shift that of Zipf and Mandelbrot."""
    return (rank + shift) ** -exponent


def linear(rank: Floats, cutoff: int | None) -> Floats:
    """(k + 1 - rank) / k for cutoff k."""
    if cutoff is None:
        raise MeasureError("discount=linear needs a cutoff, as in nDCG(discount=linear)@10")
    return np.maximum(0, cutoff + 1 - rank) / cutoff


def rbp(rank: Floats, cutoff: int | None, patience: float) -> Floats:
    """patience ** (rank - 1)."""
    return patience ** (rank - 1)


def none(rank: Floats, cutoff: int | None) -> Floats:
    """Every rank counts the same."""
    return np.ones_like(rank)


def weights(rank: Floats, cutoff: int | None, *given: float) -> Floats:
    """The weights as given; 0 beyond the last."""
    table = np.append(np.asarray(given, np.float64), 0.0)
    return table[np.minimum(rank.astype(np.int64), len(table)) - 1]


def steps(rank: Floats, cutoff: int | None, *step: tuple[float, float]) -> Floats:
    """(from rank, weight) pairs; the last weight holds for ever."""
    begins, weight = np.asarray(step, np.float64).T
    return weight[np.searchsorted(begins, rank, "right") - 1]
