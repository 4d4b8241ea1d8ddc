"""The candidates that fit what is known of a number, the likeliest first."""

from __future__ import annotations

import math
from dataclasses import field

import numpy as np

from rankgauge.arrays import Floats
from rankgauge.evaluation.reconcile.candidates import FAR, KNOWN, NEAR, Candidate, candidates
from rankgauge.evaluation.reconcile.chance import chance_of
from rankgauge.evaluation.reconcile.given import Given, fits_queries
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
class Found:
    """The candidates that fit, the chance that one of a tier does, and how they fit."""

    fitting: list[Candidate]
    by_tier: dict[int, float]
    exact: bool
    """Whether they round to the number; else they are one unit of the last digit away."""
    pool: list[Candidate]


def search(numbers: Numbers, known: Known) -> Found:
    pool = candidates(numbers, known.measure)
    return sought(numbers, known, pool)


def sought(numbers: Numbers, known: Known, pool: list[Candidate]) -> Found:
    """The search among candidates that are there already."""
    for units in (0, 1):
        fitting = [one for one in pool if _fits(numbers, one, known, units)]
        if fitting:
            break
    fitting.sort(key=lambda one: (*one.cost, not one.tools, str(one.changes)))
    by_tier = {tier: chance(numbers, known, pool, tier) for tier in (KNOWN, NEAR, FAR)}
    return Found(fitting, by_tier, units == 0, pool)


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


def is_far(one: Candidate) -> bool:
    return one.tier >= FAR


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
