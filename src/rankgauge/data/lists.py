"""Two columns of numbers cut into lists, one for each group of items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankgauge.data.aligned import aligned
from rankgauge.errors import DataError


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
