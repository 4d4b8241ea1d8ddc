"""Do intervals, tests, plans and gates keep their promises on real collections? One command, one table.

    python papers/coverage/recompute.py [--trials 1000] [--studies planned,tested]

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
from page import SIZES, renewed, write
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
NAMES = tuple(study.__name__ for study in STUDIES)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=1_000)
    parser.add_argument("--only", default="", help="populations whose name contains this")
    parser.add_argument(
        "--studies", default="", help="count these again, and keep the other figures: " + ", ".join(NAMES)
    )
    chosen = parser.parse_args()
    asked = chosen.studies.split(",") if chosen.studies else list(NAMES)
    kept = (
        f"Counted in this run: {', '.join(asked)} of `studies.py`. The other figures are of an earlier run; `coverage.csv`\n"
        "has the number of trials of each.\n"
    )
    used = [population for population in populations() if chosen.only in population.name]
    tallies = {(population.name, queries): Tally() for population in used for queries in SIZES}
    shapes = ", ".join(f"{one.name} {len(one.values)} × {one.values.shape[1]}" for one in used if one.name != CONTROL)
    start = time.process_time()
    for begun in range(0, chosen.trials, ROUND):
        for population in used:
            for queries in SIZES:
                for number, (study, share) in enumerate(STUDIES.items()):
                    if study.__name__ not in asked:
                        continue
                    key = (begun, zlib.crc32(population.name.encode()), queries, number)
                    trials = max(1, round(min(ROUND, chosen.trials - begun) * share))
                    study(population, queries, trials, np.random.default_rng(key), tallies[population.name, queries])
            print(f"{begun}: {population.name}", file=sys.stderr, flush=True)
        rows = [row for (name, queries), tally in tallies.items() for row in tally.rows(name, queries)]
        write(
            renewed(rows) if chosen.studies else rows,
            min(begun + ROUND, chosen.trials),
            time.process_time() - start,
            shapes,
            kept if chosen.studies else "",
        )


if __name__ == "__main__":
    main()
