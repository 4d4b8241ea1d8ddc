"""Measures on lists as training libraries keep them: flat columns, and the size of each list.

Faults are reported under the names that the library has for these columns, because these are what its users typed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from rankgauge.data.policy import Policy
from rankgauge.data.vectors import numbers
from rankgauge.errors import DataError
from rankgauge.evaluation.evaluate import settle_call
from rankgauge.evaluation.score import score_lists
from rankgauge.measures.grammar import parse_all
from rankgauge.measures.measure import Measure

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
        settle_call(self.measures, policy, like)
        self.policy, self.like = policy, like

    def means(self, truth: Any, predicted: Any, sizes: Any, names: ColumnNames) -> list[float]:
        """The mean of each measure over the lists, as `score` computes it."""
        lists = _lists(truth, predicted, sizes, names)
        return [score_lists(measure, *lists, policy=self.policy, like=self.like).value for measure in self.measures]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(str, self.measures))})"


def _lists(truth: Any, predicted: Any, sizes: Any, names: ColumnNames) -> tuple[Any, Any, Any]:
    """Matrices where all lists have one length, which is the fast case; else columns and the list of every item."""
    left, right = numbers(truth, names.truth), numbers(predicted, names.predicted)
    if len(left) != len(right):
        raise DataError(
            f"{names.predicted} has {len(right):,} items and {names.truth} {len(left):,}",
            hint="Give one prediction for every item, in the same order.",
        )
    lengths = np.asarray(sizes)
    if lengths.ndim != 1 or lengths.sum() != len(left):
        raise DataError(
            f"{names.sizes} adds up to {int(lengths.sum()):,} items and {names.predicted} has {len(right):,}",
            hint="Give the number of items of every list, in the order of the lists.",
        )
    if len(lengths) > 1 and lengths.min() == lengths.max():
        shape = (len(lengths), -1)
        return left.reshape(shape), right.reshape(shape), None
    return left, right, np.repeat(np.arange(len(lengths)), lengths)
