"""Measures that count relevant documents. A document is relevant from a threshold on, or above 0."""

from __future__ import annotations

from typing import Literal

import numpy as np

from rankgauge.arrays import Flags, Floats, Ints
from rankgauge.kernels import expected
from rankgauge.kernels.formulas.cumulated import Gain, Relevance, best_first, gains_of
from rankgauge.kernels.hits import Hits, Pool, count, place, ratio, running, total


def relevant(value: Floats, rel: float | None) -> Flags:
    return value > 0 if rel is None else value >= rel


def relevant_in_pool(pool: Pool, rel: float | None) -> Ints:
    counted: Ints = pool.once(("relevant", rel), lambda: count(pool.query[relevant(pool.value, rel)], pool.queries))
    return counted


def seen(hits: Hits, depth: int | Ints | None) -> Floats:
    """1 for a hit down to the depth (one for all, or one per query), else 0; while ties are open, the chance of it."""
    if depth is None:
        return np.ones(len(hits.query))
    within = depth if isinstance(depth, int) else depth[hits.query]
    return np.clip((within + 1 - hits.first) / (hits.last + 1 - hits.first), 0, 1)


def found(hits: Hits, depth: int | Ints | None, rel: float | None) -> Floats:
    """Relevant documents down to the depth (their expected number while ties are open)."""
    good = hits.keep(relevant(hits.value, rel))
    return total(good.query, seen(good, depth), hits.queries)


def precision(hits: Hits, pool: Pool, *, cutoff: int | None, rel: float | None) -> Floats:
    """Relevant documents among the first k, over k even if fewer were returned; without a cutoff, over all returned."""
    below = hits.retrieved if cutoff is None else np.full(hits.queries, cutoff)
    return ratio(found(hits, cutoff, rel), below)


def recall(hits: Hits, pool: Pool, *, cutoff: int | None, rel: float | None) -> Floats:
    """Relevant documents found, over all judged relevant."""
    return ratio(found(hits, cutoff, rel), relevant_in_pool(pool, rel))


def f_measure(hits: Hits, pool: Pool, *, cutoff: int | None, beta: float, rel: float | None) -> Floats:
    """Weighted harmonic mean of precision and recall: with f found, (1 + β²) f / (β² R + k)."""
    known = relevant_in_pool(pool, rel)
    looked_at = hits.retrieved if cutoff is None else np.full(hits.queries, cutoff)
    below = np.where(known > 0, beta**2 * known + looked_at, 0)
    return ratio((1 + beta**2) * found(hits, cutoff, rel), below)


def relative_precision(hits: Hits, pool: Pool, *, cutoff: int | None, rel: float | None) -> Floats:
    """Relevant documents among the first k, over the most that could be there."""
    looked_at = hits.retrieved if cutoff is None else cutoff
    return ratio(found(hits, cutoff, rel), np.minimum(looked_at, relevant_in_pool(pool, rel)))


def r_precision(hits: Hits, pool: Pool, *, times: float, rounding: Rounding, rel: float | None) -> Floats:
    """Precision after as many documents as are relevant, or a multiple of it."""
    depth = documents_for(times, relevant_in_pool(pool, rel), rounding)
    return ratio(found(hits, depth, rel), depth)


def average_precision(hits: Hits, pool: Pool, *, cutoff: int | None, rel: float | None) -> Floats:
    """Mean over all judged relevant documents of the precision at their ranks, 0 for those not found."""
    known = relevant_in_pool(pool, rel)
    if hits.is_tied:
        return ratio(expected.precision_sum(hits, relevant(hits.value, rel), cutoff), known)
    good = hits.keep(relevant(hits.value, rel))
    share = (place(good.query) + 1) / good.rank
    if cutoff is not None:
        share[good.rank > cutoff] = 0
    return ratio(total(good.query, share, hits.queries), known)


def q_measure(hits: Hits, pool: Pool, *, cutoff: int | None, beta: float, relevance: Relevance, gain: Gain) -> Floats:
    """Average precision with the blended ratio (count + β · gain) / (rank + β · ideal gain), over min(k, R)."""
    worth = gains_of(hits.value, hits.query, pool, relevance, gain)
    known, ideal = pool.once(("q", relevance, gain), lambda: _ideal_gain(pool, relevance, gain))

    def below(query: Ints, rank: Ints) -> Floats:
        return rank + beta * ideal[pool.start[query] + np.minimum(rank, pool.judged[query]) - 1]

    if hits.is_tied:
        summed = expected.blended_sum(hits, worth > 0, beta * worth, cutoff, below)
    else:
        good, worth = hits.keep(worth > 0), worth[worth > 0]
        blended = (place(good.query) + 1 + beta * running(good.query, worth)) / below(good.query, good.rank)
        if cutoff is not None:
            blended[good.rank > cutoff] = 0
        summed = total(good.query, blended, hits.queries)
    return ratio(summed, known if cutoff is None else np.minimum(known, cutoff))


def _ideal_gain(pool: Pool, relevance: Relevance, gain: Gain) -> tuple[Ints, Floats]:
    """How many documents of each query have gain, and the gain cumulated along the best order."""
    worth = best_first(gains_of(pool.value, pool.query, pool, relevance, gain), pool)
    return count(pool.query[worth > 0], pool.queries), running(pool.query, worth)


def reciprocal_rank(hits: Hits, pool: Pool, *, cutoff: int | None, rel: float | None) -> Floats:
    """1 over the rank of the first relevant document, 0 if none is found."""
    query, rank, chance = _first_relevant(hits, cutoff, rel)
    return total(query, chance / rank, hits.queries)


def success(hits: Hits, pool: Pool, *, cutoff: int | None, rel: float | None) -> Floats:
    """1 if a relevant document is found, else 0; while ties are open, the chance of it."""
    query, _, chance = _first_relevant(hits, cutoff, rel)
    return np.minimum(total(query, chance, hits.queries), 1)


def _first_relevant(hits: Hits, cutoff: int | None, rel: float | None) -> tuple[Ints, Ints, Floats]:
    """Query, rank and chance of the first relevant document down to the cutoff."""
    if hits.is_tied:
        query, rank, chance = expected.first_relevant(hits, relevant(hits.value, rel))
    else:
        good = hits.keep(relevant(hits.value, rel))
        leads = place(good.query) == 0
        query, rank, chance = good.query[leads], good.rank[leads], np.ones(int(np.count_nonzero(leads)))
    within = slice(None) if cutoff is None else rank <= cutoff
    return query[within], rank[within], chance[within]


def judged(hits: Hits, pool: Pool, *, cutoff: int | None) -> Floats:
    """Share of the returned documents, down to the cutoff, that have a judgment."""
    below = hits.retrieved if cutoff is None else np.minimum(hits.retrieved, cutoff)
    return ratio(total(hits.query, seen(hits, cutoff), hits.queries), below)


def unjudged(hits: Hits, pool: Pool, *, cutoff: int) -> Floats:
    """Documents among the first k without a judgment, or with a negative one, over k even if fewer were returned."""
    known = hits.keep(hits.value >= 0)
    returned = np.minimum(hits.retrieved, cutoff)
    return (returned - total(known.query, seen(known, cutoff), hits.queries)) / cutoff


Rounding = Literal["up", "nearest", "trec"]


def documents_for(share: float, relevant: Ints, rounding: Rounding) -> Ints:
    """share · relevant as a whole number of documents.

    up       the fewest that reach the share
    nearest  halves go up, as in trec_eval 10
    trec     up, unless the remainder is below a tenth, as in trec_eval 9
    """
    exact: Floats = share * relevant.astype(np.float64)
    if rounding == "up":
        # 0.07 · 100 is a little more than 7 in binary.
        return np.ceil(exact - 1e-9).astype(np.int64)
    if rounding == "nearest":
        down = np.floor(exact)
        return (down + (exact - down >= 0.5)).astype(np.int64)
    return np.floor(exact + 0.9).astype(np.int64)
