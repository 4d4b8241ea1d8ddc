"""Orders inside ties: the worst and the best by relevance, and the groups that open ties leave."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from rankgauge.arrays import Flags, Floats, Ints
from rankgauge.frozen import dataclass
from rankgauge.kernels.hits import Hits, running, starts_of


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
    rank, values = hits.rank.copy(), hits.value.copy()
    rank[tied] = np.where(at_front, groups.first[group] + place, groups.last[group] + 1 - left)
    values[tied] = value
    return replace(hits, rank=rank, value=values, first=rank, last=rank)


class Groups:
    """The tie groups that hold a hit, in rank order; unjudged members are counted in `size` only."""

    def __init__(self, hits: Hits) -> None:
        opens = starts_of(hits.query, hits.first)
        self.of_hit: Ints = np.cumsum(opens) - 1
        self.begin: Ints = np.flatnonzero(opens)
        """Index of a group's first hit."""
        self.query: Ints = hits.query[opens]
        self.first: Ints = hits.first[opens]
        self.last: Ints = hits.last[opens]
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
