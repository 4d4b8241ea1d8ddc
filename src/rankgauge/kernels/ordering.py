"""rankDCG on hits: how well a run orders the judged documents of a query among themselves."""

from __future__ import annotations

import numpy as np

from rankgauge.kernels.hits import Floats, Hits, Pool, count, starts_of
from rankgauge.kernels.rankdcg import rank_dcg


def rank_dcg_of_hits(hits: Hits, pool: Pool, *, cutoff: int | None) -> Floats:
    """rankDCG over all judged documents of a query.

    Unjudged documents have no value and play no part. Judged documents that were not returned stand below all others,
    tied among themselves: in the worst order, or in the mean over all orders while ties are open.
    """
    left_query, left_value = _not_returned(hits, pool)
    query = np.concatenate((hits.query, left_query))
    truth = np.concatenate((hits.value, left_value))
    score = np.concatenate((-hits.first.astype(np.float64), np.full(len(left_value), -np.inf)))
    order = np.argsort(query, kind="stable")
    offsets = np.concatenate(([0], np.cumsum(count(query, hits.queries))))
    values = rank_dcg(truth[order], score[order], offsets, cutoff=cutoff, ties="mean" if hits.is_tied else "worst")
    return np.where(hits.retrieved > 0, values, np.where(np.isnan(values), np.nan, 0.0))


def _not_returned(hits: Hits, pool: Pool) -> tuple[np.ndarray[tuple[int], np.dtype[np.int64]], Floats]:
    """The judged values that no hit carries: every value as often as the pool has it more than the hits."""
    query = np.concatenate((pool.query, hits.query))
    value = np.concatenate((pool.value, hits.value))
    sign = np.concatenate((np.ones(len(pool.value)), -np.ones(len(hits.value))))
    order = np.lexsort((value, query))
    opens = np.flatnonzero(starts_of(query[order], value[order]))
    left = np.add.reduceat(sign[order], opens).astype(np.int64) if len(order) else np.empty(0, np.int64)
    return np.repeat(query[order][opens], left), np.repeat(value[order][opens], left)
