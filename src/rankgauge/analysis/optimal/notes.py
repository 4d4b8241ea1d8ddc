"""What a reader of an optimum should know before believing it."""

from __future__ import annotations

from rankgauge.analysis.fractional.ascent import LITTLE
from rankgauge.analysis.fractional.form import Components
from rankgauge.analysis.fractional.grades import Floats, RankedGrades
from rankgauge.analysis.optimal.holdout import HeldOut
from rankgauge.analysis.optimal.search import Trial
from rankgauge.analysis.optimal.starts import Over

CERTIFIED = 1e-7


def notes_on(
    grades: RankedGrades,
    judged: RankedGrades,
    best: Trial,
    found: Components,
    *,
    over: str,
    searched: Over,
    tested: HeldOut | None,
) -> tuple[str, ...]:
    """One sentence each, most important first."""
    told = [
        (
            found.system <= 0,
            "the systems do not differ more than chance: no number of queries makes this measure dependable",
        ),
        (tested is None, "not tried on unseen queries (folds=0): there is no evidence for a change"),
        (best.gap > CERTIFIED, f"the search ended with gap {best.gap:.1e}: the optimum is not certified"),
        (
            over == "both" and len(searched) == 1,
            "only one grade is used, so every gain is the same: the discount alone was searched",
        ),
        (
            grades.queries > judged.queries,
            f"{grades.queries - judged.queries} of {grades.queries} queries have no relevant document: left out",
        ),
        (
            "discount" in searched and judged.deepest_hit() < judged.ranks,
            f"no system has a relevant document beyond rank {judged.deepest_hit()}: deeper weights act on the ideal",
        ),
        (
            found.query < 0,
            "the variance between queries is estimated below 0; dependability is given without truncating it",
        ),
        (
            "gain" in searched and _all_but_nothing(best.gain),
            "a gain ran into its lower bound: it would be 0 if every query had a document of the other grades",
        ),
    ]
    return tuple(text for holds, text in told if holds)


def _all_but_nothing(gain: Floats) -> bool:
    return 0 < float(gain.min() / gain.sum()) <= LITTLE
