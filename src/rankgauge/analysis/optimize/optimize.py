"""From a table of grades to the most dependable nDCG, and to the advice whether to use it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from rankgauge.analysis.optimize.holdout import HeldOut, blend, check_folds, hold_out, named_candidates
from rankgauge.analysis.optimize.notes import notes_on
from rankgauge.analysis.optimize.ranked_grades import RankedGrades, require_enough
from rankgauge.analysis.optimize.result import Ascent, Optimum, Outcome
from rankgauge.analysis.optimize.search.family import fit_family
from rankgauge.analysis.optimize.search.form import dependability, queries_needed, scores_of
from rankgauge.analysis.optimize.search.search import Progress, Trial, as_weighting, search
from rankgauge.analysis.optimize.search.starts import CHOICES, Over
from rankgauge.analysis.optimize.search.steps import steps_of
from rankgauge.analysis.optimize.search.weighting import Weighting, check_weighting, measure_text, named_weighting
from rankgauge.analysis.stability.variance import mean_squares
from rankgauge.errors import AnalysisError, UsageError, did_you_mean
from rankgauge.kernels.rank_correlation import kendall_tau


def optimize_grades(
    grades: RankedGrades,
    start: Weighting | None = None,
    *,
    over: str = "discount",
    constrained: bool = True,
    folds: int = 5,
    repeats: int = 4,
    targets: Sequence[float] = (0.9, 0.95),
    seed: int = 0,
    spell: Callable[[Weighting], str] = measure_text,
    progress: Progress | None = None,
) -> Optimum:
    """The discount, the gain or both that maximise Φ, tried on queries they never saw (`folds=0` leaves that out).

    `constrained` keeps discounts from rising with the rank and gains from falling with the grade. `start` is the
    present measure (default: linear gain, log2); `spell` writes a weighting as a measure.
    """
    start = start or named_weighting(grades)
    judged = grades.with_relevant()
    searched = _checked(judged, start, over, targets)
    if folds:
        check_folds(judged, folds, repeats)
    trials = search(judged, start, searched, constrained=constrained, seed=seed, progress=progress)
    found = _best(trials, judged, start, searched)
    tested = None
    if folds:
        tested = hold_out(
            judged, start, searched, constrained=constrained, folds=folds, repeats=repeats, seed=seed, progress=progress
        )
    fitted = fitted_to_all(tested, judged, start, found, searched)
    outcomes = tuple(_outcome(name, one, judged, targets, spell) for name, one in fitted.items())
    before, after = (scores_of(judged, weighting.discount, weighting.gain) for weighting in (start, found))
    return Optimum(
        over=searched,
        constrained=constrained,
        systems=judged.systems,
        queries=judged.queries,
        candidates=outcomes,
        recommendation=spell(fitted[tested.recommended if tested else "start"]),
        discount=tuple(found.discount.tolist()),
        start_discount=tuple(start.discount.tolist()),
        steps=steps_of(found.discount) if "discount" in searched else (),
        gain=tuple(zip(grades.grades, found.gain.tolist(), strict=True)),
        start_gain=tuple(zip(grades.grades, start.gain.tolist(), strict=True)),
        relevant_by_rank=tuple(tuple(shares) for shares in judged.relevant_by_rank().tolist()),
        gap=trials[0].gap,
        ascents=tuple(Ascent(trial.start, trial.value, trial.gap) for trial in trials),
        held_out=tested,
        tau=kendall_tau(before.mean(axis=1), after.mean(axis=1)),
        seed=seed,
        notes=notes_on(
            grades,
            judged,
            trials[0],
            mean_squares(after).components(),
            start=start,
            over=over,
            searched=searched,
            constrained=constrained,
            tested=tested,
        ),
    )


def fitted_to_all(
    held_out: HeldOut | None, grades: RankedGrades, start: Weighting, found: Weighting, over: Over
) -> dict[str, Weighting]:
    """Every candidate as all queries together would have it; no shrunk one where nothing tells its strength."""
    fitted = {
        "start": start,
        **named_candidates(grades, start, over),
        "optimum": found,
        "family": fit_family(grades, start, over),
    }
    if held_out is not None:
        fitted["shrunk"] = blend(start, found, held_out.strength, over, grades)
    return fitted


def _outcome(
    name: str, one: Weighting, grades: RankedGrades, targets: Sequence[float], spell: Callable[[Weighting], str]
) -> Outcome:
    value = dependability(scores_of(grades, one.discount, one.gain))
    return Outcome(name, spell(one), value, tuple((target, queries_needed(value, target)) for target in targets))


def _best(trials: Sequence[Trial], grades: RankedGrades, start: Weighting, over: Over) -> Weighting:
    if not np.isfinite(trials[0].value):
        raise AnalysisError(
            f"all systems have the same nDCG in every query up to rank {grades.ranks}: nothing tells them apart"
        )
    return as_weighting(trials[0], start, over, grades)


def _checked(judged: RankedGrades, start: Weighting, over: str, targets: Sequence[float]) -> Over:
    """What there is to search, after everything that can be wrong has been looked at."""
    if over not in CHOICES:
        raise UsageError(f"over={over!r}: what should be optimised? {did_you_mean(over, CHOICES)}")
    for target in targets:
        if not 0 < target < 1:
            raise UsageError(f"target {target:g} must lie strictly between 0 and 1")
    check_weighting(start, judged)
    require_enough(judged)
    if len(judged.grades) > 1:
        return CHOICES[over]
    if over == "gain":
        raise AnalysisError(
            f"only one grade ({judged.grades[0]:g}) is used: every gain gives the same nDCG\nSearch the discount instead."
        )
    return ("discount",)
