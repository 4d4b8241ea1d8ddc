"""User models that walk down the list: ERR stops where a document satisfies, RBP goes on with a fixed patience."""

from __future__ import annotations

import numpy as np

from rankgauge.arrays import Floats, Ints
from rankgauge.errors import MeasureError
from rankgauge.kernels import curves, ties
from rankgauge.kernels.cumulated import best_first, expected_weight
from rankgauge.kernels.curves import Bound
from rankgauge.kernels.hits import Hits, Pool, ratio, running, starts_of, total

Highest = float | str
"""A grade, or where to find it: the highest of all `judgments`, or of each `query`."""


def err(hits: Hits, pool: Pool, *, cutoff: int | None, relevance: Bound, max: Highest) -> Floats:  # noqa: A002 - the option's name
    """Σ 1/r · P(the user stops at r), stopping with (2^v - 1) / 2^max; nan where nothing is relevant."""
    stop = _stops(relevance(hits.value, hits.query, pool), hits.query, pool, relevance, max)
    if hits.is_tied:
        walked = ties.stopping(hits, stop, cutoff)
    else:
        walked = _expected_reciprocal_rank(hits.query, hits.rank, stop, cutoff, hits.queries)
    return np.where(_highest(pool, relevance, "query") > 0, walked, np.nan)


def normalized_err(hits: Hits, pool: Pool, *, cutoff: int | None, relevance: Bound, max: Highest) -> Floats:  # noqa: A002
    """ERR over the ERR of the best order of everything judged."""

    def find() -> Floats:
        worth = best_first(relevance(pool.value, pool.query, pool), pool)
        stop = _stops(worth, pool.query, pool, relevance, max)
        return _expected_reciprocal_rank(pool.query, pool.place + 1, stop, cutoff, pool.queries)

    best = pool.once(("ideal ERR", cutoff, relevance, max), find)
    return ratio(err(hits, pool, cutoff=cutoff, relevance=relevance, max=max), best)


def _expected_reciprocal_rank(query: Ints, rank: Ints, stop: Floats, cutoff: int | None, queries: int) -> Floats:
    counts = stop > 0
    if cutoff is not None:
        counts &= rank <= cutoff
    query, rank, stop = query[counts], rank[counts], stop[counts]
    arrives = np.ones(len(stop))
    arrives[1:] = running(query, 1 - stop, np.multiply)[:-1]
    arrives[starts_of(query)] = 1
    return total(query, stop * arrives / rank, queries)


def _stops(worth: Floats, query: Ints, pool: Pool, relevance: Bound, highest: Highest) -> Floats:
    top = _highest(pool, relevance, highest)[query]
    # (2^v - 1) / 2^top without a power that could overflow when values are raw counts.
    return np.exp2(worth - top) - np.exp2(-top)


def rbp(
    hits: Hits,
    pool: Pool,
    *,
    cutoff: int | None,
    p: float,
    rel: float | None,
    relevance: Bound,
    max: Highest,  # noqa: A002
) -> Floats:
    """(1 - p) Σ v · p^(r - 1); v is 1 from the threshold on, or without one the relevance over the highest."""
    worth = relevance(hits.value, hits.query, pool)
    if rel is not None:
        worth = (worth >= rel).astype(np.float64)
    else:
        top = _highest(pool, relevance, max)[hits.query]
        worth = np.divide(worth, top, out=np.zeros(len(worth)), where=top > 0)
    return (1 - p) * total(hits.query, worth * expected_weight(hits, cutoff, _patience(p)), hits.queries)


def rbp_residual(hits: Hits, pool: Pool, *, cutoff: int | None, p: float) -> Floats:
    """What RBP would gain at most if everything unseen or unjudged were relevant; 0 where nothing was returned."""
    judged = hits.keep(hits.value >= 0)
    known = (1 - p) * total(judged.query, expected_weight(judged, cutoff, _patience(p)), hits.queries)
    return np.where(hits.retrieved > 0, 1 - known, 0)


def _patience(p: float) -> Bound:
    return Bound("rbp", curves.rbp, (p,))


def _highest(pool: Pool, relevance: Bound, highest: Highest) -> Floats:
    """For each query the relevance that counts as the highest possible."""

    def find() -> Floats:
        own = np.zeros(pool.queries)
        np.maximum.at(own, pool.query, relevance(pool.value, pool.query, pool))
        return own

    own: Floats = pool.once(("highest", relevance), find)
    if highest == "query":
        return own
    most = float(own.max(initial=0))
    if isinstance(highest, str):
        return np.full(pool.queries, most)
    if most > highest:
        raise MeasureError(
            f"max={highest:g}, but a relevance of {most:g} was judged.\nGive the highest grade there is."
        )
    return np.full(pool.queries, float(highest))
