"""Measures that count relevant documents, in ranks and in sets. A document is relevant from a threshold on, or above 0."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Literal

import numpy as np

from rankgauge.arrays import Flags, Floats, Ints
from rankgauge.errors import MeasureError
from rankgauge.kernels import late
from rankgauge.kernels.cumulated import best_first, gains_of
from rankgauge.kernels.hits import Hits, Pool, count, counted, looked_at, place, ratio, running, seen, starts_of, total

if TYPE_CHECKING:
    from rankgauge.kernels.cumulated import Gain
    from rankgauge.kernels.curves import Bound

Rounding = Literal["up", "nearest", "trec"]
precision_sum, first_when_tied = late("ties.precision_sum"), late("ties.first_relevant")


def relevant(value: Floats, rel: float | None) -> Flags:
    return value > 0 if rel is None else value >= rel


def relevant_in_pool(pool: Pool, rel: float | None) -> Ints:
    def make() -> Ints:
        if pool.is_uniform and relevant(pool.value[:1], rel).all():
            return pool.judged
        return count(pool.query[relevant(pool.value, rel)], pool.queries)

    counted: Ints = pool.once(("relevant", rel), make)
    return counted


def relevant_hits(hits: Hits, rel: float | None) -> Hits:
    good: Hits = hits.once(("relevant", rel), lambda: hits.keep(relevant(hits.value, rel)))
    return good


def found(hits: Hits, depth: int | Ints | None, rel: float | None) -> Floats:
    """Relevant documents down to the depth (their expected number while ties are open)."""
    return counted(relevant_hits(hits, rel), depth)


def precision(hits: Hits, pool: Pool, *, cutoff: int | None = None, rel: float | None, over: str = "k") -> Floats:
    """Relevant documents among the first k, over k even if fewer were returned; without a cutoff, over all returned."""
    below = precision_below(hits, pool, cutoff=cutoff, rel=rel, over=over)
    shares = ratio(found(hits, cutoff, rel), below)
    return shares if over != "returned" or cutoff is None else np.where(below > 0, shares, 0.0)


def precision_below(hits: Hits, pool: Pool, *, cutoff: int | None, rel: float | None, over: str) -> Ints:
    """k even if fewer were returned; what was returned down to k; the relevant documents; or the most of them in k."""
    if over == "returned":
        return looked_at(hits, cutoff)
    known = relevant_in_pool(pool, rel)
    if over == "all":
        return known
    below = hits.retrieved if cutoff is None else np.full(hits.queries, cutoff)
    return np.minimum(below, known) if over == "reachable" else below


recall = partial(precision, over="all")
"""Relevant documents found, over all judged relevant."""


def f_measure(hits: Hits, pool: Pool, *, cutoff: int | None = None, beta: float, rel: float | None) -> Floats:
    """Weighted harmonic mean of precision and recall: with f found, (1 + β²) f / (β² R + k)."""
    known = relevant_in_pool(pool, rel)
    below = np.where(known > 0, beta**2 * known + (hits.retrieved if cutoff is None else cutoff), 0)
    return ratio((1 + beta**2) * found(hits, cutoff, rel), below)


def r_precision(hits: Hits, pool: Pool, *, times: float, rounding: Rounding, rel: float | None) -> Floats:
    """Precision after as many documents as are relevant, or a multiple of it."""
    depth = documents_for(times, relevant_in_pool(pool, rel), rounding)
    return ratio(found(hits, depth, rel), depth)


def average_precision(
    hits: Hits, pool: Pool, *, cutoff: int | None, rel: float | None, over: str = "all", at: str = "rank"
) -> Floats:
    """Mean over all judged relevant documents of the precision at their ranks, 0 for those not found."""
    known, good = relevant_in_pool(pool, rel), relevant_hits(hits, rel)
    if at == "threshold":  # every relevant document counts where its tie ends
        group = np.cumsum(starts_of(good.query, good.first)) - 1
        last_place = np.zeros(len(group), np.int64)
        np.maximum.at(last_place, group, place(good.query))
        summed = total(good.query, (last_place[group] + 1) / good.last, good.queries)
    elif hits.is_tied:
        summed = precision_sum(hits, relevant(hits.value, rel), cutoff)
    else:
        share = (place(good.query) + 1) / good.rank
        if cutoff is not None:
            share[good.rank > cutoff] = 0
        summed = total(good.query, share, hits.queries)
    if over == "all":
        return ratio(summed, known)
    below = average_precision_below(hits, pool, cutoff=cutoff, rel=rel, over=over, at=at)
    # What was not found at all is 0, whatever it would be divided by; undefined only where nothing is relevant.
    return np.where(known > 0, np.where(below > 0, ratio(summed, below), 0.0), np.nan)


def average_precision_below(
    hits: Hits, pool: Pool, *, cutoff: int | None, rel: float | None, over: str, at: str
) -> Ints | Floats:
    """All relevant documents; those that could be among the first k, or in the list; those found; or k."""
    if over == "found":
        return found(hits, None if at == "threshold" else cutoff, rel)
    if over == "k":
        return precision_below(hits, pool, cutoff=cutoff, rel=rel, over="k")
    known, within = relevant_in_pool(pool, rel), looked_at(hits, cutoff) if over == "returned" else cutoff
    return known if over == "all" or within is None else np.minimum(known, within)


def q_measure(hits: Hits, pool: Pool, *, cutoff: int | None, beta: float, relevance: Bound, gain: Gain) -> Floats:
    """Average precision with the blended ratio (count + β · gain) / (rank + β · ideal gain), over min(k, R)."""

    def of_ideal() -> tuple[Ints, Floats]:
        """How many documents of each query have gain, and the gain cumulated along the best order."""
        worth = best_first(gains_of(pool.value, pool.query, pool, relevance, gain), pool)
        return count(pool.query[worth > 0], pool.queries), running(pool.query, worth)

    worth = gains_of(hits.value, hits.query, pool, relevance, gain)
    known, ideal = pool.once(("q", relevance, gain), of_ideal)

    def below(query: Ints, rank: Ints) -> Floats:
        return rank + beta * ideal[pool.start[query] + np.minimum(rank, pool.judged[query]) - 1]

    if hits.is_tied:
        summed = precision_sum(hits, worth > 0, cutoff, beta * worth, below)
    else:
        counts = worth != 0
        gained, is_good = running(hits.query[counts], worth[counts]), worth[counts] > 0
        good = hits.keep(worth > 0)
        blended = (place(good.query) + 1 + beta * gained[is_good]) / below(good.query, good.rank)
        if cutoff is not None:
            blended[good.rank > cutoff] = 0
        summed = total(good.query, blended, hits.queries)
    return ratio(summed, known if cutoff is None else np.minimum(known, cutoff))


def reciprocal_rank(
    hits: Hits, pool: Pool, *, cutoff: int | None, rel: float | None, first: str = "relevant"
) -> Floats:
    """1 over the rank of the first relevant document, 0 if none is found.

    Or of the first with the highest grade of the list, which may be 0.
    """
    if first == "relevant":
        query, rank, chance = _first_relevant(hits, cutoff, rel)
        return total(query, chance / rank, hits.queries)
    top = np.zeros(hits.queries)
    np.maximum.at(top, hits.query, hits.value)
    best = replace(hits, value=np.where((hits.value >= top[hits.query]) & (hits.value > 0), 1.0, 0.0))
    values = np.where((top <= 0) & (hits.retrieved > 0), 1.0, reciprocal_rank(best, pool, cutoff=cutoff, rel=None))
    return np.where(relevant_in_pool(pool, rel) > 0, values, np.nan)


def success(hits: Hits, pool: Pool, *, cutoff: int | None, rel: float | None) -> Floats:
    """1 if a relevant document is found, else 0; while ties are open, the chance of it."""
    query, _, chance = _first_relevant(hits, cutoff, rel)
    return np.minimum(total(query, chance, hits.queries), 1)


def _first_relevant(hits: Hits, cutoff: int | None, rel: float | None) -> tuple[Ints, Ints, Floats]:
    """Query, rank and chance of the first relevant document down to the cutoff."""
    if hits.is_tied:
        query, rank, chance = first_when_tied(hits, relevant(hits.value, rel))
    else:
        good = relevant_hits(hits, rel)
        leads: Ints = good.once("leads", lambda: np.flatnonzero(starts_of(good.query)))
        query, rank, chance = good.query[leads], good.rank[leads], np.ones(len(leads))
    within = slice(None) if cutoff is None else rank <= cutoff
    return query[within], rank[within], chance[within]


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


def interpolated_precision(
    hits: Hits,
    pool: Pool,
    *,
    rounding: Rounding,
    rel: float | None,
    cutoff: float = 0.0,
    recall: tuple[float, ...] | None = None,
) -> Floats:
    """The best precision at the rank where this recall (the cutoff) is reached, or further down; 0 where it never is.

    Of several levels of recall, the mean.
    """
    if hits.is_tied:
        problem = "interpolated precision is a maximum, whose mean over tied orders has no closed form."
        raise MeasureError(f'{problem}\nUse another rule than ties="mean".')
    good = relevant_hits(hits, rel)
    at = place(good.query)
    share = (at + 1) / good.rank
    best = running(good.query[::-1], share[::-1], np.maximum)[::-1]
    known = relevant_in_pool(pool, rel)
    amounts = np.zeros(hits.queries)
    # From the highest level down, as the curve is built: sums have the bits of trec_eval's.
    levels = (cutoff,) if recall is None else recall
    for level in sorted(levels, reverse=True):
        needed = np.maximum(documents_for(level, known, rounding), 1)
        reached = at == needed[good.query] - 1
        amounts += total(good.query[reached], best[reached], hits.queries)
    return np.where(known > 0, ratio(amounts, np.full(hits.queries, len(levels))), np.nan)


def set_average_precision(hits: Hits, pool: Pool, *, rel: float | None) -> Floats:
    """Precision · recall of the set: every relevant document found counts with the precision of the whole set."""
    good = found(hits, None, rel)
    return ratio(good * good, hits.retrieved * relevant_in_pool(pool, rel))


def number(hits: Hits, pool: Pool, *, of: str, cutoff: int | None = None, rel: float | None = None) -> Floats:
    """How many queries there are (1 each), documents retrieved, relevant, both, or retrieved and judged not relevant."""
    if of == "queries":
        return np.ones(hits.queries)
    if of == "found":
        return found(hits, cutoff, rel)
    if of == "wrong":  # a negative grade is not a judgment
        counts = count(hits.query[(hits.value >= 0) & ~relevant(hits.value, rel)], hits.queries)
    else:
        counts = hits.retrieved if of == "retrieved" else relevant_in_pool(pool, rel)
    return counts.astype(np.float64)


def judged(hits: Hits, pool: Pool, *, cutoff: int | None) -> Floats:
    """Share of the returned documents, down to the cutoff, that have a judgment."""
    return ratio(counted(hits, cutoff), looked_at(hits, cutoff))


def unjudged(hits: Hits, pool: Pool, *, cutoff: int) -> Floats:
    """Documents among the first k without a judgment, or with a negative one, over k even if fewer were returned."""
    known = hits.keep(hits.value >= 0)
    returned = np.minimum(hits.retrieved, cutoff)
    return (returned - total(known.query, seen(known, cutoff), hits.queries)) / cutoff
