"""Each system's place in the leaderboard, and the places that other queries of the same kind cannot rule out.

A system's true rank lies between one more than the number of systems surely better and the number of systems less those
surely worse. "Surely" is for all comparisons of that system at once (paired t-tests, Holm), so that the chance to miss
its true rank stays below α, however close the systems are; a bootstrap of the ranks has no such guarantee.

Verdicts hold for all pairs of a table together, so that a pair can be sure here and undecided there. `reopened` then makes
the ranges wider, and what a range rules out is never what a verdict leaves open.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from rankgauge.analysis.compare.statistics.corrections import adjust
from rankgauge.arrays import Flags, Floats, Ints
from rankgauge.kernels.resampling import ROUNDING

_BLOCK = 1000
NONE: Ints = np.empty((0, 2), dtype=np.int64)


@dataclass(frozen=True, slots=True)
class RankIntervals:
    """Rank 1 is the highest mean; systems with equal means share the better rank."""

    rank: Ints
    low: Ints
    high: Ints
    sure: Ints
    """Of the pairs asked about, what the ranges of both systems rest on: 1 is surely better than the other, -1 is surely
    worse, 0 is open."""

    def reopened(self, pairs: Ints, undecided: Flags) -> RankIntervals:
        """The ranges without what they say about these of the pairs, whose order the verdicts leave open."""
        low, high, sure = self.low.copy(), self.high.copy(), np.where(undecided[:, np.newaxis], self.sure, 0)
        np.subtract.at(low, pairs, sure < 0)
        np.add.at(high, pairs, sure > 0)
        return replace(self, low=np.maximum(low, 1), high=np.minimum(high, len(high)), sure=self.sure - sure)


def rank_intervals(values: Floats, *, confidence: float = 0.95, pairs: Ints = NONE) -> RankIntervals:
    """Ranks by mean of `values`, systems × queries, with the ranks that simultaneous comparisons leave open.

    Missing cells are left out of a system's mean, as in the leaderboard; a system without any score comes last. Of `pairs`,
    places of two systems each, the result remembers what its ranges rest on.
    """
    present = ~np.isnan(values)
    filled = values if present.all() else np.where(present, values, 0.0)
    with np.errstate(invalid="ignore"):
        observed = filled.sum(axis=1) / present.sum(axis=1)
    rank = ranks_from_means(observed[np.newaxis])[0]
    low, high = np.ones(len(values), np.int64), np.full(len(values), len(values))
    sure = np.zeros(pairs.shape, np.int64)
    for rows, t, p in _all_pairs(filled, present):
        found = np.array([adjust(row, "holm") < 1.0 - confidence for row in p])
        order = np.where(found, np.sign(t), 0.0)
        low[rows] += (order < 0.0).sum(axis=1)
        high[rows] -= (order > 0.0).sum(axis=1)
        for side, own in enumerate(pairs.T):
            here = np.flatnonzero((rows.start <= own) & (own < rows.stop))
            sure[here, side] = order[own[here] - rows.start, pairs[here, 1 - side]]
    return RankIntervals(rank, np.minimum(low, rank), np.maximum(high, rank), sure)


def _all_pairs(values: Floats, present: Flags) -> Iterator[tuple[slice, Floats, Floats]]:
    """t and p of every system (row) minus every other, from sums over the queries that both have; p of itself is nan.

    In blocks of rows: for thousands of systems all of it at once would need gigabytes. What is missing is 0 in `values`.
    """
    # Centered by query, so that little is lost when squares are subtracted; differences of a pair do not change.
    if present.all():
        centered, shared = values - values.mean(axis=0), np.full((len(values), len(values)), float(values.shape[1]))
        squared = np.square(centered)
        sums, squares = (np.broadcast_to(one.sum(axis=1)[:, np.newaxis], shared.shape) for one in (centered, squared))
    else:
        middle = values.sum(axis=0) / np.maximum(present.sum(axis=0), 1)
        centered, here = np.where(present, values - middle, 0.0), present.astype(np.float64)
        squared = np.square(centered)
        sums, squares, shared = centered @ here.T, squared @ here.T, here @ here.T
    rounding = ROUNDING * float(squared.sum())
    for begin in range(0, len(values), _BLOCK):
        rows = slice(begin, begin + _BLOCK)
        queries = shared[rows]
        total = sums[rows] - sums.T[rows]
        spread = squares[rows] + squares.T[rows] - 2.0 * (centered[rows] @ centered.T)
        np.fill_diagonal(queries[:, begin:], 0.0)
        yield rows, *_tested(queries, total, spread, rounding)


def _tested(queries: Floats, total: Floats, spread: Floats, rounding: float) -> tuple[Floats, Floats]:
    """t and p of pairs from the number of queries, the sum and the squares of their differences."""
    from scipy.special import stdtr

    with np.errstate(divide="ignore", invalid="ignore"):
        left = spread - np.square(total) / queries
        left[left <= rounding] = 0.0
        t = total / np.sqrt(queries * left / (queries - 1))
    p = 2.0 * stdtr(np.maximum(queries - 1, 1), -np.abs(np.nan_to_num(t)))
    # Without variance n equal differences prove no more than n equal signs do.
    p = np.where(np.isinf(t), 2.0 ** (1.0 - np.minimum(queries, 1000)), p)
    return np.nan_to_num(t), np.where(queries > 1, p, np.nan)


def ranks_from_means(means: Floats) -> Ints:
    """Ranks within every row, 1 for the largest; means that differ by rounding alone share a rank, nan comes last."""
    means = np.where(np.isnan(means), -np.inf, means)
    order = np.argsort(-means, axis=1, kind="stable")
    ordered = np.take_along_axis(means, order, axis=1)
    with np.errstate(invalid="ignore"):
        drops = ordered[:, :-1] - ordered[:, 1:] > ROUNDING * np.abs(ordered[:, :-1])
    places = np.broadcast_to(np.arange(1, means.shape[1]), drops.shape)
    starts = np.zeros(means.shape, dtype=np.int64)
    starts[:, 1:] = np.maximum.accumulate(np.where(drops, places, 0), axis=1)
    ranks = np.empty(means.shape, dtype=np.int64)
    np.put_along_axis(ranks, order, starts + 1, axis=1)
    return ranks
