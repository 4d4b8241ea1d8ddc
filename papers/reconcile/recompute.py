"""Is reconcile honest about chance? Numbers made in ways that it does not hold, and how often it explains them.

    python papers/reconcile/recompute.py [--runs 2] [--numbers 200] [--digits 4 3] [--others]

needs RANKGAUGE_DATA, the folder of collections. For every run and measure numbers are made by other cutoffs, medians,
other gains and discounts, and subsets of queries, under the conventions of a tool drawn at random. Every explanation of
such a number is false. `fits` is how often one was found, `printed` the mean chance that reconcile gives for that, and
`when it fits` the mean chance over the numbers that were explained; `likely` is how often a false one was called so.
--others takes collections that had no part in choosing the constants of the estimate.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator

import numpy as np
from outside import MEASURES, collections, others, outside

from rankgauge.evaluation.reconcile.candidates import FAR, KNOWN, NEAR, Candidate, candidates
from rankgauge.evaluation.reconcile.given import given_number
from rankgauge.evaluation.reconcile.numbers import Numbers
from rankgauge.evaluation.reconcile.reconcile import LIKELY
from rankgauge.evaluation.reconcile.search import Known, sought
from rankgauge.measures.grammar import parse

TIERS = {KNOWN: "known tools", NEAR: "one decision away", FAR: "two decisions away"}
Row = tuple[int, str, str, str, dict[int, bool], dict[int, float], bool, bool]


def trials(numbers: Numbers, name: str, asked: str, count: int, digits: list[int], seed: int) -> Iterator[Row]:
    """A row for each number, made once and printed with each count of digits."""
    pool = candidates(numbers, parse(asked))
    made = dict.fromkeys(outside(numbers, asked, pool, count, np.random.default_rng(seed)))
    for way, value in made:
        for places in digits:
            printed = f"{value:.{places}f}"
            if float(printed) in {0.0, 1.0}:
                continue
            found = sought(numbers, Known(parse(asked), given_number(printed)), pool)
            fits = {tier: found.exact and any(one.tier <= tier for one in found.fitting) for tier in TIERS}
            likely = [
                one for one in found.fitting if found.exact and one.tier < FAR and found.by_tier[one.tier] <= LIKELY
            ]
            yield (
                places,
                name,
                asked,
                way,
                fits,
                found.by_tier,
                bool(likely),
                any(_one_departure(one) for one in likely),
            )


def _one_departure(one: Candidate) -> bool:
    return len(one.changes) <= 1


def table(rows: list[Row], by: int, title: str) -> None:
    """Rates and printed chances for each value of a column."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[str(row[by])].append(row)
    for tier, words in TIERS.items():
        print(f"\n{title}, {words}\n{'':22}numbers    fits  printed  ratio  when it fits  likely  (one departure)")
        for name, of in groups.items():
            fits = np.array([row[4][tier] for row in of])
            printed = np.array([row[5][tier] for row in of])
            given = printed[fits].mean() if fits.any() else float("nan")
            ratio = printed.sum() / max(int(fits.sum()), 0.5)
            likely, single = np.mean([row[6] for row in of]), np.mean([row[7] for row in of])
            print(
                f"{name:22}{len(of):7,}{fits.mean():8.2%}{printed.mean():9.2%}{ratio:7.2f}{given:14.2%}"
                f"{likely:8.2%}{single:10.2%}"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=2, help="runs of each collection")
    parser.add_argument("--numbers", type=int, default=200, help="numbers for each run and measure")
    parser.add_argument("--digits", type=int, nargs="+", default=[4, 3])
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--others", action="store_true", help="collections that did not choose the constants")
    given = parser.parse_args()
    rows = [
        row
        for place, (name, numbers) in enumerate((others if given.others else collections)(given.runs))
        for asked in MEASURES
        for row in trials(numbers, name, asked, given.numbers, given.digits, given.seed + place)
    ]
    for places in given.digits:
        printed = [row for row in rows if row[0] == places]
        for by, title in ((0, "all"), (2, "by measure"), (1, "by collection"), (3, "by way")):
            table(printed, by, f"{places} digits, {title}")


if __name__ == "__main__":
    main()
