"""The candidates that fit what is known of a number, the likeliest first."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import field

import numpy as np

from rankgauge.arrays import Floats
from rankgauge.evaluation.reconcile.candidates import FAR, KNOWN, NEAR, Candidate, candidates
from rankgauge.evaluation.reconcile.given import SINGLE, Given, fits_queries
from rankgauge.evaluation.reconcile.numbers import Numbers
from rankgauge.frozen import dataclass
from rankgauge.measures.measure import Measure


@dataclass(frozen=True)
class Known:
    """All that is known of the number."""

    measure: Measure
    number: Given
    second: dict[Measure, Given] = field(default_factory=dict)
    queries: dict[str, Given] = field(default_factory=dict)


@dataclass(frozen=True)
class Search:
    """The candidates that fit, the chance that one of a tier does, and how they fit."""

    fitting: list[Candidate]
    by_tier: dict[int, float]
    exact: bool
    """Whether they round to the number; else they are one unit of the last digit away."""
    pool: list[Candidate]


def search(numbers: Numbers, known: Known) -> Search:
    pool = candidates(numbers, known.measure)
    return sought(numbers, known, pool)


def sought(numbers: Numbers, known: Known, pool: list[Candidate]) -> Search:
    """The search among candidates that are there already."""
    for units in (0, 1):
        fitting = [one for one in pool if _fits(numbers, one, known, units)]
        if fitting:
            break
    fitting.sort(key=lambda one: (*one.cost, not one.tools, str(one.changes)))
    by_tier = {tier: chance(numbers, known, pool, tier) for tier in (KNOWN, NEAR, FAR)}
    return Search(fitting, by_tier, units == 0, pool)


def chance(numbers: Numbers, known: Known, pool: list[Candidate], tier: int) -> float:
    """That something as good as this tier fits by chance all that is known."""
    found = _alone(numbers, known.measure, known.number, pool, tier)
    for measure, number in known.second.items():
        found *= _alone(numbers, measure, number, _at(numbers, pool, measure, tier), tier)
    return found * 0.1 ** min(len(known.queries), 6)


def _alone(numbers: Numbers, measure: Measure, number: Given, pool: list[Candidate], tier: int) -> float:
    nearest = min(pool, key=lambda one: abs(one.mean - number.value), default=None)
    error = _error(nearest.values) if nearest is not None else 0.0
    return chance_of(number, pool, tier, error, grain(measure, len(numbers.queries)))


def _error(values: Floats) -> float:
    """The standard error of a mean over queries."""
    there = values[~np.isnan(values)]
    return float(there.std()) / math.sqrt(len(there))


def _at(numbers: Numbers, pool: list[Candidate], measure: Measure, tier: int) -> list[Candidate]:
    """The candidates' numbers for another measure."""
    moved = []
    for one in pool:
        if one.tier <= min(tier, NEAR):
            setting = numbers.at(one.setting, measure)
            values = numbers.of_queries(setting)
            moved.append(Candidate(setting, numbers.mean(setting, values), values, one.tier, one.changes))
    return moved


def _fits(numbers: Numbers, one: Candidate, known: Known, units: int) -> bool:
    if not known.number.fits(one.mean, units):
        return False
    for measure, number in known.second.items():
        if not number.fits(numbers.mean(numbers.at(one.setting, measure)), units):
            return False
    return fits_queries(one.values, [*numbers.queries, *numbers.extra], known.queries)


def grain(measure: Measure, queries: int) -> float:
    """The step between numbers that a measure can have at all; 0 where they are as good as continuous."""
    name, cutoff = measure.definition.name, measure.cutoff
    if name == "Success":
        return 1 / queries
    return 1 / (queries * cutoff) if name == "P" and cutoff else 0.0


def other_count(pool: list[Candidate], number: Given, queries: int) -> tuple[Candidate, int] | None:
    """A sum divided by another whole number than that of the queries, for the settings that somebody is known to use."""
    for one in sorted(pool, key=lambda one: one.cost):
        if one.tier > 0:
            break
        total = _total(one.values)
        for count in range(max(1, queries // 2), 2 * queries + 1):
            if number.fits(total / count):
                return one, count
    return None


def _total(values: Floats) -> float:
    return float(values[values == values].sum())  # noqa: PLR0124 - nan


REACH = 0.7
"""How far the neighborhood of a number extends, in standard errors of the mean: other numbers of a run, such as the mean
of a part of its queries, are about as far from each other."""
CLUSTERED = 1.35
"""Numbers that are made by evaluating, rightly or wrongly, lie nearer to those of candidates than numbers at random do.
Chosen, as REACH was, by papers/reconcile/recompute.py on nine collections and seven measures, and checked with --others
on collections that had no part in it."""
ON_GRID = 0.15
"""The share of other numbers that lie on the same grid as those of the measure, such as multiples of 1/400."""
LEAST = 5
"""A neighborhood has at least so many units of the last digit on each side."""


def chance_of(given: Given, pool: Sequence[Candidate], tier: int, error: float, grain: float) -> float:
    """The chance that a number near this one, made in a way that is not among the candidates, fits one of them.

    `error` is the standard error of the measure's mean. `grain` is the step between numbers that it can have at all,
    such as 1/400 for P@10 of 40 queries; 0 if there is none.
    """
    means = np.array([one.mean for one in pool if one.tier <= tier])
    if not len(means):
        return 0.0
    if round(given.value, given.digits) in {0.0, 1.0} and any(given.fits(mean) for mean in means.tolist()):
        return 1.0  # where everything or nothing is found, settings do not differ
    unit = 10.0**-given.digits
    reach = max(REACH * error, LEAST * unit)
    covered = CLUSTERED * _covered(means, given.value, given.tolerance, unit, reach)
    if grain > unit:
        covered = (1 - ON_GRID) * covered + ON_GRID * _covered(means, given.value, grain / 2, grain, reach)
    return min(covered, 1.0)


def _covered(means: Floats, value: float, tolerance: float, step: float, reach: float) -> float:
    """The share of printed numbers around a value that some mean rounds to, the nearer ones counted more."""
    near = means[np.abs(means - value) <= 4 * reach]
    edges = np.concatenate((near - tolerance, near + tolerance - SINGLE)) / step
    hit = np.unique(np.concatenate((np.ceil(edges[: len(near)]), np.floor(edges[len(near) :]))))
    weight = np.exp(-0.5 * ((hit * step - value) / reach) ** 2)
    return float(weight.sum()) * step / (reach * math.sqrt(2 * math.pi))
