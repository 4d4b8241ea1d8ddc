"""A model at a checkpoint: the corpus as it ranks it, and the numbers that a trainer logs, also in a file."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from rankgauge.analysis.compare.result import Comparison
from rankgauge.arrays import Floats
from rankgauge.errors import DataError
from rankgauge.evaluation.scores import Scores

_ROWS = 128
"""Queries compared with the corpus at once."""


def rank_texts(
    model: Any, queries: Mapping[str, str], corpus: Mapping[str, str], *, depth: int, batch_size: int
) -> dict[str, dict[str, float]]:
    """The `depth` nearest documents of every query; documents tied with the last of them stay."""
    asked = _encoded(model, "query", list(queries.values()), batch_size)
    answers = _encoded(model, "document", list(corpus.values()), batch_size)
    names, documents, run = list(queries), list(corpus), {}
    for start in range(0, len(names), _ROWS):
        near = _similarity(model, asked[start : start + _ROWS], answers)
        for query, scores in zip(names[start:], near, strict=False):
            kept = _best(scores, depth)
            run[query] = dict(zip((documents[at] for at in kept), scores[kept].tolist(), strict=True))
    return run


def _encoded(model: Any, role: str, texts: list[str], batch_size: int) -> Floats:
    """Embeddings; models that prompt queries and documents differently have a method for each."""
    encode = getattr(model, f"encode_{role}", model.encode)
    made = np.asarray(encode(texts, batch_size=batch_size, show_progress_bar=False, convert_to_numpy=True))
    if made.ndim != 2 or len(made) != len(texts):
        raise DataError(f"encode returned shape {made.shape} for {len(texts):,} texts", hint="One vector per text.")
    odd = np.flatnonzero(~np.isfinite(made).all(axis=1))
    if len(odd):
        message = f"encode returned vectors with nan or infinite numbers for {len(odd):,} of {len(texts):,} texts"
        raise DataError(message, places=[f"{texts[at]!r:.60}" for at in odd[:3]])
    return made


def _similarity(model: Any, asked: Floats, answers: Floats) -> Floats:
    """As the model defines it; the cosine for models that do not."""
    if hasattr(model, "similarity"):
        return np.asarray(model.similarity(asked, answers), np.float64)
    return _unit(asked) @ _unit(answers).T


def _unit(vectors: Floats) -> Floats:
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, length, out=np.zeros(vectors.shape), where=length > 0)


def _best(scores: Floats, depth: int) -> Any:
    if depth >= len(scores):
        return np.arange(len(scores))
    return np.flatnonzero(scores >= np.partition(scores, -depth)[-depth])


ENDINGS = ("", "_low", "_high", "_change", "_change_p")
"""What the name of a metric ends in: mean, interval of the mean, change since the last checkpoint, its p-value."""


def metrics_of(scores: Scores, comparison: Comparison | None = None) -> dict[str, dict[str, dict[str, float]]]:
    """{system: {measure: {ending: value}}}, as far as the values exist; a comparison has one pair for each measure."""
    intervals, found = scores.intervals(), scores.mean()
    metrics = {system: {measure: {"": mean} for measure, mean in means.items()} for system, means in found.items()}
    for system, measures in metrics.items():
        for measure, values in measures.items():
            if measure in intervals[system]:
                interval = intervals[system][measure]
                values |= {"_low": interval.low, "_high": interval.high}
            if comparison is not None:
                pair = comparison[measure].pairs[0]
                values |= {"_change": pair.difference, "_change_p": pair.p_adjusted}
    return metrics


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
