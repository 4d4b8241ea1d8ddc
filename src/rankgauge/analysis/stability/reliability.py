"""Φ and Eρ² as functions of the number of queries, and how uncertain they are.

Both coefficients are nρ/(1+nρ) for n queries, where ρ, the *ratio*, is what one query says about systems against what
it adds as noise: σ²_s/(σ²_t+σ²_e) for Φ (dependability, scores compared with a fixed standard) and σ²_s/σ²_e for Eρ²
(generalizability, systems compared with each other). An interval of ρ is therefore an interval of either coefficient at
every n, and of the n that reaches a target.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from rankgauge.analysis.stability.variance import (
    MeanSquares,
    VarianceComponents,
    mean_squares,
    mean_squares_without_each_query,
    mean_squares_without_each_system,
)
from rankgauge.arrays import Floats
from rankgauge.errors import UsageError, did_you_mean
from rankgauge.tables.table import Estimate


@dataclass(frozen=True)
class ReliabilityCurve:
    """A coefficient against the number of queries, with its band: the columns of a chart."""

    queries: tuple[int, ...]
    value: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


@dataclass(frozen=True)
class Reliability:
    """One coefficient for every number of queries; `ratio` is ρ of the module's first paragraph."""

    ratio: Estimate

    def at(self, queries: int) -> Estimate:
        """The coefficient when systems are compared on this many queries."""
        if not queries >= 1:
            raise UsageError(f"queries must be at least 1, not {queries!r}")
        return Estimate(*(rise(ratio, queries) for ratio in (self.ratio.value, self.ratio.low, self.ratio.high)))

    def queries_needed(self, target: float) -> Estimate:
        """The smallest number of queries that reaches the target; the surer the coefficient, the fewer."""
        check_target(target)
        return Estimate(*(reach(ratio, target) for ratio in (self.ratio.value, self.ratio.high, self.ratio.low)))

    def curve(self, queries: Iterable[int]) -> ReliabilityCurve:
        counts = tuple(queries)
        points = [self.at(count) for count in counts]
        value, low, high = (tuple(getattr(one, part) for one in points) for part in ("value", "low", "high"))
        return ReliabilityCurve(counts, value, low, high)


def dependability_ratio(components: VarianceComponents) -> float:
    return _ratio(components.system, max(0.0, components.query) + max(0.0, components.residual))


def generalizability_ratio(components: VarianceComponents) -> float:
    return _ratio(components.system, max(0.0, components.residual))


def arteaga_bounds(squares: MeanSquares, confidence: float) -> tuple[float, float]:
    """Interval of the ratio behind Φ (Arteaga, Jeyaratnam & Franklin 1982); systems and queries taken as normal."""
    from scipy.special import chdtri, fdtri

    systems, queries = squares.systems, squares.queries
    free_system, free_query = systems - 1, queries - 1

    def bound(probability: float) -> float:
        if squares.system == 0:
            return 0.0
        C = float(chdtri(free_system, 1 - probability)) / free_system
        F_residual = float(fdtri(free_system, free_system * free_query, probability))
        F_query = float(fdtri(free_system, free_query, probability))
        # Divided by MSs² above and below, so that small scores do not underflow.
        residual, query = squares.residual / squares.system, squares.query / squares.system
        if F_residual * residual >= 1:
            # The numerator is (1 - F·MSe/MSs)(1 - (C-F)·MSe/MSs): past its first root it would rise again.
            return 0.0
        above = 1 - C * residual + (C - F_residual) * F_residual * residual**2
        below = free_system * C * residual + F_query * query
        return math.inf if below == 0 else max(0.0, systems / queries * above / below)

    return _two_sided(bound, confidence)


def exact_bounds(squares: MeanSquares, confidence: float) -> tuple[float, float]:
    """Interval of the ratio behind Eρ² from the F distribution of MSs/MSe: exact for normal scores."""
    from scipy.special import fdtri

    free_system, free_query = squares.systems - 1, squares.queries - 1

    def bound(probability: float) -> float:
        if squares.residual == 0:
            return math.inf if squares.system > 0 else 0.0
        F = float(fdtri(free_system, free_system * free_query, probability))
        return max(0.0, (squares.system / (squares.residual * F) - 1) / squares.queries)

    return _two_sided(bound, confidence)


def jackknife_bounds(
    values: Floats, ratio: Callable[[VarianceComponents], float], confidence: float, *, other_systems: bool
) -> tuple[float, float]:
    """Interval of a ratio without assuming normal scores: leave out every query once, and every system once where the
    question is about other systems too.

    These systems on other queries: their means carry noise, so ρ scatters in proportion to √ρ, and √ρ scatters evenly.
    Other systems too: a variance of random systems scatters in proportion to itself, so log ρ scatters evenly; the
    variances of the two jackknives are added. The quantile is Student's, with the degrees of freedom that what was left
    out is worth, the smaller ones of the two.
    nan with fewer than three of what is left out, where ρ is 0 or infinite on the whole matrix, and where one of its
    parts has no finite value on the scale used.
    """
    from scipy.special import stdtrit

    left_out = values.shape if other_systems else values.shape[1:]
    if min(left_out) < 3:
        return math.nan, math.nan
    center = ratio(mean_squares(values).components())
    parts = [[ratio(squares.components()) for squares in mean_squares_without_each_query(values)]]
    if other_systems:
        parts.append([ratio(squares.components()) for squares in mean_squares_without_each_system(values)])
    ratios = [center, *(one for part in parts for one in part)]
    if all(math.isinf(one) for one in ratios):
        return math.inf, math.inf
    if not (center > 0 and max(ratios) < math.inf and (min(ratios) > 0 or not other_systems)):
        return math.nan, math.nan
    replicates = [np.log(part) if other_systems else np.sqrt(part) for part in parts]
    error = math.sqrt(sum(jackknife_variance(one) for one in replicates))
    freedom = min(_degrees_of_freedom(one) for one in replicates)
    reach = -float(stdtrit(freedom, (1 - confidence) / 2)) * error
    if other_systems:
        return center * math.exp(-reach), center * math.exp(reach)
    middle = math.sqrt(center)
    return max(0.0, middle - reach) ** 2, (middle + reach) ** 2


def _degrees_of_freedom(replicates: Floats) -> float:
    """Of a jackknife's variance: one fewer than replicates, and fewer still where few of them make up most of it.

    A variance of n values with kurtosis κ has the relative variance (κ-3)/n + 2/(n-1), and Student's degrees are 2 by
    that (Satterthwaite). Tails lighter than the normal's earn no more than n-1.
    """
    count, deviations = len(replicates), replicates - replicates.mean()
    spread = float(np.mean(deviations**2))
    excess = float(np.mean((deviations / math.sqrt(spread)) ** 4)) - 3.0 if spread > 0 else 0.0
    return 2.0 / (max(0.0, excess) / count + 2.0 / (count - 1))


def check_confidence(confidence: float) -> None:
    if not 0 < confidence < 1:
        raise UsageError(f"confidence must lie between 0 and 1, not {confidence!r}\nUse 0.95 for 95 %.")


def check_target(target: float) -> None:
    if not 0 < target < 1:
        raise UsageError(f"a target must lie between 0 and 1, not {target!r}\n1 needs infinitely many queries.")


def _two_sided(bound: Callable[[float], float], confidence: float) -> tuple[float, float]:
    tail = (1 - confidence) / 2
    return bound(1 - tail), bound(tail)


def jackknife_variance(replicates: Floats) -> float:
    return float((len(replicates) - 1) / len(replicates) * np.sum((replicates - replicates.mean()) ** 2))


def _ratio(signal: float, noise: float) -> float:
    if signal <= 0:
        return 0.0
    return signal / noise if noise > 0 else math.inf


def rise(ratio: float, queries: int) -> float:
    """The coefficient for this many queries."""
    if math.isinf(ratio):
        return 1.0
    return queries * ratio / (1 + queries * ratio)


def reach(ratio: float, target: float) -> float:
    """Queries that bring the coefficient to the target; inf where no number does."""
    if math.isnan(ratio):
        return math.nan
    needed = target / (1 - target) / ratio if ratio > 0 else math.inf
    # The guard keeps a count that is whole in exact arithmetic from being pushed up by its last bit.
    return max(1, math.ceil(needed - 1e-9)) if math.isfinite(needed) else math.inf


Coefficient = Literal["dependability", "generalizability"]
Interval = Literal["jackknife", "arteaga"]
Systems = Literal["these", "others"]


@dataclass(frozen=True)
class StabilityOptions:
    """Targets to reach, other numbers of queries to look at, the level and kind of interval, the worst systems' share
    to leave out, and the question: had these systems (or others, too) been compared on other queries?
    """

    reach: tuple[float, ...] = (0.90, 0.95)
    queries_at: tuple[int, ...] = ()
    confidence: float = 0.95
    drop: float = 0.0
    interval: Interval = "jackknife"
    systems: Systems = "these"

    def __post_init__(self) -> None:
        if self.interval == "arteaga" and self.systems == "these":
            raise UsageError(
                "Arteaga's interval is about other systems too\nUse the jackknife for these systems on other queries."
            )


def check_word(what: str, word: str, known: tuple[str, ...]) -> None:
    if word not in known:
        raise UsageError(f"unknown {what} {word!r}\n{did_you_mean(str(word), known)}")
