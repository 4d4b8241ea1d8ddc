"""How stable a measure is, and how many queries are enough.

The study of Kanoulas & Aslam (2009), section 2: variance components of a systems × queries matrix, from them the
dependability Φ and the generalizability Eρ² for any number of queries, and the number of queries for a target.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from rankgauge.analysis.score_table import (
    Measures,
    Positions,
    complete_queries,
    evaluation_notes,
    few_queries,
    left_out,
    scores_from,
    undefined_queries,
)
from rankgauge.analysis.stability.reliability import (
    Interval,
    Reliability,
    StabilityOptions,
    Systems,
    arteaga_bounds,
    dependability_ratio,
    exact_bounds,
    generalizability_ratio,
    jackknife_bounds,
)
from rankgauge.analysis.stability.result import MeasureStability, Stability
from rankgauge.analysis.stability.variance import MeanSquares, VarianceComponents, mean_squares
from rankgauge.arrays import Floats
from rankgauge.data.policy import Policy
from rankgauge.errors import AnalysisError, UsageError, many, plural
from rankgauge.evaluation.intervals import linearized
from rankgauge.evaluation.means import in_force
from rankgauge.evaluation.scores import Scores
from rankgauge.kernels.resampling import Progress
from rankgauge.tables.notes import Note, some
from rankgauge.tables.table import Estimate

# Excess kurtosis of system effects beyond which intervals about other systems hold the truth less than 90 % of the time.
HEAVY = 4.0


def stability(
    scores: Any,
    runs: Any = None,
    measures: Measures | None = None,
    *,
    policy: Policy | None = None,
    like: str | None = None,
    only: Iterable[str] | None = None,
    reach: Sequence[float] = (0.90, 0.95),
    queries_at: Sequence[int] = (),
    confidence: float = 0.95,
    drop: float = 0.0,
    interval: Interval = "jackknife",
    systems: Systems | None = None,
    progress: Progress | None = None,
) -> Stability:
    """Estimate variance components, Φ, Eρ² and the number of queries needed, for every measure."""
    asked = systems or ("others" if interval == "arteaga" else "these")
    reached = (one if isinstance(one, int) else float(one) for one in reach)  # a whole number may be beyond all floats
    options = StabilityOptions(tuple(reached), tuple(queries_at), confidence, drop, interval, asked)
    table = scores_from(
        scores, runs, measures, policy=policy, like=like, only=only, undefined="drop", progress=progress
    )
    parts = tuple(_study(table, table.matrix(measure), str(measure), options) for measure in table.measures)
    return Stability(parts, options, _about_scores(table))


def _study(scores: Scores, values: Floats, measure: str, options: StabilityOptions) -> MeasureStability:
    complete = complete_queries(values, measure)
    whole = values.take(complete, axis=1)
    if scores.weights is not None:
        whole = linearized(whole, scores.weights[complete])
    best = _best_systems(whole, options.drop, measure)
    used = whole.take(best, axis=0)
    squares = mean_squares(used)
    if squares.system == squares.query == squares.residual == 0:
        raise AnalysisError(
            f"{measure}: all {used.size} scores are {used[0, 0]:.6g}; there is no variance to analyze\n"
            "Check the measure and the judgments."
        )
    absolute, relative, instead = _reliabilities(used, squares, options)
    systems_left_out = left_out(best, scores.systems)
    queries_left_out = left_out(complete, scores.queries)
    return MeasureStability(
        measure=measure,
        systems=squares.systems,
        query_count=squares.queries,
        mean_squares=squares,
        variance=squares.components(),
        absolute=absolute,
        relative=relative,
        options=options,
        systems_left_out=systems_left_out,
        queries_left_out=queries_left_out,
        noun=scores.about.noun,
        notes=(
            *_notes(squares.components(), systems_left_out, queries_left_out, scores.about.noun),
            *instead,
            *few_queries(used, "95% intervals of Φ held in 86 to 98% of cases", scores.about.noun),
            *(_heavy_tails(used, [scores.systems[at] for at in best]) if options.systems == "others" else ()),
        ),
    )


def _reliabilities(
    values: Floats, squares: MeanSquares, options: StabilityOptions
) -> tuple[Reliability, Reliability, list[Note]]:
    """Φ and Eρ²; where the jackknife has no interval, the usual one is better than none, and a note says so."""
    components, confidence = squares.components(), options.confidence
    bounds = [arteaga_bounds(squares, confidence), exact_bounds(squares, confidence)]
    ratios, notes = (dependability_ratio, generalizability_ratio), []
    if options.interval == "jackknife":
        others = options.systems == "others"
        found = [jackknife_bounds(values, ratio, confidence, other_systems=others) for ratio in ratios]
        if any(math.isnan(low) for low, _ in found) and components.system > 0:
            because = "there are too few queries, or the systems hardly differ once some of the data is left out"
            notes = [Note("no-jackknife", f"no jackknife interval ({because}); Arteaga's is shown instead", 1)]
        bounds = [usual if math.isnan(own[0]) else own for own, usual in zip(found, bounds, strict=True)]
    absolute, relative = (
        Reliability(Estimate(ratio(components), *own)) for ratio, own in zip(ratios, bounds, strict=True)
    )
    return absolute, relative, notes


def _heavy_tails(values: Floats, names: Sequence[str]) -> list[Note]:
    """A few systems far from the rest decide how much systems differ, and other systems need not have such ones."""
    effect = values.mean(axis=1) - values.mean()
    spread = float(np.mean(effect**2))
    if len(values) < 4 or spread == 0 or (excess := float(np.mean(effect**4)) / spread**2 - 3) < HEAVY:
        return []
    far = int(np.argmax(np.abs(effect)))
    where = f"{names[far]} lies {abs(effect[far]) / math.sqrt(spread):.1f} standard deviations from their mean"
    text = f"the systems are far from normal (excess kurtosis {excess:.1f}; {where}): intervals may be too narrow"
    return [Note("heavy-tailed-systems", text, 1, examples=(names[far],))]


def _about_scores(scores: Scores) -> tuple[Note, ...]:
    """How they were made: weights first, then the policy, and what an analysis of variance sees differently."""
    weighted = "means are weighted by query, and Φ and Eρ² are those of weighted means on queries of such weights"
    # Zeros that all systems share say nothing about them; which queries have them, scores no longer know.
    barren = [note for note in scores.notes if note.kind == "no-relevant-documents" and scores.policy.undefined is None]
    counted = ", ".join(
        measure for measure, rule in in_force("undefined", scores.measures, scores.policy).items() if rule == "zero"
    )
    drop = f'{counted}: evaluate with undefined="drop" to study without the queries that have nothing relevant'
    # Variance components are about arithmetic means.
    names = tuple(str(m) for m in scores.measures if m.definition.aggregate == "geometric")
    mean = f"{', '.join(names)}: analyzed by the arithmetic mean over queries, although reported as a geometric mean"
    return (
        *([] if scores.weights is None else [Note("weights", weighted, len(scores.weights))]),
        *evaluation_notes(scores),
        *(Note("undefined-counted", drop, note.count, examples=note.examples) for note in barren[:1] if counted),
        *([Note("geometric-mean", mean, len(names), examples=names)] if names else []),
    )


def _best_systems(values: Floats, drop: float, measure: str) -> Positions:
    """Systems that stay when this share of them, the worst by mean and rounded up, is left out; in their own order."""
    if not 0 <= drop < 1:
        raise UsageError(f"drop must be a share from 0 to below 1, not {drop!r}\nUse 0.25 for the worst quarter.")
    systems = len(values)
    # The guard keeps a share such as 0.07 of 100 systems from being rounded up by its last bit.
    left_out = math.ceil(systems * drop - 1e-9)
    if systems - left_out < 2:
        raise AnalysisError(
            f"{measure}: without the worst {left_out} of {systems} systems fewer than 2 are left\nDrop a smaller share."
        )
    best_first = np.argsort(-values.mean(axis=1), kind="stable")
    return np.sort(best_first[: systems - left_out])


def _notes(
    variance: VarianceComponents, systems: tuple[str, ...], queries: tuple[str, ...], noun: str
) -> tuple[Note, ...]:
    notes = undefined_queries(queries, noun=noun)
    if systems:
        text = f"{plural(len(systems), 'system')} left out, the worst by mean ({some(systems)})"
        notes.append(Note("dropped-systems", text, len(systems), examples=systems[:5]))
    negative = [f"{name} {value:.6g}" for name, value in variance.to_dict().items() if value < 0]
    if negative:
        text = f"negative variance estimates count as 0: {', '.join(negative)}"
        notes.append(Note("negative-variance", text, len(negative), examples=tuple(negative)))
    if variance.system <= 0:
        text = f"the systems do not differ beyond chance, so no number of {many(noun)} is enough"
        notes.append(Note("no-system-variance", text, 1))
    return tuple(notes)
