"""Are the probabilities of `compare --bayes` honest? Said against true, on topics drawn with replacement.

    python papers/coverage/bayes.py [--trials 100]

For random baselines and 20 other systems of every population, the system that is called better is so with a probability
of at least one half; the table has, for ranges of that probability, its mean and how often the call was true, and how
often the 95 % interval of the shrunk difference holds the true one. Writes papers/coverage/results/bayes.md.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from populations import CONTROL, Population, populations

from rankgauge.analysis.compare.statistics.families import two_way
from rankgauge.analysis.compare.statistics.shrinkage import pair_posteriors
from rankgauge.evaluation.intervals import moments

RESULTS = Path(__file__).parent / "results"
SIZES = (20, 40, 100)
RANGES = ((0.5, 0.7), (0.7, 0.9), (0.9, 0.99), (0.99, 1.01))


def called(population: Population, queries: int, trials: int, seed: int) -> np.ndarray:
    """Rows: probability of the call, whether it was true, whether the interval held."""
    random, found = np.random.default_rng(seed), []
    for _ in range(trials):
        chosen = random.permutation(len(population.values))[:21]
        drawn, true = population.draw(random, queries)[chosen], population.means[chosen]
        gaps = (true - true[0])[1:]
        said = pair_posteriors(moments(drawn[1:] - drawn[0]), two_way(drawn), margin=0.0, confidence=0.95)
        for one, gap in zip(said, gaps, strict=True):
            right = gap > 0 if one.better > 0.5 else gap < 0
            found.append((max(one.better, one.worse), right, one.low <= gap <= one.high))
    return np.array(found, dtype=float)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=100)
    trials = parser.parse_args().trials
    cells = []
    for population in populations():
        cells += [(population.name, queries, called(population, queries, trials, seed=queries)) for queries in SIZES]
        print(population.name, file=sys.stderr, flush=True)
    (RESULTS / "bayes.md").write_text("\n".join(page(cells, trials)) + "\n")


def page(cells: list[tuple[str, int, np.ndarray]], trials: int) -> Iterator[str]:
    yield "# Are the probabilities of `compare --bayes` honest?\n"
    yield f"Written by `papers/coverage/bayes.py --trials {trials}`. A cell is what was said → how often it was true, for pairs whose"
    yield "probability lies in that range; then the share of true differences that the 95 % interval of the shrunk one held."
    yield f"{trials} draws of topics a line, 20 pairs each that share a baseline, so a single line is rough;"
    yield "the last three are means over the real populations.\n"
    names = (f"{low:.0%} to {min(high, 1):.0%}" for low, high in RANGES)
    yield f"| population | n | {' | '.join(names)} | all calls | interval |"
    yield "|---" * (len(RANGES) + 4) + "|"
    for name, queries, found in cells:
        parts = (found[(found[:, 0] >= low) & (found[:, 0] < high)] for low, high in RANGES)
        shown = " | ".join(_cell(part) for part in parts)
        yield f"| {name} | {queries} | {shown} | {_cell(found)} | {found[:, 2].mean():.1%} |"

    real = [cell for cell in cells if cell[0] != CONTROL]
    for queries in SIZES:
        each = [found for _, size, found in real if size == queries]
        parts = [[f[(f[:, 0] >= low) & (f[:, 0] < high)] for f in each] for low, high in (*RANGES, (0.0, 2.0))]
        means = [np.mean([part.mean(axis=0) for part in column if len(part)], axis=0) for column in parts]
        shown = " | ".join(f"{said:.0%} → {true:.0%}" for said, true, _ in means)
        yield f"| mean | {queries} | {shown} | {means[-1][2]:.1%} |"


def _cell(part: np.ndarray) -> str:
    return f"{part[:, 0].mean():.0%} → {part[:, 1].mean():.0%}" if len(part) else "–"


if __name__ == "__main__":
    main()
