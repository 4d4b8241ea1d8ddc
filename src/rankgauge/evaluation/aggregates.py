"""From one number per query to one number per measure: means, sums and geometric means, all rounded once.

Sums are kept without rounding, so that those of blocks of queries add up exactly.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from rankgauge.errors import MeasureError

if TYPE_CHECKING:
    from rankgauge.arrays import Floats
    from rankgauge.measures.measure import Aggregate

    class Aggregation(Protocol):
        """Numbers of many queries to one, weighted where weights have a meaning."""

        def __call__(self, values: Floats, weights: Floats | None = None, /) -> float: ...


def exact_mean(values: Sequence[float] | Floats, weights: Floats | None = None) -> float:
    """The mean of the numbers that are there; nan when none is, or none has a weight above 0.

    The sum is rounded once, so the mean does not depend on the order of queries, blocks or partitions.
    """
    is_there = ~np.isnan(values)
    there = np.asarray(values)[is_there]
    if weights is None:
        return total(there) / len(there) if len(there) else math.nan
    whole = total(weights[is_there])
    return total(there * weights[is_there]) / whole if whole > 0 else math.nan


def exact_sum(values: Floats, _: Floats | None = None) -> float:
    """The sum of the numbers that are there, rounded once."""
    return total(values[~np.isnan(values)])


def total(terms: Floats) -> float:
    """math.fsum, for many terms ten times faster: their bits are cut into pieces that floats add without rounding."""
    largest = float(np.abs(terms).max()) if _MANY < len(terms) <= _MOST else math.inf
    exponent = math.frexp(largest)[1] if math.isfinite(largest) else _SPAN
    if abs(exponent) >= _SPAN:
        return _fsum(terms)
    rest, whole = np.ldexp(terms, -exponent), 0
    for bits in range(_BITS, _MOST_BITS + 1, _BITS):
        rest *= 1 << _BITS
        piece = np.trunc(rest)
        rest -= piece
        whole = (whole << _BITS) + int(piece.sum())
        if not rest.any():
            return math.ldexp(whole / (1 << bits), exponent)
    return _fsum(terms)  # among these are terms 2^31 times smaller than the largest


def _fsum(terms: Floats) -> float:
    """What a Python function returned may be infinite, or too large for a sum: then that is infinite, or undefined."""
    try:
        return math.fsum(terms.tolist())
    except (OverflowError, ValueError):
        with np.errstate(over="ignore", invalid="ignore"):
            return float(terms.sum())


_MANY, _MOST, _SPAN = 1 << 9, 1 << 24, 1 << 6
_BITS, _MOST_BITS = 28, 84
"""Whole numbers below 2^28, 2^24 of them, have a sum below 2^52, which a float holds."""


def geometric_mean(values: Floats, weights: Floats | None = None) -> float:
    """Of the numbers that are there, each taken as at least LEAST so that one 0 does not make all 0."""
    return math.exp(exact_mean(np.log(np.maximum(values, LEAST)), weights))


LEAST = 1e-5
"""trec_eval's choice for gm_map and gm_bpref."""
AGGREGATES: Mapping[Aggregate, Aggregation] = {
    "mean": exact_mean,
    "sum": exact_sum,
    "geometric": geometric_mean,
}


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
    def of(cls, values: Floats, kind: Aggregate, weights: Floats | None = None) -> Sum:
        """Missing numbers (nan) are left out."""
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
