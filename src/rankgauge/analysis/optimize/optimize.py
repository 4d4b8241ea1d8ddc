"""optimize(): the nDCG that needs the fewest queries, and the advice whether to use it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, overload

import numpy as np

from rankgauge.analysis.optimize.compromise import Compromise, compromise_from, spelling
from rankgauge.analysis.optimize.gains_by_cutoff import GainsByCutoff, gains_of
from rankgauge.analysis.optimize.holdout import HeldOut, blend, check_folds, hold_out, named_candidates, with_certainty
from rankgauge.analysis.optimize.notes import notes_on
from rankgauge.analysis.optimize.ranked_grades import (
    RankedGrades,
    Stages,
    read_collection,
    require_enough,
)
from rankgauge.analysis.optimize.result import Ascent, Optimum, Outcome
from rankgauge.analysis.optimize.search.family import fit_family
from rankgauge.analysis.optimize.search.form import queries_needed, scores_of
from rankgauge.analysis.optimize.search.objective import OBJECTIVES, PHI, Objective, dependability
from rankgauge.analysis.optimize.search.search import Trial, as_weighting, search
from rankgauge.analysis.optimize.search.simplex import steps_of
from rankgauge.analysis.optimize.search.weighting import (
    CHOICES,
    Over,
    Weighting,
    check_weighting,
    measure_text,
    named_weighting,
    weighting_of,
)
from rankgauge.analysis.stability.variance import mean_squares
from rankgauge.data.policy import Policy
from rankgauge.errors import AnalysisError, UsageError, did_you_mean
from rankgauge.kernels.rank_correlation import kendall_tau
from rankgauge.measures.measure import Measure

TARGETS = (0.9, 0.95)


@overload
def optimize(
    judgments: Any,
    runs: Any,
    measure: str | Measure = "nDCG@10",
    *,
    over: str | None = None,
    constrained: bool = True,
    objective: str = "phi",
    folds: int | None = None,
    repeats: int | None = None,
    reach: Sequence[float] | None = None,
    cutoffs: None = None,
    seed: int = 7,
    policy: Policy | None = None,
    like: str | None = None,
    only: Iterable[str] | None = None,
    progress: Stages | None = None,
) -> Optimum: ...


@overload
def optimize(
    judgments: Any,
    runs: Any,
    measure: str | Measure = "nDCG@10",
    *,
    cutoffs: Sequence[int],
    over: str | None = None,
    constrained: bool = True,
    seed: int = 7,
    policy: Policy | None = None,
    like: str | None = None,
    only: Iterable[str] | None = None,
    progress: Stages | None = None,
) -> GainsByCutoff: ...


@overload
def optimize(
    judgments: Mapping[str, tuple[Any, Any]],
    *,
    measure: str | Measure = "nDCG@10",
    over: str | None = None,
    cutoffs: Sequence[int] | None = None,
    relative: bool = True,
    seed: int = 7,
    policy: Policy | None = None,
    like: str | None = None,
    progress: Stages | None = None,
) -> Compromise: ...


def optimize(
    judgments: Any,
    runs: Any = None,
    measure: str | Measure = "nDCG@10",
    *,
    over: str | None = None,
    constrained: bool = True,
    objective: str = "phi",
    folds: int | None = None,
    repeats: int | None = None,
    reach: Sequence[float] | None = None,
    cutoffs: Sequence[int] | None = None,
    relative: bool = True,
    seed: int = 7,
    policy: Policy | None = None,
    like: str | None = None,
    only: Iterable[str] | None = None,
    progress: Stages | None = None,
) -> Optimum | GainsByCutoff | Compromise:
    """Find the discount, the gain or both with which the fewest queries say which system is better.

    `measure` is the nDCG to start from, with a cutoff; `over` is "discount" (the default), "gain" or "both". The
    optimum is a measure again; `recommendation` is the one to use on unseen queries, and often the start itself.
    `folds=0` skips the trial on held-out queries; the default is 4 times 5 folds.

    `objective` is "phi" (the default: scores of systems that can be depended on), "erho" (their order alone) or "power"
    (the share of pairs of systems that paired t-tests at 0.05 tell apart; then the trial is 10 times 2 folds).

    With `cutoffs`, the optimal gain at each of them, for the discount of the measure. With several collections,
    {name: (judgments, runs)} and no runs, one measure for all of them: it suits best the collection that it suits
    least. Each counts by its Φ over that of its own optimum, or with `relative=False` by its Φ alone; with `cutoffs`,
    once at each of them.
    """
    if runs is None:
        chosen = {"policy": policy, "like": like, "only": only}
        _only_phi(objective, "several collections")
        return compromise_from(judgments, measure, chosen, cutoffs, over or "discount", relative, seed, progress)
    collection = read_collection(judgments, runs, measure, policy=policy, like=like, only=only, progress=progress)
    if cutoffs is not None:
        if over not in (None, "gain"):
            raise UsageError(f"cutoffs are for the gain, not over={over!r}")
        _only_phi(objective, "gains by cutoff")
        return gains_of(collection, cutoffs, constrained=constrained, seed=seed, progress=progress)
    found = optimize_grades(
        collection.grades,
        weighting_of(collection.measure, collection.grades),
        over=over or "discount",
        constrained=constrained,
        objective=objective,
        folds=folds,
        repeats=repeats,
        reach=reach,
        seed=seed,
        spell=spelling(collection.measure),
        progress=progress,
    )
    # The collection's notes say the same with the names of queries.
    known = {note.kind for note in collection.notes}
    known |= {"no-hits-below"} if "cutoff-beyond-lists" in known else set()
    notes = (*(note for note in found.notes if note.kind not in known), *collection.notes)
    return replace(found, notes=notes, collection=collection)


def _only_phi(objective: str, what: str) -> None:
    if objective != PHI.name:
        raise UsageError(f"objective={objective!r}: {what} are searched for phi alone; leave the objective out")


def optimize_grades(
    grades: RankedGrades,
    start: Weighting | None = None,
    *,
    over: str = "discount",
    constrained: bool = True,
    objective: str = "phi",
    folds: int | None = None,
    repeats: int | None = None,
    reach: Sequence[float] | None = None,
    seed: int = 0,
    spell: Callable[[Weighting], str] = measure_text,
    progress: Stages | None = None,
) -> Optimum:
    """The discount, the gain or both that maximize the objective, tried on unseen queries (`folds=0` leaves that out).

    `constrained` keeps discounts from rising with the rank and gains from falling with the grade. `start` is the
    present measure (default: linear gain, log2); `spell` writes a weighting as a measure.
    """
    start = start or named_weighting(grades)
    judged = grades.with_relevant()
    aim = objective_named(objective)
    targets = targets_of(aim, reach)
    searched = parts_to_search(judged, start, over)
    folds, repeats = aim.folds if folds is None else folds, aim.repeats if repeats is None else repeats
    if folds:
        check_folds(judged, folds, repeats)
    trials = search(judged, start, searched, constrained=constrained, seed=seed, objective=aim, progress=progress)
    found = _best(trials, judged, start, searched)
    tested = None
    if folds:
        tested = hold_out(
            judged,
            start,
            searched,
            constrained=constrained,
            folds=folds,
            repeats=repeats,
            seed=seed,
            objective=aim,
            progress=progress,
        )
    fitted = fitted_to_all(tested, judged, start, found, searched, aim)
    if tested is not None:
        tested = with_certainty(tested, judged, fitted, aim)
    outcomes = tuple(_outcome(name, one, judged, aim, targets, spell) for name, one in fitted.items())
    before, after = (scores_of(judged, weighting.discount, weighting.gain) for weighting in (start, found))
    return Optimum(
        over=searched,
        constrained=constrained,
        systems=judged.systems,
        query_count=judged.queries,
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
            aim=aim,
        ),
        objective=aim.name,
    )


def fitted_to_all(
    held_out: HeldOut | None,
    grades: RankedGrades,
    start: Weighting,
    found: Weighting,
    over: Over,
    objective: Objective = PHI,
) -> dict[str, Weighting]:
    """Every candidate as all queries together would have it; no shrunk one where its strength is unknown."""
    fitted = {
        "start": start,
        **named_candidates(grades, start, over),
        "optimum": found,
        "family": fit_family(grades, start, over, objective),
    }
    if held_out is not None:
        fitted["shrunk"] = blend(start, found, held_out.strength, over, grades)
    return fitted


def _outcome(
    name: str,
    one: Weighting,
    grades: RankedGrades,
    aim: Objective,
    targets: Sequence[float],
    spell: Callable[[Weighting], str],
) -> Outcome:
    scores = scores_of(grades, one.discount, one.gain)
    value = aim.seen(scores)
    needed = tuple((target, queries_needed(value, target)) for target in targets)
    return Outcome(name, spell(one), dependability(scores), needed, value)


def _best(trials: Sequence[Trial], grades: RankedGrades, start: Weighting, over: Over) -> Weighting:
    if not np.isfinite(trials[0].value):
        raise AnalysisError(
            f"all systems have the same nDCG in every query up to rank {grades.ranks}: nothing separates them"
        )
    return as_weighting(trials[0], start, over, grades)


def objective_named(name: str) -> Objective:
    if name not in OBJECTIVES:
        raise UsageError(f"objective={name!r}: what should be maximized? {did_you_mean(name, OBJECTIVES)}")
    return OBJECTIVES[name]


def targets_of(aim: Objective, reach: Sequence[float] | None) -> Sequence[float]:
    if not aim.is_coefficient:
        if reach is not None:
            raise UsageError(f"reach is for phi and erho: the queries for a target do not follow from {aim.name}")
        return ()
    for target in reach or ():
        if not 0 < target < 1:
            raise UsageError(f"target {target:g} must lie strictly between 0 and 1")
    return TARGETS if reach is None else reach


def parts_to_search(judged: RankedGrades, start: Weighting, over: str) -> Over:
    """The discount, the gain or both: with one grade there is no gain to search."""
    if over not in CHOICES:
        raise UsageError(f"over={over!r}: what should be optimized? {did_you_mean(over, CHOICES)}")
    check_weighting(start, judged)
    require_enough(judged)
    if len(judged.grades) > 1:
        return CHOICES[over]
    if over == "gain":
        raise AnalysisError(
            f"only one grade ({judged.grades[0]:g}) is used: every gain gives the same nDCG\nSearch the discount instead."
        )
    return ("discount",)
