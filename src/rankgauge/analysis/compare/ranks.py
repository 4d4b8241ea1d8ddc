"""Each system's place in the leaderboard, and how far it may move with other queries of the same kind."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankgauge.arrays import Floats, Ints
from rankgauge.kernels.resampling import ROUNDING, Progress, bootstrap_means


@dataclass(frozen=True, slots=True)
class RankIntervals:
    """Rank 1 is the highest mean; systems with equal means share the better rank."""

    rank: Ints
    low: Ints
    high: Ints
    samples: int
    seed: int


def rank_intervals(
    values: Floats,
    *,
    confidence: float = 0.95,
    samples: int = 2_000,
    seed: int = 7,
    progress: Progress | None = None,
) -> RankIntervals:
    """Ranks by mean of `values`, systems × queries, and percentiles of the ranks over bootstrap samples of the queries.

    Missing cells are left out of a system's mean, as in the leaderboard; a system without any score comes last.
    """
    present = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        observed = np.where(present, values, 0.0).sum(axis=1) / present.sum(axis=1)
    drawn = ranks_from_means(bootstrap_means(values, samples, seed, progress).T)
    tail = (1.0 - confidence) / 2.0
    # Ranks are whole numbers: the outer one of two neighbours, never a rank between them.
    low = np.quantile(drawn, tail, axis=0, method="lower")
    high = np.quantile(drawn, 1.0 - tail, axis=0, method="higher")
    rank = ranks_from_means(observed[np.newaxis])[0]
    # A tie in the data is broken in nearly every resample; the interval still has to hold the rank shown.
    return RankIntervals(rank, np.minimum(low, rank), np.maximum(high, rank), samples, seed)


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
