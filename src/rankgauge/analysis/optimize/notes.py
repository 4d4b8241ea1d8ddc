"""What a reader of an optimum should know before believing it."""

from __future__ import annotations

import numpy as np

from rankgauge.analysis.optimize.holdout import HeldOut
from rankgauge.analysis.optimize.ranked_grades import RankedGrades
from rankgauge.analysis.optimize.result import CERTIFIED
from rankgauge.analysis.optimize.search.ascent import LITTLE
from rankgauge.analysis.optimize.search.objective import PHI, Objective
from rankgauge.analysis.optimize.search.search import Trial
from rankgauge.analysis.optimize.search.weighting import Over, Weighting
from rankgauge.analysis.stability.variance import VarianceComponents
from rankgauge.arrays import Floats
from rankgauge.errors import plural
from rankgauge.tables.notes import Note

Told = list[tuple[bool, Note]]
"""Notes, each with whether it holds."""

_NO_DIFFERENCE = "the systems do not differ more than chance: no number of queries makes this measure dependable"
_NOT_HELD_OUT = "not tried on unseen queries (no folds): there is no evidence for a change"
_EXPECTED = (
    "power counts pairs and has no slope: the search climbed, and certifies, the share that as many fresh queries are "
    "expected to tell apart if every observed t is the true one ({:.3f} at the optimum); the count has no certificate"
)
_ONE_GRADE = "only one grade is used, so every gain is the same: the discount alone was searched"
_NOT_ALLOWED = (
    "the start itself rises with the rank or falls with the grade, which the search does not allow: the optimum may be "
    "below it"
)
_NEGATIVE = "the variance between queries is estimated below 0; dependability is given without truncating it"
_AT_BOUND = "a gain ran into its lower bound: it would be 0 if every query had a document of the other grades"


def notes_on(
    grades: RankedGrades,
    judged: RankedGrades,
    best: Trial,
    found: VarianceComponents,
    *,
    start: Weighting,
    over: str,
    searched: Over,
    constrained: bool,
    tested: HeldOut | None,
    aim: Objective = PHI,
) -> tuple[Note, ...]:
    """One sentence each, most important first."""
    possible = [
        *_before_believing(best, found, tested, no_gains=over == "both" and len(searched) == 1),
        (not aim.is_coefficient, Note("expected-power", _EXPECTED.format(best.value))),
        *_about_queries(grades, judged, searched),
        *_about_shape(best, start, searched, constrained=constrained),
        (found.query < 0, Note("negative-variance", _NEGATIVE)),
        *_about_folds(tested),
    ]
    return tuple(note for holds, note in possible if holds)


def _before_believing(best: Trial, found: VarianceComponents, tested: HeldOut | None, *, no_gains: bool) -> Told:
    certificate = f"the search ended with gap {best.gap:.1e}: the optimum is not certified"
    return [
        (found.system <= 0, Note("no-difference", _NO_DIFFERENCE)),
        (tested is None, Note("not-held-out", _NOT_HELD_OUT)),
        (best.gap > CERTIFIED, Note("not-certified", certificate)),
        (no_gains, Note("one-grade", _ONE_GRADE)),
    ]


def _about_queries(grades: RankedGrades, judged: RankedGrades, searched: Over) -> Told:
    empty, deepest = grades.queries - judged.queries, judged.deepest_hit()
    barren = f"{empty} of {plural(grades.queries, 'query')} without a relevant document, left out"
    below = f"no system has a relevant document beyond rank {deepest}: deeper weights act on the ideal alone"
    return [
        (empty > 0, Note("no-relevant-documents", barren, empty)),
        ("discount" in searched and deepest < judged.ranks, Note("no-hits-below", below, deepest)),
    ]


def _about_shape(best: Trial, start: Weighting, searched: Over, *, constrained: bool) -> Told:
    return [
        (constrained and _breaks_the_rule(start, searched), Note("start-not-allowed", _NOT_ALLOWED)),
        ("gain" in searched and _all_but_nothing(best.gain), Note("gain-at-bound", _AT_BOUND)),
    ]


def _about_folds(tested: HeldOut | None) -> Told:
    unusable = tested.unusable if tested else 0
    text = f"{unusable} of the splits left out: all systems are equal on their unseen queries"
    return [(unusable > 0, Note("folds-without-difference", text, unusable))]


def _breaks_the_rule(start: Weighting, searched: Over) -> bool:
    rises = "discount" in searched and bool(np.any(np.diff(start.discount) > 0))
    falls = "gain" in searched and bool(np.any(np.diff(start.gain) < 0))
    return rises or falls


def _all_but_nothing(gain: Floats) -> bool:
    return 0 < float(gain.min() / gain.sum()) <= LITTLE
