"""What is known of a model after a checkpoint: the numbers that a trainer logs, and the same in a file."""

from __future__ import annotations

import csv
from pathlib import Path

from rankgauge.analysis.compare.result import Comparison
from rankgauge.evaluation.scores import Scores

ENDINGS = ("", "_low", "_high", "_change", "_change_p")
"""What the name of a metric ends in: mean, interval of the mean, change since the last checkpoint, its p-value."""


def metrics_of(scores: Scores, comparison: Comparison | None) -> dict[str, dict[str, float]]:
    """{measure: {ending: value}} of one system, as far as the values exist."""
    (system,) = scores.systems
    intervals, found = scores.intervals()[system], {}
    for measure, mean in scores.mean()[system].items():
        values = {"": mean}
        if measure in intervals:
            values |= {"_low": intervals[measure].low, "_high": intervals[measure].high}
        if comparison is not None:
            pair = comparison[measure].pairs[0]
            values |= {"_change": pair.difference, "_change_p": pair.p_adjusted}
        found[measure] = values
    return found


def append_metrics(path: Path, epoch: int, steps: int, found: dict[str, dict[str, float]]) -> None:
    """Add one line per measure; a new file begins with the names of the columns."""
    path.parent.mkdir(parents=True, exist_ok=True)
    is_new = not path.exists()
    with path.open("a", newline="", encoding="utf-8") as file:
        lines = csv.writer(file)
        if is_new:
            lines.writerow(["epoch", "steps", "measure", *(ending.strip("_") or "mean" for ending in ENDINGS)])
        for measure, values in found.items():
            lines.writerow([epoch, steps, measure, *(values.get(ending, "") for ending in ENDINGS)])
