"""Arrays by what they hold, for signatures; and the memory behind them."""

from __future__ import annotations

from functools import cache
from typing import Any, TypeAlias

import numpy as np

# NDArray[…] in full: numpy.typing takes a millisecond to load, and only type checkers need it.
Floats: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.float64]]
Ints: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.int64]]
Flags: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.bool_]]
Reals: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.floating[Any]]]
Values: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[Any]]


@cache
def keep_freed_memory() -> None:
    """Ask for a large block once and return it unused, before work that needs memory again and again.

    From then on the C library (glibc) keeps freed blocks of up to that size for the next ones. Otherwise it returns them to
    the system and fetches them page by page: a fifth of the time of nDCG@10 on matrices with ties, a tenth on frames.
    """
    np.empty(_KEPT, np.uint8)


_KEPT = 31 << 20
"""Bytes, just below the largest block from which glibc learns."""
