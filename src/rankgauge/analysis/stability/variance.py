"""Where the variance of a score matrix comes from: systems, queries, and what neither explains.

Systems and queries are seen as samples of the systems and queries one might have had: a two-way crossed random-effects
model with one observation per cell (Brennan, Generalizability Theory, 2001; Kanoulas & Aslam 2009, section 2).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rankgauge.arrays import Floats
from rankgauge.tables import Plain

# A spread this far below the scores themselves is rounding: an additive matrix has no residual, and identical systems
# do not differ, however their means were added up.
ROUNDING = 1e-12


@dataclass(frozen=True)
class VarianceComponents(Plain):
    """σ²_s, σ²_t and σ²_st,e as estimated: an estimate may fall below zero, the variance itself cannot."""

    system: float
    query: float
    residual: float

    def truncated(self) -> VarianceComponents:
        """The components that coefficients are made of: negative estimates count as 0."""
        return VarianceComponents(max(0.0, self.system), max(0.0, self.query), max(0.0, self.residual))

    def shares(self) -> VarianceComponents:
        """Parts of the truncated total: they add up to 1."""
        used = self.truncated()
        total = used.system + used.query + used.residual
        return VarianceComponents(used.system / total, used.query / total, used.residual / total)


@dataclass(frozen=True)
class MeanSquares(Plain):
    """The analysis-of-variance table of a matrix: all that components and intervals need to know of it."""

    _json_names: ClassVar = {"systems": None, "queries": None}

    systems: int
    queries: int
    system: float
    query: float
    residual: float

    def components(self) -> VarianceComponents:
        return VarianceComponents(
            system=_difference(self.system, self.residual) / self.queries,
            query=_difference(self.query, self.residual) / self.systems,
            residual=self.residual,
        )


def _difference(square: float, residual: float) -> float:
    """Two mean squares that agree to rounding are equal: their last bits are no variance, however small."""
    difference = square - residual
    return 0.0 if abs(difference) <= 1e-12 * (square + residual) else difference


@dataclass(frozen=True, eq=False)
class Effects:
    """A matrix taken apart: cell = mean + system + query + residual, where every part sums to 0 along its axes."""

    system: Floats
    query: Floats
    residual: Floats


def effects(values: Floats) -> Effects:
    mean = values.mean()
    system = values.mean(axis=1) - mean
    query = values.mean(axis=0) - mean
    return Effects(system, query, values - mean - system[:, None] - query[None, :])


def mean_squares(values: Floats) -> MeanSquares:
    """Mean squares of a systems × queries matrix without gaps, at least 2 × 2."""
    systems, queries = values.shape
    parts = effects(values)
    rounding = _rounding(values)
    system, query, residual = (
        0.0 if square <= rounding else square
        for square in (
            queries * float(np.sum(parts.system**2)) / (systems - 1),
            systems * float(np.sum(parts.query**2)) / (queries - 1),
            float(np.sum(parts.residual**2)) / ((systems - 1) * (queries - 1)),
        )
    )
    return MeanSquares(systems, queries, system, query, residual)


def mean_squares_without_each_query(values: Floats) -> list[MeanSquares]:
    """Mean squares of every matrix that lacks one query, in one pass; at least 2 × 3.

    Taking query t away moves system effect a_s by -e_st/(T-1) and residual e_su by +e_st/(T-1); because effects sum to
    zero the sums of squares follow in closed form, T fits for the price of one.
    """
    systems, queries = values.shape
    parts, rounding, rest = effects(values), _rounding(values), queries - 1
    system = rest * np.sum((parts.system[:, None] - parts.residual / rest) ** 2, axis=0) / (systems - 1)
    query = systems * _remainder(parts.query**2) / (rest - 1)
    residual = _remainder(np.sum(parts.residual**2, axis=0)) / ((systems - 1) * (rest - 1))
    squares = np.stack([system, query, residual], axis=1)
    squares[squares <= rounding] = 0.0
    return [MeanSquares(systems, rest, *row) for row in squares.tolist()]


def mean_squares_without_each_system(values: Floats) -> list[MeanSquares]:
    """As `mean_squares_without_each_query`, with systems and queries in each other's place."""
    return [
        MeanSquares(turned.queries, turned.systems, system=turned.query, query=turned.system, residual=turned.residual)
        for turned in mean_squares_without_each_query(values.T)
    ]


def _remainder(squares: Floats) -> Floats:
    """What is left of a sum of squared effects when one of its n terms is taken away and the rest centered again."""
    total = np.sum(squares)
    left = total - len(squares) / (len(squares) - 1) * squares
    return np.where(left <= ROUNDING * total, 0.0, left)


def _rounding(values: Floats) -> float:
    return float(max(values.shape) * (ROUNDING * np.abs(values).max()) ** 2)
