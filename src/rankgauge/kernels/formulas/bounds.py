"""How far unjudged documents could move a value: each may have any grade from 0 to the largest judged one.

Only settled orders are seen here. `free` are the ranks of a query's retrieved unjudged documents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from rankgauge.arrays import Floats, Ints
from rankgauge.errors import MeasureError
from rankgauge.kernels.formulas.counting import relevant
from rankgauge.kernels.formulas.cumulated import gains_of, weights_to
from rankgauge.kernels.hits import Hits, Pool

if TYPE_CHECKING:
    from rankgauge.kernels.formulas.cumulated import Curves

Bounds = tuple[Floats, Floats]


@dataclass(frozen=True)
class JudgedList:
    """One query at a time: judged ranks and values, free ranks, the whole pool."""

    rank: Ints
    value: Floats
    free: Ints
    pool: Floats


def each_query(hits: Hits, pool: Pool) -> Iterator[JudgedList]:
    begin = np.searchsorted(hits.query, np.arange(hits.queries + 1))
    for query in range(hits.queries):
        part = slice(begin[query], begin[query + 1])
        free = np.setdiff1d(np.arange(1, hits.retrieved[query] + 1), hits.rank[part], assume_unique=True)
        yield JudgedList(hits.rank[part], hits.value[part], free, pool.value[pool.start[query] : pool.start[query + 1]])


def monotone(hits: Hits, pool: Pool, *, kernel: Callable[..., Floats], **options: Any) -> Bounds:
    """For a measure that no better grade ever lowers, and whose ideal does not move: all free at 0, or all at the top."""
    if options.get("max") == "query":
        raise MeasureError("bounds need one highest grade for all queries; use max=judgments or a number")
    return kernel(hits, pool, **options), kernel(filled(hits, _top(pool)), pool, **options)


def filled(hits: Hits, top: float) -> Hits:
    """Every unjudged document judged with this value."""
    ranks = [np.arange(1, count + 1) for count in hits.retrieved]
    query = np.repeat(np.arange(hits.queries), hits.retrieved)
    rank = np.concatenate(ranks).astype(np.int64) if ranks else np.empty(0, np.int64)
    value = np.full(len(query), top)
    offset = np.cumsum(hits.retrieved) - hits.retrieved
    value[offset[hits.query] + hits.rank - 1] = hits.value
    return replace(hits, query=query, rank=rank, value=value, first=rank, last=rank)


def average_precision(hits: Hits, pool: Pool, *, cutoff: int | None, rel: float | None) -> Bounds:
    """For a given number of free documents made relevant, the sum is least with the deepest and most with the highest."""
    low, high = np.full(hits.queries, np.nan), np.full(hits.queries, np.nan)
    possible = bool(relevant(np.array([_top(pool)]), rel)[0])
    for query, one in enumerate(each_query(hits, pool)):
        good = one.rank[relevant(one.value, rel)]
        needed = int(np.count_nonzero(relevant(one.pool, rel)))
        free = one.free if possible else one.free[:0]
        deepest = [
            _precision_sum(np.concatenate((good, free[len(free) - count :])), cutoff) for count in range(len(free) + 1)
        ]
        highest = [_precision_sum(np.concatenate((good, free[:count])), cutoff) for count in range(len(free) + 1)]
        among = needed + np.arange(len(free) + 1)
        defined = among > 0
        if defined.any():
            low[query] = np.min(np.array(deepest)[defined] / among[defined])
            high[query] = np.max(np.array(highest)[defined] / among[defined])
    return low, high


def _precision_sum(good: Ints, cutoff: int | None) -> float:
    rank = np.sort(good)
    share = np.arange(1, len(rank) + 1) / rank
    return float(share.sum() if cutoff is None else share[rank <= cutoff].sum())


def ndcg(hits: Hits, pool: Pool, *, cutoff: int | None, ideal: str = "judged", **curves: Unpack[Curves]) -> Bounds:
    """Bounds of DCG / ideal DCG, for gains that grow with the grade and weights that fall with the rank.

    Write gains as steps: gain = Σ_l step_l · [grade ≥ level_l]. With c_l free documents at level l or above, the DCG
    adds Σ_l step_l · (weights of those c_l) and the ideal is Σ_l step_l · (the first judged_l + c_l weights). The ideal
    is convex in the gains, so the least ratio has every free document at 0 or at the top, the deepest ones at the top.
    The largest is found by Dinkelbach's iteration: for a ratio λ, every level chooses its own best c_l, and these are
    in order by themselves because judged_l falls with l.
    """
    if ideal != "judged":
        raise MeasureError(f"bounds are known for the ideal of all judged documents, not for ideal={ideal}")
    reach = int(hits.retrieved.max(initial=0)) + int(pool.judged.max(initial=0))
    relevance, gain = curves["relevance"], curves["gain"]
    weights = weights_to(reach, cutoff, curves["discount"])
    grade = np.maximum(pool.value, 0)
    levels = np.unique(np.append(grade, 0.0))
    steps = np.diff(np.asarray(gain(levels), np.float64), prepend=0.0)
    is_identity = np.array_equal(relevance(pool.value, pool.query, pool), grade)
    if not is_identity or steps[0] != 0 or np.any(steps < 0) or np.any(weights[1:] > weights[:-1]):
        raise MeasureError(
            "bounds of nDCG need relevance=identity, gains that grow with the grade from 0 on, and weights that do not rise."
        )
    running = np.concatenate(([0.0], np.cumsum(weights)))
    gains = gains_of(hits.value, hits.query, pool, relevance, gain)
    begin = np.searchsorted(hits.query, np.arange(hits.queries))
    low, high = np.full(hits.queries, np.nan), np.full(hits.queries, np.nan)
    for query, one in enumerate(each_query(hits, pool)):
        counts = np.count_nonzero(one.pool[:, None] >= levels, axis=0)
        reached = float(np.dot(gains[begin[query] : begin[query] + len(one.rank)], weights[one.rank - 1]))
        free = weights[one.free - 1]
        upward, downward = np.concatenate(([0.0], np.cumsum(free))), np.concatenate(([0.0], np.cumsum(free[::-1])))
        taken = np.arange(len(free) + 1)
        best = running[counts[:, None] + taken]  # the ideal: levels × number of free documents
        lowest = (reached + steps.sum() * downward, steps @ best)
        defined = lowest[1] > 0
        if defined.any():
            low[query] = np.min(lowest[0][defined] / lowest[1][defined])
            high[query] = _largest(reached, steps, upward, best)
    return low, high


def _largest(reached: float, steps: Floats, upward: Floats, ideal: Floats) -> float:
    """max over c of (reached + Σ step·upward[c_l]) / Σ step·ideal[l, c_l]."""
    ratio, rows = 0.0, np.arange(len(steps))
    while True:  # the ratio grows until it stays, after a handful of rounds
        chosen = np.argmax(upward - ratio * ideal, axis=1)
        below = float(steps @ ideal[rows, chosen])
        above = reached + float(steps @ upward[chosen])
        if above == 0 or above / below <= ratio:
            return ratio
        ratio = above / below


def _top(pool: Pool) -> float:
    return float(max(pool.value.max(initial=0.0), 0.0))
