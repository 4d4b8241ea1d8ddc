"""What a reader of an optimum should know before believing it."""

from __future__ import annotations

import numpy as np

from rankgauge.analysis.optimize.holdout import HeldOut
from rankgauge.analysis.optimize.ranked_grades import RankedGrades
from rankgauge.analysis.optimize.result import CERTIFIED
from rankgauge.analysis.optimize.search.ascent import LITTLE
from rankgauge.analysis.optimize.search.search import Trial
from rankgauge.analysis.optimize.search.weighting import Question
from rankgauge.analysis.stability.variance import VarianceComponents
from rankgauge.errors import many, plural
from rankgauge.tables.notes import NOUNS, Note, document_of, with_article

_NO_DIFFERENCE = "the systems do not differ more than chance: no number of {queries} makes this measure dependable"
_NOT_HELD_OUT = "not tried on unseen {queries} (no folds): there is no evidence for a change"
_EXPECTED = (
    "power counts pairs and has no slope: the search climbed, and certifies, the share that as many fresh {queries} are "
    "expected to separate if every observed t is the true one ({reached:.3f} at the optimum); the count has no certificate"
)
_ONE_GRADE = "only one grade is used, so every gain is the same: the discount alone was searched"
_NOT_ALLOWED = (
    "the start itself rises with the rank or falls with the grade, which the search does not allow: the optimum may be "
    "below it"
)
_NEGATIVE = "the variance between {queries} is estimated below 0; dependability is given without truncating it"
_AT_BOUND = "a gain ran into its lower bound: it would be 0 if every {query} had {a_document} of the other grades"


def notes_on(
    grades: RankedGrades,
    judged: RankedGrades,
    best: Trial,
    found: VarianceComponents,
    asked: Question,
    tested: HeldOut | None,
    *,
    no_gains: bool,
    noun: str = NOUNS[0],
) -> tuple[Note, ...]:
    """One sentence each, most important first. `no_gains`: they were asked for, too, and there are none to search."""
    discount, gain = ("discount" in asked.over, "gain" in asked.over)
    words = {"query": noun, "queries": many(noun), "a_document": with_article(document_of(noun))}
    uncertified = f"the search ended with gap {best.gap:.1e}: the optimum is not certified"
    empty, deepest = grades.queries - judged.queries, judged.deepest_hit()
    barren = f"{empty} of {plural(grades.queries, noun)} without a relevant {document_of(noun)}, left out"
    below = f"no system has a relevant {document_of(noun)} beyond rank {deepest}: deeper weights act on the ideal alone"
    rises, falls = np.any(np.diff(asked.start.discount) > 0), np.any(np.diff(asked.start.gain) < 0)
    not_allowed = asked.constrained and ((discount and rises) or (gain and falls))
    unusable = tested.unusable if tested else 0
    idle = f"{unusable} of the splits left out: all systems are equal on their unseen {many(noun)}"
    possible = (
        (found.system <= 0, Note("no-difference", _NO_DIFFERENCE.format(**words))),
        (tested is None, Note("not-held-out", _NOT_HELD_OUT.format(**words))),
        (best.gap > CERTIFIED, Note("not-certified", uncertified)),
        (no_gains, Note("one-grade", _ONE_GRADE)),
        (not asked.objective.is_coefficient, Note("expected-power", _EXPECTED.format(reached=best.value, **words))),
        (empty > 0, Note("no-relevant-documents", barren, empty)),
        (discount and deepest < judged.ranks, Note("no-hits-below", below, deepest)),
        (not_allowed, Note("start-not-allowed", _NOT_ALLOWED)),
        (gain and 0 < best.gain.min() / best.gain.sum() <= LITTLE, Note("gain-at-bound", _AT_BOUND.format(**words))),
        (found.query < 0, Note("negative-variance", _NEGATIVE.format(**words))),
        (unusable > 0, Note("folds-without-difference", idle, unusable)),
    )
    return tuple(note for holds, note in possible if holds)
