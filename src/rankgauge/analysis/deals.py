"""The rankDCG that the same scores reach when they are dealt to the items at random.

What a deal is worth depends only on how many items of each level fall into each block of equal scores. Where these
tables of counts are few, all of them are listed with their probabilities; otherwise deals are drawn.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankgauge.kernels.rankdcg import Ladders, Ties

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

# Listing stops at this many tables, and does not begin where a table has this many cells.
MOST_TABLES = 100_000
MOST_CELLS = 10_000
DRAWN_AT_ONCE = 2_000_000
# Values nearer than this are equal: the sums behind them are rounded.
TOLERANCE = 1e-10


@dataclass(frozen=True, slots=True, eq=False)
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


@dataclass(frozen=True, slots=True, eq=False)
class Deal:
    """One list, its ranks from the first to the last; `blocks` holds the sizes of the blocks of equal scores."""

    levels: Integers
    weights: Floats
    blocks: Integers
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
