"""Scores in MLflow: means as metrics, every query as a table, the page as an artifact."""

from __future__ import annotations

import math
import re
import tempfile
from pathlib import Path
from typing import Any

import mlflow

from rankgauge.errors import UsageError
from rankgauge.evaluation.scores import Scores
from rankgauge.evaluation.storage import read_scores
from rankgauge.integrations.checkpoint import metrics_of
from rankgauge.signature import checked

FOLDER = "rankgauge"


@checked
def log_scores(scores: Any, *, page: bool = True, step: int | None = None) -> None:
    """Log scores to the active MLflow run; without one, MLflow starts a run.

    Metrics are the mean of each measure and the ends of its confidence interval: nDCG@10 becomes `nDCG_at_10`,
    `nDCG_at_10_low` and `nDCG_at_10_high`, after `system/` if there are several systems. The artifact folder `rankgauge`
    gets per_query.json (a table in MLflow's interface), scores.parquet (for `read_scores`), scores.json (policy and
    notes) and, with `page`, report.html.

    `scores` is anything that `read_scores` takes.
    """
    table = read_scores(scores)
    metrics = _metrics(table)
    with tempfile.TemporaryDirectory() as folder:
        table.save(Path(folder) / "scores.parquet")
        if page:
            from rankgauge.presentation.report.report import report

            report(Path(folder) / "report.html", table)
        mlflow.log_metrics(metrics, step=step)
        mlflow.log_artifacts(folder, FOLDER)
    mlflow.log_dict(table.to_dict(), f"{FOLDER}/scores.json")
    mlflow.log_table(table.to_polars().to_dict(as_series=False), f"{FOLDER}/per_query.json")


def _metrics(scores: Scores) -> dict[str, float]:
    """MLflow's name of every mean and of the ends of its interval; what is undefined is left out."""
    metrics: dict[str, float] = {}
    for system, measures in metrics_of(scores).items():
        for measure, values in measures.items():
            name = _key(measure if len(scores.systems) == 1 else f"{system}/{measure}")
            if name in metrics:
                raise UsageError(f"two metrics would be called {name!r} in MLflow\nRename a system, or log them apart.")
            metrics |= {f"{name}{end}": value for end, value in values.items() if math.isfinite(value)}
    return metrics


def _key(name: str) -> str:
    """MLflow allows letters, digits, and _-. /"""
    return re.sub(r"_+", "_", re.sub(r"[^\w\-./ ]", "_", name.replace("@", "_at_"), flags=re.ASCII)).strip("_")
