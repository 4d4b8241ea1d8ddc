"""Do the tests and intervals of `rankgauge compare` keep their promises? A recorded experiment on simulated scores.

Scores are simulated as graded measures behave: between 0 and 1, skewed, queries far apart, and, in a second population,
tenths with many ties. Run by `make experiments`; writes docs/experiments/comparison-null.md and ends with 1 if a rate leaves
its limits.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rankgauge import Scores, compare
from rankgauge.analysis.compare.statistics.corrections import adjust
from rankgauge.analysis.compare.statistics.families import randomised_tukey_test, tukey_test
from rankgauge.analysis.compare.statistics.ranks import rank_intervals
from rankgauge.analysis.compare.statistics.tests import (
    bootstrap_test,
    equivalence_test,
    paired_differences,
    sign_flip_test,
    t_test,
    wilcoxon_test,
)
from rankgauge.arrays import Floats
from rankgauge.evaluation.intervals import mean_interval

SEED = 20_240_607
ALPHA = 0.05
PAGE = Path(__file__).parents[2] / "docs" / "experiments" / "comparison-null.md"
QUERIES = (20, 50, 200)
POPULATIONS = ("continuous", "tenths")
PAIRED: dict[str, Callable[[Floats, int], Floats]] = {
    "sign-flip": lambda rows, seed: sign_flip_test(rows, samples=2_000, seed=seed),
    "bootstrap": lambda rows, seed: bootstrap_test(rows, samples=2_000, seed=seed),
    "t": lambda rows, _: t_test(rows),
    "wilcoxon": lambda rows, _: wilcoxon_test(rows),
}


@dataclass(frozen=True)
class Rate:
    """A measured share with the limits it has to keep."""

    section: str
    what: str
    setting: str
    value: float
    trials: int
    low: float
    high: float
    may_be_lower: bool = False

    @property
    def error(self) -> float:
        return float(np.sqrt(self.value * (1.0 - self.value) / self.trials))

    @property
    def kept(self) -> bool:
        return self.low <= self.value <= self.high


def simulate(
    trials: int, systems: int, queries: int, population: str, stream: int, skill: Floats | None = None
) -> Floats:
    """Scores trials × systems × queries; without `skill` all systems are alike."""
    random = np.random.default_rng([SEED, stream])
    difficulty = 1.2 * random.normal(size=(trials, 1, queries))
    noise = 0.8 * random.normal(size=(trials, systems, queries))
    shift = 0.0 if skill is None else skill[np.newaxis, :, np.newaxis]
    scores: Floats = 1.0 / (1.0 + np.exp(0.5 - difficulty - noise - shift))
    return np.round(scores, 1) if population == "tenths" else scores


def paired_rates(trials: int) -> Iterator[Rate]:
    """Two systems that are alike: how often does each test say otherwise?"""
    batch = 250  # a new seed for every batch, since the rows of a batch share their draws
    for population in POPULATIONS:
        for queries in QUERIES:
            alarms = dict.fromkeys(PAIRED, 0)
            for start in range(0, trials, batch):
                scores = simulate(batch, 2, queries, population, 1_000_000 * queries + start)
                rows = paired_differences(scores[:, 0], scores[:, 1])
                for name, test in PAIRED.items():
                    alarms[name] += int(np.count_nonzero(test(rows, start) < ALPHA))
            for name, count in alarms.items():
                cautious = name == "sign-flip" and population == "tenths"
                setting = f"{queries} queries, {population}"
                yield Rate("pairs", name, setting, count / trials, trials, 0.04, 0.06, may_be_lower=cautious)


def family_rates(trials: int) -> Iterator[Rate]:
    """Five systems that are alike: how often does Tukey's test find any pair?"""
    for queries in (20, 50):
        alarms = {"tukey": 0, "randomised-tukey": 0}
        for trial, table in enumerate(simulate(trials, 5, queries, "continuous", 2_000 + queries)):
            alarms["tukey"] += bool(tukey_test(table).min() < ALPHA)
            alarms["randomised-tukey"] += bool(randomised_tukey_test(table, samples=1_000, seed=trial).min() < ALPHA)
        for name, count in alarms.items():
            yield Rate("family", name, f"5 systems, {queries} queries", count / trials, trials, 0.04, 0.06)


def corrected_rates(trials: int) -> Iterator[Rate]:
    """Ten systems like the baseline: how often is any of them called better or worse?"""
    names = [f"s{i}" for i in range(11)]
    for test in ("sign-flip", "t"):
        alarms = 0
        for trial, table in enumerate(simulate(trials, 11, 50, "continuous", 3_000)):
            found = compare(
                Scores.from_matrix(table, names, measures=["m"], rows="systems"), test=test, samples=2_000, seed=trial
            )
            alarms += any(pair.verdict != "undecided" for pair in found["m"].pairs)
        yield Rate("holm", f"{test}, whole of compare()", "10 pairs, 50 queries", alarms / trials, trials, 0.0, 0.055)
    for name, test in PAIRED.items():
        holm = raw = 0
        for trial, table in enumerate(simulate(trials, 11, 50, "continuous", 3_001)):
            p = test(paired_differences(table[1:], table[0]), trial)
            raw += bool(p.min() < ALPHA)
            holm += bool(adjust(p, "holm").min() < ALPHA)
        yield Rate("holm", name, "10 pairs, 50 queries", holm / trials, trials, 0.0, 0.055)
        yield Rate("holm", f"{name}, no correction", "10 pairs, 50 queries", raw / trials, trials, 0.0, 1.0)


def coverage_rates(trials: int) -> Iterator[Rate]:
    """Systems of unlike skill: how often does the 95 % interval hold the true mean, and the true difference?"""
    skill = np.array([0.0, 0.3])
    for population in POPULATIONS:
        truth = np.mean(
            [simulate(100, 2, 20_000, population, 4_000 + i, skill).mean(axis=(0, 2)) for i in range(3)], axis=0
        )
        for queries in QUERIES:
            scores = simulate(trials, 2, queries, population, 5_000 + queries, skill)
            for method in ("t", "bootstrap"):
                for what, rows, true in (
                    ("mean", scores[:, 1], truth[1]),
                    ("paired difference", paired_differences(scores[:, 1], scores[:, 0]), truth[1] - truth[0]),
                ):
                    found = mean_interval(rows, method=method, samples=2_000, seed=queries)
                    held = float(np.mean((found.low <= true) & (true <= found.high)))
                    yield Rate(
                        "coverage", f"{method}, {what}", f"{queries} queries, {population}", held, trials, 0.93, 0.97
                    )


def rank_rates(trials: int) -> Iterator[Rate]:
    """Eight systems of known order: how often does a rank interval hold the true rank?"""
    skill = np.linspace(0.7, 0.0, 8)
    held = np.zeros(8)
    for table in simulate(trials, 8, 50, "continuous", 6_000, skill):
        ranks = rank_intervals(table)
        held += (ranks.low <= np.arange(1, 9)) & (np.arange(1, 9) <= ranks.high)
    for name, share in (("all systems", held.mean()), ("first and last", held[[0, 7]].mean())):
        yield Rate("ranks", name, "8 systems, 50 queries", float(share / trials), trials, 0.93, 1.0)


def decision_rates(trials: int) -> Iterator[Rate]:
    """A true difference exactly at the margin, where a decision either way is wrong."""
    random = np.random.default_rng([SEED, 7_000])
    rows = random.normal(-0.01, 0.03, size=(trials, 60))
    wrong = float(np.mean(equivalence_test(rows, 0.01) < ALPHA))
    yield Rate("decisions", "called equivalent", "difference at the margin", wrong, trials, 0.0, 0.06)
    outcomes = {"pass": 0, "fail": 0, "undecided": 0}
    few = trials // 10
    for row in rows[:few]:
        values = np.array([np.full(60, 0.5), 0.5 + row])[:, :, np.newaxis]
        found = compare(Scores.from_matrix(values, ["base", "new"], measures=["m"], rows="systems"), test="t")
        outcomes[found.gate("m < baseline - 0.01").outcome] += 1
    for name in ("pass", "fail"):
        yield Rate("decisions", f"gate: {name}", "difference at the limit", outcomes[name] / few, few, 0.01, 0.04)


TITLES = {
    "pairs": (
        "False alarms between two systems that are alike",
        "α = 0.05; within 4–6 %. The sign-flip test may be lower on tenths: ties leave it few p-values to choose from.",
    ),
    "family": ("False alarms over all pairs of five systems that are alike", "Any pair counts; within 4–6 %."),
    "holm": (
        "False alarms over ten pairs with Holm's correction",
        "Any pair counts; at most 5.5 % with the correction.",
    ),
    "coverage": ("How often a 95 % interval holds the truth", "Within 93–97 %."),
    "ranks": (
        "How often a 95 % rank interval holds the true rank",
        "At least 93 %: ranks are whole numbers, so more is usual.",
    ),
    "decisions": (
        "Wrong decisions when the truth lies exactly at the limit",
        "Equivalence at most 6 %; the gate 2.5 % a side.",
    ),
}


def page(rates: list[Rate]) -> str:
    """The experiment as Markdown."""
    lines = [
        "# Do the tests keep their promises?",
        "",
        f"Written by `papers/comparison/null.py` (`make experiments`), seed {SEED}. Scores are simulated: the logistic of",
        "query difficulty (standard deviation 1.2) plus noise (0.8), so that they lie between 0 and 1, are skewed and",
        "differ more between queries than between systems; `tenths` are the same, rounded, with many ties.",
        "The last column is the standard error of the rate.",
    ]
    for section, (title, limits) in TITLES.items():
        lines += ["", f"## {title}", "", limits, "", "| what | setting | rate | ± |", "|---|---|---:|---:|"]
        for rate in rates:
            if rate.section == section:
                mark = "" if rate.kept else " (outside)"
                lines.append(
                    f"| {rate.what} | {rate.setting} | {100 * rate.value:.2f} %{mark} | {100 * rate.error:.2f} |"
                )
    return "\n".join(lines) + "\n"


def main() -> int:
    """Run everything, write the page, and say what left its limits."""
    started, rates = time.perf_counter(), []
    for part in (
        paired_rates(10_000),
        family_rates(3_000),
        corrected_rates(2_000),
        coverage_rates(8_000),
        rank_rates(1_000),
        decision_rates(10_000),
    ):
        for rate in part:
            rates.append(rate)
            elapsed = f"{time.perf_counter() - started:6.0f} s"
            print(f"{elapsed}  {rate.section}: {rate.what}, {rate.setting}: {rate.value:.4f}", flush=True)
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(page(rates), encoding="utf-8")
    outside = [rate for rate in rates if not rate.kept and not (rate.may_be_lower and rate.value < rate.low)]
    for rate in outside:
        print(f"outside {rate.low}–{rate.high}: {rate}")
    return 1 if outside else 0


if __name__ == "__main__":
    sys.exit(main())
