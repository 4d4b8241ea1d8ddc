"""How long robust verdicts of 3,081 pairs take: the whole call, and the verdicts alone.

    python bench/robust.py [REPEATS]

needs RANKGAUGE_DATA (TREC-COVID round 3). Prints processor seconds, the least of a few repeats, beside the time that
`evaluate` takes for the same files: nobody can be faster than reading them.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import rankgauge
from rankgauge.analysis.robust import robust as program

GOALS = {10: 1.0, 20: 3.0, 100: 30.0}


def least(repeats: int, work: Callable[[], Any]) -> tuple[float, Any]:
    """The least processor time, and what the last call made."""
    times, made = [], None
    for _ in range(repeats):
        begin = time.process_time()
        made = work()
        times.append(time.process_time() - begin)
    return min(times), made


def main() -> None:
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    folder = Path(os.environ["RANKGAUGE_DATA"]) / "trec-covid-round3"
    judged, runs = folder / "qrels.txt.gz", sorted((folder / "runs").iterdir())
    policy = rankgauge.Policy(ties="document")
    floor, _ = least(repeats, lambda: rankgauge.evaluate(judged, runs, "nDCG@10", policy=policy))
    print(f"evaluate alone: {floor:.2f} s")
    print("cutoff  whole call  verdicts  goal  robust  depends  open  equal")
    for cutoff, goal in GOALS.items():
        times = 1 if cutoff == 100 else repeats
        measure = f"nDCG@{cutoff}"

        def whole(measure: str = measure) -> Any:
            return rankgauge.robust(judged, runs, measure, all_pairs=True, samples=0, policy=policy)

        spent, found = least(times, whole)
        collection = program.read_counts(judged, runs, measure, "both", policy=policy)
        pairs = program._pairs(collection.scores.systems, None, all_pairs=True)  # noqa: SLF001
        alone, _ = least(
            times,
            lambda one=collection, two=pairs: program._judged(one, "both", two, None, None),  # noqa: SLF001
        )
        counts = "  ".join(f"{number:>6,}" for number in found.counts.values())
        print(f"@{cutoff:<6}{spent:>9.2f} s{alone:>8.2f} s{goal:>5.0f} s  {counts}", flush=True)


if __name__ == "__main__":
    main()
