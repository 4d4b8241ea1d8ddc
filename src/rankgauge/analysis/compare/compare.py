"""compare(): is the difference between two systems real, or could other queries reverse it?"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, TypedDict, Unpack, overload

import numpy as np

from rankgauge.analysis.compare.evidence import JudgeScores, beside, examine, ranks_of, shared, summarise
from rankgauge.analysis.compare.options import Design
from rankgauge.analysis.compare.result import Comparison
from rankgauge.analysis.compare.simultaneous import hold_together
from rankgauge.analysis.compare.slices import Slices, sliced
from rankgauge.analysis.compare.statistics.power import few_systems
from rankgauge.analysis.compare.verdicts import MeasureComparison, conclude
from rankgauge.analysis.compare.wording import Focus, alone_summary, next_step, summary_sentence
from rankgauge.analysis.robust.robust import robust as robust_verdicts
from rankgauge.analysis.score_table import Measures, checked_table, evaluation_notes, names_of, scores_from
from rankgauge.data.policy import Policy
from rankgauge.errors import AnalysisError, UsageError
from rankgauge.evaluation.intervals import linearized
from rankgauge.evaluation.scores import Scores
from rankgauge.kernels.resampling import Progress
from rankgauge.tables.notes import Note

NOT_COVERED = "not covered"
# Options that a result names as they were asked for.
COPIED = (
    *("test", "correction", "correction_within", "confidence", "seed"),
    *("interval", "interval_for", "equivalence"),
)


class Options(TypedDict, total=False):
    """Options of a comparison, as `rankgauge.compare` explains them."""

    policy: Policy | None
    like: str | None
    only: Iterable[str] | None
    baseline: str | None
    all_pairs: bool
    test: str | None
    correction: str | None
    correction_within: str
    confidence: float
    seed: int
    equivalence: float | None
    samples: int | None
    interval: str
    interval_for: str
    queries: Any
    robust: bool
    bayes: bool
    judge: Any
    progress: Progress | None


@overload
def compare(
    scores: Any, runs: Any = None, measures: Measures | None = None, *, by: None = None, **options: Unpack[Options]
) -> Comparison: ...


@overload
def compare(
    scores: Any,
    runs: Any = None,
    measures: Measures | None = None,
    *,
    by: str | Mapping[str, Any],
    **options: Unpack[Options],
) -> Slices: ...


def compare(
    scores: Any,
    runs: Any = None,
    measures: Measures | None = None,
    *,
    policy: Policy | None = None,
    like: str | None = None,
    only: Iterable[str] | None = None,
    baseline: str | None = None,
    all_pairs: bool = False,
    test: str | None = None,
    correction: str | None = None,
    correction_within: str = "all",
    confidence: float = 0.95,
    seed: int = 7,
    equivalence: float | None = None,
    samples: int | None = None,
    interval: str = "t",
    interval_for: str = "verdict",
    by: str | Mapping[str, Any] | None = None,
    queries: Any = None,
    robust: bool = False,
    bayes: bool = False,
    judge: Any = None,
    progress: Progress | None = None,
) -> Comparison | Slices:
    """Every system against a baseline, or all pairs; with `by`, slice by slice."""
    settings: dict[str, Any] = {"policy": policy, "like": like, "only": only, "progress": progress}
    table, judged = scores_from(scores, runs, measures, **settings), None
    if judge is not None:
        _refuse_with_judge(test, correction, interval, by)
        is_scores = runs is None or isinstance(judge, Scores)
        own: dict[str, Any] = {"only": only} if is_scores else {"runs": runs, **settings}
        table, judged = beside(table, scores_from(judge, measures=measures, **own))
    design = Design(
        systems=table.systems,
        measures=names_of(table),
        baseline=_best(table) if baseline == "best" and baseline not in table.systems else baseline,
        all_pairs=all_pairs,
        test=test or ("sign-flip" if judge is None else "t"),
        correction=correction or "",
        confidence=confidence,
        seed=seed,
        equivalence=equivalence,
        samples=samples,
        interval=interval,
        interval_for=interval_for,
        correction_within=correction_within,
        bayes=bayes,
    )
    checked_table(table, "a comparison", least=1 if by is None and judge is None and not bayes else 2)
    _refuse_mixed(runs, by=by, judge=judge, bayes=bayes, robust=robust)
    if len(table.systems) == 1:
        return _alone(table, design)
    if by is not None:
        return sliced(table, by, queries, lambda tables: _compared(tables, design, progress))
    found = _compared([table], design, progress, judged)[0]
    return _with_robust(found, scores, runs, policy=policy, like=like) if robust else found


def _refuse_with_judge(test: str | None, correction: str | None, interval: str, by: Any) -> None:
    """What has no form for human and machine judgments together."""
    if test not in {None, "t"}:
        raise UsageError(f"the {test} test cannot take a judge; only the t test can\nLeave test out, or judge.")
    if correction == "max-t":
        raise UsageError("max-t cannot take a judge: it resamples the queries of people alone\nUse holm, bh or none.")
    if interval != "t":
        raise UsageError(
            f"{interval} intervals cannot take a judge; only t intervals can\nLeave interval out, or judge."
        )
    if by is not None:
        raise UsageError("slices cannot take a judge\nLeave by out, or judge.")


def _refuse_mixed(runs: Any, *, by: Any, judge: Any, bayes: bool, robust: bool) -> None:
    if bayes and (judge is not None or by is not None):
        raise UsageError("bayes is about one set of queries and one judge\nLeave out by and judge, or bayes.")
    if robust and (runs is None or by is not None):
        raise UsageError("robust verdicts need judgments and runs, and no by\nLeave out one of them.")


def _best(table: Scores) -> str:
    """The system with the highest mean on the first measure."""
    means = {system: row[str(table.measures[0])] for system, row in table.mean().items()}
    return max(means, key=lambda system: -math.inf if math.isnan(means[system]) else means[system])


def _compared(
    tables: Sequence[Scores], design: Design, progress: Progress | None, judge: Sequence[JudgeScores] | None = None
) -> list[Comparison]:
    """One comparison for each table of scores; the correction runs over all of them together."""
    # Contiguous rows: the last bit of a sum must not depend on how the cube happens to lie in memory.
    matrices = [
        (np.ascontiguousarray(table.values[:, :, k]), measure, table.weights)
        for table in tables
        for k, measure in enumerate(design.measures)
    ]
    design = design.corrected(len(matrices), judge=judge is not None)
    draws = design.draws(len(matrices), max(table.values.shape[1] for table in tables))
    tables_together = design.family(len(matrices))
    evidence = [
        examine(
            *(values, measure, design),
            tables=tables_together,
            draws=draws,
            weights=weights,
            progress=shared(progress, at, len(matrices)),
            judge=None if judge is None else judge[at],
        )
        for at, (values, measure, weights) in enumerate(matrices)
    ]
    if design.correction == "max-t":
        evidence = hold_together(evidence, design)
    concluded, levels = conclude(evidence, design)
    each, found = len(design.measures), []
    for at, table in zip(range(0, len(matrices), each), tables, strict=True):
        parts = tuple(concluded[at : at + each])
        one = _result(
            design,
            table,
            parts,
            baseline=design.reference,
            samples=None if draws is None else draws.first,
            finer_samples=None if draws is None else draws.finer,
            interval_confidence=max(levels),
            summary=summary_sentence(parts, design.reference, levels[at], design.equivalence, table.about.noun),
            next_step="",
            notes=(
                *design.notes(draws, tables_together),
                *dict.fromkeys(note for part in evidence[at : at + each] for note in part.notes),
                *design.cautions,
                *_about_plans(parts, table.about.noun),
            ),
        )
        found.append(replace(one, next_step=next_step(Focus.of(one))))
    return found


def _alone(table: Scores, design: Design) -> Comparison:
    """One system: nothing is compared, but a rule with a fixed number can be judged."""
    parts = []
    for measure in table.measures:
        values = np.ascontiguousarray(table.matrix(measure))
        values = values if table.weights is None else linearized(values, table.weights)
        parts.append(MeasureComparison(str(measure), summarise(values, design, ranks_of(values, design)), (), math.nan))
    return _result(
        replace(design, correction="none", correction_within="all"),
        table,
        tuple(parts),
        baseline=None,
        samples=None,
        finer_samples=None,
        interval_confidence=design.confidence,
        summary=alone_summary(parts, design.confidence, table.about.noun),
        next_step="Give a second run to compare with.",
        notes=(),
    )


def _result(design: Design, table: Scores, parts: tuple[MeasureComparison, ...], **found: Any) -> Comparison:
    """What was found, and how: the options are those of the design."""
    asked = {name: getattr(design, name) for name in COPIED}
    return Comparison(**asked | found | {"notes": (*found["notes"], *_about(table))}, parts=parts, scores=table)


def _about_plans(parts: Sequence[MeasureComparison], noun: str) -> list[Note]:
    pairs = [pair for part in parts for pair in part.pairs]
    planned = any(pair.queries_needed is not None and pair.judge is None for pair in pairs)
    return few_systems(len(parts[0].systems), noun) if planned else []


def _about(scores: Scores) -> tuple[Note, ...]:
    """How the scores were computed, and what of it a comparison does not follow."""
    notes = []
    unusual = [str(measure) for measure in scores.measures if measure.definition.aggregate != "mean"]
    if unusual:
        text = f"{', '.join(unusual)}: compared by the arithmetic mean over queries"
        notes.append(Note("arithmetic-mean", text, len(unusual), examples=tuple(unusual)))
    if scores.weights is not None:
        notes.append(Note("weights", "means, intervals and tests are weighted by query; wins and losses are counted"))
    return (*notes, *evaluation_notes(scores))


def _with_robust(found: Comparison, judgments: Any, runs: Any, **settings: Any) -> Comparison:
    """The same comparison; each pair says whether every gain and discount agrees, and a note counts both questions.

    Significant is about other queries, robust about other measures.
    """
    parts, notes = [], []
    for part, measure in zip(found.parts, found.scores.measures, strict=True):
        words: dict[frozenset[str], str] = {}
        try:
            answer = robust_verdicts(
                judgments, runs, measure, all_pairs=True, samples=0, only=found.scores.queries, **settings
            )
            words = {frozenset((pair.system, pair.baseline)): pair.verdict for pair in answer.pairs}
        except (AnalysisError, UsageError) as problem:
            text = f"{part.measure}: no robust verdict: {str(problem).splitlines()[0]}"
            notes.append(Note("not-covered", text, measure=part.measure))
        named = [words.get(frozenset((pair.system, pair.baseline)), NOT_COVERED) for pair in part.pairs]
        pairs = tuple(replace(pair, robust=word) for pair, word in zip(part.pairs, named, strict=True))
        parts.append(replace(part, pairs=pairs))
        if words:
            notes.append(_robust_count(parts[-1]))
    return replace(found, parts=tuple(parts), notes=(*notes, *found.notes))


def _robust_count(part: MeasureComparison) -> Note:
    cells = [(pair.robust == "robust", pair.verdict in {"better", "worse"}) for pair in part.pairs]
    both, one, other, none = (cells.count(cell) for cell in product((True, False), (True, False)))
    text = f"robust and significant: {both:,}; only robust: {one:,}; only significant: {other:,}; neither: {none:,}"
    return Note("robust-and-significant", f"{part.measure}: {text}", len(cells), measure=part.measure)
