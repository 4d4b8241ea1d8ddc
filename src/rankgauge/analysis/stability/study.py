"""How stable a measure is, and how many queries are enough.

The study of Kanoulas & Aslam (2009), section 2: variance components of a systems × queries matrix, from them the
dependability Φ and the generalizability Eρ² for any number of queries, and the number of queries for a target.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from rankgauge.analysis.score_table import (
    Matrix,
    Positions,
    ScoreTable,
    best_systems,
    complete_queries,
    evaluation_notes,
)
from rankgauge.analysis.stability.reliability import (
    Interval,
    Reliability,
    Settings,
    arteaga_bounds,
    dependability_ratio,
    exact_bounds,
    generalizability_ratio,
    jackknife_bounds,
)
from rankgauge.analysis.stability.result import MeasureStability, Stability
from rankgauge.analysis.stability.variance import MeanSquares, VarianceComponents, mean_squares
from rankgauge.errors import AnalysisError, plural
from rankgauge.evaluation.scores import Scores
from rankgauge.measures.measure import Measure
from rankgauge.tables.notes import Note, some
from rankgauge.tables.table import Estimate


def stability(
    scores: ScoreTable,
    *,
    targets: Sequence[float] = (0.90, 0.95),
    queries_at: Sequence[int] = (),
    confidence: float = 0.95,
    drop: float = 0.0,
    interval: Interval = "arteaga",
) -> Stability:
    """Variance components, Φ, Eρ² and queries needed, for every measure of the scores.

    `queries_at` are other numbers of queries to give Φ and Eρ² for. `drop=0.25` leaves out the worst quarter of the
    systems first, rounded up, by their mean under each measure. Queries with an undefined score for any system are left
    out for all. Intervals suppose normal effects (Arteaga for Φ, exact F for Eρ²); `interval="jackknife"` does not, and
    needs three systems and three queries.
    """
    if not scores.measures:
        raise AnalysisError("the scores hold no measure to study")
    settings = Settings(tuple(map(float, targets)), tuple(queries_at), confidence, drop, interval)
    studies = tuple(
        _study(scores.matrix(measure), settings, str(measure), scores.systems, scores.queries)
        for measure in scores.measures
    )
    return Stability(studies, settings, (*evaluation_notes(scores), *_undefined_counted(scores), *_geometric(scores)))


def study_matrix(
    values: Matrix,
    *,
    measure: str = "score",
    systems: Sequence[str] | None = None,
    queries: Sequence[str] | None = None,
    targets: Sequence[float] = (0.90, 0.95),
    queries_at: Sequence[int] = (),
    confidence: float = 0.95,
    drop: float = 0.0,
    interval: Interval = "arteaga",
) -> MeasureStability:
    """The study of one matrix, systems × queries, nan where a score is undefined; options as in `stability`."""
    settings = Settings(tuple(map(float, targets)), tuple(queries_at), confidence, drop, interval)
    return _study(values, settings, measure, systems, queries)


def _study(
    values: Matrix, settings: Settings, measure: str, systems: Sequence[str] | None, queries: Sequence[str] | None
) -> MeasureStability:
    values = np.asarray(values, dtype=np.float64)
    complete = complete_queries(values, measure)
    best = best_systems(values.take(complete, axis=1), settings.drop, measure)
    used = values.take(complete, axis=1).take(best, axis=0)
    squares = mean_squares(used)
    if squares.system == squares.query == squares.residual == 0:
        raise AnalysisError(
            f"{measure}: all {used.size} scores are {used[0, 0]:.6g}; there is no variance to share out\n"
            "Check the measure and the judgments."
        )
    absolute, relative = _reliabilities(used, squares, settings.confidence, settings.interval)
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
        settings=settings,
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


def _undefined_counted(scores: ScoreTable) -> list[Note]:
    """Zeros that all systems share say nothing about them; which queries have them, scores no longer know."""
    if not isinstance(scores, Scores) or scores.policy.undefined is not None:
        return []
    barren = [note for note in scores.notes if note.kind == "no-relevant-documents"]
    counted = [measure for measure, rule in scores.undefined_of().items() if rule == "zero"]
    text = (
        f'{", ".join(counted)}: evaluate with undefined="drop" to study without the queries that have nothing relevant'
    )
    return [Note("undefined-counted", text, barren[0].count, examples=barren[0].examples)] if barren and counted else []


def _geometric(scores: ScoreTable) -> list[Note]:
    """Variance components are about arithmetic means."""
    names = [str(m) for m in scores.measures if isinstance(m, Measure) and m.definition.aggregate == "geometric"]
    text = f"{', '.join(names)}: studied by arithmetic means of the queries' values, though reported by geometric ones"
    return [Note("geometric-mean", text, len(names), examples=tuple(names))] if names else []


def _left_out(kept: Positions, size: int, names: Sequence[str] | None) -> tuple[str, ...]:
    missing = np.setdiff1d(np.arange(size), kept).tolist()
    return tuple(names[position] if names is not None else str(position + 1) for position in missing)


def _notes(
    variance: VarianceComponents, systems: tuple[str, ...], queries: tuple[str, ...], *ratios: Estimate
) -> tuple[Note, ...]:
    notes = []
    if queries:
        text = f"{plural(len(queries), 'query')} without a score for some system, left out for all ({some(queries)})"
        notes.append(Note("undefined-queries", text, len(queries), examples=queries[:5]))
    if systems:
        text = f"{plural(len(systems), 'system')} left out, the worst by mean ({some(systems)})"
        notes.append(Note("dropped-systems", text, len(systems), examples=systems[:5]))
    negative = [f"{name} {value:.6g}" for name, value in variance.to_dict().items() if value < 0]
    if negative:
        text = f"negative variance estimates count as 0: {', '.join(negative)}"
        notes.append(Note("negative-variance", text, len(negative), examples=tuple(negative)))
    if variance.system <= 0:
        text = "the systems do not differ beyond chance, so no number of queries is enough"
        notes.append(Note("no-system-variance", text, 1))
    if any(math.isnan(ratio.low) for ratio in ratios):
        text = "no jackknife interval: the systems do not differ beyond chance once some system or query is left out"
        notes.append(Note("undefined-interval", text, 1))
    return tuple(notes)
