"""Two columns of numbers that speak of the same items, examined."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankgauge.errors import DataError


def aligned(truth: ArrayLike, predicted: ArrayLike) -> tuple[NDArray[Any], NDArray[Any]]:
    """Both columns as vectors of one length, finite, with the kind of number they came with."""
    columns = numbers(truth, "truth"), numbers(predicted, "predicted")
    lengths = tuple(map(len, columns))
    if lengths[0] != lengths[1]:
        message = f"truth has {lengths[0]:,} items and predicted {lengths[1]:,}"
        raise DataError(message, hint="Give one value of each for every item, in the same order.")
    return columns


def numbers(column: ArrayLike, name: str) -> NDArray[Any]:
    """A column as a vector of finite numbers."""
    given = np.asarray(column)
    if given.ndim != 1:
        raise DataError(f"{name} has shape {given.shape}; give one column", hint="Several lists at once need groups.")
    if given.size == 0:
        return np.zeros(0)
    vector = given if given.dtype.kind in "biuf" else _converted(given, name)
    if not _plainly_finite(vector):
        _refuse_odd(vector, given, name)
    return vector


def _plainly_finite(vector: NDArray[Any]) -> bool:
    """A finite sum has finite parts, and needs no memory; finite parts may still have a sum beyond all numbers."""
    if vector.dtype.kind != "f":
        return True
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(vector.sum()))


def _refuse_odd(vector: NDArray[Any], given: NDArray[Any], name: str) -> None:
    odd = np.flatnonzero(~np.isfinite(vector))
    if odd.size:
        message = f"{name}: {odd.size:,} of {given.size:,} values are not finite numbers"
        places = [f"item {place + 1}: {given[place]}" for place in odd[:3]]
        raise DataError(message, places=places, hint="Leave these items out of both columns, or give them a value.")


def _converted(given: NDArray[Any], name: str) -> NDArray[np.float64]:
    """Objects such as Decimal as numbers, None and other gaps as nan; text is refused, even where it spells numbers."""
    if given.dtype.kind not in "OUST":
        raise DataError(f"{name} holds values of type {given.dtype}", hint="Both columns must hold numbers.")
    text = [place for place, value in enumerate(given) if isinstance(value, str | bytes)]
    if text:
        place = next((place for place in text if np.isnan(_number(given[place]))), text[0])
        message = f"{name} holds text where numbers are needed"
        raise DataError(
            message, places=[f"item {place + 1}: {str(given[place])!r:.40}"], hint="Convert the column to numbers."
        )
    return np.array([_number(value) for value in given])


def _number(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        return float("nan")
