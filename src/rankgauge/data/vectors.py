"""Two columns of numbers that speak of the same items, examined."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

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


class Lists(NamedTuple):
    """Flat columns in which every list is one stretch; `offsets` says where lists begin, and where the last ends."""

    truth: NDArray[Any]
    predicted: NDArray[Any]
    offsets: NDArray[np.int64]
    names: Sequence[object]
    width: int
    """The items of every list where there are several of one length, else 0."""


def lists_of(truth: Any, predicted: Any, groups: Any = None) -> Lists:
    """Rows of matrices, the stretches or scattered items of `groups` in order of appearance, or one list of all."""
    left, right = np.asarray(truth), np.asarray(predicted)
    if left.ndim == 2 and groups is None:
        return _rows(left, right)
    left, right = aligned(left, right)
    if not len(left):
        raise DataError("there are no items", hint="Give at least one item.")
    if groups is None:
        return Lists(left, right, np.array([0, len(left)]), ["all"], 0)
    labels = np.asarray(groups)
    if labels.shape != left.shape:
        raise DataError(
            f"groups has {labels.size:,} entries and truth {len(left):,}", hint="Name the group of every item."
        )
    return _grouped(left, right, _named(labels))


def _rows(truth: NDArray[Any], predicted: NDArray[Any]) -> Lists:
    if truth.shape != predicted.shape:
        raise DataError(
            f"truth has shape {truth.shape} and predicted {predicted.shape}",
            hint="Rows are queries; both matrices have one shape.",
        )
    rows, width = truth.shape
    flat = aligned(truth.ravel(), predicted.ravel())
    return Lists(*flat, np.arange(rows + 1) * width, range(1, rows + 1), width if rows > 1 else 0)


def _named(labels: NDArray[Any]) -> NDArray[Any]:
    """Labels as whole numbers or text; a gap is nobody's group."""
    if labels.dtype.kind in "biu":
        return labels
    gaps = [place for place, label in enumerate(labels.tolist()) if _is_gap(label)] if labels.dtype.kind != "U" else []
    if gaps:
        raise DataError(
            f"{len(gaps):,} of {labels.size:,} items have no group",
            places=[f"item {place + 1}" for place in gaps[:3]],
            hint="Name the group of every item.",
        )
    return labels.astype(str)


def _is_gap(label: object) -> bool:
    return label is None or (not isinstance(label, str) and str(label) in {"nan", "<NA>", "NaT"})


def _grouped(truth: NDArray[Any], predicted: NDArray[Any], labels: NDArray[Any]) -> Lists:
    """Neighbours of one label are looked up together: text is sorted only once for each stretch."""
    starts = np.flatnonzero(np.concatenate(([True], labels[1:] != labels[:-1])))
    lengths = np.diff(starts, append=len(labels))
    names, first, code = np.unique(labels[starts], return_index=True, return_inverse=True)
    by_appearance = np.argsort(first)
    appearance = np.empty_like(by_appearance)
    appearance[by_appearance] = np.arange(len(names))
    code = appearance[code]
    sizes = np.bincount(code, lengths, len(names)).astype(np.int64)
    if len(names) < len(starts):
        order = np.argsort(np.repeat(code, lengths), kind="stable")
        truth, predicted = truth[order], predicted[order]
    width = int(sizes[0]) if len(sizes) > 1 and sizes.min() == sizes.max() else 0
    return Lists(truth, predicted, np.concatenate(([0], np.cumsum(sizes))), names[by_appearance].tolist(), width)
