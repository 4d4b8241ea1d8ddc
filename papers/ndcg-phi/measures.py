"""The measures of the paper, written out for lists that are their own pool; every row of an array is one ranking."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rankgauge.kernels import curves
from rankgauge.kernels.hits import pool_of

Floats = npt.NDArray[np.float64]
TIERS = (10, 25, 50)  # the paper's ad-hoc grades: 3 for the ten best, 2 up to rank 25, 1 up to rank 50, 0 below


def relevance(scores: Floats, settings: curves.BoxPlot) -> Floats:
    """Phi of every score, fitted row by row."""
    rows, items = scores.shape
    queries = np.repeat(np.arange(rows), items)
    falling = np.sort(scores, axis=1)[:, ::-1].ravel()
    fitted = curves.Phi.fit(falling, np.arange(rows + 1) * items, settings)
    return fitted(queries, scores.ravel()).reshape(scores.shape)


def tiers(scores: Floats) -> Floats:
    """Ad-hoc grades by place in the order of the scores, as `relevance=tiers(10, 25, 50)` gives them."""
    rows, items = scores.shape
    query = np.repeat(np.arange(rows), items)
    pool = pool_of(query, scores.ravel(), rows)
    return curves.tiers(scores.ravel(), query, pool, *TIERS).reshape(scores.shape)


def ndcg(gains: Floats, cutoff: int) -> Floats:
    """Gains in system order; nan where no item has a gain."""
    weights = 1 / np.log2(np.arange(2, cutoff + 2))
    ideal = np.sort(gains, axis=1)[:, ::-1][:, :cutoff] @ weights
    found = gains[:, :cutoff] @ weights
    return np.divide(found, ideal, out=np.full(len(gains), np.nan), where=ideal > 0)


def exponential(relevance: Floats) -> Floats:
    return 2.0**relevance - 1


def expected_reciprocal_rank(relevance: Floats) -> float:
    satisfied = exponential(relevance) / 2
    unsatisfied_before = np.cumprod(np.r_[1, 1 - satisfied[:-1]])
    return float(np.sum(satisfied * unsatisfied_before / np.arange(1, len(satisfied) + 1)))


def rank_biased_precision(relevance: Floats, persistence: float = 0.8) -> float:
    return float((1 - persistence) * np.sum(relevance * persistence ** np.arange(len(relevance))))


def q_measure(relevance: Floats, beta: float = 1.0) -> float:
    rank = np.arange(1, len(relevance) + 1)
    cumulated, ideal = np.cumsum(relevance), np.cumsum(np.sort(relevance)[::-1])
    blended = (np.cumsum(relevance > 0) + beta * cumulated) / (rank + beta * ideal)
    return float(blended[relevance > 0].mean())
