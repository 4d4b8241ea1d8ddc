"""W7 and W8: comparing a million users, reports and searches; and what grows beside evaluate.

`python bench/analyses.py NAME …` does one of the jobs below.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from frames import MEASURES, read
from jobs import say, timed

import rankgauge

RANDOM = 5, 8, 40
"""Systems, queries and documents of a small collection with four grades."""


def users(folder: str) -> tuple[Any, dict[str, Any]]:
    return read(folder, "judged"), {name: read(folder, name) for name in ("old", "new")}


def evaluate_users(folder: str, calls: str = "1") -> None:
    judged, runs = users(folder)
    timed(lambda: list(rankgauge.evaluate(judged, runs, MEASURES["five"]).mean()["new"].values()), int(calls))


def compare_users(folder: str, calls: str = "1") -> None:
    judged, runs = users(folder)
    timed(lambda: list(rankgauge.compare(judged, runs, MEASURES["five"]).scores.mean()["new"].values()), int(calls))


def report_users(folder: str) -> None:
    with tempfile.TemporaryDirectory() as made:
        rankgauge.report(Path(made, "page.html"), *users(folder), "nDCG@10")


def evaluate(judgments: str, *runs: str) -> None:
    rankgauge.evaluate(judgments, list(runs), "nDCG@10")


def compare(judgments: str, *runs: str) -> None:
    rankgauge.compare(judgments, list(runs), "nDCG@10")


def stability(judgments: str, *runs: str) -> None:
    rankgauge.stability(judgments, list(runs), "nDCG@10")


def optimize(judgments: str, *runs: str) -> None:
    rankgauge.optimize(judgments, list(runs), "nDCG@10")


def report(judgments: str, *runs: str) -> None:
    with tempfile.TemporaryDirectory() as made:
        rankgauge.report(Path(made, "page.html"), judgments, list(runs), "nDCG@10")


def whole_numbers(users: str) -> None:
    """Ten items for each user, all ids whole numbers, best first."""
    import polars as pl

    random = np.random.default_rng(1)

    def rows(number: int, name: str, values: Any) -> pl.DataFrame:
        items = np.argsort(random.random((int(users), 100)), axis=1)[:, :number].ravel()
        return pl.DataFrame({"user_id": np.repeat(np.arange(int(users)), number), "item_id": items, name: values})

    judged = rows(3, "rating", random.integers(0, 3, 3 * int(users)))
    run = rows(10, "rank", np.tile(np.arange(1, 11), int(users)))
    timed(lambda: list(rankgauge.evaluate(judged, run, "nDCG@10 AP@10 P@10 RR@10 R@10").mean()["run"].values()))


def page() -> None:
    """Of three systems of the example."""
    data = rankgauge.examples.load()
    with tempfile.TemporaryDirectory() as made:
        rankgauge.report(Path(made, "page.html"), data.judgments, dict(list(data.runs.items())[:3]), "nDCG@10")


def optimize_grades(over: str, how: str) -> None:
    """Few queries and four grades, where a search has the least to hold on to."""
    random = np.random.default_rng(1)
    systems, queries, documents = RANDOM
    grades = random.integers(0, 5, (queries, documents))
    judged = {f"q{q}": {f"d{d}": int(grade) for d, grade in enumerate(row)} for q, row in enumerate(grades)}
    runs = {}
    for system in range(systems):
        scores = random.normal(size=grades.shape) + 0.06 * grades * (system + 1)
        runs[f"s{system}"] = {f"q{q}": {f"d{d}": float(s) for d, s in enumerate(row)} for q, row in enumerate(scores)}
    found = rankgauge.optimize(judged, runs, "nDCG@10", over=over, constrained=how == "constrained", folds=4)
    say(means=[found.candidates[-1].value])


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
