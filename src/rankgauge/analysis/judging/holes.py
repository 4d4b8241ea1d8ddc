"""holes(): could the documents that nobody judged turn a verdict round, and which of them should be judged next?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rankgauge.analysis.compare.options import Design
from rankgauge.analysis.compare.statistics.tests import paired_differences
from rankgauge.analysis.judging.bounded import Bounded, limits_of, sharp_bounds
from rankgauge.analysis.judging.holes_result import Holes, PairHoles, pairs_of
from rankgauge.analysis.judging.next import ToJudge, expected_gains, holes_of, worklist
from rankgauge.analysis.judging.tops import SHARP, Top, Tops, Weighing, tops_of, weighing_of
from rankgauge.analysis.score_table import checked_table, evaluation_notes
from rankgauge.arrays import Floats, Ints
from rankgauge.data.judgments import Judgments
from rankgauge.data.policy import Policy
from rankgauge.data.run import Run
from rankgauge.errors import MeasureError, PolicyError, UsageError, did_you_mean, plural
from rankgauge.evaluation.evaluate import evaluate, list_runs, settle_one
from rankgauge.evaluation.scores import Scores
from rankgauge.kernels.resampling import Progress
from rankgauge.measures.catalogue import DEFINITIONS
from rankgauge.measures.measure import Measure
from rankgauge.tables.notes import Note

IDEALS = ("pool", "open")


def holes(
    judgments: Any,
    runs: Any,
    measure: str | Measure = "nDCG@10",
    *,
    policy: Policy | None = None,
    like: str | None = None,
    only: Iterable[str] | None = None,
    baseline: str | None = None,
    all_pairs: bool = False,
    confidence: float = 0.95,
    ideal: str = "pool",
    max_grade: float | None = None,
    judge: Any = None,
    progress: Progress | None = None,
) -> Holes:
    """Bound each pair's difference over every grade that its unjudged documents could have.

    A hole is an unjudged document among the first k of a run given here, where k is the measure's cutoff; its grade may
    be anything from 0 to the largest judged one, or to `max_grade`. The bounds speak of the number that `evaluate` will
    print when the holes have been judged. `ideal="open"` lets documents that no run returned be relevant, too.
    `judge`, judgments by somebody else, improves the order in which `next` lists the holes; it decides nothing.

    >>> found = holes({"q1": {"a": 1, "b": 0}, "q2": {"a": 1}}, {"old": {"q1": {"b": 2, "a": 1}, "q2": {"a": 1}},
    ...     "new": {"q1": {"a": 2, "c": 1}, "q2": {"a": 1}}}, "P@2")
    >>> found.pairs[0].difference, found.pairs[0].low, found.pairs[0].high
    (0.0, 0.0, 0.25)
    """
    chosen, rule = settle_one(measure, policy, like)
    _check(chosen, rule, ideal)
    judged = judgments if isinstance(judgments, Judgments) else Judgments(judgments)
    judged = Judgments(judged.table.load(), name=judged.name) if judged.table.mapping() is None else judged
    judged = judged if only is None else judged.only(only)
    listed = [
        run if run.table.mapping() is not None else Run(run.table.load(), name=run.name) for run in list_runs(runs)
    ]
    is_sharp = chosen.definition.name in SHARP
    asked = rule if is_sharp else replace(rule, unjudged="bounds")
    scores = evaluate(judged, listed, chosen, policy=asked)
    checked_table(scores, "holes")
    design = Design(
        systems=scores.systems, measures=(str(chosen),), baseline=baseline, all_pairs=all_pairs, confidence=confidence
    )
    values = np.ascontiguousarray(scores.values[:, :, 0])
    first, second = design.pairs.T
    differences = paired_differences(values[first], values[second])
    tops = tops_of(judged, listed, scores.queries, rule, None if chosen.cutoff is None else int(chosen.cutoff))
    top_grade = _top_grade(tops, max_grade, is_sharp=is_sharp)
    known = np.concatenate([*tops.judged.values(), [0.0]])
    weighing = weighing_of(chosen, known, top_grade, tops.longest) if is_sharp else _placed(top_grade)
    each = list(tops.each(weighing))
    if is_sharp:
        bounded = sharp_bounds(each, weighing, design.pairs, tops.longest, is_open=ideal == "open", progress=progress)
    else:
        bounded = _single_bounds(scores, each, design.pairs)
    bounded = _around(bounded, differences, each, is_open=ideal == "open")
    judge_grades = None if judge is None else _grades(judge if isinstance(judge, Judgments) else Judgments(judge))
    pairs = pairs_of(design, differences, bounded, limits_of(differences, bounded, confidence), scores.queries)
    return Holes(
        measure=str(chosen),
        baseline=design.reference,
        confidence=confidence,
        ideal=ideal,
        max_grade=top_grade,
        sharp=is_sharp,
        query_count=len(scores.queries),
        hole_count=sum(int(np.count_nonzero(top.is_hole)) for top in each),
        pairs=pairs,
        notes=(*_unknown_to(judge_grades, each), *evaluation_notes(scores)),
        systems=scores.systems,
        worklist=_worklist(judged, judge_grades, each, weighing, design.pairs[_undecided(pairs)], tops)
        if is_sharp
        else None,
    )


def _check(measure: Measure, policy: Policy, ideal: str) -> None:
    if ideal not in IDEALS:
        raise UsageError(f"unknown ideal {ideal!r}; {did_you_mean(ideal, IDEALS)}")
    definition = measure.complete().definition
    if definition.bounds is None:
        known = ", ".join(one.name for one in DEFINITIONS if one.bounds is not None)
        raise MeasureError(f"{measure} has no bounds for unjudged documents\nMeasures that have them: {known}.")
    if ideal == "open" and (definition.name != "nDCG" or measure.cutoff is None):
        raise UsageError("ideal=open is for nDCG with a cutoff, as in nDCG@10")
    if (policy.ties or definition.ties) not in {"document", "order"}:
        raise PolicyError(
            f'ties="{policy.ties or definition.ties}" orders documents by grades that holes have not got yet\n'
            'Use ties="document" or ties="order".'
        )
    if policy.unjudged != "zero":
        raise PolicyError(f'unjudged="{policy.unjudged}" leaves no holes to look into; use unjudged="zero"')
    if (policy.undefined or definition.undefined) != "zero":
        raise PolicyError(
            "the number of queries would depend on the grades of the holes if undefined values were left out\n"
            'Use undefined="zero".'
        )


def _top_grade(tops: Tops, given: float | None, *, is_sharp: bool) -> float:
    largest = max((float(values.max(initial=0.0)) for values in tops.judged.values()), default=0.0)
    largest = max(largest, 0.0)
    if given is None:
        return largest
    if not is_sharp and given != largest:
        raise UsageError(f"max_grade is for {', '.join(SHARP)}; other measures take the largest judged grade")
    if not (given >= largest and np.isfinite(given)):
        raise UsageError(f"max_grade is {given:g}, but a grade of {largest:g} was judged; it must be at least that.")
    return float(given)


def _placed(top: float) -> Weighing:
    """Every rank weighs the same: only where documents stand is of use."""
    return Weighing(np.ones, np.zeros_like, np.array([0.0, top]), has_ideal=False, per_returned=False)


def _single_bounds(scores: Scores, tops: Sequence[Top], pairs: Ints) -> Bounded:
    """Valid but not sharp: the lowest of one system less the highest of the other."""
    low, high = (side[:, :, 0].copy() for side in scores.bounds or ())
    counts = np.stack([top.has[:, top.is_hole].sum(axis=1) for top in tops], axis=1)
    # Where nothing judged is relevant the measure is undefined now, but would not be if a hole were relevant.
    barren = np.array([not np.any(top.judged > 0) for top in tops])
    high[(counts > 0) & barren] = scores.measures[0].definition.range[1]
    first, second = pairs.T
    holes = np.zeros(len(pairs), np.int64)
    for top in tops:
        holes += np.count_nonzero((top.has[first] | top.has[second])[:, top.is_hole], axis=1)
    return Bounded(low[first] - high[second], high[first] - low[second], holes)


def _around(bounded: Bounded, differences: Floats, tops: Sequence[Top], *, is_open: bool) -> Bounded:
    """The difference as it is lies inside; a query without holes leaves nothing open, not even a last digit."""
    low, high = np.minimum(bounded.low, differences), np.maximum(bounded.high, differences)
    closed = np.array([not is_open and not top.is_hole.any() for top in tops])
    low[:, closed] = high[:, closed] = differences[:, closed]
    gaps = np.isnan(differences)
    low[gaps] = high[gaps] = np.nan
    return Bounded(low, high, bounded.holes)


def _undecided(pairs: Sequence[PairHoles]) -> Ints:
    """Pairs to judge for: those of open sign; else those of open verdict; else all."""
    for is_open in (
        [not pair.sign_settled for pair in pairs],
        [not pair.verdict_settled for pair in pairs],
        [True for _ in pairs],
    ):
        if any(is_open):
            return np.flatnonzero(is_open)
    return np.arange(0)


def _worklist(
    judged: Judgments,
    judge: Mapping[tuple[str, str], float] | None,
    tops: Sequence[Top],
    weighing: Weighing,
    pairs: Ints,
    places: Tops,
) -> tuple[ToJudge, ...]:
    return worklist(tops, weighing, pairs, expected_gains(weighing, _grades(judged), judge), places.longest)


def _unknown_to(grades: Mapping[tuple[str, str], float] | None, tops: Sequence[Top]) -> list[Note]:
    """A judge that knows few of the holes improves little."""
    if grades is None:
        return []
    holes = [(top.query, document) for top in tops for document in holes_of(top)]
    unknown = sum(pair not in grades for pair in holes)
    if not unknown:
        return []
    how = "are the ids written the same way?" if unknown == len(holes) else "those are placed as if there were no judge"
    text = f"the judge has no label for {unknown:,} of {plural(len(holes), 'unjudged document')}; {how}"
    return [Note("judge-lacks-holes", text, unknown)]


def _grades(judgments: Judgments) -> dict[tuple[str, str], float]:
    frame = judgments.to_polars()
    pairs = zip(frame["query"].to_list(), frame["document"].to_list(), strict=True)
    return dict(zip(pairs, frame["value"].to_list(), strict=True))
