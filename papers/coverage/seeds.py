"""Does a verdict depend on the seed? TREC-COVID round 3, every system against four baselines, over 50 seeds.

    python papers/coverage/seeds.py [--seeds 50] [--test sign-flip] [--correction max-t] [--all-pairs]

The baselines are the leader, the middle and the last quarter of the leaderboard and, as in the audit that found verdicts
changing, r3.rf. Prints for each how many different sets of verdicts came out: one means that the seed decides nothing.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import rankgauge


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=50)
    parser.add_argument("--test", default="sign-flip")
    parser.add_argument("--correction", default="max-t")
    parser.add_argument("--all-pairs", action="store_true")
    chosen = parser.parse_args()
    folder = Path(os.environ["RANKGAUGE_DATA"]) / "trec-covid-round3"
    scores = rankgauge.evaluate(folder / "qrels.txt.gz", sorted((folder / "runs").iterdir()), "nDCG@10")
    means = {system: row["nDCG@10"] for system, row in scores.mean().items()}
    order = sorted(means, key=lambda system: -means[system])
    audited = next(system for system in order if system.startswith("r3.rf"))
    if chosen.all_pairs:
        sets = {_verdicts(scores, None, seed, chosen) for seed in range(1, chosen.seeds + 1)}
        print(f"all pairs: {len(next(iter(sets)))} verdicts, {chosen.seeds} seeds, {len(sets)} different")
        return
    for baseline in dict.fromkeys((order[0], order[len(order) // 2], order[3 * len(order) // 4], audited)):
        sets = {_verdicts(scores, baseline, seed, chosen) for seed in range(1, chosen.seeds + 1)}
        pairs = len(next(iter(sets)))
        print(f"{baseline}: {pairs} verdicts, {chosen.seeds} seeds, {len(sets)} different set{'s'[: len(sets) - 1]}")


def _verdicts(scores: rankgauge.Scores, baseline: str | None, seed: int, chosen: argparse.Namespace) -> tuple[str, ...]:
    found = rankgauge.compare(
        scores,
        baseline=baseline,
        all_pairs=baseline is None,
        seed=seed,
        test=chosen.test,
        correction=chosen.correction,
    )
    return tuple(pair.verdict for pair in found.parts[0].pairs)


if __name__ == "__main__":
    main()
