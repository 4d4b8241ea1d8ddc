"""Collections with several grades, in which many queries lack the highest ones: how many pairs are decided, and how fast."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

import rankgauge

SYSTEMS, QUERIES, DOCUMENTS, SEEDS = 15, 50, 80, range(5)
GRADES, CUTOFFS = (2, 3, 5), (10, 20)


def drawn(seed: int, grades: int) -> tuple[dict[str, dict[str, int]], list[rankgauge.Run]]:
    """Every query has a highest grade of its own, from 1 to `grades`, and a share of relevant documents of its own."""
    random = np.random.default_rng((seed, grades))
    judged: dict[str, dict[str, int]] = {}
    scores: list[dict[str, dict[str, float]]] = [{} for _ in range(SYSTEMS)]
    skill = 1 + 0.35 * random.normal(size=SYSTEMS)
    for query in range(QUERIES):
        top = int(random.integers(1, grades + 1))
        share = random.uniform(0.05, 0.5)
        level = np.where(random.random(DOCUMENTS) < share, random.integers(1, top + 1, DOCUMENTS), 0)
        judged[f"q{query}"] = {f"d{at}": int(value) for at, value in enumerate(level)}
        for system, run in enumerate(scores):
            strength = skill[system] + 0.35 * random.normal()
            score = strength * 2 * level / grades + random.normal(size=DOCUMENTS)
            run[f"q{query}"] = {f"d{at}": float(score[at]) for at in np.argsort(-score)[:40]}
    return judged, [rankgauge.Run(run, name=f"s{at:02}") for at, run in enumerate(scores)]


def decided(grades: int, cutoff: int, over: str) -> dict[str, Any]:
    """Pairs of all seeds by verdict, and the processor time of a collection."""
    counts = dict.fromkeys(("robust", "depends", "open", "equal"), 0)
    spent = []
    for seed in SEEDS:
        judged, runs = drawn(seed, grades)
        begin = time.process_time()
        found = rankgauge.robust(judged, runs, f"nDCG@{cutoff}", over=over, all_pairs=True, samples=0)
        spent.append(time.process_time() - begin)
        for word, number in found.counts.items():
            counts[word] += number
    return {"grades": grades, "cutoff": cutoff, "over": over, **counts, "seconds": min(spent)}
