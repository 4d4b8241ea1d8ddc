"""The measures printed next to rankDCG in its paper: true values and predicted ones, item by item."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from rankgauge import Policy, score
from rankgauge.data.vectors import aligned
from rankgauge.errors import DataError, UsageError


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
    truth: ArrayLike,
    predicted: ArrayLike,
    *,
    cutoff: int | None = None,
    ties: Literal["mean", "worst", "best"] = "mean",
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
    if len(values) == 0:
        return math.nan
    measure = "nDCG" if cutoff is None else f"nDCG@{cutoff}"
    return score(measure, values, scores, policy=Policy(ties=ties, undefined="drop"))
