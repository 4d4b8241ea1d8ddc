"""How good a rankDCG is: what chance alone would reach, and how often it would reach as much.

rankDCG has no fixed chance level. It depends on how the true values repeat, and under the tie rules `worst` and `best`
also on how the scores repeat. So chance deals the same scores, ties included, to the items at random.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankgauge.analysis.deals import TOLERANCE, all_outcomes, deal_of, draws, random_order
from rankgauge.data.aligned import aligned
from rankgauge.errors import AnalysisError, UsageError
from rankgauge.kernels.rankdcg import Ladders, Ties, ladders_of, levels_by_score


@dataclass(frozen=True, slots=True)
class Chance:
    """A rankDCG beside chance.

    `expected` and `standard_deviation` are of the same scores dealt at random under the same tie rule,
    `random_order_expected` and `random_order_standard_deviation` of a random order without ties. `adjusted` is 0 at the
    expected value and 1 at the best, and nan where the expected value is the best. `p` is the probability of a deal
    that reaches the value; it is `exact`, with `deals` different outcomes, or `sampled`, with `deals` draws.
    """

    value: float
    expected: float
    standard_deviation: float
    random_order_expected: float
    random_order_standard_deviation: float
    adjusted: float
    p: float
    method: Literal["exact", "sampled"]
    deals: int
    items: int
    cutoff: int | None
    ties: Ties
    seed: int

    def to_dict(self) -> dict[str, float | int | str | None]:
        return {name: None if held != held else held for name, held in asdict(self).items()}  # noqa: PLR0124 nan only


def chance(
    truth: ArrayLike,
    predicted: ArrayLike,
    *,
    cutoff: int | None = None,
    ties: Ties = "worst",
    samples: int = 10_000,
    seed: int = 7,
) -> Chance:
    """What the same scores would reach if dealt at random, and how often as much as they do.

    Everything is exact where the outcomes are few. Otherwise `samples` deals are drawn and p is (1 + those that reach
    the value) / (1 + samples); expected value and standard deviation have closed forms without ties and with `mean`
    ties, else they are those of the draws. Time grows with samples × items.

    >>> result = chance([9, 4, 4, 2, 2, 2, 1, 1, 1, 1], [1, 4, 4, 2, 2, 2, 9, 1, 1, 1])
    >>> round(result.value, 3), round(result.random_order_expected, 3), round(result.p, 3)
    (0.325, 0.4, 0.587)
    """
    if samples < 1:
        raise UsageError(f"samples={samples}: draw at least one")
    ladder, scores = _ladder(truth, predicted, cutoff)
    value = float(ladder.values(levels_by_score(ladder, scores, ties))[0])
    deal = deal_of(ladder, scores, ties)
    outcomes = all_outcomes(deal) or draws(deal, samples, seed)
    expected, deviation = deal.moments() if deal.is_linear else outcomes.moments()
    any_order = random_order(ladder).moments()
    return Chance(
        value=value,
        expected=expected,
        standard_deviation=deviation,
        random_order_expected=any_order[0],
        random_order_standard_deviation=any_order[1],
        adjusted=(value - expected) / (1 - expected) if expected < 1 - TOLERANCE else math.nan,
        p=outcomes.p_value(value),
        method="exact" if outcomes.is_exact else "sampled",
        deals=len(outcomes.values),
        items=len(scores),
        cutoff=cutoff,
        ties=ties,
        seed=seed,
    )


def _ladder(truth: ArrayLike, predicted: ArrayLike, cutoff: int | None) -> tuple[Ladders, NDArray[Any]]:
    values, scores = aligned(truth, predicted)
    if cutoff is not None and cutoff < 1:
        raise UsageError(f"cutoff={cutoff}: the first rank is 1")
    ladder = ladders_of(values, np.array([0, len(values)]), cutoff)
    if not ladder.span[0] > 0:
        held = {0: "there are no items", 1: "there is one item only"}.get(len(values), "all true values are equal")
        raise AnalysisError(f"rankDCG is undefined: {held}\nIt needs at least two different true values.")
    return ladder, scores
