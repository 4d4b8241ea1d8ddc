"""How sure is a lead? Other queries would have given another one, and the queries at hand say by how much.

Folds cannot say it: what is held out of one fold is in all the others, so leads of the folds scatter too little, and two
halves of one set even contradict each other (what one half has more of, the other has less of). So every query is left
out once, with the candidates as all queries have them, and the scatter of the leads is their error (a jackknife over
queries). The scale is log-odds for Φ and Eρ², on which they scatter evenly, and the expected share for
power.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import inf, isfinite, log, nan, sqrt

import numpy as np

from rankgauge.analysis.optimize.holdout import Candidate, HeldOut
from rankgauge.analysis.optimize.ranked_grades import RankedGrades
from rankgauge.analysis.optimize.search.form import scores_of
from rankgauge.analysis.optimize.search.objective import Objective
from rankgauge.analysis.optimize.search.weighting import Weighting
from rankgauge.arrays import Floats

ENOUGH = 1.5
"""A lead counts if it is above so many of its errors; tried on collections that did not choose it (papers/coverage)."""


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
    return {name: _jackknife(found - values["start"]) for name, found in values.items()}


def _without_each(grades: RankedGrades, weighting: Weighting, objective: Objective) -> Floats:
    scores = scores_of(grades, weighting.discount, weighting.gain)
    kept = ~np.eye(grades.queries, dtype=bool)
    # What is climbed, not what is counted: a jackknife of a step function says nothing.
    return np.array([_scaled(objective.value(scores[:, keep]), objective) for keep in kept])


def _jackknife(values: Floats) -> float:
    if not np.isfinite(values).all():
        return nan
    return sqrt((len(values) - 1) / len(values) * float(np.square(values - values.mean()).sum()))


def _scaled(value: float, objective: Objective) -> float:
    if not objective.is_coefficient:
        return value
    return log(value / (1.0 - value)) if 0.0 < value < 1.0 else nan


def _slope(value: float, objective: Objective) -> float:
    """How much the value moves when its scale moves by one."""
    return value * (1.0 - value) if objective.is_coefficient else 1.0
