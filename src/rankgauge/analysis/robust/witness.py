"""A measure under which the other system wins: the plainest first, and each confirmed by ordinary evaluation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np

from rankgauge.analysis.robust.bound import MARGIN
from rankgauge.analysis.robust.classes import Point
from rankgauge.analysis.robust.counts import Basis
from rankgauge.analysis.robust.family import FAINT, Free, NamedMeasure, with_gains
from rankgauge.analysis.robust.verdicts import PairVerdict
from rankgauge.arrays import Floats, Ints
from rankgauge.evaluation.columns import decided
from rankgauge.evaluation.scores import Scores, weighted
from rankgauge.measures.grammar import parse
from rankgauge.measures.measure import Measure

# A difference that a reader can see, if there is one; else any that rounding cannot explain.
_VISIBLE = (1e-6, 1e-9)
_DIGITS = (2, 3, 5, 8, 17)


class Witness(NamedTuple):
    """A measure, the difference that ordinary evaluation finds under it, and whether it holds "from" it on or "up to" it."""

    measure: str | None = None
    difference: float | None = None
    holds: Literal["from", "up to", ""] = ""


def find_witnesses(
    collection: Basis,
    free: Free,
    candidates: Sequence[NamedMeasure],
    pairs: Ints,
    judged: Sequence[PairVerdict],
    own: Floats,
    named: Floats,
) -> list[Witness | None]:
    """For every pair that depends, a measure under which not the system that the user's measure prefers wins."""
    side = np.where(own > MARGIN, -1, np.where(own < -MARGIN, 1, 0))
    chosen = [_nearest(named[at], int(side[at])) if one.verdict == "depends" else None for at, one in enumerate(judged)]
    used = sorted({at for at in chosen if at is not None})
    means = ordinary_means(collection, [candidates[at].measure for at in used])
    found: list[Witness | None] = []
    for at, one in enumerate(judged):
        witness, place = None, chosen[at]
        if place is not None:
            difference = float(np.subtract(*means[pairs[at], used.index(place)]))
            if _flips(difference, int(side[at])):
                holds = _range(candidates, place, named[at] * np.sign(difference))
                witness = Witness(str(candidates[place].measure), difference, holds)
        if witness is None and one.verdict == "depends":
            witness = _from_points(collection, free, pairs[at], one, int(side[at]))
        found.append(witness)
    return found


def _flips(difference: float, side: int) -> bool:
    return difference * side > MARGIN if side else abs(difference) > MARGIN


def _nearest(named: Floats, side: int) -> int | None:
    """The first candidate, and so the nearest, under which the other system wins; any winner if the measure has none."""
    toward = named * side if side else np.abs(named)
    for least in _VISIBLE:
        if np.any(toward > least):
            return int(np.argmax(toward > least))
    return None


def _range(candidates: Sequence[NamedMeasure], place: int, toward: Floats) -> Literal["from", "up to", ""]:
    """Whether the same system wins under all measures of the line beyond this one, or before it."""
    line, step = candidates[place].line, candidates[place].step
    if line not in {"zipf", "rbp", "power", "jk"}:
        return ""
    others = [(one.step, toward[at]) for at, one in enumerate(candidates) if one.line == line]
    if all(value > 0 for other, value in others if other >= step):
        return "from"
    return "up to" if all(value > 0 for other, value in others if other <= step) else ""


def _from_points(collection: Basis, free: Free, pair: Ints, judged: PairVerdict, side: int) -> Witness | None:
    """The point that corners or the search found, written with as few digits as still show it."""
    for point in [judged.above, judged.below] if side >= 0 else [judged.below]:
        if point is None:
            continue
        for measure in _written(collection, free, point):
            first, second = ordinary_means(collection, [measure], pair.tolist())[:, 0]
            difference = float(first - second)
            if _flips(difference, side):
                return Witness(str(measure), difference)
    return None


def _written(collection: Basis, free: Free, point: Point) -> Iterator[Measure]:
    for faint in FAINT:
        for digits in _DIGITS:
            measure = collection.measure
            if free.discount:
                measure = _discounted(measure, _rounded(point.weights(), digits))
            if free.gain:
                gains = np.maximum(_rounded(point.gains(faint), digits), 1e-300)
                measure = with_gains(measure, collection.counts.grades, gains.tolist())
            # What is tried is what a user would read: the text, parsed again.
            yield parse(str(measure))


def _discounted(measure: Measure, weights: Floats) -> Measure:
    """Equal weights are a plain cutoff; zeros at the end need not be written."""
    last = int(np.flatnonzero(weights)[-1]) + 1
    if np.all(weights[:last] == weights[0]):
        return measure(discount="none") @ last
    return measure(discount=weights[:last].tolist())


def _rounded(numbers: Floats, digits: int) -> Floats:
    return np.array([float(f"{number:.{digits}g}") for number in numbers.tolist()])


def ordinary_means(collection: Basis, measures: Sequence[Measure], systems: Sequence[int] | None = None) -> Floats:
    """What `evaluate` gives: the mean of every system under every measure."""
    view = collection.view
    places = range(len(view.ruled)) if systems is None else systems
    if not measures:
        return np.empty((len(places), 0))
    blocks = []
    for ruled in (view.ruled[place] for place in places):
        missing = ruled.match.hits.retrieved == 0
        columns = [decided(ruled.value(measure), measure, view.policy, missing, view.pool)[0] for measure in measures]
        blocks.append(np.stack(columns, axis=1))
    values = np.stack(blocks)[:, view.kept]
    queries = tuple(name for name, there in zip(view.queries, view.kept, strict=True) if there)
    weights = None if collection.query_weights is None else collection.query_weights[view.kept]
    labels = tuple(str(place) for place in range(len(values)))
    scores = Scores(labels, queries, tuple(measures), values, view.policy)
    means = (scores if weights is None else weighted(scores, weights)).mean()
    return np.array([list(row.values()) for row in means.values()])
