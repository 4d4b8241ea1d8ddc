"""rankDCG of many lists at once (Katerenchuk & Rosenberg 2016), with the paper's last equation put right.

The values of a list form a ladder: the lowest value is level 1, the highest level m, and only their order counts. The
best order of the items fills the ranks from level m down, and a rank that holds level j there weighs 1 / (m + 1 - j).
With q the levels in the order of the scores, rankDCG = (Σ q·w - least) / (most - least), both ends over all orders:
1 for the best order, 0 for its reverse. Arrays below run from a list's last rank to its first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from rankgauge.arrays import Floats, Ints, Values
from rankgauge.errors import UsageError, did_you_mean
from rankgauge.kernels.hits import Hits, Pool, count, starts_of

Ties = Literal["worst", "mean", "best"]


@dataclass(frozen=True, eq=False)
class Ladders:
    """What the true values decide alone, list after list, the places of a list from its last rank to its first.

    `lowest` holds the levels of the worst order: the sum of (q - lowest)·weight is Σ q·w - least without the large part
    that the two have in common, and exactly 0 at worst. `span` is most - least.
    """

    group: Ints
    level: Ints
    lowest: Ints
    weight: Floats
    item_level: Ints
    span: Floats

    def values(self, placed: Values) -> Floats:
        """The rankDCG of every list from the (expected) level at every place; nan where a list has one level only."""
        reached = np.bincount(self.group, (placed - self.lowest) * self.weight, len(self.span))
        values = np.full(len(self.span), np.nan)
        np.divide(reached, self.span, out=values, where=self.span > 0)
        return np.clip(values, 0.0, 1.0, out=values)


def rank_dcg(truth: Values, score: Values, offsets: Ints, *, cutoff: int | None = None, ties: Ties = "worst") -> Floats:
    """The rankDCG of every list; list g holds the items `offsets[g]` to `offsets[g + 1] - 1`, in any order.

    Values and scores are numbers of any kind but nan; -inf is a fair score for an item that was not returned. Equal
    scores are in the `worst` order (the authors' program) or the `best`, or count with the `mean` over all orders. A
    `cutoff` k gives ranks beyond k the weight 0. A list whose values are all equal, or of one item or none, is nan.
    """
    ladders = ladders_of(truth, offsets, cutoff)
    return ladders.values(levels_by_score(ladders, score, ties))


def ladders_of(truth: Values, offsets: Ints, cutoff: int | None = None) -> Ladders:
    starts, sizes = offsets[:-1], np.diff(offsets)
    group = np.repeat(np.arange(len(sizes)), sizes)
    order = _rising(truth, group, len(sizes))
    step = starts_of(truth[order], group)
    heights = np.bincount(group[step], minlength=len(sizes))
    level: Ints = np.cumsum(step) - np.repeat(np.cumsum(heights) - heights, sizes)
    weight = 1.0 / (np.repeat(heights + 1, sizes) - level)
    mirrored = np.repeat(2 * starts + sizes - 1, sizes) - np.arange(len(group))
    if cutoff is not None:
        weight[mirrored - np.repeat(starts, sizes) >= cutoff] = 0.0
    lowest: Ints = level[mirrored]
    item_level: Ints = np.empty_like(level)
    item_level[order] = level
    span = np.bincount(group, (level - lowest) * weight, len(sizes))
    return Ladders(group, level, lowest, weight, item_level, span.astype(np.float64, copy=False))


def levels_by_score(ladders: Ladders, score: Values, ties: Ties) -> Values:
    """The level at every place when the score orders each list; the expected level where `mean` ties share places."""
    if ties not in get_args(Ties):
        raise UsageError(f"unknown ties {ties!r}\n{did_you_mean(ties, get_args(Ties))}")
    order = _rising(score, ladders.group, len(ladders.span))
    placed = ladders.item_level[order]
    opens = starts_of(score[order], ladders.group)
    if opens.all():
        return placed
    if ties == "mean":
        starts = np.flatnonzero(opens)
        sizes = np.diff(starts, append=len(order))
        return np.repeat(np.add.reduceat(placed, starts) / sizes, sizes)
    # With the number of its block of equal scores in front, one sort of whole numbers arranges every block.
    block = np.cumsum(opens) * (len(order) + 1)
    return np.sort(block + placed) - block if ties == "best" else block - np.sort(block - placed)


def _rising(values: Values, group: Ints, groups: int) -> Ints:
    """Items by list and rising value, equal values in no particular order."""
    order = np.argsort(values)
    if groups > 1:
        # NumPy orders numbers of 16 bits by counting, so that up to 65,535 lists come apart in no time.
        narrow = group.astype(np.min_scalar_type(groups))
        order = order[np.argsort(narrow[order], kind="stable")]
    return order


def rank_dcg_of_hits(hits: Hits, pool: Pool, *, cutoff: int | None) -> Floats:
    """rankDCG over all judged documents of a query.

    Unjudged documents have no value and play no part. Judged documents that were not returned are below all others,
    tied among themselves: in the worst order, or in the mean over all orders while ties are open. So are those that a
    policy counts as not relevant for their score.
    """
    if hits.judged is not None:
        hits = hits.keep(hits.value == hits.judged)
    # Not returned is every value as often as the pool has it more than the hits.
    query, value = np.concatenate((pool.query, hits.query)), np.concatenate((pool.value, hits.value))
    order = np.lexsort((value, query))
    opens = np.flatnonzero(starts_of(query[order], value[order]))
    sign = np.where(order < len(pool.value), 1, -1)
    left = np.repeat(order[opens], np.add.reduceat(sign, opens))
    query = np.concatenate((hits.query, query[left]))
    truth = np.concatenate((hits.value, value[left]))
    score = np.concatenate((-hits.first.astype(np.float64), np.full(len(left), -np.inf)))
    order = np.argsort(query, kind="stable")
    offsets = np.concatenate(([0], np.cumsum(count(query, hits.queries))))
    values = rank_dcg(truth[order], score[order], offsets, cutoff=cutoff, ties="mean" if hits.is_tied else "worst")
    return np.where(hits.retrieved > 0, values, np.where(np.isnan(values), np.nan, 0.0))
