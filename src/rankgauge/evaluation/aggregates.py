"""From one number per query to one number per measure: means, sums and geometric means, all rounded once.

Sums are kept without rounding, so that those of blocks of queries add up exactly.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rankgauge.errors import MeasureError
from rankgauge.kernels.hits import exact_sum

if TYPE_CHECKING:
    from rankgauge.arrays import Floats
    from rankgauge.measures.measure import Aggregate, Measure

LEAST = 1e-5
"""Of a geometric mean, each number is at least this, so that one 0 does not make all 0: trec_eval's choice."""


def aggregate(kind: Aggregate, values: Floats, weights: Floats | None = None) -> float:
    """Of the numbers that are there, weighted where weights have a meaning; nan when none is, or none has a weight above 0.

    Sums are rounded once, so the result does not depend on the order of queries, blocks or partitions.
    """
    return _settled(kind, *map(exact_sum, _terms(kind, values, weights)))


def _terms(kind: Aggregate, values: Floats, weights: Floats | None) -> tuple[Floats, Floats]:
    """What is added, and what adds up to the number by which that is divided."""
    is_there = ~np.isnan(values)
    terms = values[is_there]
    if kind == "geometric":
        terms = np.log(np.maximum(terms, LEAST))
    if weights is None or kind == "sum":
        return terms, np.array([float(len(terms))])
    return terms * weights[is_there], weights[is_there]


def _settled(kind: Aggregate, added: float, whole: float) -> float:
    if kind == "sum":
        return added
    mean = added / whole if whole > 0 else math.nan
    return math.exp(mean) if kind == "geometric" else mean


class ByName(dict[str, float]):
    """One value per measure, under its printed name and found by any other spelling: `["map"]` is `["AP"]`."""

    def __missing__(self, name: object) -> float:
        from rankgauge.measures.grammar import parse

        try:
            spelled = str(parse(str(name)))
        except MeasureError:
            raise KeyError(name) from None
        if spelled not in self:
            raise KeyError(name)
        return self[spelled]


def by_name(
    systems: Sequence[str], measures: Sequence[Measure], rows: Iterable[Iterable[float]]
) -> dict[str, dict[str, float]]:
    """{system: {measure: value}} from a row for each system."""
    names = [str(measure) for measure in measures]
    return {system: ByName(zip(names, row, strict=True)) for system, row in zip(systems, rows, strict=True)}


@dataclass(frozen=True)
class Sum:
    """The terms of an aggregate: how many they are, few numbers with exactly their sum, and others with that of their weights.

    What the sums of all blocks add up to gives the same bits as all terms at once, since each is rounded only once.
    """

    kind: Aggregate
    count: int
    parts: tuple[float, ...]
    whole: tuple[float, ...]

    @classmethod
    def of(cls, values: Floats, kind: Aggregate, weights: Floats | None = None) -> Sum:
        """Missing numbers (nan) are left out."""
        terms, whole = _terms(kind, values, weights)
        return cls(kind, len(terms), _parts(terms.tolist()), _parts(whole.tolist()))

    def __add__(self, other: Sum) -> Sum:
        parts, whole = _parts([*self.parts, *other.parts]), _parts([*self.whole, *other.whole])
        return Sum(self.kind, self.count + other.count, parts, whole)

    def aggregate(self) -> float:
        """The mean, sum or geometric mean, as Scores has it."""
        return _settled(self.kind, math.fsum(self.parts), math.fsum(self.whole))


def _parts(terms: list[float]) -> tuple[float, ...]:
    """Each part is the rounded sum of what the parts before it leave; Shewchuk (1997) calls this an expansion."""
    parts: list[float] = []
    while part := math.fsum([*terms, *(-part for part in parts)]):
        parts.append(part)
    return tuple(parts)
