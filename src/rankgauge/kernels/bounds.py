"""How far unjudged documents could move a value: each may have any grade from 0 to the largest judged one.

Only settled orders are seen here. `free` are the ranks of a query's retrieved unjudged documents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rankgauge.arrays import Floats, Ints
from rankgauge.errors import MeasureError
from rankgauge.kernels.counting import relevant
from rankgauge.kernels.cumulated import gains_of, weights_to
from rankgauge.kernels.hits import Hits, Pool
from rankgauge.kernels.resampling import ROUNDING

if TYPE_CHECKING:
    from rankgauge.kernels.cumulated import Gain
    from rankgauge.kernels.curves import Bound

Bounds = tuple[Floats, Floats]
CELLS = 1 << 21
"""Numbers in the largest table at a time: pairs × levels × holes."""
SEARCH = 60
"""Steps of a search: each leaves two thirds or a half of the interval."""


def _each_query(hits: Hits, pool: Pool) -> Iterator[tuple[int, slice, Ints, Floats]]:
    """One query at a time: its hits, the free ranks, and everything judged."""
    begin = np.searchsorted(hits.query, np.arange(hits.queries + 1))
    for query in range(hits.queries):
        part = slice(begin[query], begin[query + 1])
        free = np.setdiff1d(np.arange(1, hits.retrieved[query] + 1), hits.rank[part], assume_unique=True)
        yield query, part, free, pool.value[pool.start[query] : pool.start[query + 1]]


def monotone(hits: Hits, pool: Pool, *, kernel: Callable[..., Floats], **options: Any) -> Bounds:
    """For a measure that no better grade ever lowers, and whose ideal does not move: all free at 0, or all at the top."""
    if options.get("max") == "query":
        raise MeasureError("bounds need one highest grade for all queries; use max=judgments or a number")
    return kernel(hits, pool, **options), kernel(filled(hits, _top(pool)), pool, **options)


def filled(hits: Hits, top: float) -> Hits:
    """Every unjudged document judged with this value."""
    query = np.repeat(np.arange(hits.queries), hits.retrieved)
    begin = np.cumsum(hits.retrieved) - hits.retrieved
    rank = np.arange(1, len(query) + 1) - begin[query]
    value = np.full(len(query), top)
    value[begin[hits.query] + hits.rank - 1] = hits.value
    return Hits(query, rank, value, rank, rank, hits.retrieved)


def average_precision(hits: Hits, pool: Pool, *, cutoff: int | None, rel: float | None) -> Bounds:
    """For a given number of free documents made relevant, the sum is least with the deepest and most with the highest."""
    low, high = np.full(hits.queries, np.nan), np.full(hits.queries, np.nan)
    possible = bool(relevant(np.array([_top(pool)]), rel)[0])

    def precision_sum(*good: Ints) -> float:
        rank = np.sort(np.concatenate(good))
        share = np.arange(1, len(rank) + 1) / rank
        return float(share.sum() if cutoff is None else share[rank <= cutoff].sum())

    for query, part, free, judged in _each_query(hits, pool):
        good = hits.rank[part][relevant(hits.value[part], rel)]
        more = np.arange(len(free) + 1 if possible else 1)
        among = np.count_nonzero(relevant(judged, rel)) + more
        defined = among > 0
        if defined.any():
            deepest = np.array([precision_sum(good, free[len(free) - count :]) for count in more])
            highest = np.array([precision_sum(good, free[:count]) for count in more])
            low[query] = np.min(deepest[defined] / among[defined])
            high[query] = np.max(highest[defined] / among[defined])
    return low, high


def ndcg(hits: Hits, pool: Pool, *, cutoff: int | None, relevance: Bound, gain: Gain, discount: Bound) -> Bounds:
    """Bounds of DCG / ideal DCG, for gains that grow with the grade and weights that fall with the rank.

    Write gains as steps: gain = Σ_l step_l · [grade ≥ level_l]. With c_l free documents at level l or above, the DCG
    adds Σ_l step_l · (weights of those c_l) and the ideal is Σ_l step_l · (the first judged_l + c_l weights). The ideal
    is convex in the gains, so the least ratio has every free document at 0 or at the top, the deepest ones at the top.
    """
    reach = int(hits.retrieved.max(initial=0)) + int(pool.judged.max(initial=0))
    weights = weights_to(reach, cutoff, discount)
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
    low, high = np.full(hits.queries, np.nan), np.full(hits.queries, np.nan)
    for query, part, ranks, judged in _each_query(hits, pool):
        reached, free = np.dot(gains[part], weights[hits.rank[part] - 1]), weights[ranks - 1]
        after = Ideal(steps, np.count_nonzero(judged[:, None] >= levels, axis=0), running).after(len(free))
        below = steps @ after
        if below[-1] > 0:
            upward, downward = (np.concatenate(([0.0], np.cumsum(side))) for side in (free, free[::-1]))
            low[query] = np.min((reached + steps.sum() * downward)[below > 0] / below[below > 0])
            high[query] = _dinkelbach(np.array([reached]), upward[None], steps, after)[0]
    return low, high


def _top(pool: Pool) -> float:
    return float(max(pool.value.max(initial=0.0), 0.0))


class Ideal(NamedTuple):
    """The ideal list of one query: a step of the gain per level of the grades, and what fills its first places.

    `judged[l]` documents have at least grade l, and `reach[m]` is the weight of the first m places.
    """

    steps: Floats
    judged: Ints
    reach: Floats

    def after(self, count: int) -> Floats:
        """Levels × 0…count: the weight of the places filled with so many more documents at or above the level."""
        places = self.judged[:, None] + np.arange(count + 1)
        return self.reach[np.minimum(places, len(self.reach) - 1)]


def linear_bounds(known: Floats, shift: Floats, top: float) -> Bounds:
    """Σ shift · gain, for a measure without a denominator: `known` of judged documents, `shift` (pairs × holes) of holes."""
    low = known - top * np.maximum(-shift, 0.0).sum(axis=1)
    return low, known + top * np.maximum(shift, 0.0).sum(axis=1)


def ndcg_bounds(known: Floats, shift: Floats, ideal: Ideal) -> Bounds:
    """Sharp bounds of a difference of nDCG: N / I, where holes move both.

    `known` is Σ shift · gain of the judged documents, per pair.
    """
    after = ideal.after(shift.shape[1])
    batch = max(1, CELLS // max(after.size, 1))
    low, high = np.empty(len(known)), np.empty(len(known))
    for start in range(0, len(known), batch):
        part = slice(start, start + batch)
        ordered = -np.sort(-shift[part], axis=1)
        high[part] = _highest(known[part], ordered, ideal.steps, after)
        low[part] = -_highest(-known[part], -ordered[:, ::-1], ideal.steps, after)
    return low, high


def ndcg_bounds_open(known: Floats, shift: Floats, ideal: Ideal) -> Bounds:
    """The same where any number of documents that no system returned may be relevant, too."""
    low, high = ndcg_bounds(known, shift, ideal)
    top = ideal.steps.sum()
    full = top * ideal.reach[-1]
    most, least = (sign * known + top * np.maximum(sign * shift, 0.0).sum(axis=1) for sign in (1.0, -1.0))
    if full <= 0:
        return low, high
    # Only a difference that cannot reach 0 comes nearer to it by a larger ideal.
    return np.where(least < 0, -least / full, low), np.where(most < 0, most / full, high)


def _highest(known: Floats, ordered: Floats, steps: Floats, after: Floats) -> Floats:
    """The largest N / I per pair; `ordered` are the holes' shifts, largest first."""
    gained = np.concatenate((np.zeros((len(known), 1)), np.cumsum(ordered, axis=1)), axis=1)
    top = steps.sum()
    is_negative = known + top * gained.max(axis=1) < 0
    found = np.zeros(len(known))
    if is_negative.any():
        # The ideal is convex in the gains, so the ratio nearest to 0 has every hole at 0 or at the top.
        below = steps @ after
        above = known[is_negative, None] + top * gained[is_negative]
        ratio = np.divide(above, below, out=np.full(above.shape, -np.inf), where=below > 0)
        found[is_negative] = ratio.max(axis=1)
    if not is_negative.all():
        found[~is_negative] = _dinkelbach(known[~is_negative], gained[~is_negative], steps, after)
    return found


def _dinkelbach(known: Floats, gained: Floats, steps: Floats, after: Floats) -> Floats:
    """max N / I where it is not negative: for a ratio, each level chooses its own best number of holes.

    These numbers fall with the level by themselves, because fewer documents are judged at higher levels. The ratio grows
    until it stays, after a handful of rounds.
    """
    ratio, rows = np.zeros(len(known)), np.arange(len(known))
    active, levels = rows, np.arange(len(steps))
    while len(active):
        chosen = np.argmax(gained[active, None] - ratio[active, None, None] * after, axis=2)
        below = after[levels, chosen] @ steps
        above = known[active] + gained[active[:, None], chosen] @ steps
        better = np.divide(above, below, out=np.zeros(len(active)), where=below > 0)
        grows = better > ratio[active]
        active = active[grows]
        ratio[active] = better[grows]
    return ratio


def lowest_limits(low: Floats, high: Floats, scale: float) -> Floats:
    """The lowest mean - scale · sd that differences between `low` and `high` (pairs × queries) can have.

    With S1 and S2 the sums of the differences and of their squares, it is convex in (S1, S2) and falls with S2. Queries
    raised from low to high in order of falling low + high walk along the upper edge of all that is possible, and along
    this edge it is convex. So its least value lies beside the best corner; between two corners it may be lower than what a
    labelling attains, by scale · width / (2 √(n - 1)) of the widest query at most, and is never higher. To be sharp it would
    have to find the largest variance of intervals, which is NP-hard.
    """
    # Around 0 a sum of squares loses no digits to the square of the sum.
    middle = (low + high).mean(axis=1, keepdims=True) / 2.0
    low, high, count = low - middle, high - middle, low.shape[1]
    order = np.argsort(-(low + high), axis=1, kind="stable")
    low, high = np.take_along_axis(low, order, axis=1), np.take_along_axis(high, order, axis=1)

    def walked(start: Floats, end: Floats) -> Floats:
        start_sum = start.sum(axis=1, keepdims=True)
        return np.concatenate((start_sum, start_sum + np.cumsum(end - start, axis=1)), axis=1)

    def limit(sums: Floats, squares: Floats) -> Floats:
        variance = np.maximum(squares - np.square(sums) / count, 0.0) / (count - 1)
        return sums / count - scale * np.sqrt(variance)

    sums, squares = walked(low, high), walked(np.square(low), np.square(high))
    corners = limit(sums, squares)
    found = corners.min(axis=1)
    # Queries whose bounds are equal repeat a corner, up to rounding: beside each of these the least value may lie. Seen from
    # the middle no corner is farther from 0 than the lowest, which is not above 0.
    is_least = corners <= (found * (1.0 - ROUNDING))[:, None]
    rows, at = np.nonzero((is_least[:, :-1] | is_least[:, 1:]) & (low < high))

    def between(share: Floats) -> Floats:
        return limit(*(side[rows, at] + share * (side[rows, at + 1] - side[rows, at]) for side in (sums, squares)))

    left, right = np.zeros(len(rows)), np.ones(len(rows))
    for _ in range(SEARCH):
        third = (right - left) / 3.0
        is_left = between(left + third) <= between(right - third)
        left, right = np.where(is_left, left, left + third), np.where(is_left, right - third, right)
    np.minimum.at(found, rows, between((left + right) / 2.0))
    return found + middle[:, 0]


def highest_lower_limits(low: Floats, high: Floats, scale: float) -> Floats:
    """The highest mean - scale · sd: at clip(τ, low, high) for one τ, where (τ - mean) / sd, which grows with τ, passes a level."""

    def moments(level: Floats) -> tuple[Floats, Floats]:
        """Mean and deviation of what is nearest to a level, seen from it: equal numbers have a deviation of exactly 0."""
        rows = np.clip(level[:, None], low, high) - level[:, None]
        return rows.mean(axis=1), rows.std(axis=1, ddof=1)

    count = low.shape[1]
    left, right = low.min(axis=1), high.max(axis=1)
    for _ in range(SEARCH):
        middle = (left + right) / 2.0
        shift, deviation = moments(middle)
        is_below = -shift * count * scale < (count - 1) * deviation
        is_below |= deviation == 0.0
        left, right = np.where(is_below, middle, left), np.where(is_below, right, middle)
    ends = [(side, *moments(side)) for side in (left, right)]
    return np.maximum(*(side + shift - scale * deviation for side, shift, deviation in ends))
