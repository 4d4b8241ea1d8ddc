"""How often is anything found among 20 systems that are all as good as the baseline? Many trials of this one question.

    python papers/coverage/family.py [--trials 1500]

As `tested` in studies.py, for Holm's correction alone: a family has a false alarm exactly when its smallest p-value is
below 5 % / 20, so only the smallest have to be computed. Writes papers/coverage/results/family.md.
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

from rankgauge.analysis.compare.statistics.shares import flipped
from rankgauge.analysis.compare.statistics.tests import t_test

RESULTS = Path(__file__).parent / "results"
SIZES, FAMILY, LOW, HIGH = (20, 40, 100), 20, 0.03, 0.06
TESTS = ("sign-flip", "t")
HEAD = """# A false alarm among 20 equal systems

Written by `papers/coverage/family.py --trials {trials}`: shares of families with any finding at 5 % by Holm's correction, where
nothing truly differs. The
promise is 3 to 6 % with 40 and more queries; † marks what is outside it by more than two standard errors (at most
{error:.1f} points for one population). The mean is over the real populations.

| population | {names} |
|---{lines}|"""


def alarms(population: Population, queries: int, trials: int, random: np.random.Generator) -> dict[str, float]:
    alike, found = population.alike(), {"sign-flip": 0, "t": 0}
    for _ in range(trials):
        chosen = random.permutation(len(alike.values))[: FAMILY + 1]
        drawn = alike.draw(random, queries)[chosen]
        rows = drawn[1:] - drawn[0]
        rows[np.abs(rows) <= 1e-12] = 0.0
        plain = t_test(rows)
        found["t"] += plain.min() * len(rows) < 0.05
        # The row that sign flips like least is among those that the t test likes least.
        found["sign-flip"] += flipped(rows[np.argsort(plain)[:3]]).p.min() * len(rows) < 0.05
    return {name: count / trials for name, count in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=1_500)
    trials = parser.parse_args().trials
    cells = {}
    for population in populations():
        random = np.random.default_rng(3)
        cells[population.name] = [alarms(population, queries, trials, random) for queries in SIZES]
        print(population.name, cells[population.name], file=sys.stderr, flush=True)
    (RESULTS / "family.md").write_text("\n".join(page(cells, trials)) + "\n")


def page(cells: dict[str, list[dict[str, float]]], trials: int) -> Iterator[str]:
    names = [f"{test}, n = {queries}" for queries in SIZES for test in TESTS]
    error = 100 * np.sqrt(0.1 * 0.9 / trials)
    yield HEAD.format(trials=trials, error=error, names=" | ".join(names), lines="|---" * len(names))
    real = [found for name, found in cells.items() if name != CONTROL]
    mean = [{test: float(np.mean([found[at][test] for found in real])) for test in TESTS} for at in range(len(SIZES))]
    for name, found, drawn in (
        *((name, found, trials) for name, found in cells.items()),
        ("mean without the control", mean, trials * len(real)),
    ):
        shown = (
            _cell(one[test], drawn, promised=queries >= 40)
            for queries, one in zip(SIZES, found, strict=True)
            for test in TESTS
        )
        yield f"| {name} | {' | '.join(shown)} |"


def _cell(share: float, trials: int, *, promised: bool) -> str:
    error = 2 * np.sqrt(share * (1 - share) / trials)
    return f"{share:.1%}{'†' if promised and not LOW - error <= share <= HIGH + error else ''}"


if __name__ == "__main__":
    main()
