"""Measures on lists as training libraries keep them: flat columns, and the size of each list.

Faults are reported under the names that the library has for these columns, because these are what its users typed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankgauge.data.policy import Policy
from rankgauge.data.vectors import ItemLists, lists_of, numbers
from rankgauge.errors import DataError
from rankgauge.evaluation.evaluate import settle_one
from rankgauge.evaluation.score import score_settled
from rankgauge.measures.grammar import parse_all
from rankgauge.measures.measure import Measure

_SETS = 10
"""Sets of lists that are remembered: in cross-validation, the training and the test lists of five folds."""
LOWER_IS_BETTER = {"Unjudged", "RBPResidual"}


class ColumnNames(NamedTuple):
    """What a library calls the true values, the predictions and the sizes of lists."""

    truth: str
    predicted: str
    sizes: str


class ListMetric:
    """Measures with the policy in force; a fault in them is raised now, not after the first round of training."""

    def __init__(
        self, measures: str | Measure | Iterable[str | Measure], policy: Policy | None, like: str | None
    ) -> None:
        self.measures = parse_all(measures)
        self._settled = [settle_one(measure, policy, like) for measure in self.measures]
        self._seen: list[_Seen] = []

    def means(self, truth: Any, predicted: Any, sizes: Any, names: ColumnNames) -> list[float]:
        """The mean of each measure over the lists, as `score` computes it."""
        scores = numbers(predicted, names.predicted)
        lists = replace(self._lists(truth, scores, sizes, names), predicted=scores)
        return [score_settled(*settled, lists).value for settled in self._settled]

    def _lists(self, truth: Any, scores: NDArray[Any], sizes: Any, names: ColumnNames) -> ItemLists:
        """The lists of an earlier round if they are the same, with all that was computed of them."""
        given, lengths = np.asarray(truth), np.asarray(sizes)
        for seen in self._seen:
            if len(scores) == len(given) and _is_same(seen.sizes, lengths) and _is_same(seen.truth, given):
                return seen.lists
        own = given.copy()  # which nobody else changes
        lists = replace(lists_of(*_columns(own, scores, lengths, names)), kept={})
        self._seen = [_Seen(own, lengths.copy(), lists), *self._seen[: _SETS - 1]]
        return lists

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(str, self.measures))})"

    def __getstate__(self) -> dict[str, Any]:
        """Copies for other processes begin without what was seen here."""
        return self.__dict__ | {"_seen": []}


class _Seen(NamedTuple):
    """Lists as they came, to see whether they come again."""

    truth: NDArray[Any]
    sizes: NDArray[Any]
    lists: ItemLists


def _is_same(one: NDArray[Any], other: NDArray[Any]) -> bool:
    return one is other or (one.dtype == other.dtype and np.array_equal(one, other))


def _columns(truth: Any, right: NDArray[Any], lengths: NDArray[Any], names: ColumnNames) -> tuple[Any, Any, Any]:
    """Matrices where all lists have one length, which is the fast case; else columns and the list of every item."""
    left = numbers(truth, names.truth)
    if len(left) != len(right):
        raise DataError(
            f"{names.predicted} has {len(right):,} items and {names.truth} {len(left):,}",
            hint="Give one prediction for every item, in the same order.",
        )
    if lengths.ndim != 1 or lengths.sum() != len(left):
        raise DataError(
            f"{names.sizes} adds up to {int(lengths.sum()):,} items and {names.predicted} has {len(right):,}",
            hint="Give the number of items of every list, in the order of the lists.",
        )
    if len(lengths) > 1 and lengths.min() == lengths.max():
        shape = (len(lengths), -1)
        return left.reshape(shape), right.reshape(shape), None
    return left, right, np.repeat(np.arange(len(lengths)), lengths)
