"""How well two orders agree: Kendall's τ-b, τ_AP, Spearman's ρ, rank-biased overlap; and the distance of two vectors.

Vectors have one number per item, higher first; the result is nan where there is nothing to order (fewer than two items,
or all tied). `scipy.stats` has some of these, but its import alone takes longer than any of them on a few hundred
systems; tests compare them with SciPy.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from rankgauge.arrays import Flags, Floats, Ints
from rankgauge.errors import UsageError


def kendall_tau(first: ArrayLike, second: ArrayLike) -> float:
    """Kendall's τ-b: concordant less discordant pairs, over the geometric mean of the pairs not tied in either vector.

    Pairs tied in one vector count for neither side; equal orders give 1, ties or not.
    """
    x, y = _pair(first, second)
    order = np.lexsort((y, x))
    x, y = x[order], y[order]
    pairs = len(x) * (len(x) - 1) // 2
    tied_first, tied_second = _tied_pairs(x[1:] != x[:-1]), _tied_pairs(np.diff(np.sort(y)) != 0)
    tied_both = _tied_pairs((x[1:] != x[:-1]) | (y[1:] != y[:-1]))
    # Sorted by the first, pairs tied in it are in order of the second: what is still reversed is discordant.
    difference = pairs - tied_first - tied_second + tied_both - 2 * _inversions(y)
    untied = math.sqrt((pairs - tied_first) * (pairs - tied_second))
    return difference / untied if untied else math.nan


def tau_ap(reference: ArrayLike, estimate: ArrayLike) -> float:
    """AP correlation of an estimated order with a reference (Yilmaz, Aslam & Robertson 2008): mistakes at the top of
    the estimate weigh more. Exchanging the two gives another number.

    Each item that has others above it in the estimate adds the share of those that the reference also puts above it;
    τ_AP is twice the mean share, less 1. Ties as in the agreement form of Urbano & Marrero (2017): an item is compared
    with those strictly above it, and a pair that only the reference ties counts as misplaced. Without ties this is the
    formula of 2008; equal orders give 1, ties or not.
    """
    truth, guess = _pair(reference, estimate)
    above = guess[None, :] > guess[:, None]
    agreed = above & (truth[None, :] > truth[:, None])
    compared = above.sum(axis=1)
    some = compared > 0
    return float(2 * np.mean(agreed.sum(axis=1)[some] / compared[some]) - 1) if some.any() else math.nan


def spearman(first: ArrayLike, second: ArrayLike) -> float:
    """Spearman's ρ: the correlation of the ranks, where tied items share their mean rank."""
    centered = []
    for vector in _pair(first, second):
        _, place, counts = np.unique(vector, return_inverse=True, return_counts=True)
        centered.append((np.cumsum(counts) - (counts - 1) / 2)[place] - (len(vector) + 1) / 2)
    x, y = centered
    spread = math.sqrt((x @ x) * (y @ y))
    return float(np.clip(x @ y / spread, -1, 1)) if spread else math.nan


def exact_matches(truth: ArrayLike, predicted: ArrayLike) -> float:
    """The share of the first k items whose value is predicted exactly, averaged over all k; nan without items.

    The AveP column of Katerenchuk & Rosenberg 2016. It asks for equal values, not for a right order, and depends on the
    order in which the items are given. This is not the average precision of retrieval.
    """
    x, y = _pair(truth, predicted)
    return float(np.mean(np.cumsum(x == y) / np.arange(1, len(x) + 1))) if len(x) else math.nan


def rmse(first: ArrayLike, second: ArrayLike) -> float:
    """Root mean square difference of two vectors; nan for empty ones."""
    x, y = _pair(first, second)
    return float(np.sqrt(np.mean((x - y) ** 2))) if len(x) else math.nan


def rank_biased_overlap(query: Ints, deeper: Ints, sizes: Ints, persistence: float = 0.9) -> Floats:
    """Extrapolated RBO of two lists for each query, which need not hold the same items or be equally long.

    `deeper` is the larger rank of each item that both lists of its `query` hold; `sizes` are 2 × queries.

    With X_d items common to both tops d, s and l the lengths (Webber, Moffat & Zobel 2010, equation 32):
    (1-p)/p·[Σ_{d<=l} X_d/d·p^d + Σ_{s<d<=l} X_s(d-s)/(s·d)·p^d] + [(X_l-X_s)/l + X_s/s]·p^l.
    `persistence` p is the chance of looking one rank further: 0.9 puts 86% of the weight on the first ten ranks.
    Two empty lists are the same list and give 1; an empty list and another one have nothing in common and give 0.
    """
    short, long = sizes.min(axis=0), sizes.max(axis=0)
    found = np.where(long == 0, 1.0, 0.0)
    for length in np.unique(long[short > 0]).tolist():  # queries whose lists are equally long are worked on together
        some = np.flatnonzero((long == length) & (short > 0))
        row = np.full(len(long), -1)
        row[some] = np.arange(len(some))
        mine = row[query] >= 0
        cell = row[query[mine]] * length + deeper[mine] - 1
        common = np.cumsum(np.bincount(cell, minlength=len(some) * length).reshape(-1, length), axis=1).astype(
            np.float64
        )
        depth, least = np.arange(1.0, length + 1.0), short[some][:, None]
        both = np.take_along_axis(common, least - 1, axis=1)
        unseen = np.where(depth > least, both * (depth - least) / least, 0.0)
        weight = persistence**depth
        seen = ((common + unseen) / depth * weight).sum(axis=1) * (1.0 - persistence) / persistence
        last = (common[:, -1] - both[:, 0]) / length + both[:, 0] / least[:, 0]
        # Identical lists add up to 1 but for the rounding of the sum.
        found[some] = np.minimum(1.0, seen + last * weight[-1])
    return found


def _pair(first: ArrayLike, second: ArrayLike) -> tuple[Floats, Floats]:
    x, y = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if x.ndim != 1 or x.shape != y.shape:
        raise UsageError(f"give two vectors of one length, not shapes {x.shape} and {y.shape}")
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise UsageError("a value is nan or infinite and cannot be ordered\nLeave the item out.")
    return x, y


def _tied_pairs(new_group: Flags) -> int:
    """Pairs inside runs of equal items, from where each next item begins a new run."""
    edges = np.flatnonzero(np.concatenate([[True], new_group, [True]]))
    sizes = np.diff(edges)
    return int(np.sum(sizes * (sizes - 1) // 2))


def _inversions(values: Floats) -> int:
    """Pairs i < j with values[i] > values[j], by merging sorted blocks of 1, 2, 4, … items."""
    ranks = np.unique(values, return_inverse=True)[1].astype(np.int64)
    size, count, width = len(ranks), 0, 1
    while width < size:
        # A block's number in front keeps blocks apart, so that one search serves all of them.
        block = np.arange(size) // (2 * width)
        left = (np.arange(size) // width) % 2 == 0
        keys = block * size + ranks
        not_above = np.searchsorted(keys[left], keys[~left], side="right")
        left_until = np.searchsorted(block[left], block[~left], side="right")
        count += int(np.sum(left_until - not_above))
        ranks = np.sort(keys) - block * size
        width *= 2
    return count
