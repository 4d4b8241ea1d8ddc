"""How good a rankDCG is: what chance alone would reach, and how often it would reach as much.

rankDCG has no fixed chance level. It depends on how the true values repeat, and under the tie rules `worst` and `best`
also on how the scores repeat. So chance deals the same scores, ties included, to the items at random.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankgauge.arrays import Floats, Ints
from rankgauge.data.vectors import aligned
from rankgauge.errors import AnalysisError, UsageError
from rankgauge.kernels.rankdcg import Ladders, Ties, ladders_of, levels_by_score
from rankgauge.tables import Plain
from rankgauge.tables.table import p_equals


@dataclass(frozen=True)
class Chance(Plain):
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

    def sentence(self) -> str:
        """The comparison with chance in words."""
        how = f"exact, {self.deals:,} outcomes" if self.method == "exact" else f"{self.deals:,} draws, seed {self.seed}"
        adjusted = "" if math.isnan(self.adjusted) else f"; adjusted for chance {self.adjusted:.4f}"
        return (
            f"chance: these predictions dealt at random expect {self.expected:.4f} "
            f"(standard deviation {self.standard_deviation:.4f}){adjusted}; {p_equals(self.p)} ({how})"
        )


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
    if cutoff is not None and cutoff < 1:
        raise UsageError(f"cutoff={cutoff}: the first rank is 1")
    values, scores = aligned(truth, predicted)
    ladder = ladders_of(values, np.array([0, len(values)]), cutoff)
    if not ladder.span[0] > 0:
        held = {0: "there are no items", 1: "there is one item only"}.get(len(values), "all true values are equal")
        raise AnalysisError(f"rankDCG is undefined: {held}\nIt needs at least two different true values.")
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


# Listing stops at this many tables, and does not begin where a table has this many cells.
MOST_TABLES = 100_000
MOST_CELLS = 10_000
DRAWN_AT_ONCE = 2_000_000
# Values nearer than this are equal: the sums behind them are rounded.
TOLERANCE = 1e-10


@dataclass(frozen=True, eq=False)
class Outcomes:
    """Values of rankDCG and their probabilities: all there are, or a sample."""

    values: Floats
    probability: Floats
    is_exact: bool

    def p_value(self, value: float) -> float:
        """The probability of this value or more; for a sample by the add-one rule, so that it is never 0."""
        reaching = self.values >= value - TOLERANCE
        if reaching.all():
            return 1.0
        if self.is_exact:
            return float(self.probability[reaching].sum())
        return float((1 + np.count_nonzero(reaching)) / (1 + len(reaching)))

    def moments(self) -> tuple[float, float]:
        expected = self.values @ self.probability
        return float(expected), math.sqrt((self.values - expected) ** 2 @ self.probability)


@dataclass(frozen=True, eq=False)
class Deal:
    """One list, its ranks from the first to the last; `blocks` holds the sizes of the blocks of equal scores."""

    levels: Ints
    weights: Floats
    blocks: Ints
    ties: Ties
    least: float
    span: float

    @property
    def is_linear(self) -> bool:
        """Whether a place weighs the same whatever falls beside it, so that moments have a closed form."""
        return self.ties == "mean" or len(self.blocks) == len(self.levels)

    def moments(self) -> tuple[float, float]:
        """Mean and standard deviation over all deals of a linear case: a sum of fixed weights over shuffled levels."""
        expected = (self.levels.mean() * self.weights.sum() - self.least) / self.span
        spread = np.var(self.weights) * np.var(self.levels) * len(self.levels) ** 2 / (len(self.levels) - 1)
        return float(expected), math.sqrt(spread) / self.span

    def values(self, reached: Floats) -> Floats:
        values: Floats = np.clip((reached - self.least) / self.span, 0.0, 1.0)
        return values


def deal_of(ladder: Ladders, scores: NDArray[Any], ties: Ties) -> Deal:
    """How the scores of one list would be dealt; under `mean` ties the ranks of a block share their weight."""
    blocks = np.unique(scores, return_counts=True)[1][::-1]
    weights = ladder.weight[::-1]
    if ties == "mean":
        starts = np.cumsum(blocks) - blocks
        weights = np.repeat(np.add.reduceat(weights, starts) / blocks, blocks)
    least = float(ladder.lowest @ ladder.weight)
    return Deal(ladder.level[::-1], weights, blocks, ties, least, float(ladder.span[0]))


def random_order(ladder: Ladders) -> Deal:
    """The deal of scores without ties."""
    return deal_of(ladder, np.arange(len(ladder.level)), "worst")


def all_outcomes(deal: Deal) -> Outcomes | None:
    """Every table of counts, block after block and level after level; None where they are too many."""
    counts = np.bincount(deal.levels)[1:]
    if len(counts) * len(deal.blocks) > MOST_CELLS:
        return None
    climbing = range(len(counts)) if deal.ties != "best" else range(len(counts))[::-1]
    cumulated = np.concatenate([[0.0], np.cumsum(deal.weights)])
    log_factorials = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, len(deal.levels) + 1)))])
    left = counts[None]
    reached, log_ways, place = np.zeros(1), np.zeros(1), np.zeros(1, np.int64)
    for end in np.cumsum(deal.blocks):
        later = left.sum(axis=1)
        for column in climbing:
            # What the levels to come cannot fill, this one must.
            later = later - left[:, column]
            fewest = np.maximum(end - place - later, 0)
            choices = np.minimum(end - place, left[:, column]) - fewest + 1
            if choices.sum() > MOST_TABLES:
                return None
            table = np.repeat(np.arange(len(choices)), choices)
            take = fewest[table] + np.arange(len(table)) - np.repeat(np.cumsum(choices) - choices, choices)
            left, later, place = left[table], later[table], place[table]
            left[:, column] -= take
            reached = reached[table] + (column + 1) * (cumulated[place + take] - cumulated[place])
            log_ways = log_ways[table] - log_factorials[take]
            place = place + take
    ways = np.exp(log_ways - log_ways.max())
    return Outcomes(deal.values(reached), ways / ways.sum(), is_exact=True)


def draws(deal: Deal, samples: int, seed: int) -> Outcomes:
    random = np.random.default_rng(seed)
    items = len(deal.levels)
    block = np.repeat(np.arange(len(deal.blocks)), deal.blocks) * (items + 1)
    values = np.empty(samples)
    step = max(1, DRAWN_AT_ONCE // items)
    for start in range(0, samples, step):
        dealt = np.tile(deal.levels, (min(step, samples - start), 1))
        random.permuted(dealt, axis=1, out=dealt)
        if not deal.is_linear:
            # With the block in front, sorting a row arranges every block, the lowest or the highest level first.
            dealt = np.sort(block + dealt) - block if deal.ties == "worst" else block - np.sort(block - dealt)
        values[start : start + step] = deal.values(np.einsum("ij,j->i", dealt, deal.weights))
    return Outcomes(values, np.full(samples, 1 / samples), is_exact=False)
