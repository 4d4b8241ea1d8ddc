"""What a reader of an optimum should know before believing it."""

from __future__ import annotations

import numpy as np

from rankgauge.analysis.fractional.ascent import LITTLE
from rankgauge.analysis.fractional.grades import Floats, RankedGrades
from rankgauge.analysis.optimal.holdout import HeldOut
from rankgauge.analysis.optimal.result import CERTIFIED
from rankgauge.analysis.optimal.search import Trial
from rankgauge.analysis.optimal.starts import Over
from rankgauge.analysis.optimal.weighting import Weighting
from rankgauge.analysis.stability.variance import VarianceComponents
from rankgauge.errors import plural
from rankgauge.evaluation.notes import Note


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
) -> tuple[Note, ...]:
    """One sentence each, most important first."""
    empty, deepest = grades.queries - judged.queries, judged.deepest_hit()
    told = [
        (
            found.system <= 0,
            Note(
                "no-difference",
                "the systems do not differ more than chance: no number of queries makes this measure dependable",
            ),
        ),
        (
            tested is None,
            Note("not-held-out", "not tried on unseen queries (no folds): there is no evidence for a change"),
        ),
        (
            best.gap > CERTIFIED,
            Note("not-certified", f"the search ended with gap {best.gap:.1e}: the optimum is not certified"),
        ),
        (
            over == "both" and len(searched) == 1,
            Note("one-grade", "only one grade is used, so every gain is the same: the discount alone was searched"),
        ),
        (
            empty > 0,
            Note(
                "no-relevant-documents",
                f"{empty} of {plural(grades.queries, 'query')} without a relevant document, left out",
                empty,
            ),
        ),
        (
            "discount" in searched and deepest < judged.ranks,
            Note(
                "no-hits-below",
                f"no system has a relevant document beyond rank {deepest}: deeper weights act on the ideal alone",
                deepest,
            ),
        ),
        (
            constrained and _breaks_the_rule(start, searched),
            Note(
                "start-not-allowed",
                "the start itself rises with the rank or falls with the grade, which the search does not allow: the "
                "optimum may be below it",
            ),
        ),
        (
            found.query < 0,
            Note(
                "negative-variance",
                "the variance between queries is estimated below 0; dependability is given without truncating it",
            ),
        ),
        (
            "gain" in searched and _all_but_nothing(best.gain),
            Note(
                "gain-at-bound",
                "a gain ran into its lower bound: it would be 0 if every query had a document of the other grades",
            ),
        ),
        (
            tested is not None and tested.unusable > 0,
            Note(
                "folds-without-difference",
                f"{tested.unusable if tested else 0} of the splits left out: all systems are equal on their unseen queries",
                tested.unusable if tested else 0,
            ),
        ),
    ]
    return tuple(note for holds, note in told if holds)


def _breaks_the_rule(start: Weighting, searched: Over) -> bool:
    rises = "discount" in searched and bool(np.any(np.diff(start.discount) > 0))
    falls = "gain" in searched and bool(np.any(np.diff(start.gain) < 0))
    return rises or falls


def _all_but_nothing(gain: Floats) -> bool:
    return 0 < float(gain.min() / gain.sum()) <= LITTLE
