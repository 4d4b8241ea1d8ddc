"""Cumulated gain: DCG and nDCG with any relevance, gain and discount."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.errors import MeasureError
from rankgauge.kernels.hits import Hits, Pool, ratio, starts_of, total

if TYPE_CHECKING:
    from rankgauge.arrays import Floats, Ints
    from rankgauge.kernels.curves import Bound

    Gain = Callable[[Floats], Floats]


def dcg(hits: Hits, pool: Pool, *, cutoff: int | None, relevance: Bound, gain: Gain, discount: Bound) -> Floats:
    """Σ gain · weight over the ranks down to the cutoff."""
    gains = gains_of(hits.value, hits.query, pool, relevance, gain)
    return total(hits.query, gains * expected_weight(hits, cutoff, discount), hits.queries)


def ndcg(hits: Hits, pool: Pool, *, cutoff: int | None, ideal: str = "judged", **curves: Any) -> Floats:
    """DCG over the DCG of the best order of everything judged; nan where nothing has gain."""
    best = best_dcg(hits, pool, cutoff=cutoff, ideal=ideal, **curves)
    relevance, reached = curves["relevance"], dcg(hits, pool, cutoff=cutoff, **curves)
    if relevance.name == "bounded":
        best = np.where(best > 0, best, 0.0)  # a quotient of negative sums would praise the worse order
    values = ratio(reached, best)
    if relevance.name == "balanced":
        # torchmetrics takes grades that add up to 0 for none; it adds in single precision.
        sums = np.zeros(pool.queries, np.float32)
        np.add.at(sums, pool.query, pool.value.astype(np.float32))
        values = np.where(sums == 0, np.nan, np.where(best == 0, 0.0, values))
    return values


def best_dcg(hits: Hits, pool: Pool, *, cutoff: int | None, ideal: str, **curves: Any) -> Floats:
    """What a DCG is divided by: the best order of all judged documents down to the cutoff, or another tool's ideal."""
    if ideal in {"judged", "uncut"}:
        return ideal_dcg(pool, cutoff=cutoff if ideal == "judged" else None, **curves)
    returned = hits.retrieved if cutoff is None else np.minimum(hits.retrieved, cutoff)
    if ideal == "answered":
        return ideal_dcg(pool, cutoff=None, depth=returned, **curves)
    if ideal == "ones":
        has_gain = gains_of(pool.value, pool.query, pool, curves["relevance"], curves["gain"]) > 0
        weights = weights_to(int(cutoff or returned.max(initial=0)), cutoff, curves["discount"])
        below = np.concatenate(([0.0], np.cumsum(weights)))[returned if cutoff is None else cutoff]
        return np.where(total(pool.query, has_gain.astype(np.float64), pool.queries) > 0, below, 0.0)
    own = hits.pool() if ideal == "returned" or cutoff is None else hits.settled().top(cutoff).pool()
    return ideal_dcg(own, cutoff=cutoff, **curves)


def ideal_dcg(
    pool: Pool, *, cutoff: int | None, relevance: Bound, gain: Gain, discount: Bound, depth: Ints | None = None
) -> Floats:
    """The largest attainable DCG: largest gains on largest weights, over the whole judged pool.

    With a depth, of as many documents as that has for each query.
    """

    def find() -> Floats:
        weights = best_weights(int(pool.judged.max(initial=0)), cutoff, discount)
        if pool.is_uniform and relevance.name == "identity":
            own = gains_of(pool.value[:1], np.zeros(1, np.int64), pool, relevance, gain)[0]
            below = np.concatenate(([0.0], np.cumsum(own * weights)))  # added up one by one, as bincount does
            return below[np.minimum(pool.judged, len(weights) if depth is None else depth)]
        gains = best_first(gains_of(pool.value, pool.query, pool, relevance, gain), pool)
        seen = pool.place < (len(weights) if depth is None else depth[pool.query])
        return total(pool.query[seen], gains[seen] * weights[pool.place[seen]], pool.queries)

    found: Floats = find() if depth is not None else pool.once(("ideal", cutoff, relevance, gain, discount), find)
    return found


def best_first(gains: Floats, pool: Pool) -> Floats:
    """What the pool's documents are worth, largest first within each query."""
    rises = gains[1:] > gains[:-1]
    if rises.any() and np.any(rises & ~starts_of(pool.query)[1:]):
        # A gain that does not grow with the grade: the best order is by gain.
        gains = gains[np.lexsort((-gains, pool.query))]
    return gains


def gains_of(value: Floats, query: Ints, pool: Pool, relevance: Bound, gain: Gain) -> Floats:
    gains = np.asarray(gain(relevance(value, query, pool)), np.float64)
    least = -np.inf if relevance.name in {"signed", "bounded", "balanced"} else 0
    if len(gains) and not (gains.min() >= least and gains.max() < np.inf):
        odd = gains[~((gains >= 0) & (gains < np.inf))][0]
        raise MeasureError(f"a gain of {odd:g} came up; gains are finite and not negative.")
    return gains


def weights_to(depth: int, cutoff: int | None, discount: Bound) -> Floats:
    """The weights of ranks 1 … depth, 0 beyond the cutoff."""
    ranks = np.arange(1, depth + 1, dtype=np.float64)
    weights = np.array(discount(ranks, cutoff), np.float64)
    if weights.shape != ranks.shape or (depth and not (weights.min() >= 0 and weights.max() < np.inf)):
        raise MeasureError("a discount gives each rank one finite weight that is not negative.")
    if cutoff is not None:
        weights[cutoff:] = 0
    return weights


def best_weights(count: int, cutoff: int | None, discount: Bound) -> Floats:
    """The `count` largest weights within the cutoff, in descending order."""
    # Beyond its reach a discount does not rise, so that a cutoff far behind all documents needs no table of its length.
    known = count if discount.reach is None else discount.reach + count
    reach = known if cutoff is None else cutoff if discount.reach is None else min(cutoff, known)
    weights = weights_to(reach, cutoff, discount)
    if np.any(weights[1:] > weights[:-1]):
        if cutoff is None and discount.reach is None:
            problem = "this discount rises with the rank, so its ideal needs a cutoff."
            raise MeasureError(f"{problem}\nAdd one, as in nDCG(…)@10.")
        weights = np.sort(weights)[::-1]
    return weights[:count]


def expected_weight(hits: Hits, cutoff: int | None, discount: Bound) -> Floats:
    """The weight of each hit's rank, or the mean weight of its span while ties are open."""
    weights = weights_to(int(hits.last.max(initial=0)), cutoff, discount)
    expected = weights[hits.rank - 1]
    if hits.is_tied:
        tied = hits.first != hits.last
        first, last = hits.first[tied], hits.last[tied]
        running = np.concatenate(([0.0], np.cumsum(weights)))
        expected[tied] = (running[last] - running[first - 1]) / (last - first + 1)
    return expected
