"""Does a gain or discount found on some queries still win on queries it never saw?

How sure is a lead? Other queries would have given another one, and the queries at hand say by how much. Folds cannot say
it: what is held out of one fold is in all the others, so leads of the folds scatter too little, and two halves of one set
even contradict each other (what one half has more of, the other has less of). So every query is left out once, with the
candidates as all queries have them, and the scatter of the leads is their error (a jackknife over queries). The scale is
log-odds for Φ and Eρ², on which they scatter evenly, and the expected share for power.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, isfinite, log, nan, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankgauge.analysis.optimize.ranked_grades import RankedGrades, Stages, with_progress
from rankgauge.analysis.optimize.search.family import fit_family
from rankgauge.analysis.optimize.search.objective import Objective
from rankgauge.analysis.optimize.search.search import search
from rankgauge.analysis.optimize.search.weighting import (
    Question,
    Weighting,
    as_levels,
    as_weights,
    named_discount,
    named_gain,
)
from rankgauge.analysis.stability.reliability import jackknife_variance
from rankgauge.arrays import Floats
from rankgauge.errors import AnalysisError, UsageError
from rankgauge.tables import plain

STRENGTHS = tuple(step / 10 for step in range(11))  # 0 is the start, 1 the optimum
INNER_FOLDS = 3
DISCOUNTS, GAINS = ("log2", "zipf", "linear"), ("linear", "exp")
NEGLIGIBLE = 0.01  # a relative gain for which nobody should change a measure
GROUPS = 1000
"""Of queries that a jackknife leaves out one after the other; up to so many queries, each is a group of its own."""
ENOUGH = 1.5
"""A lead counts if it is above so many of its errors; tried on collections that did not choose it (papers/coverage)."""


@dataclass(frozen=True)
class Candidate:
    """Mean value of the objective on unseen queries, and the standard deviation of that mean over the splits.

    `lead` is the mean difference to the start, split by split, `error` the standard deviation of that mean. `query_error`
    is how far other queries would have moved the lead: a jackknife over queries, and mostly the larger of the two.
    """

    name: str
    value: float
    deviation: float
    lead: float = 0.0
    error: float = 0.0
    query_error: float = 0.0


@dataclass(frozen=True)
class HeldOut:
    """`gain` is the mean lead of `best` over the start, split by split, `error` the standard deviation of that mean.

    `recommended` is `best`, or "start" where the gain is not above its error (one-standard-error rule), below 1 %, or not
    `sure`: splits share queries, so the error is a floor of the true one, and the lead must also be above 1.5 times its
    error over queries. `strength` is how far the shrunk candidate should go; `unusable` splits say nothing, since all
    systems are equal on their unseen queries.
    """

    folds: int
    repeats: int
    seed: int
    candidates: tuple[Candidate, ...]
    best: str
    recommended: str
    gain: float
    error: float
    strength: float
    unusable: int = 0
    sure: bool = True

    def to_dict(self) -> dict[str, Any]:
        parts = {"deviation": "deviation", "lead": "lead", "lead_error": "error", "query_error": "query_error"}
        verdict = ("best", "recommended", "gain", "error", "sure", "strength", "unusable")
        found = {
            "folds": self.folds,
            "repeats": self.repeats,
            **{one.name: one.value for one in self.candidates},
            **{name: {one.name: getattr(one, part) for one in self.candidates} for name, part in parts.items()},
            **{name: getattr(self, name) for name in verdict},
        }
        return {name: plain(part) for name, part in found.items()}

    def __getitem__(self, name: str) -> Candidate:
        return next(candidate for candidate in self.candidates if candidate.name == name)


def hold_out(
    grades: RankedGrades, asked: Question, *, folds: int = 5, repeats: int = 4, progress: Stages | None = None
) -> HeldOut:
    """K-fold cross-validation over queries, repeated: every candidate is fitted without the queries it is tried on."""
    check_folds(grades, folds, repeats)
    tried: dict[str, list[float]] = {}
    by_strength = []
    parts = list(splits(grades.queries, folds, repeats, asked.seed))
    for seen, unseen in with_progress(parts, "folds", progress):
        train, test = grades.select(seen), grades.select(unseen)
        fitted = candidates(train, asked)
        values = {name: asked.objective.seen(weighting.scores(test)) for name, weighting in fitted.items()}
        if all(np.isfinite(value) for value in values.values()):
            for name, value in values.items():
                tried.setdefault(name, []).append(value)
            by_strength.append(_at_strengths(test, asked, fitted["optimum"]))
    if not by_strength:
        raise AnalysisError(f"in none of the {folds} folds do the systems differ\nUse fewer folds, or 0 for none.")
    found = {name: np.array(values) for name, values in tried.items()}
    verdict = _verdict(found, folds, repeats, asked.seed, _best_strength(by_strength))
    return replace(verdict, unusable=len(parts) - len(by_strength))


def check_folds(grades: RankedGrades, folds: int, repeats: int) -> None:
    if folds < 2 or repeats < 1:
        raise UsageError(f"folds={folds}, repeats={repeats}: at least 2 folds and 1 repeat are needed, or folds=0")
    if grades.queries < 2 * folds:
        raise AnalysisError(
            f"{grades.queries} queries with relevant documents are too few for {folds} folds of at least 2; "
            "use fewer folds, or 0 for none"
        )


def splits(queries: int, folds: int, repeats: int, seed: int) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """(seen, unseen) queries: each repeat shuffles again and holds every query out once."""
    random = np.random.default_rng(seed)
    for _ in range(repeats):
        parts = np.array_split(random.permutation(queries), folds)
        for held in range(folds):
            seen = np.concatenate([part for number, part in enumerate(parts) if number != held])
            yield np.sort(seen), np.sort(parts[held])


def candidates(grades: RankedGrades, asked: Question) -> dict[str, Weighting]:
    """Every candidate as these queries alone would have it."""
    return all_candidates(grades, asked, _optimum(grades, asked), inner_strength(grades, asked))


def all_candidates(
    grades: RankedGrades, asked: Question, optimum: Weighting, strength: float | None
) -> dict[str, Weighting]:
    """The start and its rivals; no shrunk one where its strength is unknown."""
    found = {
        "start": asked.start,
        **named_candidates(grades, asked),
        "optimum": optimum,
        "family": fit_family(grades, asked),
    }
    if strength is not None:
        found["shrunk"] = blend(asked, optimum, strength, grades)
    return found


def named_candidates(grades: RankedGrades, asked: Question) -> dict[str, Weighting]:
    named: dict[str, Weighting] = {}
    if "discount" in asked.over:
        for name in DISCOUNTS:
            called = f"{name} discount" if name in GAINS and "gain" in asked.over else name  # both have a linear one
            named[called] = asked.start.with_discount(named_discount(name, grades.ranks), name)
    if "gain" in asked.over:
        named |= {name: asked.start.with_gain(named_gain(name, grades.grades), name) for name in GAINS}
    return named


def blend(asked: Question, optimum: Weighting, strength: float, grades: RankedGrades) -> Weighting:
    """The start moved towards the optimum: 0 stays, 1 arrives."""
    start = asked.start
    if strength in {0.0, 1.0}:
        return optimum if strength else start
    mixed = start
    if "discount" in asked.over:
        mixed = mixed.with_discount(*as_weights(_mix(start.discount, optimum.discount, strength)))
    if "gain" in asked.over:
        mixed = mixed.with_gain(*as_levels(_mix(start.gain, optimum.gain, strength), grades.grades))
    return mixed


def inner_strength(grades: RankedGrades, asked: Question) -> float:
    """The strength that served unseen queries best within these queries; 0 where they are too few to decide."""
    folds = min(INNER_FOLDS, grades.queries // 2)
    if folds < 2:
        return 0.0
    return _best_strength(
        [
            _at_strengths(grades.select(unseen), asked, _optimum(grades.select(seen), asked))
            for seen, unseen in splits(grades.queries, folds, 1, asked.seed)
        ]
    )


def _at_strengths(unseen: RankedGrades, asked: Question, optimum: Weighting) -> list[float]:
    blends = (blend(asked, optimum, strength, unseen) for strength in STRENGTHS)
    return [asked.objective.value(mixed.scores(unseen)) for mixed in blends]


def _best_strength(values: Sequence[Sequence[float]]) -> float:
    return STRENGTHS[int(np.mean(values, axis=0).argmax())]


def _optimum(grades: RankedGrades, asked: Question) -> Weighting:
    best = search(grades, asked, thorough=False)[0]
    return asked.answered(best.discount, best.gain, grades)


def _verdict(tried: Mapping[str, Floats], folds: int, repeats: int, seed: int, strength: float) -> HeldOut:
    scored = tuple(_candidate(name, values, tried["start"]) for name, values in tried.items())
    # The first of equals: the start before all others.
    best = max(scored, key=lambda candidate: candidate.value)
    worth_it = best.lead > best.error and best.lead > NEGLIGIBLE * abs(float(tried["start"].mean()))
    advised = best.name if worth_it else "start"
    return HeldOut(folds, repeats, seed, scored, best.name, advised, best.lead, best.error, strength)


def _candidate(name: str, values: Floats, start: Floats) -> Candidate:
    ahead = values - start
    return Candidate(name, float(values.mean()), _error(values), float(ahead.mean()), _error(ahead))


def _error(values: Floats) -> float:
    return float(values.std(ddof=1)) / sqrt(len(values)) if len(values) > 1 else 0.0


def _mix(start: Floats, optimum: Floats, strength: float) -> Floats:
    mixed: Floats = (1 - strength) * start / start.sum() + strength * optimum / optimum.sum()
    return mixed


def with_certainty(
    found: HeldOut, grades: RankedGrades, fitted: Mapping[str, Weighting], objective: Objective
) -> HeldOut:
    """The same trial; every lead has its error over queries, and the advice follows only where the lead carries it."""
    errors = lead_errors(grades, fitted, objective)
    start = found["start"].value
    candidates = tuple(
        replace(one, query_error=errors.get(one.name, nan) * _slope(start, objective)) for one in found.candidates
    )
    best = next(one for one in candidates if one.name == found.best)
    sure = is_sure(best, start, errors.get(found.best, inf), objective)
    advised = found.recommended if sure or found.recommended == "start" else "start"
    return replace(found, candidates=candidates, recommended=advised, sure=sure)


def is_sure(one: Candidate, start: float, error: float, objective: Objective) -> bool:
    """Whether the lead on unseen queries is above 1.5 of its errors."""
    lead = _scaled(one.value, objective) - _scaled(start, objective)
    return isfinite(lead) and isfinite(error) and lead > ENOUGH * error


def lead_errors(grades: RankedGrades, fitted: Mapping[str, Weighting], objective: Objective) -> dict[str, float]:
    """Of every candidate's lead over the start; nan where it cannot be told."""
    values = {name: _without_each(grades, one, objective) for name, one in fitted.items()}
    leads = {name: found - values["start"] for name, found in values.items()}
    return {name: sqrt(jackknife_variance(lead)) if np.isfinite(lead).all() else nan for name, lead in leads.items()}


def _without_each(grades: RankedGrades, weighting: Weighting, objective: Objective) -> Floats:
    """The value without each query, or of many queries without each of GROUPS groups: time grows with queries alone.

    Groups take turns in the order of queries, and differ in size by one at most.
    """
    scores = weighting.scores(grades)
    group = np.arange(grades.queries) % GROUPS
    # What is climbed, not what is counted: a jackknife of a step function says nothing.
    return np.array(
        [_scaled(objective.value(scores[:, group != left]), objective) for left in range(min(GROUPS, grades.queries))]
    )


def _scaled(value: float, objective: Objective) -> float:
    if not objective.is_coefficient:
        return value
    return log(value / (1.0 - value)) if 0.0 < value < 1.0 else nan


def _slope(value: float, objective: Objective) -> float:
    """How much the value moves when its scale moves by one."""
    return value * (1.0 - value) if objective.is_coefficient else 1.0
