"""compare(), slices and differences query by query, over scores: the public face of the comparison of cubes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Unpack

import numpy as np

from rankgauge.analysis.compare import compare as cubes
from rankgauge.analysis.compare import slices as sliced
from rankgauge.analysis.compare.differences import QueryDifference, query_differences
from rankgauge.analysis.compare.options import Settings, position
from rankgauge.analysis.compare.result import Comparison
from rankgauge.analysis.compare.slices import Slices
from rankgauge.analysis.score_table import ScoreTable, evaluation_notes
from rankgauge.errors import UsageError
from rankgauge.evaluation.scores import Scores
from rankgauge.kernels.resampling import FloatArray, Progress
from rankgauge.measures.measure import Measure
from rankgauge.tables.notes import gathered


@dataclass(frozen=True, slots=True)
class PairDifferences:
    """Every query of one pair on one measure, from the worst loss to the best win."""

    measure: str
    system: str
    baseline: str
    queries: tuple[QueryDifference, ...]


def compare(
    scores: ScoreTable,
    *,
    baseline: str | None = None,
    all_pairs: bool = False,
    test: str = "sign-flip",
    correction: str = "holm",
    confidence: float = 0.95,
    seed: int = 7,
    equivalence: float | None = None,
    samples: int | None = None,
    interval: str = "t",
    progress: Progress | None = None,
) -> Comparison:
    """Is the difference real? Every system against a baseline (the first, unless named), or all pairs.

    All measures of the scores take part, and the correction runs over pairs × measures. A query without a score is left
    out of every pair that needs it. `samples` counts sign flips, resamples or deals; None takes 10,000, and more where
    the correction needs finer p-values. Systems that differ by less than `equivalence` count as equally good.
    """
    found = cubes.compare(
        cube_of(scores),
        scores.systems,
        names_of(scores),
        baseline=baseline,
        all_pairs=all_pairs,
        test=test,
        correction=correction,
        confidence=confidence,
        seed=seed,
        equivalence=equivalence,
        samples=samples,
        interval=interval,
        progress=progress,
    )
    return replace(found, notes=(*found.notes, *_remarks(scores)))


def compare_by(
    scores: ScoreTable,
    column: str,
    labels: Mapping[str, str | None],
    *,
    progress: Progress | None = None,
    **settings: Unpack[Settings],
) -> Slices:
    """As `compare`, for every value that `labels` gives to queries; a query without one is left out."""
    if not any(labels.get(query) is not None for query in scores.queries):
        known = ", ".join(list(labels)[:3]) or "none"
        raise UsageError(
            f"none of the {len(scores.queries)} queries has a value of {column}\n"
            f"Are the ids written the same way? Scores have {', '.join(scores.queries[:3])}; the column has {known}."
        )
    return sliced.compare_slices(
        cube_of(scores),
        scores.systems,
        names_of(scores),
        column=column,
        labels=[labels.get(query) for query in scores.queries],
        progress=progress,
        **settings,
    )


def differences_by_query(scores: ScoreTable, comparison: Comparison) -> tuple[PairDifferences, ...]:
    """The queries behind every pair of a comparison of these scores."""
    found = []
    for one, measure in zip(comparison.measures, scores.measures, strict=True):
        values = np.asarray(scores.matrix(measure), dtype=np.float64)
        for pair in one.pairs:
            system, other = (values[position(name, scores.systems, "system")] for name in (pair.system, pair.baseline))
            queries = query_differences(system, other, scores.queries)
            found.append(PairDifferences(one.measure, pair.system, pair.baseline, queries))
    return tuple(found)


def cube_of(scores: ScoreTable) -> FloatArray:
    """Systems × queries × measures."""
    return np.stack([np.asarray(scores.matrix(measure), dtype=np.float64) for measure in scores.measures], axis=2)


def names_of(scores: ScoreTable) -> tuple[str, ...]:
    return tuple(str(measure) for measure in scores.measures)


def _remarks(scores: ScoreTable) -> list[str]:
    measures = [measure for measure in scores.measures if isinstance(measure, Measure)]
    unusual = [str(measure) for measure in measures if measure.definition.aggregate != "mean"]
    averaged = [f"{', '.join(unusual)}: compared by the plain mean over queries"] if unusual else []
    if isinstance(scores, Scores) and scores.weights is not None:
        averaged.append("weights of queries are not used: the comparison counts every query once")
    return [*averaged, *gathered(evaluation_notes(scores))]
