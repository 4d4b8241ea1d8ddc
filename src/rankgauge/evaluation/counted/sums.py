"""Aggregates from parts: sums that are kept without rounding, so that those of blocks of queries add up exactly."""

from __future__ import annotations

import math

import numpy as np

from rankgauge.evaluation.scores import LEAST, Cube
from rankgauge.frozen import dataclass
from rankgauge.measures.measure import Aggregate


@dataclass(frozen=True)
class Sum:
    """The terms of an aggregate: how many they are, few numbers with exactly their sum, and the same of their weights.

    What the sums of all blocks add up to gives the same bits as all terms at once, since each is rounded only once.
    """

    kind: Aggregate
    count: int
    parts: tuple[float, ...]
    weight: tuple[float, ...] | None = None

    @classmethod
    def of(cls, values: Cube, kind: Aggregate, weights: Cube | None = None) -> Sum:
        """Numbers that are not there (nan) are no terms."""
        is_there = ~np.isnan(values)
        terms = values[is_there]
        if kind == "geometric":
            terms = np.log(np.maximum(terms, LEAST))
        if weights is None or kind == "sum":
            return cls(kind, len(terms), _parts(terms.tolist()))
        weighing = weights[is_there]
        return cls(kind, len(terms), _parts((terms * weighing).tolist()), _parts(weighing.tolist()))

    def __add__(self, other: Sum) -> Sum:
        weight = None
        if self.weight is not None and other.weight is not None:
            weight = _parts([*self.weight, *other.weight])
        return Sum(self.kind, self.count + other.count, _parts([*self.parts, *other.parts]), weight)

    def aggregate(self) -> float:
        """The mean, sum or geometric mean, as Scores has it."""
        total = math.fsum(self.parts)
        if self.kind == "sum":
            return total
        whole = self.count if self.weight is None else math.fsum(self.weight)
        mean = total / whole if whole > 0 else math.nan
        return math.exp(mean) if self.kind == "geometric" else mean


def _parts(terms: list[float]) -> tuple[float, ...]:
    """Each part is the rounded sum of what the parts before it leave; Shewchuk (1997) calls this an expansion."""
    parts: list[float] = []
    while part := math.fsum([*terms, *(-part for part in parts)]):
        parts.append(part)
    return tuple(parts)
