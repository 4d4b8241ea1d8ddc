"""optimize(): the nDCG that needs the fewest queries, and the advice whether to use it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypedDict, Unpack, overload

import numpy as np

from rankgauge.analysis.optimize.compromise import Compromise, compromise_of, read_several, spelling
from rankgauge.analysis.optimize.gains_by_cutoff import GainsByCutoff, gains_of
from rankgauge.analysis.optimize.holdout import all_candidates, check_folds, hold_out, with_certainty
from rankgauge.analysis.optimize.notes import notes_on
from rankgauge.analysis.optimize.ranked_grades import RankedGrades, Stages, read_collection
from rankgauge.analysis.optimize.result import Ascent, Optimum, Outcome
from rankgauge.analysis.optimize.search.form import queries_needed
from rankgauge.analysis.optimize.search.objective import OBJECTIVES, PHI, Objective, dependability
from rankgauge.analysis.optimize.search.search import search
from rankgauge.analysis.optimize.search.simplex import steps_of
from rankgauge.analysis.optimize.search.weighting import (
    Question,
    Weighting,
    check_weighting,
    measure_text,
    named_weighting,
    parts_to_search,
    weighting_of,
)
from rankgauge.analysis.stability.variance import mean_squares
from rankgauge.data.policy import Policy
from rankgauge.errors import AnalysisError, UsageError
from rankgauge.kernels.ranks import kendall_tau
from rankgauge.measures.measure import Measure
from rankgauge.tables.notes import NOUNS

TARGETS = (0.9, 0.95)


class _ForSeveral(TypedDict, total=False):
    over: str | None
    seed: int
    policy: Policy | None
    like: str | None
    progress: Stages | None


class _ForGains(_ForSeveral, total=False):
    constrained: bool
    only: Iterable[str] | None


class _ForOne(_ForGains, total=False):
    objective: str
    folds: int | None
    repeats: int | None
    reach: Sequence[float] | None


@overload
def optimize(
    judgments: Any, runs: Any, measure: str | Measure = "nDCG@10", *, cutoffs: None = None, **how: Unpack[_ForOne]
) -> Optimum: ...


@overload
def optimize(
    judgments: Any, runs: Any, measure: str | Measure = "nDCG@10", *, cutoffs: Sequence[int], **how: Unpack[_ForGains]
) -> GainsByCutoff: ...


@overload
def optimize(
    judgments: Mapping[str, tuple[Any, Any]],
    *,
    measure: str | Measure = "nDCG@10",
    cutoffs: Sequence[int] | None = None,
    relative: bool = True,
    **how: Unpack[_ForSeveral],
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
    """Find the discount, the gain or both with which the fewest queries say which system is better."""
    if runs is None:
        _only_phi(objective, "several collections")
        tables, start, spell = read_several(judgments, measure, cutoffs, policy=policy, like=like, only=only)
        return compromise_of(
            tables, start, over=over or "discount", relative=relative, seed=seed, spell=spell, progress=progress
        )
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
        noun=collection.noun,
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
    noun: str = NOUNS[0],
    progress: Stages | None = None,
) -> Optimum:
    """The discount, the gain or both that maximize the objective, tried on unseen queries (`folds=0` leaves that out).

    `constrained` keeps discounts from rising with the rank and gains from falling with the grade. `start` is the
    present measure (default: linear gain, log2); `spell` writes a weighting as a measure.
    """
    start = start or named_weighting(grades)
    judged = grades.with_relevant()
    aim = OBJECTIVES[objective]
    targets = _targets(aim, reach)
    asked = Question(start, parts_to_search(judged, over), constrained, aim, seed)
    check_weighting(start, judged)
    folds, repeats = aim.folds if folds is None else folds, aim.repeats if repeats is None else repeats
    if folds:
        check_folds(judged, folds, repeats)
    trials = search(judged, asked, progress=progress)
    best = trials[0]
    if not np.isfinite(best.value):
        raise AnalysisError(
            f"all systems have the same nDCG in every query up to rank {judged.ranks}: nothing separates them"
        )
    found = asked.answered(best.discount, best.gain, judged)
    tested = hold_out(judged, asked, folds=folds, repeats=repeats, progress=progress) if folds else None
    fitted = all_candidates(judged, asked, found, tested.strength if tested else None)
    if tested is not None:
        tested = with_certainty(tested, judged, fitted, aim)
    before, after = start.scores(judged), found.scores(judged)
    components, no_gains = mean_squares(after).components(), over == "both" and len(asked.over) == 1
    return Optimum(
        over=asked.over,
        constrained=constrained,
        systems=judged.systems,
        query_count=judged.queries,
        candidates=tuple(_outcome(name, one, judged, aim, targets, spell) for name, one in fitted.items()),
        recommendation=spell(fitted[tested.recommended if tested else "start"]),
        discount=tuple(found.discount.tolist()),
        start_discount=tuple(start.discount.tolist()),
        steps=steps_of(found.discount) if "discount" in asked.over else (),
        gain=tuple(zip(grades.grades, found.gain.tolist(), strict=True)),
        start_gain=tuple(zip(grades.grades, start.gain.tolist(), strict=True)),
        relevant_by_rank=tuple(map(tuple, judged.relevant_by_rank().tolist())),
        gap=best.gap,
        ascents=tuple(Ascent(trial.start, trial.value, trial.gap) for trial in trials),
        held_out=tested,
        tau=kendall_tau(before.mean(axis=1), after.mean(axis=1)),
        seed=seed,
        notes=notes_on(grades, judged, best, components, asked, tested, no_gains=no_gains, noun=noun),
        objective=aim.name,
        noun=noun,
    )


def _outcome(
    name: str,
    one: Weighting,
    grades: RankedGrades,
    aim: Objective,
    targets: Sequence[float],
    spell: Callable[[Weighting], str],
) -> Outcome:
    scores = one.scores(grades)
    value = aim.seen(scores)
    needed = tuple((target, queries_needed(value, target)) for target in targets)
    return Outcome(name, spell(one), value, dependability(scores), needed)


def _targets(aim: Objective, reach: Sequence[float] | None) -> Sequence[float]:
    if not aim.is_coefficient:
        if reach is not None:
            raise UsageError(f"reach is for phi and erho: the queries for a target do not follow from {aim.name}")
        return ()
    return TARGETS if reach is None else reach
