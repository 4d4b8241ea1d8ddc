"""Measures that count relevant documents. A document is relevant from a threshold on, or above 0."""

from __future__ import annotations

import numpy as np

from rankgauge.kernels.cumulated import expected_weight
from rankgauge.kernels.hits import Flags, Floats, Hits, Ints, Pool, count, place, ratio, total


def relevant(value: Floats, rel: float | None) -> Flags:
    return value > 0 if rel is None else value >= rel


def relevant_in_pool(pool: Pool, rel: float | None) -> Ints:
    counted: Ints = pool.once(("relevant", rel), lambda: count(pool.query[relevant(pool.value, rel)], pool.queries))
    return counted


def found(hits: Hits, cutoff: int | None, rel: float | None) -> Floats:
    """Relevant documents down to the cutoff (their expected number while ties are open)."""
    good = hits.keep(relevant(hits.value, rel))
    within = np.ones(int(good.last.max(initial=0)))
    if cutoff is not None:
        within[cutoff:] = 0
    return total(good.query, expected_weight(good, within), hits.queries)


def precision(hits: Hits, pool: Pool, *, cutoff: int | None, rel: float | None) -> Floats:
    """Relevant documents among the first k, over k even if fewer were returned; without a cutoff, over all returned."""
    below = hits.retrieved if cutoff is None else np.full(hits.queries, cutoff)
    return ratio(found(hits, cutoff, rel), below)


def recall(hits: Hits, pool: Pool, *, cutoff: int | None, rel: float | None) -> Floats:
    """Relevant documents found, over all judged relevant."""
    return ratio(found(hits, cutoff, rel), relevant_in_pool(pool, rel))


def average_precision(hits: Hits, pool: Pool, *, cutoff: int | None, rel: float | None) -> Floats:
    """Mean over all judged relevant documents of the precision at their ranks, 0 for those not found."""
    good = hits.keep(relevant(hits.value, rel))
    share = (place(good.query) + 1) / good.rank
    if cutoff is not None:
        share[good.rank > cutoff] = 0
    return ratio(total(good.query, share, hits.queries), relevant_in_pool(pool, rel))


def reciprocal_rank(hits: Hits, pool: Pool, *, cutoff: int | None, rel: float | None) -> Floats:
    """1 over the rank of the first relevant document, 0 if none is found."""
    good = hits.keep(relevant(hits.value, rel))
    leading = place(good.query) == 0
    if cutoff is not None:
        leading &= good.rank <= cutoff
    return total(good.query[leading], 1 / good.rank[leading], hits.queries)


def success(hits: Hits, pool: Pool, *, cutoff: int | None, rel: float | None) -> Floats:
    """1 if a relevant document is found, else 0."""
    return (found(hits, cutoff, rel) > 0).astype(np.float64)


def judged(hits: Hits, pool: Pool, *, cutoff: int | None) -> Floats:
    """Share of the returned documents, down to the cutoff, that have a judgment."""
    below = hits.retrieved if cutoff is None else np.minimum(hits.retrieved, cutoff)
    within = np.ones(int(hits.last.max(initial=0)))
    if cutoff is not None:
        within[cutoff:] = 0
    return ratio(total(hits.query, expected_weight(hits, within), hits.queries), below)
