"""How stable a measure is, and how many queries are enough.

The study of Kanoulas & Aslam (2009), section 2: variance components of a systems × queries matrix, from them the
dependability Φ and the generalizability Eρ² for any number of queries, and the number of queries for a target.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import get_args

import numpy as np

from rankgauge.analysis.reliability import (
    Estimate,
    Reliability,
    arteaga_bounds,
    check_confidence,
    check_target,
    dependability_ratio,
    exact_bounds,
    generalizability_ratio,
    jackknife_bounds,
)
from rankgauge.analysis.score_table import Matrix, Positions, ScoreTable, best_systems, complete_queries
from rankgauge.analysis.stability_results import Interval, MeasureStability, Note, Stability, check_word
from rankgauge.analysis.variance import MeanSquares, VarianceComponents, mean_squares
from rankgauge.errors import AnalysisError


def stability(
    scores: ScoreTable,
    *,
    targets: Sequence[float] = (0.90, 0.95),
    confidence: float = 0.95,
    drop: float = 0.0,
    interval: Interval = "arteaga",
) -> Stability:
    """Variance components, Φ, Eρ² and queries needed, for every measure of the scores.

    `drop=0.25` leaves out the worst quarter of the systems first, rounded up, by their mean under each measure. Queries
    with an undefined score for any system are left out for all. Intervals suppose normal effects (Arteaga for Φ, exact
    F for Eρ²); `interval="jackknife"` does not, and needs three systems and three queries.
    """
    if not scores.measures:
        raise AnalysisError("the scores hold no measure to study")
    studies = tuple(
        study_matrix(
            scores.matrix(measure),
            measure=str(measure),
            systems=scores.systems,
            queries=scores.queries,
            targets=targets,
            confidence=confidence,
            drop=drop,
            interval=interval,
        )
        for measure in scores.measures
    )
    return Stability(studies, studies[0].targets, confidence, interval, drop)


def study_matrix(
    values: Matrix,
    *,
    measure: str = "score",
    systems: Sequence[str] | None = None,
    queries: Sequence[str] | None = None,
    targets: Sequence[float] = (0.90, 0.95),
    confidence: float = 0.95,
    drop: float = 0.0,
    interval: Interval = "arteaga",
) -> MeasureStability:
    """The study of one matrix, systems × queries, nan where a score is undefined; options as in `stability`."""
    check_confidence(confidence)
    for target in targets:
        check_target(target)
    check_word("interval", interval, get_args(Interval))
    values = np.asarray(values, dtype=np.float64)
    complete = complete_queries(values, measure)
    best = best_systems(values.take(complete, axis=1), drop, measure)
    used = values.take(complete, axis=1).take(best, axis=0)
    squares = mean_squares(used)
    if squares.system == squares.query == squares.residual == 0:
        raise AnalysisError(
            f"{measure}: all {used.size} scores are {used[0, 0]:.6g}; there is no variance to share out\n"
            "Check the measure and the judgments."
        )
    absolute, relative = _reliabilities(used, squares, confidence, interval)
    systems_left_out = _left_out(best, values.shape[0], systems)
    queries_left_out = _left_out(complete, values.shape[1], queries)
    return MeasureStability(
        measure=measure,
        systems=squares.systems,
        queries=squares.queries,
        mean_squares=squares,
        variance=squares.components(),
        absolute=absolute,
        relative=relative,
        targets=tuple(float(target) for target in targets),
        systems_left_out=systems_left_out,
        queries_left_out=queries_left_out,
        notes=_notes(squares.components(), systems_left_out, queries_left_out, absolute.ratio, relative.ratio),
    )


def _reliabilities(
    values: Matrix, squares: MeanSquares, confidence: float, interval: Interval
) -> tuple[Reliability, Reliability]:
    components = squares.components()
    if interval == "jackknife":
        absolute = jackknife_bounds(values, dependability_ratio, confidence)
        relative = jackknife_bounds(values, generalizability_ratio, confidence)
    else:
        absolute = arteaga_bounds(squares, confidence)
        relative = exact_bounds(squares, confidence)
    return (
        Reliability(Estimate(dependability_ratio(components), *absolute)),
        Reliability(Estimate(generalizability_ratio(components), *relative)),
    )


def _left_out(kept: Positions, size: int, names: Sequence[str] | None) -> tuple[str, ...]:
    missing = np.setdiff1d(np.arange(size), kept).tolist()
    return tuple(names[position] if names is not None else str(position + 1) for position in missing)


def _notes(
    variance: VarianceComponents, systems: tuple[str, ...], queries: tuple[str, ...], *ratios: Estimate
) -> tuple[Note, ...]:
    notes = []
    if queries:
        text = f"queries left out for all systems because one of them has no score: {len(queries)}"
        notes.append(Note("undefined-queries", text, len(queries), queries[:5]))
    if systems:
        text = f"worst systems by mean left out: {len(systems)}"
        notes.append(Note("dropped-systems", text, len(systems), systems[:5]))
    negative = [f"{name} {value:.6g}" for name, value in variance.to_dict().items() if value < 0]
    if negative:
        text = f"negative variance estimates count as 0: {', '.join(negative)}"
        notes.append(Note("negative-variance", text, len(negative), tuple(negative)))
    if variance.system <= 0:
        text = "the systems do not differ beyond chance, so no number of queries is enough"
        notes.append(Note("no-system-variance", text, 1))
    if any(math.isnan(ratio.low) for ratio in ratios):
        text = "no jackknife interval: the systems do not differ beyond chance once some system or query is left out"
        notes.append(Note("undefined-interval", text, 1))
    return tuple(notes)
