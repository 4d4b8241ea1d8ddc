"""The synthetic samples of Figures 1 and 2: 100 scores each, balanced or imbalanced."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from measures import Floats, exponential, ndcg, relevance, tiers
from rankgauge.kernels.curves import AUTHORS, PAPER, BoxPlot, boxes

SEED, SAMPLES, ITEMS, CUTOFF = 20170101, 1000, 100, 10
SEEDS = tuple(range(SEED, SEED + 10))  # the first made the figures; a verdict asks all ten
MANY = 100_000  # samples that stand for the population when the printed figure is judged
SCENARIOS = {
    1: np.r_[0:9, 10, 9, 11:ITEMS],  # the tenth item leaves the top ten
    2: np.r_[9:-1:-1, 10:ITEMS],  # the top ten reversed
}
Draw = Callable[[np.random.Generator, int], Floats]


def balanced(rng: np.random.Generator, rows: int) -> Floats:
    return rng.integers(1, 1001, (rows, ITEMS)).astype(np.float64)


def imbalanced_90_10(rng: np.random.Generator, rows: int) -> Floats:
    """As the text of the paper says."""
    drawn = np.concatenate((rng.integers(1, 101, (rows, 90)), rng.integers(100, 1001, (rows, 10))), axis=1)
    return drawn.astype(np.float64)


def imbalanced_80_20(rng: np.random.Generator, rows: int) -> Floats:
    """As the authors' program draws them: again and again until the box plot has an outlier on either side."""
    kept: list[Floats] = []
    while sum(map(len, kept)) < rows:
        drawn = np.concatenate((rng.integers(1, 501, (rows, 80)), rng.integers(500, 1001, (rows, 20))), axis=1)
        scores = drawn.astype(np.float64)
        ordered = np.sort(scores, axis=1)[:, ::-1].ravel()
        least, lower, _, upper, most = boxes(ordered, np.arange(rows) * ITEMS, np.full(rows, ITEMS), "hinges")
        reach = PAPER.reach * (upper - lower)
        kept.append(scores[(most > upper + reach) | (least < lower - reach)])
    return np.concatenate(kept)[:rows]


@dataclass(frozen=True)
class Cell:
    """One box of Figure 2."""

    name: str
    draw: Draw
    preset: str
    settings: BoxPlot


CELLS = (
    Cell("balanced", balanced, "paper", PAPER),
    Cell("balanced", balanced, "authors", AUTHORS),
    Cell("imbalanced 90/10", imbalanced_90_10, "paper", PAPER),
    Cell("imbalanced 90/10", imbalanced_90_10, "authors", AUTHORS),
    Cell("imbalanced 80/20", imbalanced_80_20, "paper", PAPER),
    Cell("imbalanced 80/20", imbalanced_80_20, "authors", AUTHORS),
)


@functools.cache
def samples(draw: Draw, seed: int = SEED) -> Floats:
    """Scores of 1,000 samples drawn one by one, best first; a fresh generator of the seed for every cell."""
    rng = np.random.default_rng(seed)
    return np.sort(np.concatenate([draw(rng, 1) for _ in range(SAMPLES)]), axis=1)[:, ::-1]


@functools.lru_cache(maxsize=1)
def population(draw: Draw) -> Floats:
    """So many samples that their quartiles stand for the true ones, best first."""
    return np.sort(draw(np.random.default_rng([SEED, MANY]), MANY), axis=1)[:, ::-1]


@functools.cache
def scenario_values(cell: Cell, scenario: int, seed: int = SEED) -> Floats:
    """NDCG-phi@10 of every sample."""
    return _values(samples(cell.draw, seed), cell, scenario)


def population_values(cell: Cell, scenario: int) -> Floats:
    return _values(population(cell.draw), cell, scenario)


def _values(scores: Floats, cell: Cell, scenario: int) -> Floats:
    return ndcg(exponential(relevance(scores[:, SCENARIOS[scenario]], cell.settings)), CUTOFF)


def standard(scenario: int) -> float:
    """NDCG@10 with the ad-hoc grades: the same for every sample."""
    scores = np.arange(ITEMS, 0.0, -1)[None, SCENARIOS[scenario]]
    return float(ndcg(exponential(tiers(scores)), CUTOFF)[0])


def quartiles(values: Floats) -> tuple[float, float, float]:
    low, middle, high = np.quantile(values, [0.25, 0.5, 0.75]).tolist()
    return low, middle, high


def standard_errors(values: Floats) -> Floats:
    """Standard errors of the three quartiles of 1,000 samples, from the many thousands of the population."""
    parts = values.reshape(-1, SAMPLES)
    return np.std(np.quantile(parts, [0.25, 0.5, 0.75], axis=1), axis=1, ddof=1)
