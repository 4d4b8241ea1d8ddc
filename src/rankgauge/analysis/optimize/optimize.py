"""optimize(): the nDCG that needs the fewest queries, and the advice whether to use it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, overload

import numpy as np

from rankgauge.analysis.optimize.compromise import Compromise, compromise_of
from rankgauge.analysis.optimize.gains_by_cutoff import GainsByCutoff, cutoffs_of, gains_of
from rankgauge.analysis.optimize.holdout import HeldOut, blend, check_folds, hold_out, named_candidates
from rankgauge.analysis.optimize.notes import notes_on
from rankgauge.analysis.optimize.ranked_grades import (
    Collection,
    RankedGrades,
    Stages,
    common_grades,
    read_collection,
    require_enough,
)
from rankgauge.analysis.optimize.result import Ascent, Optimum, Outcome
from rankgauge.analysis.optimize.search.family import fit_family
from rankgauge.analysis.optimize.search.form import dependability, queries_needed, scores_of
from rankgauge.analysis.optimize.search.search import Trial, as_weighting, search
from rankgauge.analysis.optimize.search.starts import CHOICES, Over
from rankgauge.analysis.optimize.search.steps import steps_of
from rankgauge.analysis.optimize.search.weighting import (
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


@overload
def optimize(
    judgments: Any,
    runs: Any,
    measure: str | Measure = "nDCG@10",
    *,
    over: str | None = None,
    constrained: bool = True,
    folds: int = 5,
    repeats: int = 4,
    reach: Sequence[float] = (0.9, 0.95),
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
    folds: int = 5,
    repeats: int = 4,
    reach: Sequence[float] = (0.9, 0.95),
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
    `folds=0` skips the trial on held-out queries.

    With `cutoffs`, the optimal gain at each of them, for the discount of the measure. With several collections,
    {name: (judgments, runs)} and no runs, one measure for all of them: it suits best the collection that it suits
    least. Each counts by its Φ over that of its own optimum, or with `relative=False` by its Φ alone; with `cutoffs`,
    once at each of them.
    """
    if runs is None:
        chosen = {"policy": policy, "like": like, "only": only}
        return _compromise(judgments, measure, chosen, cutoffs, over or "discount", relative, seed, progress)
    collection = read_collection(judgments, runs, measure, policy=policy, like=like, only=only, progress=progress)
    if cutoffs is not None:
        if over not in (None, "gain"):
            raise UsageError(f"cutoffs are for the gain, not over={over!r}")
        return gains_of(collection, cutoffs, constrained=constrained, seed=seed, progress=progress)
    found = optimize_grades(
        collection.grades,
        weighting_of(collection.measure, collection.grades),
        over=over or "discount",
        constrained=constrained,
        folds=folds,
        repeats=repeats,
        reach=reach,
        seed=seed,
        spell=_spelling(collection.measure),
        progress=progress,
    )
    # The collection's notes say the same with the names of queries.
    known = {note.kind for note in collection.notes}
    known |= {"no-hits-below"} if "cutoff-beyond-lists" in known else set()
    notes = (*(note for note in found.notes if note.kind not in known), *collection.notes)
    return replace(found, notes=notes, collection=collection)


def _compromise(
    collections: Any,
    measure: str | Measure,
    chosen: dict[str, Any],
    cutoffs: Sequence[int] | None,
    over: str,
    relative: bool,  # noqa: FBT001 - a private helper
    seed: int,
    progress: Stages | None,
) -> Compromise:
    if not isinstance(collections, Mapping) or not all(
        isinstance(pair, (tuple, list)) and len(pair) == 2 for pair in collections.values()
    ):
        raise UsageError("give judgments and runs, or several collections as {name: (judgments, runs)}")
    read: dict[str, Collection] = {
        str(name): read_collection(pair[0], pair[1], measure, **chosen) for name, pair in collections.items()
    }
    if not read:
        raise UsageError("no collection is given; name at least one")
    first = next(iter(read.values())).measure
    wanted = cutoffs_of(first, cutoffs or [int(first.cutoff or 0)])
    shared = common_grades([one.grades for one in read.values()])
    tables = {
        name if cutoffs is None else f"{name}@{cutoff}": grades.cut(cutoff)
        for name, grades in zip(read, shared, strict=True)
        for cutoff in wanted
    }
    deepest = first @ wanted[-1]
    start, spell = weighting_of(deepest, shared[0]), _spelling(deepest)
    return compromise_of(tables, start, over=over, relative=relative, seed=seed, spell=spell, progress=progress)


def _spelling(measure: Measure) -> Callable[[Weighting], str]:
    return lambda found: str(measure(gain=found.gain_text, discount=found.discount_text))


def optimize_grades(
    grades: RankedGrades,
    start: Weighting | None = None,
    *,
    over: str = "discount",
    constrained: bool = True,
    folds: int = 5,
    repeats: int = 4,
    reach: Sequence[float] = (0.9, 0.95),
    seed: int = 0,
    spell: Callable[[Weighting], str] = measure_text,
    progress: Stages | None = None,
) -> Optimum:
    """The discount, the gain or both that maximize Φ, tried on queries they never saw (`folds=0` leaves that out).

    `constrained` keeps discounts from rising with the rank and gains from falling with the grade. `start` is the
    present measure (default: linear gain, log2); `spell` writes a weighting as a measure.
    """
    start = start or named_weighting(grades)
    judged = grades.with_relevant()
    searched = _checked(judged, start, over, reach)
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
    outcomes = tuple(_outcome(name, one, judged, reach, spell) for name, one in fitted.items())
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
        ),
    )


def fitted_to_all(
    held_out: HeldOut | None, grades: RankedGrades, start: Weighting, found: Weighting, over: Over
) -> dict[str, Weighting]:
    """Every candidate as all queries together would have it; no shrunk one where its strength is unknown."""
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
    name: str, one: Weighting, grades: RankedGrades, reach: Sequence[float], spell: Callable[[Weighting], str]
) -> Outcome:
    value = dependability(scores_of(grades, one.discount, one.gain))
    return Outcome(name, spell(one), value, tuple((target, queries_needed(value, target)) for target in reach))


def _best(trials: Sequence[Trial], grades: RankedGrades, start: Weighting, over: Over) -> Weighting:
    if not np.isfinite(trials[0].value):
        raise AnalysisError(
            f"all systems have the same nDCG in every query up to rank {grades.ranks}: nothing separates them"
        )
    return as_weighting(trials[0], start, over, grades)


def _checked(judged: RankedGrades, start: Weighting, over: str, reach: Sequence[float]) -> Over:
    """What there is to search, after everything that can be wrong has been looked at."""
    if over not in CHOICES:
        raise UsageError(f"over={over!r}: what should be optimized? {did_you_mean(over, CHOICES)}")
    for target in reach:
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
