"""Do the intervals of few human queries beside a judge hold the truth on real queries?

Run with `python papers/judged/coverage.py`; writes papers/judged/results/README.md. The population is the queries of TREC
Deep Learning 2021: they are drawn with replacement, people judge the first n of them, the judge all, and the truth of a
pair is its mean human difference over the population. Everything is seeded. `python papers/judged/coverage.py HUMAN JUDGE
RUN...` does the same on another collection and only prints.
"""

from __future__ import annotations

import itertools
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import rankgauge
from rankgauge.analysis.compare.statistics.judged import combine

Floats = NDArray[np.float64]

SEED = 26
PAIRS, DRAWS = 100, 200
DESIGNS = ((8, 1000), (15, 1000), (25, 1000), (40, 1000), (15, 100))
NORMAL = 1.959963984540054
JUDGES = ("umbrela-gpt-4o", "umbrela-llama3.2-1")
PAGE = Path(__file__).parent / "results" / "README.md"


@dataclass(frozen=True)
class Held:
    """Shares of 95% intervals that hold the truth: over all pairs, and of the worst pair."""

    ours: Floats
    published: Floats
    people: Floats
    width: float
    """Median of the width beside that of people alone."""


def differences(human: object, judge: object, runs: Sequence[Path]) -> tuple[Floats, Floats]:
    """Per pair of systems that differ, people's and the judge's differences of nDCG@10 on the queries of both."""
    tables = [rankgauge.evaluate(judgments, runs) for judgments in (human, judge)]
    queries = [query for query in tables[0].queries if query in set(tables[1].queries)]
    people, machine = (table.only(queries).matrix("nDCG@10") for table in tables)
    pairs = list(itertools.combinations(range(len(people)), 2))
    order = np.random.default_rng(SEED).permutation(len(pairs))
    first, second = np.array([pairs[at] for at in order]).T
    both = people[first] - people[second], machine[first] - machine[second]
    differ = (both[0].std(axis=1) > 0) & (both[1].std(axis=1) > 0)
    return both[0][differ][:PAIRS], both[1][differ][:PAIRS]


def held(human: Floats, judge: Floats, n: int, queries: int, draws: int = DRAWS) -> Held:
    """Each draw is of `queries` queries, of which people judge the first n: a random subset."""
    draw = np.random.default_rng([SEED, n, queries])
    counts, widths = np.zeros((len(human), 3)), []
    for pair, (y, f) in enumerate(zip(human, judge, strict=True)):
        for chosen in draw.integers(0, len(y), (draws, queries)):
            people, machine = y[chosen[:n]], f[chosen]
            found, truth = combine(people, machine[:n], machine), y.mean()
            alone = found.judge.human_only
            counts[pair] += (
                abs(found.difference - truth) <= found.margin(0.95),
                published(people, machine[:n], machine[n:], truth),
                alone.low <= truth <= alone.high,
            )
            if alone.high > alone.low:
                widths.append(2 * found.margin(0.95) / (alone.high - alone.low))
    ours, theirs, people_alone = counts.T / draws
    return Held(ours, theirs, people_alone, float(np.median(widths)))


def published(human: Floats, judge: Floats, rest: Floats, truth: float) -> bool:
    """Whether PPI++ holds the truth as its paper has it: plug-in variances and the normal quantile."""
    n, others = len(human), len(rest)
    spread = np.concatenate((judge, rest)).var(ddof=1)
    weight = 0.0 if spread == 0 else float(np.cov(human, judge, ddof=1)[0, 1] / ((1 + n / others) * spread))
    weight = min(max(weight, 0.0), 1.0)
    value = human.mean() + weight * (rest.mean() - judge.mean())
    error = np.sqrt(weight**2 * rest.var() / others + (human - weight * judge).var() / n)
    return bool(abs(value - truth) <= NORMAL * error)


def rows(name: str, human: Floats, judge: Floats) -> list[str]:
    found = []
    for n, queries in DESIGNS:
        one = held(human, judge, n, queries)
        shares = " | ".join(f"{part.mean():.3f} ({part.min():.2f})" for part in (one.people, one.ours, one.published))
        found.append(f"| {name} | {n} | {queries:,} | {shares} | {one.width:.2f} |")
        print(found[-1], flush=True)
    return found


def page(tables: Sequence[str], queries: int, systems: int) -> str:
    head = "| judge | human queries | queries of the judge | people alone, t | `compare --judge` | PPI++ as published | width |"
    return "\n".join(
        [
            "# Few human queries beside a judge: how often 95% intervals hold the truth",
            "",
            f"TREC Deep Learning 2021, nDCG@10, {PAIRS} random pairs of {systems} systems × {DRAWS} draws from {queries} real",
            "queries, with replacement; in parentheses the worst pair. *width*: median width of `compare --judge` beside",
            "that of people alone. `python papers/judged/coverage.py` makes this page.",
            "",
            head,
            "|---|---:|---:|---:|---:|---:|---:|",
            *tables,
            "",
        ]
    )


def main() -> None:
    if sys.argv[1:]:
        human, judge, *runs = map(Path, sys.argv[1:])
        rows(judge.name.partition(".qrels")[0], *differences(human, judge, runs))
        return
    folder = Path(os.environ["RANKGAUGE_DATA"]) / "judges" / "dl21"
    runs = sorted((folder / "runs").iterdir())
    tables = []
    for name in JUDGES:
        human, machine = differences(folder / "human.qrels.gz", folder / f"{name}.qrels.gz", runs)
        tables += rows(name, human, machine)
    PAGE.write_text(page(tables, human.shape[1], len(runs)), encoding="utf-8")


if __name__ == "__main__":
    main()
