"""The family of gains and discounts by brute force: many of its points, and nDCG by its definition at each of them."""

from __future__ import annotations

from itertools import product

import numpy as np


def points(cutoff, grades, count, draw):
    """Discounts [points, cutoff] and gains [points, grades]: a grid of steps, mixed with random ones of any shape."""
    grid = [step for step in product((0, 1e-4, 1), repeat=cutoff) if any(step)]
    steps = [np.array(grid, float)[draw.permutation(len(grid))[: count // 2]]]
    rest = count - len(steps[0])
    # Small exponents make steps of very different sizes: corners and edges of the family, and not its middle only.
    steps.append(draw.random((rest, cutoff)) ** draw.choice([0.3, 1, 4, 20], (rest, 1)))
    discounts = np.concatenate(steps)[:, ::-1].cumsum(axis=1)[:, ::-1]
    jumps = draw.random((count, grades)) ** draw.choice([0.3, 1, 4, 20], (count, 1))
    jumps[: count // 2] *= draw.choice([1e-6, 1], (count // 2, grades))
    gains = np.maximum(jumps, 1e-9).cumsum(axis=1)
    return discounts / discounts[:, :1], gains / gains[:, -1:]


def ndcg(judged, run, grades, discounts, gains, *, normalized=True):
    """The mean over the judged queries at every point; `judged` {query: {document: value}}, `run` {query: [documents]}."""
    total = np.zeros(len(discounts))
    for query, values in judged.items():
        found = _sum([values.get(document, 0) for document in run.get(query, [])], grades, discounts, gains)
        best = _sum(sorted(values.values(), reverse=True), grades, discounts, gains)
        if normalized:
            found = np.divide(found, best, out=np.zeros(len(best)), where=best > 0)
        total += found
    return total / len(judged)


def _sum(values, grades, discounts, gains):
    total = np.zeros(len(discounts))
    for rank, value in enumerate(values[: discounts.shape[1]]):
        if value > 0:
            total += discounts[:, rank] * gains[:, grades.index(value)]
    return total


def scored(run):
    """A run by rank as a run by score."""
    return {query: {document: -float(rank) for rank, document in enumerate(ranked)} for query, ranked in run.items()}


def random_collection(draw, *, queries=4, documents=6, grades=(1, 2, 3), systems=2, depth=5):
    """Judgments and ranked runs; each query has grades up to its own highest, which may lack the best or be 0."""
    judged, runs = {}, {f"s{at}": {} for at in range(systems)}
    for query in range(draw.integers(1, queries + 1)):
        top = draw.integers(0, len(grades) + 1)
        kinds = (0, *grades[:top])
        names = [f"d{at}" for at in range(documents)]
        judged[f"q{query}"] = {name: kinds[draw.integers(len(kinds))] for name in names}
        for run in runs.values():
            if draw.random() > 0.1:
                run[f"q{query}"] = [names[at] for at in draw.permutation(documents)[:depth]]
    return judged, runs
