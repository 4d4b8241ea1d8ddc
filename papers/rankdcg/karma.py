"""Users ranked by karma, simulated after Table 2 of Katerenchuk & Rosenberg 2016, and the paper's four criteria.

The paper's users are not public. Here karma has a long tail: 79 % of the users stand in the lowest of five classes,
as the printed AveP of the majority prediction (.79) implies for the paper's.
"""

from __future__ import annotations

import functools
import itertools
import math
from dataclasses import dataclass

import numpy as np
from companions import exact_match_ap, ndcg_of_values
from lists import REFERENCE, Measure, Numbers, ndcg_of_predicted_values, rankdcg, share_of_the_top
from numpy.typing import NDArray

from rankgauge.analysis.chance import Chance, chance
from rankgauge.kernels.ranks import kendall_tau

USERS = 1000
SEED = 2016
IN_LOWEST_CLASS = 0.79


def ndcg_of_true_values(truth: Numbers, predicted: Numbers) -> float:
    return ndcg_of_values(truth, predicted, ties="worst")


MEASURES: dict[str, Measure] = {
    "AveP": exact_match_ap,
    "τ-b": kendall_tau,
    "nDCG, predicted gains": ndcg_of_predicted_values,
    "nDCG, true gains": ndcg_of_true_values,
    "rankDCG": rankdcg,
    "rankDCG, ties mean": lambda truth, predicted: rankdcg(truth, predicted, ties="mean"),
}


@dataclass(frozen=True)
class Model:
    name: str
    predicted: NDArray[np.int64]


def simulate() -> tuple[NDArray[np.int64], tuple[Model, ...]]:
    """Classes of the users in random order, and what five models say of them."""
    random = np.random.default_rng(SEED)
    classes = _classes(random, USERS)
    timid = np.clip(np.rint(1 + 0.5 * (classes - 1) + random.normal(0, 0.5, USERS)), 1, 5).astype(np.int64)
    boastful = np.clip(np.rint(2 * classes + random.normal(0, 1.5, USERS)), 1, 10).astype(np.int64)
    models = (
        Model("majority class for everyone", np.ones(USERS, np.int64)),
        Model("shuffled true classes", random.permutation(classes)),
        Model("weak, predicts too low", timid),
        Model("weak, predicts too high", boastful),
        Model("perfect", classes),
    )
    return classes, models


def _classes(random: np.random.Generator, users: int) -> NDArray[np.int64]:
    # With Pareto tails each class is as many times rarer than the one below: karma up to 10, 100, 1,000, …
    exponent = math.log10(1 / (1 - IN_LOWEST_CLASS))
    karma = (1 - random.random(users)) ** (-1 / exponent)
    return np.clip(np.ceil(np.log10(karma)).astype(np.int64), 1, 5)


DRAWS = 200
DRAWN_USERS = 130  # the paper's subreddits have 129.8 users on average


@functools.cache
def studies() -> list[list[dict[str, float]]]:
    """By draw and model, every measure: the majority class, two models of which the second is better, and the truth."""
    found = []
    for seed in range(1, DRAWS + 1):
        random = np.random.default_rng([SEED, seed])
        truth = _classes(random, DRAWN_USERS)
        if len(np.unique(truth)) < 3:
            continue
        weak, better = (
            np.clip(np.rint(1.5 * truth + random.normal(0, noise, DRAWN_USERS)), 1, 10).astype(np.int64)
            for noise in (3.0, 1.5)
        )
        models = (np.ones(DRAWN_USERS, np.int64), weak, better, truth)
        found.append([{name: measure(truth, one) for name, measure in MEASURES.items()} for one in models])
    return found


def rises(values: list[float]) -> bool:
    """Whether each model scores more than the one before; an undefined value does not."""
    return all(a < b for a, b in itertools.pairwise(values))


def mean(rows: list[dict[str, float]], name: str) -> str:
    values = [row[name] for row in rows]
    return f"{np.mean(values):.3f} ± {np.std(values, ddof=1):.3f}"


def chance_of(truth: NDArray[np.int64], model: Model) -> Chance:
    return chance(truth, model.predicted, samples=10_000, seed=SEED)


# These compare or add predicted values; the others see only the order that the values make.
SEES_VALUES = {"AveP", "nDCG, predicted gains"}

# The paper's demands in our words, each in parts that can be measured; the thresholds are ours.
CRITERIA = {
    "equals": "Two items of equal value trade predictions at no cost; so do two ranks that belong to one value.",
    "bounds": "The best order of every list has 1; the worst has 0.",
    "skew": "The majority prediction earns nothing.",
    "cost": "A mistake at the top costs more than one at the bottom; no item holds more than half of the total.",
}


@dataclass(frozen=True)
class Finding:
    """How one measure meets one criterion, part by part."""

    evidence: str
    parts: tuple[bool, ...]

    @property
    def verdict(self) -> str:
        return "yes" if all(self.parts) else "partly" if any(self.parts) else "no"


def check(name: str, truth: NDArray[np.int64], majority: Model) -> dict[str, Finding]:
    measure = MEASURES[name]
    found = _equals(name, measure), _bounds(measure), _skew(measure, truth, majority), _cost(name, measure)
    return dict(zip(CRITERIA, found, strict=True))


def _equals(name: str, measure: Measure) -> Finding:
    """The largest changes in 300 random trials on the reference list; ranks only where a measure sees ranks alone."""
    random = np.random.default_rng(SEED)
    truth = np.array(REFERENCE)
    by_prediction, by_rank = [], []
    for _ in range(300):
        pair = random.choice(np.flatnonzero(truth == random.choice([4, 2, 1])), 2, replace=False)
        predicted = random.permutation(truth)
        by_prediction.append(measure(truth, _exchanged(predicted, pair)) - measure(truth, predicted))
        # The reference list is in the best order, so its places are also ranks.
        order = random.permutation(len(truth))
        by_rank.append(measure(truth, _scores(_exchanged(order, pair))) - measure(truth, _scores(order)))
    changes = (
        {"predictions": by_prediction} if name in SEES_VALUES else {"predictions": by_prediction, "ranks": by_rank}
    )
    largest = {what: float(np.max(np.abs(change))) for what, change in changes.items()}
    evidence = ", ".join(f"{what} {change:.3f}" for what, change in largest.items())
    return Finding(evidence, tuple(change < 1e-9 for change in largest.values()))


def _exchanged(array: NDArray[np.int64], pair: NDArray[np.int64]) -> NDArray[np.int64]:
    exchanged = array.copy()
    exchanged[pair] = array[pair[::-1]]
    return exchanged


def _scores(order: NDArray[np.int64]) -> NDArray[np.int64]:
    """Predictions that put the items in this order."""
    scores = np.empty_like(order)
    scores[order] = np.arange(len(order), 0, -1)
    return scores


def _bounds(measure: Measure) -> Finding:
    """Three lists in falling order, predicted perfectly and in reverse."""
    lists = (REFERENCE, (3, 2, 1), (9, 1, 1, 1, 1, 1))
    best, worst = [measure(truth, truth) for truth in lists], [measure(truth, truth[::-1]) for truth in lists]
    evidence = "; ".join(f"{low:.3f} to {high:.3f}".replace("-", "−") for low, high in zip(worst, best, strict=True))
    return Finding(evidence, (bool(np.allclose(best, 1)), bool(np.allclose(worst, 0))))


def _skew(measure: Measure, truth: NDArray[np.int64], majority: Model) -> Finding:
    value = measure(truth, majority.predicted)
    return Finding("undefined" if math.isnan(value) else f"{value:.3f}", (bool(abs(value) < 1e-12),))


def _cost(name: str, measure: Measure) -> Finding:
    """Ranks 1 and 2 exchanged, and ranks 6 and 7, of the perfect prediction: neighbours of different value."""
    losses = [1 - measure(REFERENCE, _exchanged(np.array(REFERENCE), np.array(pair))) for pair in ((0, 1), (5, 6))]
    figure = 4 if name.startswith("rankDCG") else 1 if name.startswith("nDCG") else None
    parts = [bool(losses[0] > losses[1] + 1e-12)]
    evidence = f"top {losses[0]:.3f}, bottom {losses[1]:.3f}"
    if figure is not None:
        parts.append(share_of_the_top(figure) <= 0.5)
        evidence += f", top item {share_of_the_top(figure):.1%}"
    return Finding(evidence, tuple(parts))
