"""nDCG as a linear-fractional function of its discount or of its gain, and an objective over it with the gradient.

With the gain fixed, nDCG of system s on query t is d·G_st / d·I_t (G gains by rank, I the ideal list); with the
discount fixed it is g·U_st / g·V_t (U_j the discounts at which grade j is). Both are forms w·F / w·H.
Kanoulas & Aslam 2009, section 2.3; symbols as there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankgauge.analysis.optimize.ranked_grades import RankedGrades
from rankgauge.analysis.optimize.search.objective import PHI, Objective
from rankgauge.analysis.stability.reliability import reach, rise
from rankgauge.arrays import Floats

# Features up to this number of floats (64 MB) are formed once, larger tables block by block in every pass.
KEPT = 1 << 23
BLOCK = 1 << 20

Order = NDArray[np.intp]


class Slope(NamedTuple):
    """The objective at some weights; its gradient is `gained - lost`, split into the list's and the ideal's part."""

    value: float
    gained: Floats
    lost: Floats


@dataclass(frozen=True, eq=False)
class LinearFractional:
    """x_st = w·F_st / w·H_t. `block` gives F of a slice of systems: [systems, queries, coordinates]; H is `ideal`."""

    block: Callable[[slice], Floats]
    ideal: Floats
    systems: int
    objective: Objective = PHI

    @property
    def size(self) -> int:
        return int(self.ideal.shape[1])

    def blocks(self) -> Iterator[tuple[slice, Floats]]:
        step = max(1, BLOCK // max(1, self.ideal.size))
        for first in range(0, self.systems, step):
            rows = slice(first, min(first + step, self.systems))
            yield rows, self.block(rows)

    def scores(self, weights: Floats) -> Floats:
        """Systems × queries; nan where the ideal is 0."""
        # Here and below einsum rather than BLAS: one order of summing whatever the threads, and no threads to wait for.
        reached = np.empty((self.systems, self.ideal.shape[0]))
        for rows, features in self.blocks():
            reached[rows] = np.einsum("stk,k->st", features, weights)
        return _ratio(reached, self.best(weights))

    def best(self, weights: Floats) -> Floats:
        """The ideal sum of every query."""
        return np.einsum("tk,k->t", self.ideal, weights)

    def value(self, weights: Floats) -> float:
        return self.objective.value(self.scores(weights))

    def slope(self, weights: Floats) -> Slope:
        """∂f/∂w = Σ_st W_st (F_st - x_st H_t) / (w·H_t), by the chain rule over the scores."""
        scores = self.scores(weights)
        value, push = self.objective.slope(scores)
        if value == -inf:
            return Slope(value, np.zeros(self.size), np.zeros(self.size))
        push /= self.best(weights)
        gained = np.zeros(self.size)
        for rows, features in self.blocks():
            gained += np.einsum("st,stk->k", push[rows], features)
        return Slope(value, gained, np.einsum("t,tk->k", (push * scores).sum(axis=0), self.ideal))

    def columns(self, ends: Order) -> tuple[Floats, Floats]:
        """F and H of the vertices "equal weight on the first k", k in `ends`: [k, systems · queries], [k, queries]."""
        starts = np.concatenate(([0], ends[:-1]))
        queries, last = self.ideal.shape[0], int(ends[-1])
        reached = np.empty((len(ends), self.systems, queries))
        for rows, features in self.blocks():
            sums = np.add.reduceat(features[:, :, :last], starts, axis=2).cumsum(axis=2)
            reached[:, rows] = np.moveaxis(sums, 2, 0)
        reached /= ends[:, None, None]
        ideal = np.add.reduceat(self.ideal[:, :last], starts, axis=1).cumsum(axis=1).T / ends[:, None]
        return reached.reshape(len(ends), -1), ideal

    def best_vertex(self) -> int:
        """The k whose plain cumulated gain over the first k coordinates serves the objective best."""
        best, found = -inf, 1
        every = np.arange(1, self.size + 1)
        step = max(1, BLOCK // (self.systems * self.ideal.shape[0]))
        for first in range(0, self.size, step):
            ends = every[first : first + step]
            for k, reached, ideal in zip(ends, *self.columns(ends), strict=True):
                value = self.objective.value(_ratio(reached.reshape(self.systems, -1), ideal))
                if value > best:
                    best, found = value, int(k)
        return found


def discount_form(
    grades: RankedGrades, gain: Floats, order: Order | None = None, objective: Objective = PHI
) -> LinearFractional:
    """The form in the discount, gain fixed. `order` says which rank has the largest weight, the second largest, …"""
    codes = grades.codes if order is None else grades.codes[:, :, order]
    table = np.concatenate(([0.0], gain))
    ideal = ideal_gains(grades, gain)
    if codes.size <= KEPT:
        return LinearFractional(table[codes].__getitem__, ideal, grades.systems, objective)
    return LinearFractional(lambda rows: table[codes[rows]], ideal, grades.systems, objective)


def gain_form(
    grades: RankedGrades, discount: Floats, order: Order | None = None, objective: Objective = PHI
) -> LinearFractional:
    """The form in the gain, discount fixed; coordinates are the grades from the best down, or as `order` says."""
    levels = len(grades.grades)
    order = np.arange(levels)[::-1] if order is None else order
    met = np.empty((grades.systems, grades.queries, levels))
    cell = np.arange(grades.queries)[:, None] * (levels + 1)
    spread = np.broadcast_to(discount, grades.codes.shape[1:]).ravel()
    for system, ranking in enumerate(grades.codes):
        sums = np.bincount((cell + ranking).ravel(), spread, grades.queries * (levels + 1))
        met[system] = sums.reshape(grades.queries, levels + 1)[:, 1 + order]
    # Rearrangement: the best grades are where the discounts are largest.
    reach = np.concatenate(([0.0], np.sort(discount)[::-1].cumsum()))
    filled = np.minimum(grades.pool[:, order].cumsum(axis=1), grades.ranks)
    return LinearFractional(met.__getitem__, np.diff(reach[filled], axis=1, prepend=0.0), grades.systems, objective)


def ideal_gains(grades: RankedGrades, gain: Floats) -> Floats:
    """The largest gains of every query's pool, in best order: [queries, ranks]."""
    order = np.argsort(-gain, kind="stable")
    filled = np.minimum(grades.pool[:, order].cumsum(axis=1), grades.ranks)
    ladder = np.concatenate((gain[order], [0.0]))
    ranks = np.arange(grades.ranks)
    # How many grades are used up before this rank is the position of the grade found there.
    ideal: Floats = ladder[(filled[:, None, :] <= ranks[None, :, None]).sum(axis=2)]
    return ideal


def scores_of(grades: RankedGrades, discount: Floats, gain: Floats) -> Floats:
    """Every system's nDCG in every query; for a discount that rises somewhere the ideal is by rearrangement."""
    order = np.argsort(-discount, kind="stable")
    falling = bool(np.all(np.diff(discount) <= 0))
    return discount_form(grades, gain, None if falling else order).scores(discount[order])


def queries_needed(per_query: float, target: float) -> float:
    """Queries for Φ >= target when one query has Φ = `per_query`; inf where no number is enough."""
    return reach(_odds(per_query), target)


def with_queries(per_query: float, queries: int) -> float:
    """Φ of a mean over `queries` queries, from Φ of one."""
    return rise(_odds(per_query), queries)


def _odds(per_query: float) -> float:
    # What one query says about systems against what it adds as noise.
    if per_query >= 1:
        return inf
    return per_query / (1 - per_query) if per_query > -inf else -1.0


def _ratio(reached: Floats, ideal: Floats) -> Floats:
    return reached / np.where(ideal > 0, ideal, np.nan)
