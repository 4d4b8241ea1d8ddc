"""Ties: the worst and the best order by relevance, the groups that open ties leave, and expected values over all orders.

Expected values are exact: closed forms and recursions, never samples. For a tie group, `above` documents of the list
come before it, `size` is its length and `good` the number of its relevant documents. McSherry & Najork 2008 give the
forms for precision, average precision and reciprocal rank. Measures that weigh each rank on its own need nothing from
here: see `cumulated.expected_weight`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from rankgauge.arrays import Flags, Floats, Ints
from rankgauge.kernels.hits import Hits, running, starts_of, total


def worst(hits: Hits) -> Hits:
    """Inside each tie group: judged not relevant, then unjudged, then relevant by rising value."""
    return _by_value(hits, best=False)


def best(hits: Hits) -> Hits:
    """Inside each tie group: relevant by falling value, then unjudged, then judged not relevant."""
    return _by_value(hits, best=True)


def at_mean_rank(hits: Hits) -> Hits:
    """Every document at the mean rank of its tie group, cut to a whole number."""
    rank = (hits.first + hits.last) // 2
    return replace(hits, rank=rank, first=rank, last=rank)


def _by_value(hits: Hits, *, best: bool) -> Hits:
    """Hits with value above 0 fill one end of their span, the others the other end; unjudged stay between."""
    tied = np.flatnonzero(hits.first != hits.last)  # mostly few; the others stay where they are
    open_hits = hits.keep(tied)
    groups = Groups(open_hits)
    order = np.lexsort((-open_hits.value if best else open_hits.value, groups.of_hit))
    value, group = open_hits.value[order], groups.of_hit[order]
    place = np.arange(len(order)) - groups.begin[group]
    left = groups.hits[group] - place  # how many of the group are from here on
    at_front = (value > 0) == best
    rank, moved = hits.rank.copy(), np.arange(len(hits.rank))
    rank[tied] = np.where(at_front, groups.first[group] + place, groups.last[group] + 1 - left)
    moved[tied] = tied[order]
    return replace(hits.keep(moved), rank=rank, first=rank, last=rank)


class Groups:
    """The tie groups that hold a hit, in rank order; unjudged members are counted in `size` only."""

    def __init__(self, hits: Hits) -> None:
        opens = starts_of(hits.query, hits.first)
        self.of_hit: Ints = np.cumsum(opens) - 1
        self.begin: Ints = np.flatnonzero(opens)
        """Index of a group's first hit."""
        self.query: Ints = hits.query[self.begin]
        self.first: Ints = hits.first[self.begin]
        self.last: Ints = hits.last[self.begin]
        self.hits: Ints = np.diff(np.append(self.begin, len(opens)))

    @cached_property
    def size(self) -> Ints:
        return self.last - self.first + 1

    def total(self, amount: Floats | Flags) -> Floats:
        """Sum over the hits of each group."""
        return np.bincount(self.of_hit, amount, len(self.query)).astype(np.float64, copy=False)

    def before(self, amount: Floats) -> Floats:
        """Sum of a group-wise amount over the groups above in the same query."""
        shifted = np.zeros(len(amount))
        shifted[1:] = np.where(starts_of(self.query)[1:], 0.0, amount[:-1])
        return running(self.query, shifted)


@dataclass(frozen=True)
class Places:
    """Every rank of some groups: its group, the rank, and how many of the group come before it."""

    group: Ints
    rank: Ints
    above: Ints


def places_of(groups: Groups, chosen: Flags, cutoff: int | None) -> Places:
    """The ranks, down to the cutoff, that the chosen groups span."""
    size = np.where(chosen, groups.size, 0)
    if cutoff is not None:
        size = np.minimum(size, np.maximum(0, cutoff + 1 - groups.first))
    group = np.repeat(np.arange(len(size)), size)
    above = np.arange(len(group)) - np.repeat(np.cumsum(size) - size, size)
    return Places(group, groups.first[group] + above, above)


def precision_sum(hits: Hits, relevant: Flags, cutoff: int | None) -> Floats:
    """Σ over the relevant ranks of the precision there: the numerator of average precision.

    As blended_sum without gain.
    """
    groups = Groups(hits)
    good = groups.total(relevant)
    before = np.cumsum(good) - good  # whole numbers, hence exact, and rising
    before -= np.maximum.accumulate(np.where(starts_of(groups.query), before, 0))
    if cutoff is None and np.array_equal(groups.size, groups.hits):  # every rank has a hit
        group, query, rank, above = groups.of_hit, hits.query, hits.rank, hits.rank - hits.first
    else:
        at = places_of(groups, good > 0, cutoff)
        group, query, rank, above = at.group, groups.query[at.group], at.rank, at.above
    size = groups.size.astype(np.float64)
    amount = above.astype(np.float64)
    amount *= (good - 1).take(group)
    amount /= np.maximum(size - 1, 1).take(group)
    amount += (before + 1).take(group)
    amount *= good.take(group)
    amount /= size.take(group)
    amount /= rank.astype(np.float64)
    return total(query, amount, hits.queries)


def blended_sum(
    hits: Hits, relevant: Flags, gain: Floats, cutoff: int | None, below: Callable[[Ints, Ints], Floats]
) -> Floats:
    """Σ over the relevant ranks of (relevant so far + gain so far) / below(query, rank).

    Both counts are linear, so only the chance of a relevant document at a rank and the means of what comes before
    it inside its group are needed.
    """
    groups = Groups(hits)
    size = groups.size.astype(np.float64)
    good = groups.total(relevant)
    gain_good, gain_all = groups.total(gain * relevant), groups.total(gain)
    good_before, gain_before = groups.before(good), groups.before(gain_all)
    at = places_of(groups, good > 0, cutoff)
    g, ahead = at.group, at.above
    others = np.maximum(size[g] - 1, 1)
    count = good[g] * (good_before[g] + 1 + ahead * (good[g] - 1) / others) / size[g]
    gained = good[g] * gain_before[g] + gain_good[g] + ahead * (good[g] * gain_all[g] - gain_good[g]) / others
    query = groups.query[g]
    return total(query, (count + gained / size[g]) / below(query, at.rank), hits.queries)


def first_relevant(hits: Hits, relevant: Flags) -> tuple[Ints, Ints, Floats]:
    """Query, rank and chance of every rank at which the first relevant document may be."""
    groups = Groups(hits)
    good = groups.total(relevant).astype(np.int64)
    leading = np.zeros(len(good), np.bool_)
    holding = np.flatnonzero(good > 0)
    leading[holding[np.unique(groups.query[holding], return_index=True)[1]]] = True
    at = places_of(groups, leading, None)
    size, count = groups.size[at.group], good[at.group]
    possible = at.above <= size - count
    group, rank, above, size, count = (column[possible] for column in (at.group, at.rank, at.above, size, count))
    # P(none of the first j, then one) = good/(size-j) · Π_{i<j} (size-good-i)/(size-i)
    missed = np.where(above == 0, 1.0, (size - count - above + 1) / (size - above + 1))
    chance = running(group, missed, np.multiply) * count / (size - above)
    return groups.query[group], rank, chance


def stopping(hits: Hits, stop: Floats, cutoff: int | None) -> Floats:
    """Σ over ranks of (chance to stop exactly there) / rank: the cascade of ERR.

    The mean product of (1 - stop) over all m-subsets of a group, A_m, is the chance to pass m of its documents in a
    random order; A_{m-1} - A_m is the chance to stop at the m-th.
    """
    groups = Groups(hits)
    stops = groups.total(stop) > 0
    ends = np.append(groups.begin[1:], len(stop))[: len(groups.begin)] - 1
    through = running(groups.of_hit, 1 - stop, np.multiply)[ends]
    arriving = running(groups.query, _shifted(through, groups.query), np.multiply)
    at = places_of(groups, stops, None)
    chance = np.empty(len(at.rank))
    alone = groups.size[at.group] == 1
    chance[alone] = stop[groups.begin[at.group[alone]]]
    spans = np.where(stops, groups.size, 0)
    begins = np.cumsum(spans) - spans
    for group in np.flatnonzero(stops & (groups.size > 1)):
        members = slice(groups.begin[group], groups.begin[group] + groups.hits[group])
        passed = mean_subset_products(1 - stop[members], int(groups.size[group]))
        chance[begins[group] : begins[group] + spans[group]] = passed[:-1] - passed[1:]
    seen = slice(None) if cutoff is None else at.rank <= cutoff
    amount = arriving[at.group] * chance / at.rank
    return total(groups.query[at.group][seen], amount[seen], hits.queries)


def mean_subset_products(factor: Floats, size: int) -> Floats:
    """A_0 … A_size: the mean product over all m-subsets of `factor` filled up with ones to `size` items."""
    mean = np.ones(size - len(factor) + 1)
    for x in factor:
        items = len(mean)  # one more than the items so far
        m = np.arange(items + 1)
        taken = np.append(0.0, mean) * x * (m / items)
        left = np.append(mean, 0.0) * (1 - m / items)
        mean = taken + left
    return mean


def capped_above(hits: Hits, relevant: Flags, bad: Flags, cap: Ints) -> Floats:
    """For each relevant hit E[min(bad documents above, cap)], as bpref needs it; 0 for the other hits.

    Inside its group a relevant document has each number 0 … b of the group's b bad documents above it with the same
    chance.
    """
    groups = Groups(hits)
    inside = groups.total(bad)[groups.of_hit]
    before = groups.before(groups.total(bad))[groups.of_hit]
    limit = cap.astype(np.float64)
    under = np.clip(limit - before, 0, inside + 1)
    summed = under * before + under * (under - 1) / 2 + (inside + 1 - under) * limit
    return np.where(relevant, summed / (inside + 1), 0.0)


def _shifted(factor: Floats, segment: Ints) -> Floats:
    """Each segment moved down by one: what the items before give, 1 for the first."""
    out = np.ones(len(factor))
    out[1:] = np.where(starts_of(segment)[1:], 1.0, factor[:-1])
    return out
