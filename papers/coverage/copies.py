"""What do systems that are nearly the same do to the verdicts on all pairs? False alarms and findings, before and now.

    python papers/coverage/copies.py [--trials 40]

All pairs of up to 40 systems of every population, n topics drawn with replacement. For false alarms the differences of
every pair are moved so that their mean is 0, and those that are 0 stay so: systems that are nearly the same stay it. For
findings they are as they are. *Before*, all pairs are resampled; *now*, pairs that differ on fewer than 15 topics and
less than 30 % of them are judged by Bonferroni's bound. Writes papers/coverage/results/copies.md.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from populations import CONTROL, Matrix, populations

from rankgauge.analysis.compare.statistics import max_t as judging
from rankgauge.analysis.compare.statistics.corrections import adjust
from rankgauge.analysis.compare.statistics.shares import flipped
from rankgauge.analysis.compare.statistics.tests import t_test

RESULTS = Path(__file__).parent / "results"
SIZES, SYSTEMS, ALPHA = (40, 100), 40, 0.05
METHODS = ("before", "now", "Holm, t")
# Findings scatter less than alarms.
SELDOM = 5
FEW = judging.FEW


def found(rows: Matrix, method: str) -> Matrix:
    """Whether each pair is a finding."""
    if method == "Holm, t":
        verdicts: Matrix = adjust(t_test(rows), "holm") < ALPHA
        return verdicts
    # The number below which a pair differs on a handful of topics; with 0 all pairs are resampled.
    judging.FEW = FEW if method == "now" else 0
    try:
        p = judging.max_t(rows, alpha=ALPHA, samples=1_000, rounds=1).p.p
    finally:
        judging.FEW = FEW
    near = np.flatnonzero(p < ALPHA)
    flips = flipped(rows[near]).p
    # Bonferroni's bound in place of Holm's: the other pairs' flips would have to be computed too.
    sparse = judging.near_copies(np.count_nonzero(rows[near], axis=1), np.full(len(near), rows.shape[1]))
    p[near] = np.maximum(p[near], np.where(sparse & (method == "now"), len(rows) * flips, flips))
    return p < ALPHA


def centered(rows: Matrix) -> Matrix:
    """The same pairs without a true difference; ties stay ties."""
    differs = rows != 0.0
    moved: Matrix = rows - rows.sum(axis=1, keepdims=True) / np.maximum(differs.sum(axis=1, keepdims=True), 1)
    return np.where(differs, moved, 0.0)


def pairs_of(values: Matrix) -> Matrix:
    chosen = values[np.random.default_rng(2).permutation(len(values))[:SYSTEMS]]
    one, other = np.triu_indices(len(chosen), 1)
    rows: Matrix = chosen[one] - chosen[other]
    rows[np.abs(rows) <= 1e-12] = 0.0
    return rows


def counted(rows: Matrix, queries: int, trials: int, seed: int) -> Matrix:
    """For each method: the share of trials with a false alarm, and the share of pairs found."""
    random, equal = np.random.default_rng(seed), centered(rows)
    alarms, shares = np.zeros(len(METHODS)), []
    for trial in range(trials):
        drawn = random.integers(0, rows.shape[1], queries)
        alarms += [found(equal[:, drawn], method).any() for method in METHODS]
        if trial % SELDOM == 0:
            shares.append([found(rows[:, drawn], method).mean() for method in METHODS])
    return np.column_stack([alarms / trials, np.mean(shares, axis=0)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=40)
    trials = parser.parse_args().trials
    cells = []
    for population in populations():
        if population.name == CONTROL:
            continue
        rows = pairs_of(population.values)
        sparse = float(np.mean(np.count_nonzero(rows, axis=1) < 0.5 * rows.shape[1]))
        cells += [(population.name, sparse, queries, counted(rows, queries, trials, queries)) for queries in SIZES]
        print(population.name, file=sys.stderr, flush=True)
    (RESULTS / "copies.md").write_text("\n".join(page(cells, trials)) + "\n", encoding="utf-8")


def page(cells: list[tuple[str, float, int, Matrix]], trials: int) -> Iterator[str]:
    yield "# Systems that are nearly the same, and the verdicts on all pairs\n"
    yield f"Written by `papers/coverage/copies.py --trials {trials}`: all pairs of up to {SYSTEMS} systems. *Near copies* are pairs that are equal"
    yield f"on more than half of all topics. *False alarm*: the share of {trials} trials with one or more findings where no pair truly differs"
    yield "(promised: 3–6 %). *Found*: the share of pairs that are findings, as the scores are. *Before*, max-t resampled all pairs;"
    yield f"*now* those that differ on fewer than {FEW} topics, and less than 30 %, are judged by Bonferroni's bound. A single share is rough; the last"
    yield "lines are means.\n"
    yield "| population | near copies | n | false alarm: before | now | Holm, t | found: before | now | Holm, t |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    for name, sparse, queries, shares in cells:
        yield f"| {name} | {sparse:.1%} | {queries} | {_cells(shares)} |"
    for queries in SIZES:
        mean = np.mean([shares for _, _, size, shares in cells if size == queries], axis=0)
        yield f"| mean | – | {queries} | {_cells(mean)} |"


def _cells(shares: Matrix) -> str:
    return " | ".join(f"{share:.1%}" for share in shares.T.ravel())


if __name__ == "__main__":
    main()
