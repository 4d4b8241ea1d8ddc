"""Do two measures order the systems alike? Kendall's τ-b, τ_AP, rank-biased overlap, and the distance of mean scores.

The coefficients stand here rather than in `scipy.stats`, whose import alone takes longer than any of them on the few
hundred systems of a large evaluation; tests hold τ-b against SciPy.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankgauge.analysis.score_table import Matrix, Positions, ScoreTable, complete_queries, evaluation_notes
from rankgauge.errors import AnalysisError, UsageError, plural
from rankgauge.evaluation.aggregates import AGGREGATES
from rankgauge.measures.measure import Measure
from rankgauge.tables.notes import Note, gathered, some
from rankgauge.tables.shown import Shown
from rankgauge.tables.table import Cell, Column, Table, number, plain

Square = tuple[tuple[float, ...], ...]

# Means closer than this, relative to the largest, differ by the order in which they were added up.
ROUNDING = 1e-12


@dataclass(frozen=True, repr=False)
class Agreement(Shown):
    """Every pair of measures. In `tau_ap` the row is the reference and the column the order held against it.

    `means` has a row per measure and a column per system; `queries` counts those each mean was taken over.
    """

    measures: tuple[str, ...]
    systems: tuple[str, ...]
    queries: tuple[int, ...]
    means: Square
    tau: Square
    tau_ap: Square
    rmse: Square
    notes: tuple[Note, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        found = {
            "measures": self.measures,
            "tau": self.tau,
            "tau_ap": self.tau_ap,
            "rmse": self.rmse,
            "systems": self.systems,
            "queries": self.queries,
            "means": self.means,
            "notes": [note.to_dict() for note in self.notes],
        }
        return {name: plain(part) for name, part in found.items()}

    def table(self) -> Table:
        """Three matrices below each other; columns are numbered where the measures' names would be too wide."""
        if sum(map(len, self.measures)) <= 40:
            columns, rows = self._matrices("", self.measures, self.measures)
        else:
            numbers = tuple(str(at) for at in range(1, len(self.measures) + 1))
            labels = tuple(f"{at} {name}" for at, name in zip(numbers, self.measures, strict=True))
            columns, rows = self._matrices("", numbers, labels)
        notes = (
            "τ-b and τ_AP: 1 same order of the systems, 0 unrelated, −1 reversed",
            "τ_AP gives the best systems more weight; the row is the reference",
            "RMSE compares the systems' mean scores",
            *gathered(self.notes),
        )
        caption = f"agreement of {len(self.measures)} measures on {len(self.systems)} systems"
        return Table(columns, rows, caption, notes)

    def wide_table(self) -> Table:
        """The same with the measures' full names over the columns: for other programs."""
        return Table(*self._matrices("coefficient", self.measures, self.measures))

    def _matrices(
        self, first: str, heads: tuple[str, ...], names: tuple[str, ...]
    ) -> tuple[tuple[Column, ...], tuple[tuple[Cell, ...], ...]]:
        rows: list[tuple[Cell, ...]] = []
        for kind, square in (("τ-b", self.tau), ("τ_AP", self.tau_ap), ("RMSE", self.rmse)):
            rows += [(kind, name, *row) for name, row in zip(names, square, strict=True)]
        return (Column(first), Column("measure"), *map(number, heads)), tuple(rows)

    def __repr__(self) -> str:
        return f"Agreement({', '.join(self.measures)}; {len(self.systems)} systems)"


def agreement(scores: ScoreTable) -> Agreement:
    """How alike the measures of the scores order the systems by their means.

    Queries with an undefined score for any system are left out of that measure's means. nan where a measure gives all
    systems the same mean: it orders nothing.
    """
    measures = tuple(str(measure) for measure in scores.measures)
    if len(measures) < 2:
        raise AnalysisError("agreement is between two or more measures\nName another one.")
    matrices = [np.asarray(scores.matrix(measure), dtype=np.float64) for measure in scores.measures]
    complete = [complete_queries(matrix, name) for matrix, name in zip(matrices, measures, strict=True)]
    means = [
        _aggregated(matrix.take(kept, axis=1), measure)
        for matrix, kept, measure in zip(matrices, complete, scores.measures, strict=True)
    ]
    orders = [_levels(mean) for mean in means]
    return Agreement(
        measures,
        tuple(scores.systems),
        tuple(len(kept) for kept in complete),
        tuple(tuple(mean.tolist()) for mean in means),
        tau=_square(kendall_tau, orders),
        tau_ap=_square(tau_ap, orders),
        rmse=_square(rmse, means),
        notes=(*_left_out(scores, measures, complete), *evaluation_notes(scores)),
    )


def _aggregated(matrix: Matrix, measure: object) -> Matrix:
    """One number per system as `evaluate` prints it: GMAP orders systems by a geometric mean."""
    aggregate = AGGREGATES[measure.definition.aggregate if isinstance(measure, Measure) else "mean"]
    return np.array([aggregate(row) for row in matrix])


def _left_out(scores: ScoreTable, measures: tuple[str, ...], complete: list[Positions]) -> list[Note]:
    notes = []
    for measure, kept in zip(measures, complete, strict=True):
        absent = [scores.queries[at] for at in np.setdiff1d(np.arange(len(scores.queries)), kept)]
        if absent:
            text = f"{measure}: {plural(len(absent), 'query')} without a score for some system, left out for all ({some(absent)})"
            notes.append(Note("undefined-queries", text, len(absent), measure=measure, examples=tuple(absent[:5])))
    return notes


def kendall_tau(first: ArrayLike, second: ArrayLike) -> float:
    """Kendall's τ-b of two score vectors: pairs in the same order against pairs in reverse, corrected for ties."""
    x, y = _pair(first, second)
    order = np.lexsort((y, x))
    x, y = x[order], y[order]
    pairs = len(x) * (len(x) - 1) // 2
    tied_first, tied_second = _tied_pairs(x[1:] != x[:-1]), _tied_pairs(np.diff(np.sort(y)) != 0)
    tied_both = _tied_pairs((x[1:] != x[:-1]) | (y[1:] != y[:-1]))
    # Sorted by the first, pairs tied in it stand in order of the second: what is still reversed is discordant.
    difference = pairs - tied_first - tied_second + tied_both - 2 * _inversions(y)
    untied = math.sqrt((pairs - tied_first) * (pairs - tied_second))
    return max(-1.0, min(1.0, difference / untied)) if untied else math.nan


def tau_ap(reference: ArrayLike, estimate: ArrayLike) -> float:
    """AP correlation of an estimated order with a reference (Yilmaz, Aslam & Robertson 2008): mistakes at the top of
    the estimate weigh more. Higher scores rank first; exchanging the two gives another number.

    Each item that has others above it in the estimate adds the share of those that the reference also puts above it;
    τ_AP is twice the mean share, less 1. Ties as in the agreement form of Urbano & Marrero (2017): an item is compared
    with those strictly above it, and a pair that only the reference ties counts as misplaced. Without ties this is the
    formula of 2008; equal orders give 1, ties or not, and an estimate that ties everything gives nan.
    """
    truth, guess = _pair(reference, estimate)
    above = guess[None, :] > guess[:, None]
    agreed = above & (truth[None, :] > truth[:, None])
    compared = above.sum(axis=1)
    some = compared > 0
    return float(2 * np.mean(agreed.sum(axis=1)[some] / compared[some]) - 1) if some.any() else math.nan


def rmse(first: ArrayLike, second: ArrayLike) -> float:
    """Root mean square difference of two score vectors, system by system."""
    x, y = _pair(first, second)
    return float(np.sqrt(np.mean((x - y) ** 2)))


def rank_biased_overlap(first: Sequence[Hashable], second: Sequence[Hashable], persistence: float = 0.9) -> float:
    """Extrapolated RBO of two orders, best first; they need not hold the same items (Webber, Moffat & Zobel 2010).

    `persistence` is the chance of looking one rank further: 0.9 puts 86 % of the weight on the first ten ranks.
    """
    if not 0 < persistence < 1:
        raise UsageError(f"persistence must lie between 0 and 1, not {persistence!r}")
    for order in (first, second):
        if len(set(order)) < len(order):
            raise UsageError("an order holds an item twice; rank-biased overlap needs each item once")
    short, long = sorted((first, second), key=len)
    if not short:
        return math.nan if not long else 0.0
    overlaps = _overlaps(short, long)
    end, shared = len(short), overlaps[len(short) - 1]
    # Beyond the shorter list its agreement is taken to go on as at its end.
    agreements = [
        (overlap + (shared * (depth - end) / end if depth > end else 0.0)) / depth
        for depth, overlap in enumerate(overlaps, start=1)
    ]
    weights = [persistence**depth for depth in range(1, len(long) + 1)]
    seen = (1 - persistence) / persistence * sum(a * w for a, w in zip(agreements, weights, strict=True))
    return seen + ((overlaps[-1] - shared) / len(long) + shared / end) * weights[-1]


def _overlaps(short: Sequence[Hashable], long: Sequence[Hashable]) -> list[int]:
    """Items common to both prefixes at every depth of the longer list."""
    seen_short: set[Hashable] = set()
    seen_long: set[Hashable] = set()
    overlap, overlaps = 0, []
    for depth, item in enumerate(long):
        seen_long.add(item)
        overlap += item in seen_short
        if depth < len(short):
            seen_short.add(short[depth])
            overlap += short[depth] in seen_long
        overlaps.append(overlap)
    return overlaps


def _pair(first: ArrayLike, second: ArrayLike) -> tuple[Matrix, Matrix]:
    x, y = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if x.ndim != 1 or x.shape != y.shape:
        raise UsageError(f"two vectors of one length are needed, not shapes {x.shape} and {y.shape}")
    if len(x) < 2:
        raise AnalysisError(f"items to order: {len(x)}; at least 2 are needed")
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise UsageError("a score is nan or infinite and has no place in an order\nLeave the item out.")
    return x, y


def _levels(means: Matrix) -> Matrix:
    """Means as whole numbers in the same order, equal where they differ by rounding only."""
    order = np.argsort(means, kind="stable")
    steps = np.diff(means[order]) > ROUNDING * np.abs(means).max()
    levels = np.empty(len(means))
    levels[order] = np.concatenate([[0], np.cumsum(steps)])
    return levels


def _tied_pairs(new_group: NDArray[np.bool_]) -> int:
    """Pairs inside runs of equal items, from where each next item begins a new run."""
    edges = np.flatnonzero(np.concatenate([[True], new_group, [True]]))
    sizes = np.diff(edges)
    return int(np.sum(sizes * (sizes - 1) // 2))


def _inversions(values: Matrix) -> int:
    """Pairs i < j with values[i] > values[j], by merging sorted blocks of 1, 2, 4, … items."""
    ranks = np.unique(values, return_inverse=True)[1].astype(np.int64)
    size, count, width = len(ranks), 0, 1
    while width < size:
        # A block's number in front keeps blocks apart, so that one search serves all of them.
        block = np.arange(size) // (2 * width)
        left = (np.arange(size) // width) % 2 == 0
        keys = block * size + ranks
        not_above = np.searchsorted(keys[left], keys[~left], side="right")
        left_until = np.searchsorted(block[left], block[~left], side="right")
        count += int(np.sum(left_until - not_above))
        ranks = np.sort(keys) - block * size
        width *= 2
    return count


def _square(coefficient: Callable[[Matrix, Matrix], float], rows: Sequence[Matrix]) -> Square:
    return tuple(tuple(coefficient(row, column) for column in rows) for row in rows)
