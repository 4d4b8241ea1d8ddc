"""Do intervals, tests, plans and gates keep their promises on real collections? One command, one table.

    python papers/coverage/recompute.py [--trials 1000] [--processes 1]

needs RANKGAUGE_DATA, the folder of collections; writes papers/coverage/results/README.md and coverage.csv. Topics of a
collection are the population; n of them are drawn with replacement, the product is run, and what it says is counted
against what is true of all. The trials come in rounds over all populations, and the table is written after each; it does
not depend on the number of processes.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import zlib
from concurrent.futures import ProcessPoolExecutor
from functools import partial

# Small matrices: more threads would only wait for each other. Before NumPy is loaded, or it is too late.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from page import SIZES, write
from populations import CONTROL, Population, populations
from studies import Study, compared, gated, planned, ranked, stable, tested
from tally import Tally

ROUND = 20
STUDIES: dict[Study, float] = {
    # Trials as a share of those asked for: the dear ones get fewer.
    compared: 0.5,
    tested: 1.0,
    ranked: 0.5,
    stable: 1.0,
    planned: 1.5,
    gated: 1.0,
}
Round = tuple[dict[int, Tally], float]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=1_000)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--only", default="", help="populations whose name contains this")
    chosen = parser.parse_args()
    used = [population for population in populations() if chosen.only in population.name]
    tallies = {(population.name, queries): Tally() for population in used for queries in SIZES}
    shapes = ", ".join(f"{one.name} {len(one.values)} × {one.values.shape[1]}" for one in used if one.name != CONTROL)
    seconds = 0.0
    with ProcessPoolExecutor(chosen.processes) as pool:
        for begun in range(0, chosen.trials, ROUND):
            trials = min(ROUND, chosen.trials - begun)
            rounds = pool.map(partial(count, begun=begun, trials=trials), used)
            for population, (found, spent) in zip(used, rounds, strict=True):
                for queries, tally in found.items():
                    tallies[population.name, queries].merge(tally)
                seconds += spent
                print(f"{begun}: {population.name}, {seconds:.0f} s", file=sys.stderr, flush=True)
            rows = [row for (name, queries), tally in tallies.items() for row in tally.rows(name, queries)]
            write(rows, begun + trials, seconds, shapes)


def count(population: Population, begun: int, trials: int) -> Round:
    """One round of trials, by number of queries, and the seconds of processor time that it took."""
    start, found = time.process_time(), {queries: Tally() for queries in SIZES}
    for queries, tally in found.items():
        for number, (study, share) in enumerate(STUDIES.items()):
            key = (begun, zlib.crc32(population.name.encode()), queries, number)
            study(population, queries, max(1, round(trials * share)), np.random.default_rng(key), tally)
    return found, time.process_time() - start


if __name__ == "__main__":
    main()
