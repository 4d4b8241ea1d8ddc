"""The benchmark: every contender in fresh processes, in turn, the best of several rounds.

python bench/run.py --quick      small data, tables to the terminal
python bench/run.py              full size, and docs/performance.md with its charts
python bench/run.py --page       the page again from the results of the last full run
"""

from __future__ import annotations

import argparse
import pickle
import sys
import time
from pathlib import Path

import growth
import page
import workloads
from trials import in_turn

ROOT = Path(__file__).parent.parent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--page", action="store_true")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--without", action="append", default=[], help="a contender to leave out, as in ranx")
    parser.add_argument("--data", type=Path, default=ROOT / "build" / "bench", help="where the data are made and kept")
    chosen = parser.parse_args()
    chosen.data.mkdir(parents=True, exist_ok=True)
    kept = chosen.data / "results.pickle"
    if not chosen.page:
        results = page.Results([], [])
        size, rounds = (workloads.QUICK, 2) if chosen.quick else (workloads.FULL, chosen.rounds)
        left_out = (*chosen.without, *(SLOW if chosen.quick else ()))
        for workload in workloads.all_of(size, chosen.data):
            results.compared.append(compared(workload(), rounds, left_out))
            print(page.section(results.compared[-1]), flush=True)
        if chosen.quick:
            return
        results.grown.extend(growth.measured(size, chosen.data, rounds))
        kept.write_bytes(pickle.dumps(results))
    page.write(pickle.loads(kept.read_bytes()), ROOT / "docs")  # noqa: S301 - our own results


def compared(workload: workloads.Workload, rounds: int, left_out: tuple[str, ...]) -> page.Compared:
    begin = time.perf_counter()
    commands = {name: command for name, command in workload.commands.items() if name not in left_out}
    trials = in_turn(commands, rounds * workload.times, workload.once)
    print(f"{workload.key}: {time.perf_counter() - begin:.0f} s", file=sys.stderr, flush=True)
    return page.Compared(workload, trials)


SLOW = ("ranx",)
"""Not in the quick benchmark: it compiles for most of a minute where its cache is cold."""

if __name__ == "__main__":
    main()
