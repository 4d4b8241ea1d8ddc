"""Is reconcile honest about chance? Numbers made in ways that it does not hold, and how often it explains them.

    python papers/reconcile/recompute.py [--runs 2] [--numbers 200] [--digits 4 3] [--others] [--ours]

needs RANKGAUGE_DATA, the folder of collections. For every run and measure numbers are made by other cutoffs, medians,
other gains and discounts, and subsets of queries, under the conventions of a tool drawn at random, or with --ours mostly
under ours. Every explanation of such a number is false. `fits` is how often one was found, `printed` the mean chance that
reconcile gives for that and `ratio` the one over the other. `beside` is the mean chance over the numbers that were
explained, over the rate of all; it is above 1 even where every chance is right, because a number is explained where
candidates are dense. Tables by printed chance show whether it is: the rate of numbers for which about as much was
printed. `likely` is how often a false explanation was called so, then with at most one departure.
--others takes collections that had no part in choosing the constants of the estimate.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from outside import MEASURES, collections, others, outside

from rankgauge.analysis.reconcile.candidates import FAR, Numbers, candidates
from rankgauge.analysis.reconcile.reconcile import LIKELY
from rankgauge.analysis.reconcile.search import KINDS, Known, given_number, sought
from rankgauge.measures.grammar import parse

CLASSES = (0.0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
"""Bounds of the classes of printed chance."""


@dataclass(frozen=True)
class Trial:
    """One number, and what reconcile said of it."""

    digits: int
    collection: str
    measure: str
    way: str
    fits: dict[str, bool]
    printed: dict[str, float]
    likely: bool
    likely_with_one: bool


def trials(
    numbers: Numbers, name: str, asked: str, count: int, digits: list[int], seed: int, *, ours: float = 0.0
) -> Iterator[Trial]:
    """A trial for each number, made once and printed with each count of digits."""
    pool = candidates(numbers, parse(asked))
    for way, value in dict.fromkeys(outside(numbers, asked, pool, count, np.random.default_rng(seed), ours=ours)):
        for places in digits:
            printed = f"{value:.{places}f}"
            if float(printed) in {0.0, 1.0}:
                continue
            found = sought(numbers, Known(parse(asked), given_number(printed)), pool)
            exact = found.fitting if found.exact else []
            likely = [one for one in exact if one.tier < FAR and found.chance(one) <= LIKELY]
            fits = {kind: any(map(holds, exact)) for kind, holds in KINDS.items()}
            single = any(len(one.changes) <= 1 for one in likely)
            yield Trial(places, name, asked, way, fits, found.by_chance, bool(likely), single)


def table(of: list[Trial], by: str, kind: str) -> None:
    """Rates and printed chances for each value of a column, or for each class of printed chance."""
    groups: dict[str, list[Trial]] = defaultdict(list)
    for trial in of:
        groups[_class(trial.printed[kind]) if by == "printed" else str(getattr(trial, by))].append(trial)
    print(f"\n{of[0].digits} digits by {by}: {kind}")
    print(f"{'':22}numbers    fits  printed  ratio  beside  likely  (one departure)")
    for name in sorted(groups) if by == "printed" else groups:
        fits = np.array([trial.fits[kind] for trial in groups[name]])
        printed = np.array([trial.printed[kind] for trial in groups[name]])
        ratio = printed.sum() / max(int(fits.sum()), 0.5)
        beside = printed[fits].mean() / fits.mean() if fits.any() else float("nan")
        likely, single = (np.mean([getattr(t, n) for t in groups[name]]) for n in ("likely", "likely_with_one"))
        print(
            f"{name:22}{len(fits):7,}{fits.mean():8.2%}{printed.mean():9.2%}{ratio:7.2f}{beside:8.2f}"
            f"{likely:8.2%}{single:10.2%}"
        )


def _class(chance: float) -> str:
    at = int(np.searchsorted(CLASSES, chance, side="right"))
    return f"{CLASSES[at - 1]:6.1%} to {CLASSES[min(at, len(CLASSES) - 1)]:.1%}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=2, help="runs of each collection")
    parser.add_argument("--numbers", type=int, default=200, help="numbers for each run and measure")
    parser.add_argument("--digits", type=int, nargs="+", default=[4, 3])
    parser.add_argument("--measures", nargs="+", default=MEASURES)
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--others", action="store_true", help="collections that did not choose the constants")
    parser.add_argument("--ours", action="store_true", help="three of four numbers made under our conventions")
    given = parser.parse_args()
    found = [
        trial
        for place, (name, numbers) in enumerate((others if given.others else collections)(given.runs))
        for asked in given.measures
        for trial in trials(
            numbers, name, asked, given.numbers, given.digits, given.seed + place, ours=0.75 * given.ours
        )
    ]
    for places in given.digits:
        for kind in KINDS:
            for by in ("digits", "collection", "measure", "way", "printed"):
                table([trial for trial in found if trial.digits == places], by, kind)


if __name__ == "__main__":
    main()
