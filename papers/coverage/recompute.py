"""Do intervals, tests, plans and gates keep their promises on real collections? One command, one table.

    python papers/coverage/recompute.py [--trials 1000]

needs RANKGAUGE_DATA, the folder of collections; writes papers/coverage/results/README.md and coverage.csv. Topics of a
collection are the population; n of them are drawn with replacement, the product is run, and what it says is counted
against what is true of all. The trials come in rounds over all populations, and the table is written after each.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import zlib

# Small matrices: more threads would only wait for each other. Before NumPy is loaded, or it is too late.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from page import SIZES, write
from populations import CONTROL, populations
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=1_000)
    parser.add_argument("--only", default="", help="populations whose name contains this")
    chosen = parser.parse_args()
    used = [population for population in populations() if chosen.only in population.name]
    tallies = {(population.name, queries): Tally() for population in used for queries in SIZES}
    shapes = ", ".join(f"{one.name} {len(one.values)} × {one.values.shape[1]}" for one in used if one.name != CONTROL)
    start = time.process_time()
    for begun in range(0, chosen.trials, ROUND):
        for population in used:
            for queries in SIZES:
                for number, (study, share) in enumerate(STUDIES.items()):
                    key = (begun, zlib.crc32(population.name.encode()), queries, number)
                    trials = max(1, round(min(ROUND, chosen.trials - begun) * share))
                    study(population, queries, trials, np.random.default_rng(key), tallies[population.name, queries])
            print(f"{begun}: {population.name}", file=sys.stderr, flush=True)
        rows = [row for (name, queries), tally in tallies.items() for row in tally.rows(name, queries)]
        write(rows, min(begun + ROUND, chosen.trials), time.process_time() - start, shapes)


if __name__ == "__main__":
    main()
