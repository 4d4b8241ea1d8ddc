"""The benchmark: every contender in fresh processes, in turn, the best of several rounds.

python bench/run.py --quick      small data, tables to the terminal
python bench/run.py              full size, and docs/performance.md with its charts
python bench/run.py --page       the page again from the results of the last full run
python bench/run.py --before R   beside the rankgauge of revision (or checkout) R
"""

from __future__ import annotations

import argparse
import os
import pickle
import sys
import time
from pathlib import Path

import growth
import page
import workloads
from before import Older, joined, older
from trials import in_turn

ROOT = Path(__file__).parent.parent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--page", action="store_true")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--without", action="append", default=[], help="a contender to leave out, as in ranx")
    parser.add_argument("--data", type=Path, default=ROOT / "build" / "bench", help="where the data are made and kept")
    parser.add_argument("--again", action="append", default=[], help="measure this alone, as in W2 or growth")
    parser.add_argument("--before", default="", help="also measure an older rankgauge: a revision, or a checkout")
    chosen = parser.parse_args()
    chosen.data.mkdir(parents=True, exist_ok=True)
    old = older(chosen.before, ROOT, chosen.data) if chosen.before else None
    if chosen.quick:
        for key, made in workloads.all_of(workloads.QUICK, chosen.data):
            if not chosen.again or key in chosen.again:
                found = compared(made(), 2, (*COMPILES, *chosen.without), old)
                print(page.section(found), page.goals([found]), page.changes([found]), sep="\n\n", flush=True)
        return
    kept = chosen.data / "results.pickle"
    before = pickle.loads(kept.read_bytes()) if chosen.page or chosen.again else None  # noqa: S301 - our own results
    results = before if chosen.page else measured(chosen, before, old)
    kept.write_bytes(pickle.dumps(results))
    page.write(results, ROOT / "docs")


def measured(chosen: argparse.Namespace, before: page.Results | None, old: Older | None) -> page.Results:
    """All workloads and series, or those to be measured again among those of before."""
    results = (
        page.Results({}, [], page.Circumstances(chosen.rounds, os.getloadavg()[0], "")) if before is None else before
    )
    if old is not None:
        results.run.before = old.name
    begin = time.perf_counter()
    for key, made in workloads.all_of(workloads.FULL, chosen.data):
        if not chosen.again or key in chosen.again:
            workload = made()
            results.compared[workload.key] = compared(workload, chosen.rounds, tuple(chosen.without), old)
            print(page.section(results.compared[workload.key]), flush=True)
            (chosen.data / "results.pickle").write_bytes(pickle.dumps(results))  # --page can tell of an unfinished run
    if not chosen.again or "growth" in chosen.again:
        results.grown[:] = growth.measured(workloads.FULL, chosen.data, chosen.rounds)
    if not chosen.again:
        results.run.minutes = (time.perf_counter() - begin) / 60
    return results


def compared(workload: workloads.Workload, rounds: int, left_out: tuple[str, ...], old: Older | None) -> page.Compared:
    begin = time.perf_counter()
    contenders, once, sources = joined(workload, old)
    commands = {name: command for name, command in contenders.items() if name not in left_out}
    trials = in_turn(commands, max(1, round(rounds * workload.times)), once, sources, COMPILES)
    print(f"{workload.key}: {time.perf_counter() - begin:.0f} s", file=sys.stderr, flush=True)
    return page.Compared(workload, trials, tuple(name for name in commands if name not in trials))


COMPILES = ("ranx",)
"""Compiles for most of a minute where its cache is cold: not in the quick benchmark, and else not counted."""

if __name__ == "__main__":
    main()
