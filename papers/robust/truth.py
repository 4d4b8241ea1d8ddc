"""Brute force against the certificates of `robust`: a dense grid and a random search of the family, collection by collection.

nDCG is computed by its definition here: gains times discounts by rank, over the same for the ideal order.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import rankgauge

Array = NDArray[np.float64]
CUTOFF = 3
POINTS = 1_000_000
"""Members of the family that are tried on every collection: up to 40% a grid, 40% random, the rest near the worst so far."""
_BLOCK = 50_000
_TOLERANCE = 1e-12
GRADES: dict[str, tuple[float, ...]] = {
    "one grade": (1,),
    "two real values": (0.3, 1.5),
    "three grades": (1, 2, 3),
    "five grades": (1, 2, 3, 4, 5),
}


class Collection(NamedTuple):
    """Two systems on a few queries, many of which lack the highest grades."""

    judged: dict[str, dict[str, float]]
    runs: dict[str, dict[str, list[str]]]
    grades: list[float]

    @classmethod
    def drawn(cls, random: np.random.Generator, kind: str) -> Collection:
        grades, documents = GRADES[kind], [f"d{at}" for at in range(7)]
        judged: dict[str, dict[str, float]] = {}
        runs: dict[str, dict[str, list[str]]] = {"a": {}, "b": {}}
        for query in range(random.integers(1, 6)):
            seen = (0, *grades[: random.integers(0, len(grades) + 1)])
            judged[f"q{query}"] = {name: seen[random.integers(len(seen))] for name in documents}
            for run in runs.values():
                if random.random() > 0.1:
                    run[f"q{query}"] = [documents[at] for at in random.permutation(7)[:5]]
        return cls(judged, runs, sorted({value for row in judged.values() for value in row.values() if value > 0}))

    def listed(self) -> list[rankgauge.Run]:
        return [
            rankgauge.Run(
                {query: {name: -float(at) for at, name in enumerate(names)} for query, names in run.items()}, name=name
            )
            for name, run in self.runs.items()
        ]

    def found(self, run: dict[str, list[str]]) -> Array:
        """[ranks × grades, queries]: 1 where the document at a rank is of a grade."""
        return self._placed([[row.get(name, 0) for name in run.get(query, [])] for query, row in self.judged.items()])

    def best(self) -> Array:
        return self._placed([sorted(row.values(), reverse=True) for row in self.judged.values()])

    def _placed(self, lists: list[list[float]]) -> Array:
        at = np.zeros((CUTOFF, len(self.grades), len(lists)))
        for query, values in enumerate(lists):
            for rank, value in enumerate(values[:CUTOFF]):
                if value > 0:
                    at[rank, self.grades.index(value), query] = 1
        return at.reshape(-1, len(lists))

    def differences(self, points: Points, over: str) -> Array:
        """The mean of a minus that of b at every point; what does not vary is as in nDCG."""
        above, below = self.found(self.runs["a"]) - self.found(self.runs["b"]), self.best()
        worth = points.worth
        if over != "both":
            shape = (CUTOFF, len(self.grades), -1)
            fixed = np.array(self.grades, np.float64) if over == "discount" else 1 / np.log2(np.arange(2, CUTOFF + 2))
            sums = "rgq,g->rq" if over == "discount" else "rgq,r->gq"
            above, below = (np.einsum(sums, part.reshape(shape), fixed) for part in (above, below))
            worth = points.discounts if over == "discount" else points.gains
        made = []
        for start in range(0, len(worth), _BLOCK):
            p, q = worth[start : start + _BLOCK] @ above, worth[start : start + _BLOCK] @ below
            made.append(np.divide(p, q, out=np.zeros_like(p), where=q > 0).sum(axis=1) / len(self.judged))
        return np.concatenate(made)


class Points(NamedTuple):
    """Members of the family: the steps of discount and gain, and what a document of each grade is worth at each rank."""

    alpha: Array
    beta: Array
    discounts: Array
    gains: Array
    worth: Array

    @classmethod
    def of(cls, alpha: Array, beta: Array) -> Points:
        discounts, gains = alpha[:, ::-1].cumsum(axis=1)[:, ::-1], beta.cumsum(axis=1)
        return cls(alpha, beta, discounts, gains, (discounts[:, :, None] * gains[:, None, :]).reshape(len(alpha), -1))


def grid(grades: int) -> Points:
    """Steps of the discount and of the gain: every combination of sizes, as fine as the number of points allows."""
    many = int(0.4 * POINTS)
    sizes = int((many ** (1 / (CUTOFF + grades))) if grades > 1 else many ** (1 / CUTOFF))
    levels = np.concatenate(([0.0], np.geomspace(1e-4, 1.0, max(2, sizes - 1))))
    alpha = np.array([step for step in product(levels, repeat=CUTOFF) if any(step)])
    beta = np.array(list(product(np.maximum(levels, 1e-9), repeat=grades))) if grades > 1 else np.ones((1, 1))
    which = np.arange(len(alpha) * len(beta))
    return Points.of(alpha[which % len(alpha)], beta[which // len(alpha)])


def anywhere(random: np.random.Generator, grades: int, count: int) -> Points:
    """Large exponents make steps of very different sizes: corners and edges of the family, and not its middle only."""
    alpha = random.random((count, CUTOFF)) ** random.choice([0.3, 1, 4, 20], (count, 1))
    beta = np.maximum(random.random((count, grades)) ** random.choice([0.3, 1, 4, 20], (count, 1)), 1e-9)
    return Points.of(alpha, beta)


@cache
def everywhere(grades: int) -> tuple[Points, Points]:
    """A grid, and points drawn at random: the same for all collections with as many grades."""
    return grid(grades), anywhere(np.random.default_rng(grades), grades, int(0.4 * POINTS))


class Worst(NamedTuple):
    """The least and the largest difference that brute force found, and how many points it tried."""

    low: float
    high: float
    points: int


def brute_force(collection: Collection, random: np.random.Generator, over: str) -> Worst:
    """A grid and random points first; then, in four turns, points near the least and the largest differences so far."""
    low, high, tried = np.inf, -np.inf, 0
    near: list[tuple[Array, Array]] = []
    for turn in range(6):
        rest = POINTS - tried if turn == 5 else POINTS // 20
        points = everywhere(len(collection.grades))[turn] if turn < 2 else _around(near, random, rest)
        found = collection.differences(points, over)
        tried += len(found)
        low, high = min(low, float(found.min())), max(high, float(found.max()))
        ends = (np.argpartition(found, 5)[:5], np.argpartition(found, -5)[-5:])
        near.extend((points.alpha[order], points.beta[order]) for order in ends)
    return Worst(low, high, tried)


def _around(near: list[tuple[Array, Array]], random: np.random.Generator, count: int) -> Points:
    """Points near those with the least and the largest differences so far."""
    alpha, beta = (np.concatenate([pair[at] for pair in near]) for at in (0, 1))
    which = random.integers(0, len(alpha), count)
    width = 10.0 ** random.uniform(-4, 0.5, (count, 1))
    moved = [part[which] * np.exp(width * random.normal(size=(count, part.shape[1]))) for part in (alpha, beta)]
    return Points.of(moved[0] + (moved[0].sum(axis=1, keepdims=True) == 0), np.maximum(moved[1], 1e-9))


def contradiction(found: Any, worst: Worst, collection: Collection, measure: str) -> str:
    """What is wrong with a verdict, in words; empty where nothing is."""
    low, high = (worst.low, worst.high) if found.system == "a" else (-worst.high, -worst.low)
    if found.verdict == "equal" and max(-low, high) > _TOLERANCE:
        return f"equal, but differences from {low:g} to {high:g}"
    if found.verdict == "robust":
        least = low if found.winner == found.system else -high
        return f"robust, but the winner is {least:g} ahead" if least < -_TOLERANCE else ""
    if found.verdict == "depends":
        means = rankgauge.evaluate(collection.judged, collection.listed(), [measure, found.witness]).mean()
        own, other = (means[found.system][name] - means[found.baseline][name] for name in (measure, found.witness))
        if abs(other) <= _TOLERANCE or (own * other > 0 and abs(own) > _TOLERANCE):
            return f"depends, but {found.witness} gives {other:g} beside {own:g}"
    return ""
