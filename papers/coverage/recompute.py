"""Do intervals, tests, plans and gates keep their promises on real collections? One command, one table.

    python papers/coverage/recompute.py [--trials 1000]

needs RANKGAUGE_DATA, the folder of collections; writes papers/coverage/results/README.md and coverage.csv. Topics of a
collection are the population; n of them are drawn with replacement, the product is run, and what it says is counted
against what is true of all. Simulated normal scores are a control only and are left out of the ranges.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from populations import populations
from studies import Share, compared, gated, planned, ranked, stable, tested

RESULTS = Path(__file__).parent / "results"
SIZES = (20, 40, 100)
STUDIES: dict[Callable[..., Iterator[Share]], float] = {
    # Trials as a share of those asked for: the dear ones get fewer.
    compared: 0.5,
    tested: 1.0,
    ranked: 1.0,
    stable: 1.0,
    planned: 2.0,
    gated: 0.5,
}
# What is promised for n >= 40, and what an audit of the methods before (version 0.1) found.
PROMISED: dict[str, tuple[float, float, str]] = {
    "mean, 95 %": (0.93, 0.97, "92.4–95.1 %"),
    "difference, 95 %": (0.93, 0.97, "92.4–95.1 %"),
    "effect size, 95 %": (0.92, 0.98, "not offered"),
    "20 differences together, max-t": (0.93, 0.98, "53–67 % (single intervals)"),
    "contradictions of verdict and interval": (0.0, 0.0, "15–48 % of the undecided"),
    "sign-flip test": (0.035, 0.065, "3.6–5.9 %, 7.1 % at n = 20"),
    "t test": (0.035, 0.065, "3.6–5.9 %, 7.1 % at n = 20"),
    "bootstrap test": (0.035, 0.065, "4.8–5.7 %"),
    "wilcoxon test (of means)": (0.0, 1.0, "6–29 %"),
    "sign-flip test, 20 pairs, Holm (family)": (0.0, 0.06, "–"),
    "max-t, 20 pairs (family)": (0.0, 0.06, "–"),
    "rank, over systems": (0.95, 1.0, "91–98 %"),
    "rank, the worst system": (0.93, 1.0, "68–86 %"),
    "Φ and queries needed, these systems": (0.93, 0.98, "93–100 % (Arteaga)"),
    "Eρ² and queries needed, these systems": (0.93, 0.98, "93–100 % (exact F)"),
    "Φ and queries needed, other systems too": (0.90, 1.0, "46–93 % (Arteaga)"),
    "Eρ² and queries needed, other systems too": (0.90, 1.0, "6 of 33 cells inside (exact F)"),
    "settled by the queries of the plan": (0.75, 0.85, "64–76 %"),
    "gate, 5 runs": (0.0, 0.05, "9–11 %"),
    "gate, 200 looks with a ledger": (0.0, 0.05, "not offered"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=1_000)
    parser.add_argument("--only", default="", help="populations whose name contains this")
    chosen = parser.parse_args()
    rows: list[tuple[str, str, int, float, int]] = []
    for population in populations():
        if chosen.only not in population.name:
            continue
        for queries in SIZES:
            for study, share in STUDIES.items():
                trials = max(10, round(chosen.trials * share))
                found = study(population, queries, trials, seed=len(rows))
                rows += [(one.what, population.name, queries, one.value, one.trials) for one in found]
        print(f"{population.name}: {population.values.shape}", file=sys.stderr, flush=True)
        write(rows, chosen.trials)


def write(rows: list[tuple[str, str, int, float, int]], trials: int) -> None:
    """After every population, so that a long run can be looked at, or ended, at any time."""
    RESULTS.mkdir(exist_ok=True)
    with (RESULTS / "coverage.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("what", "population", "queries", "share", "trials"), *rows])
    (RESULTS / "README.md").write_text("\n".join(page(rows, trials)) + "\n")


def page(rows: list[tuple[str, str, int, float, int]], trials: int) -> Iterator[str]:
    names = sorted({name for _, name, *_ in rows})
    yield "# Coverages and error rates on real collections\n"
    yield f"Written by `papers/coverage/recompute.py --trials {trials}`. Every cell is the mean over the populations, and in"
    yield "brackets the lowest and the highest. † marks a mean outside the promise, * single populations outside it by more"
    yield f"than two standard errors. Populations: {', '.join(names)}; the control is not in the ranges.\n"
    yield "| what | promised | before | n = 20 | n = 40 | n = 100 |"
    yield "|---|---|---|---|---|---|"
    cells: dict[str, dict[int, list[tuple[float, int]]]] = defaultdict(lambda: defaultdict(list))
    for what, name, queries, share, number in rows:
        if "control" not in name:
            cells[what][queries].append((share, number))
    for what, found in cells.items():
        low, high, before = PROMISED.get(what, (0.0, 1.0, "–"))
        promise = "–" if (low, high) == (0.0, 1.0) else f"{100 * low:g}–{100 * high:g} %"
        shown = " | ".join(cell(found[queries], low, high) for queries in SIZES)
        yield f"| {what} | {promise} | {before} | {shown} |"
    yield "\n## Single populations outside the promise, n ≥ 40\n"
    for what, name, queries, share, number in rows:
        low, high, _ = PROMISED.get(what, (0.0, 1.0, ""))
        if queries >= 40 and outside(share, number, low, high):
            yield f"- {what}: {name}, n = {queries}: {share:.1%} ({number} trials)"


def outside(share: float, trials: int, low: float, high: float) -> bool:
    error = 2.0 * np.sqrt(max(share * (1.0 - share), 0.25 / trials) / trials)
    return bool(share < low - error or share > high + error)


def cell(shares: list[tuple[float, int]], low: float, high: float) -> str:
    if not shares:
        return "–"
    values = [share for share, _ in shares]
    mean = float(np.mean(values))
    mark = "†" if not low - 1e-9 <= mean <= high + 1e-9 else ""
    star = "\\*" if any(outside(*one, low, high) for one in shares) else ""
    return f"{100 * mean:.1f} % ({100 * min(values):.1f}–{100 * max(values):.1f}){mark}{star}"


if __name__ == "__main__":
    main()
