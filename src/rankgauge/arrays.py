"""Arrays by what they hold, for signatures."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

# NDArray[…] in full: numpy.typing takes a millisecond to load, and only type checkers need it.
Floats: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.float64]]
Ints: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.int64]]
Flags: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.bool_]]
Reals: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.floating[Any]]]
Values: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[Any]]

LARGEST = 1e100
"""Scores and weights beyond this are refused: squares and sums of many such numbers stay finite."""
