"""Ties: the worst and the best order by relevance, the groups that open ties leave, and expected values over all orders.

Expected values are exact: closed forms and recursions, never samples. For a tie group, `above` documents of the list
come before it, `size` is its length and `good` the number of its relevant documents. McSherry & Najork 2008 give the
forms for precision, average precision and reciprocal rank. Measures that weigh each rank on its own need nothing from
here: see `cumulated.expected_weight`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from rankgauge.arrays import Flags, Floats, Ints
from rankgauge.kernels.hits import Hits, running, starts_of, total


def at_mean_rank(hits: Hits) -> Hits:
    """Every document at the mean rank of its tie group, cut to a whole number."""
    rank = (hits.first + hits.last) // 2
    return replace(hits, rank=rank, first=rank, last=rank)


def by_value(hits: Hits, *, best: bool) -> Hits:
    """Ties in the best order: relevant by falling value, then unjudged, then judged not relevant; or in the worst, its reverse.

    Hits with value above 0 fill one end of their span, the others the other end; unjudged stay between.
    """
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
        self.size: Ints = self.last - self.first + 1

    def total(self, amount: Floats | Flags) -> Floats:
        """Sum over the hits of each group."""
        return np.bincount(self.of_hit, amount, len(self.query)).astype(np.float64, copy=False)

    def before(self, amount: Floats, combine: np.ufunc = np.add) -> Floats:
        """Sum (or product) of a group-wise amount over the groups above in the same query."""
        shifted = np.full(len(amount), float(combine.identity))
        shifted[1:] = np.where(starts_of(self.query)[1:], shifted[1:], amount[:-1])
        return running(self.query, shifted, combine)

    def places(self, chosen: Flags, cutoff: int | None) -> tuple[Ints, Ints, Ints]:
        """The ranks, down to the cutoff, that the chosen groups span: group, rank, and how many of it come before."""
        size = np.where(chosen, self.size, 0)
        if cutoff is not None:
            size = np.minimum(size, np.maximum(0, cutoff + 1 - self.first))
        group = np.repeat(np.arange(len(size)), size)
        above = np.arange(len(group)) - np.repeat(np.cumsum(size) - size, size)
        return group, self.first[group] + above, above


def precision_sum(
    hits: Hits,
    relevant: Flags,
    cutoff: int | None,
    gain: Floats | None = None,
    below: Callable[[Ints, Ints], Floats] | None = None,
) -> Floats:
    """Σ over the relevant ranks of (relevant so far + gain so far) / below(query, rank), by default over the rank.

    Both counts are linear, so only the chance of a relevant document at a rank and the means of what comes before
    it inside its group are needed.
    """
    groups = Groups(hits)
    size, good = groups.size.astype(np.float64), groups.total(relevant)
    before = np.cumsum(good) - good  # whole numbers, hence exact, and rising
    before -= np.maximum.accumulate(np.where(starts_of(groups.query), before, 0))
    group, rank, above = groups.places(good > 0, cutoff)
    query, others = groups.query[group], np.maximum(size - 1, 1).take(group)
    amount = above * (good - 1).take(group) / others
    amount += (before + 1).take(group)
    amount *= good.take(group)
    amount /= size.take(group)
    if gain is not None:
        of_good, of_all = groups.total(gain * relevant), groups.total(gain)
        gained = (good * groups.before(of_all) + of_good)[group]
        gained += above * (good * of_all - of_good)[group] / others
        amount += gained / size[group]
    return total(query, amount / (rank if below is None else below(query, rank)), hits.queries)


def first_relevant(hits: Hits, relevant: Flags) -> tuple[Ints, Ints, Floats]:
    """Query, rank and chance of every rank at which the first relevant document may be."""
    groups = Groups(hits)
    good = groups.total(relevant).astype(np.int64)
    leading = np.zeros(len(good), np.bool_)
    holding = np.flatnonzero(good > 0)
    leading[holding[starts_of(groups.query[holding])]] = True
    group, rank, above = groups.places(leading, None)
    possible = above <= (groups.size - good)[group]
    group, rank, above = group[possible], rank[possible], above[possible]
    size, count = groups.size[group], good[group]
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
    arriving = groups.before(np.multiply.reduceat(1 - stop, groups.begin), np.multiply)
    group, rank, above = groups.places(stops, None)
    chance = stop[groups.begin[group]]  # of a document that is tied with none
    begins = np.flatnonzero(above == 0)
    for begin, one in zip(begins.tolist(), group[begins].tolist(), strict=True):
        size, members = int(groups.size[one]), slice(groups.begin[one], groups.begin[one] + groups.hits[one])
        if size > 1:
            passed = mean_subset_products(1 - stop[members], size)
            chance[begin : begin + size] = passed[:-1] - passed[1:]
    seen = slice(None) if cutoff is None else rank <= cutoff
    return total(groups.query[group][seen], (arriving[group] * chance / rank)[seen], hits.queries)


def mean_subset_products(factor: Floats, size: int) -> Floats:
    """A_0 … A_size: the mean product over all m-subsets of `factor` filled up with ones to `size` items."""
    mean = np.ones(size - len(factor) + 1)
    for x in factor:
        items = len(mean)  # one more than the items so far
        m = np.arange(items + 1)
        mean = np.append(0.0, mean) * x * (m / items) + np.append(mean, 0.0) * (1 - m / items)
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
