"""Expected values over all orders of tied documents, exactly: closed forms and recursions, never samples.

For a tie group, `above` documents of the list come before it, `size` is its length and `good` the number of its
relevant documents. McSherry & Najork 2008 give the forms for precision, average precision and reciprocal rank.
Measures that weigh each rank on its own need nothing from here: see `cumulated.expected_weight`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rankgauge.arrays import Flags, Floats, Ints
from rankgauge.kernels.hits import Hits, running, starts_of, total
from rankgauge.kernels.ties import Groups, places_of


def precision_sum(hits: Hits, relevant: Flags, cutoff: int | None) -> Floats:
    """Σ over the relevant ranks of the precision there: the numerator of average precision."""
    return blended_sum(hits, relevant, np.zeros(len(hits.value)), cutoff, lambda _, rank: rank.astype(np.float64))


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
    worth = (good[g] * gain_before[g] + gain_good[g] + ahead * (good[g] * gain_all[g] - gain_good[g]) / others) / size[
        g
    ]
    query = groups.query[g]
    return total(query, (count + worth) / below(query, at.rank), hits.queries)


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
    group, rank, above, size, count = (
        at.group[possible],
        at.rank[possible],
        at.above[possible],
        size[possible],
        count[possible],
    )
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
    through = running(groups.of_hit, 1 - stop, np.multiply)[
        np.append(groups.begin[1:], len(stop))[: len(groups.begin)] - 1
    ]
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
