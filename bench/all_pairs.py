"""All pairs of 79 systems on 40 queries with simultaneous intervals: seconds of `compare`, beside the least it can cost.

    python bench/all_pairs.py

The scores are those of TREC-COVID round 3 where RANKGAUGE_DATA names the folder of collections, else random ones of the
same shape. The floor is the two matrix products that 10,000 samples of 3,081 pairs need.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import rankgauge

SYSTEMS, QUERIES, SAMPLES, REPEATS = 79, 40, 10_000, 5
GOAL = 3.0


def scores() -> np.ndarray:
    if "RANKGAUGE_DATA" not in os.environ:
        random = np.random.default_rng(7)
        return random.beta(2, 2, size=(SYSTEMS, QUERIES)) + random.normal(0, 0.1, (SYSTEMS, 1))
    folder = Path(os.environ["RANKGAUGE_DATA"]) / "trec-covid-round3"
    return rankgauge.evaluate(folder / "qrels.txt.gz", sorted((folder / "runs").iterdir()), "nDCG@10").matrix("nDCG@10")


def floor() -> None:
    random = np.random.default_rng(7)
    rows = random.normal(size=(SYSTEMS * (SYSTEMS - 1) // 2, QUERIES)).astype(np.float32)
    drawn = random.random((QUERIES, SAMPLES // 20), dtype=np.float32)
    for _ in range(20):
        (rows @ drawn, np.square(rows) @ drawn)


def seconds(call: Callable[[], object]) -> tuple[float, float]:
    """The least wall and processor seconds of several calls."""
    wall, processor = [], []
    for _ in range(REPEATS):
        start = time.perf_counter(), time.process_time()
        call()
        wall.append(time.perf_counter() - start[0])
        processor.append(time.process_time() - start[1])
    return min(wall), min(processor)


def main() -> None:
    values = scores()
    values = rankgauge.Scores.from_matrix(values, [f"system{at}" for at in range(len(values))])
    jobs: dict[str, Callable[[], object]] = {
        "max-t (simultaneous intervals)": lambda: rankgauge.compare(values, all_pairs=True),
        "holm (intervals at the level that decides)": lambda: rankgauge.compare(
            values, all_pairs=True, correction="holm"
        ),
        "floor: two products": floor,
    }
    print(f"{values.shape[0]} systems × {values.shape[1]} queries, all pairs; goal {GOAL:g} s, least of {REPEATS}")
    for name, job in jobs.items():
        wall, processor = seconds(job)
        print(f"{name:46}{wall:7.2f} s wall {processor:7.2f} s processor")


if __name__ == "__main__":
    main()
