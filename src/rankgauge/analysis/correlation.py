"""What else is said of one column of numbers against another: the companions of rankDCG in its paper.

All take the true values and the predicted ones item by item. Where a measure is 0/0 it is nan, without a warning.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankgauge.data.vectors import aligned
from rankgauge.errors import DataError, UsageError
from rankgauge.kernels.formulas import dense

Floats = NDArray[np.float64]


def kendall_tau_b(truth: ArrayLike, predicted: ArrayLike) -> float:
    """Kendall's τ-b: concordant less discordant pairs, over the geometric mean of the pairs not tied in either column.

    Pairs tied in one column count for neither side, so a perfect prediction reaches 1 with ties too, if the same items
    are tied. It is nan where a column is constant or has fewer than two items.
    """
    values, scores = aligned(truth, predicted)
    if _is_constant(values) or _is_constant(scores):
        return math.nan
    # SciPy counts pairs in n·log n steps, and only scipy.stats has it.
    from scipy.stats import kendalltau

    return float(kendalltau(values, scores, method="asymptotic").statistic)


def spearman(truth: ArrayLike, predicted: ArrayLike) -> float:
    """Spearman's ρ: the correlation of the ranks, where tied items share their mean rank.

    It is nan where a column is constant or has fewer than two items.
    """
    values, scores = aligned(truth, predicted)
    if _is_constant(values) or _is_constant(scores):
        return math.nan
    first, second = _centred_ranks(values), _centred_ranks(scores)
    return float(np.clip(first @ second / math.sqrt((first @ first) * (second @ second)), -1, 1))


def exact_match_ap(truth: ArrayLike, predicted: ArrayLike) -> float:
    """The AveP column of Katerenchuk & Rosenberg 2016: the share of the first k items predicted exactly, over all k.

    It asks for equal values, not for a right order, and depends on the order in which the items are given. Constants
    are values like others. This is not the average precision of retrieval. It is nan without items.
    """
    values, scores = aligned(truth, predicted)
    if len(values) == 0:
        return math.nan
    return float(np.mean(np.cumsum(values == scores) / np.arange(1, len(values) + 1)))


def ndcg_of_values(
    truth: ArrayLike, predicted: ArrayLike, *, cutoff: int | None = None, ties: dense.Ties = "mean"
) -> float:
    """The nDCG in the order of the predicted values with the true values as gains and weights 1 / log2(rank + 1).

    Predictions decide the order only, so it never exceeds 1; a prediction that is constant reaches the `mean` over all
    orders, or the `worst` or `best` of them. True values must not be negative; it is nan where all are 0 or none.
    """
    values, scores = aligned(truth, predicted)
    if cutoff is not None and cutoff < 1:
        raise UsageError(f"cutoff={cutoff}: the first rank is 1")
    negative = np.flatnonzero(values < 0)
    if negative.size:
        message = f"truth: {negative.size:,} of {values.size:,} values are negative and cannot be gains"
        places = [f"item {place + 1}: {values[place]}" for place in negative[:3]]
        raise DataError(message, places=places, hint="Use rankDCG, which needs only the order of the values.")
    depth = len(values) if cutoff is None else min(cutoff, len(values))
    return float(dense.ndcg(values[None], scores[None], 1 / np.log2(np.arange(2, depth + 2)), ties=ties)[0])


def _is_constant(column: NDArray[Any]) -> bool:
    return bool(np.all(column[1:] == column[:1]))


def _centred_ranks(column: NDArray[Any]) -> Floats:
    """Ranks from the lowest, ties at their mean, less the mean of all."""
    _, place, counts = np.unique(column, return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(counts) - (counts - 1) / 2)[place]
    return ranks - (len(column) + 1) / 2
