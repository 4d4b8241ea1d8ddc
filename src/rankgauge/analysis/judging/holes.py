"""holes(): could the documents that nobody judged turn a verdict round, and which of them should be judged next?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rankgauge.analysis.compare.options import Design
from rankgauge.analysis.compare.statistics.tests import paired_differences
from rankgauge.analysis.judging.bounded import Sides, limits_of, sharp_bounds
from rankgauge.analysis.judging.holes_result import Holes, PairHoles, ToJudge, pairs_of
from rankgauge.analysis.judging.tops import (
    SHARP,
    Top,
    Tops,
    Weighing,
    holes_of_pairs,
    loaded,
    unweighted,
    weighing_of,
)
from rankgauge.analysis.score_table import checked_table, evaluation_notes
from rankgauge.arrays import Floats, Ints
from rankgauge.data.judgments import Judgments
from rankgauge.data.policy import Policy
from rankgauge.errors import MeasureError, PolicyError, UsageError, plural
from rankgauge.evaluation.evaluate import evaluate, settle_one
from rankgauge.evaluation.scores import Scores
from rankgauge.kernels.resampling import Progress
from rankgauge.measures.catalogue import DEFINITIONS
from rankgauge.measures.measure import Measure
from rankgauge.tables.notes import Note, document_of

EQUAL = 13
"""Decimals to which scores of documents to judge are compared: less is rounding."""


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
    """Bound each pair's difference over every grade that its unjudged documents could have."""
    chosen, rule = settle_one(measure, policy, like)
    _check(chosen, rule, ideal)
    judged = _loaded(judgments)
    listed = loaded(runs, judged)
    judged = judged if only is None else judged.only(only)
    is_sharp, is_open = chosen.definition.name in SHARP, ideal == "open"
    scores = evaluate(judged, listed, chosen, policy=rule if is_sharp else replace(rule, unjudged="bounds"))
    checked_table(scores, "holes")
    design = Design(
        systems=scores.systems, measures=(str(chosen),), baseline=baseline, all_pairs=all_pairs, confidence=confidence
    )
    values = np.ascontiguousarray(scores.values[:, :, 0])
    first, second = design.pairs.T
    differences = paired_differences(values[first], values[second])
    tops = Tops(judged, listed, scores.queries, rule, None if chosen.cutoff is None else int(chosen.cutoff))
    top_grade = _top_grade(tops, max_grade, is_sharp=is_sharp)
    weighing = _weighing(chosen, tops, top_grade) if is_sharp else unweighted(top_grade)
    each = list(tops.each(weighing))
    if is_sharp:
        sides = sharp_bounds(each, weighing, design.pairs, tops.longest, is_open=is_open, progress=progress)
    else:
        sides = _single_bounds(scores, each, design.pairs)
    sides = _around(sides, differences, each, is_open=is_open)
    judge_grades = None if judge is None else _grades(judge if isinstance(judge, Judgments) else Judgments(judge))
    limits, counts = limits_of(differences, sides, confidence), holes_of_pairs(each, design.pairs)
    pairs = pairs_of(design, differences, sides, limits, counts, scores)
    to_judge = None
    if is_sharp:
        expected = expected_gains(weighing, _grades(judged), judge_grades)
        to_judge = worklist(each, weighing, design.pairs[_undecided(pairs)], expected, tops.longest)
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
        notes=(*_unknown_to(judge_grades, each, document_of(scores.about.noun)), *evaluation_notes(scores)),
        systems=scores.systems,
        worklist=to_judge,
        noun=scores.about.noun,
    )


def _loaded(judgments: Any) -> Judgments:
    """Judgments in memory: their lists are looked at one by one."""
    judged = judgments if isinstance(judgments, Judgments) else Judgments(judgments)
    return judged if judged.table.are_dicts else Judgments(judged.table.load(), name=judged.name)


def _weighing(measure: Measure, tops: Tops, top_grade: float) -> Weighing:
    known = np.concatenate([*tops.judged, [0.0]])
    return weighing_of(measure, known, top_grade, tops.longest)


def _check(measure: Measure, policy: Policy, ideal: str) -> None:
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
    largest = max((float(values.max(initial=0.0)) for values in tops.judged), default=0.0)
    if given is None:
        return largest
    if not is_sharp and given != largest:
        raise UsageError(f"max_grade is for {', '.join(SHARP)}; other measures take the largest judged grade")
    if not (given >= largest and np.isfinite(given)):
        raise UsageError(f"max_grade is {given:g}, but a grade of {largest:g} was judged; it must be at least that.")
    return float(given)


def _single_bounds(scores: Scores, tops: Sequence[Top], pairs: Ints) -> Sides:
    """Valid but not sharp: the lowest of one system less the highest of the other."""
    low, high = (side[:, :, 0].copy() for side in scores.bounds or ())
    counts = np.stack([top.has[:, top.is_hole].sum(axis=1) for top in tops], axis=1)
    # Where nothing judged is relevant the measure is undefined now, but would not be if a hole were relevant.
    barren = np.array([not np.any(top.judged > 0) for top in tops])
    high[(counts > 0) & barren] = scores.measures[0].definition.range[1]
    first, second = pairs.T
    return low[first] - high[second], high[first] - low[second]


def _around(sides: Sides, differences: Floats, tops: Sequence[Top], *, is_open: bool) -> Sides:
    """The difference as it is lies inside; a query without holes leaves nothing open, not even a last digit."""
    low, high = np.minimum(sides[0], differences), np.maximum(sides[1], differences)
    closed = np.array([not is_open and not top.is_hole.any() for top in tops])
    low[:, closed] = high[:, closed] = differences[:, closed]
    gaps = np.isnan(differences)
    low[gaps] = high[gaps] = np.nan
    return low, high


def _undecided(pairs: Sequence[PairHoles]) -> Ints:
    """Pairs to judge for: those of open sign; else those of open verdict; else all."""
    for name in ("sign_settled", "verdict_settled"):
        is_open = [not getattr(pair, name) for pair in pairs]
        if any(is_open):
            return np.flatnonzero(is_open)
    return np.arange(len(pairs))


def _unknown_to(grades: Mapping[tuple[str, str], float] | None, tops: Sequence[Top], noun: str) -> list[Note]:
    """A judge that knows few of the holes improves little."""
    holes = [(top.query, document) for top in tops for document in holes_of(top)]
    unknown = 0 if grades is None else sum(pair not in grades for pair in holes)
    if not unknown:
        return []
    how = "are the ids written the same way?" if unknown == len(holes) else "those are placed as if there were no judge"
    text = f"the judge has no label for {unknown:,} of {plural(len(holes), f'unjudged {noun}')}; {how}"
    return [Note("judge-lacks-holes", text, unknown)]


def _grades(judgments: Judgments) -> dict[tuple[str, str], float]:
    frame = judgments.to_polars()
    pairs = zip(frame["query"].to_list(), frame["document"].to_list(), strict=True)
    return dict(zip(pairs, frame["value"].to_list(), strict=True))


@dataclass(frozen=True)
class Expected:
    """The gain to expect of a hole (a model orders the work; it never decides): by the grade that the other judge gave it, else the mean gain of what is judged."""

    mean: float
    by_grade: Mapping[float, float]
    grades: Mapping[tuple[str, str], float]
    """What the other judge said of each (query, document)."""

    def of(self, top: Top) -> Floats:
        known = (self.grades.get((top.query, document)) for document in holes_of(top))
        return np.array([self.mean if grade is None else self.by_grade[grade] for grade in known])


def expected_gains(
    weighing: Weighing, judged: Mapping[tuple[str, str], float], grades: Mapping[tuple[str, str], float] | None
) -> Expected:
    """From everything judged; with another judge, from how what it graded was judged, with two labels of its own beside."""
    gains = dict(zip(judged, weighing.gain(np.array(list(judged.values()), np.float64)).tolist(), strict=True))
    mean = sum(gains.values()) / len(gains) if gains else weighing.top / 2
    if grades is None:
        return Expected(mean, {}, {})
    scale = sorted(set(grades.values()))
    own = np.minimum(weighing.gain(np.clip(np.array(scale), 0.0, weighing.levels[-1])), weighing.top)
    total, count = dict(zip(scale, (2 * own).tolist(), strict=True)), dict.fromkeys(scale, 2)
    for pair, grade in grades.items():
        if pair in gains:
            total[grade] += gains[pair]
            count[grade] += 1
    return Expected(mean, {grade: total[grade] / count[grade] for grade in scale}, grades)


def worklist(
    tops: Sequence[Top], weighing: Weighing, pairs: Ints, expected: Expected, longest: int
) -> tuple[ToJudge, ...]:
    """All holes, first those expected to move the bound which must pass 0 the most; `pairs` are those to decide."""
    first, second = pairs.T
    gains = [expected.of(top) for top in tops]
    ideals = [_ideal(top, weighing, gain, longest) for top, gain in zip(tops, gains, strict=True)]
    total = np.zeros(len(pairs))
    for top, gain, ideal in zip(tops, gains, ideals, strict=True):
        shift = top.weight[first] - top.weight[second]
        known = shift[:, ~top.is_hole] @ weighing.gain(top.value[~top.is_hole])
        total += (known + shift[:, top.is_hole] @ gain) / ideal
    guess = np.where(total >= 0, 1.0, -1.0)
    found = []
    for top, gain, ideal in zip(tops, gains, ideals, strict=True):
        shift = (top.weight[first] - top.weight[second])[:, top.is_hole]
        moves = np.where(guess[:, None] * shift > 0, gain, weighing.top - gain)
        score = (np.abs(shift) * moves).sum(axis=0) / (len(tops) * ideal)
        found += [ToJudge(top.query, *one) for one in zip(holes_of(top), score.tolist(), strict=True)]
    return tuple(sorted(found, key=lambda one: (-round(one.score, EQUAL), one.query, one.document)))


def holes_of(top: Top) -> list[str]:
    """The unjudged documents of a query."""
    return [top.documents[at] for at in np.flatnonzero(top.is_hole)]


def _ideal(top: Top, weighing: Weighing, expected: Floats, longest: int) -> float:
    """The ideal sum of the query if the holes have the gains that are expected; 1 for a measure without one."""
    if not weighing.has_ideal:
        return 1.0
    gains = np.sort(np.concatenate((weighing.gain(top.judged), expected)))[::-1]
    ideal = float(gains @ weighing.weights(longest)[: len(gains)]) if len(gains) else 0.0
    return ideal if ideal > 0 else 1.0
