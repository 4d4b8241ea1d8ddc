"""What to judge next: the holes that are expected to move the bound which must pass 0 the most.

A model orders the work; it never decides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rankgauge.analysis.judging.tops import Top, Weighing
from rankgauge.arrays import Floats, Ints
from rankgauge.tables.shown import Plain

EQUAL = 13
"""Decimals to which scores are compared: less is rounding."""


@dataclass(frozen=True, slots=True)
class ToJudge(Plain):
    """A document to judge; `score` is by how much a bound is expected to move."""

    query: str
    document: str
    score: float


@dataclass(frozen=True)
class Expected:
    """The gain to expect of a hole: by the grade that the other judge gave it, else the mean gain of what is judged."""

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
    """All holes, the most useful first; `pairs` are those to decide."""
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
