"""What the LightGBM metric adds to a boosting round: 10,000 lists of 100 documents, 46 features as in LETOR 4.0."""

from __future__ import annotations

import argparse
import os
import time

import lightgbm as lgb
import numpy as np

from rankgauge.integrations import lightgbm

LIMIT = 0.05
LEAVES = 31  # LightGBM's default, as are its learning rate, bins and threads (one for every core)
MEASURES = ("nDCG@10", "nDCG", "AP", "RR@10")


def made(lists: int, documents: int, features: int, *, equal: bool) -> lgb.Dataset:
    """Grades 0 to 4 that the first feature explains in part."""
    rng = np.random.default_rng(7)
    half = documents // 2
    sizes = np.full(lists, documents) if equal else rng.integers(half, documents + half + 1, lists)
    rows = rng.normal(size=(sizes.sum(), features)).astype(np.float32)
    grades = np.clip(np.round(rows[:, 0] + rng.normal(size=len(rows))), 0, 4)
    return lgb.Dataset(rows, grades, group=sizes).construct()


def now() -> np.ndarray:
    """Seconds on the clock, and of work by all cores: the share of work is the same on a busy machine."""
    return np.array([time.perf_counter(), time.process_time()])


def round_seconds(data: lgb.Dataset, rounds: int) -> tuple[np.ndarray, np.ndarray]:
    """The fastest round of LightGBM without any metric, and predictions to score."""
    ends: list[np.ndarray] = []
    params = {"objective": "lambdarank", "num_leaves": LEAVES, "num_threads": os.cpu_count(), "verbose": -1}
    model = lgb.Booster(params | {"metric": "None"}, data)
    for _ in range(rounds + 1):
        model.update()
        ends.append(now())
    seen: list[np.ndarray] = []
    model.eval_train(lambda preds, _: (seen.append(preds.copy()), ("seen", 0.0, True))[1])
    return np.diff(ends, axis=0).min(axis=0), seen[0]


def tied(predicted: np.ndarray, data: lgb.Dataset) -> float:
    """The share of lists in which documents are tied: all of them in the first rounds, which is the slowest case."""
    lists = np.split(predicted, np.cumsum(data.get_group())[:-1])
    return float(np.mean([len(np.unique(scores)) < len(scores) for scores in lists]))


def metric_seconds(measure: str, predicted: np.ndarray, data: lgb.Dataset, repeats: int) -> np.ndarray:
    metric, taken = lightgbm(measure), []
    for _ in range(repeats):
        begin = now()
        metric(predicted, data)
        taken.append(now() - begin)
    return np.min(taken, axis=0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lists", type=int, default=10_000)
    parser.add_argument("--documents", type=int, default=100)
    parser.add_argument("--features", type=int, default=46)
    parser.add_argument("--rounds", type=int, default=10)
    chosen = parser.parse_args()
    for equal in (True, False):
        data = made(chosen.lists, chosen.documents, chosen.features, equal=equal)
        whole, predicted = round_seconds(data, chosen.rounds)
        kind = "of one length" if equal else "of many lengths"
        print(
            f"{chosen.lists:,} lists of {chosen.documents} documents {kind}, {tied(predicted, data):.0%} with ties: "
            f"a round of {chosen.features} features, {LEAVES} leaves and {os.cpu_count()} threads takes "
            f"{whole[0] * 1000:,.0f} ms"
        )
        for measure in MEASURES:
            taken = metric_seconds(measure, predicted, data, chosen.rounds)
            clock, work = taken / whole
            mark = "" if clock < LIMIT else f"  more than {LIMIT:.0%}"
            print(f"    {measure:8} {taken[0] * 1000:7.1f} ms  {clock:6.1%} of a round, {work:6.1%} of its work{mark}")


if __name__ == "__main__":
    main()
