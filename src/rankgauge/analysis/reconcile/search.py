"""The candidates that fit what is known of a number, the likeliest first."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np

from rankgauge.analysis.reconcile.candidates import KNOWN, NEAR, Candidate, candidates, tool_settings
from rankgauge.analysis.reconcile.chance import KIND_OF, KINDS, chance_of, grain, numbers_hit, others_of
from rankgauge.analysis.reconcile.given import Given, fits_queries
from rankgauge.analysis.reconcile.numbers import Numbers
from rankgauge.errors import UsageError, plural
from rankgauge.evaluation.evaluate import Progress
from rankgauge.evaluation.tools.setting import Setting
from rankgauge.measures.measure import Measure


@dataclass(frozen=True)
class Known:
    """All that is known of the number."""

    measure: Measure
    number: Given
    second: dict[Measure, Given] = field(default_factory=dict)
    queries: dict[str, Given] = field(default_factory=dict)

    def as_percent(self) -> Known:
        """The same numbers, those without a % sign as percentages."""
        return Known(
            self.measure,
            self.number.as_percent(),
            {measure: one.as_percent() for measure, one in self.second.items()},
            {query: one.as_percent() for query, one in self.queries.items()},
        )


@dataclass(frozen=True)
class Search:
    """The candidates that fit, the chance that one of a kind does, and how they fit."""

    known: Known
    fitting: list[Candidate]
    by_chance: dict[str, float]
    as_near: dict[str, float]
    """The same for fitting as near as these do."""
    exact: bool
    """Whether they round to the number; else they are one unit of the last digit away."""
    pool: list[Candidate]

    def chance(self, one: Candidate) -> float:
        """The chance that something of the candidate's kind fits as near as it does."""
        return self.as_near[KIND_OF[one.tier]]


def search(numbers: Numbers, known: Known, progress: Progress | None = None) -> Search:
    names = {*numbers.queries, *numbers.extra}
    absent = [query for query in known.queries if query not in names]
    if absent:
        raise UsageError(f"{plural(len(absent), 'query')} of the values per query not in judgments or run: {absent[0]}")
    pool = candidates(numbers, known.measure, progress)
    if known.number.value > 1 and all(one.mean <= 1 for one in pool):
        if known.number.value > 100:
            raise UsageError(f"{known.number.text} is too large: {known.measure} is at most 1, or 100%")
        known = known.as_percent()
    return sought(numbers, known, pool)


def sought(numbers: Numbers, known: Known, pool: list[Candidate]) -> Search:
    """The search among candidates that are there already."""
    for units in (0, 1):
        near = [one for one in pool if known.number.fits(one.mean, units)]
        fitting = [one for found in near if (one := _narrowed(numbers, found, known, units)) is not None]
        if fitting:
            break
    fitting.sort(key=lambda one: (*one.cost, not one.tools, str(one.changes)))
    others = [_Around(numbers, pool, known.measure, known.number)]
    others += [_Around(numbers, _at(numbers, pool, measure), measure, one) for measure, one in known.second.items()]
    by_chance = {kind: _chance(others, known, kind, 0) for kind in KINDS}
    as_near = {kind: _chance(others, known, kind, units) for kind in KINDS} if units and fitting else by_chance
    return Search(known, fitting, by_chance, as_near, units == 0, pool)


class _Around:
    """One of the numbers that are known, beside the candidates' and numbers made in another way."""

    def __init__(self, numbers: Numbers, pool: list[Candidate], measure: Measure, number: Given) -> None:
        self.number, self.pool, self.others = number, pool, others_of(pool)
        self.grid = grain(measure, len(numbers.queries))

    def chance(self, kind: str, units: int) -> float:
        return chance_of(self.number, self.pool, self.others, kind, self.grid, units)


def _chance(others: list[_Around], known: Known, kind: str, units: int) -> float:
    """That something of this kind fits by chance all that is known."""
    return math.prod(one.chance(kind, units) for one in others) * 0.1 ** min(len(known.queries), 6)


def _at(numbers: Numbers, pool: list[Candidate], measure: Measure) -> list[Candidate]:
    """The candidates' numbers for another measure; those two decisions away are too many to be worth it."""
    moved = []
    for one in pool:
        if one.tier <= NEAR:
            setting = numbers.at(one.setting, measure)
            values = numbers.of_queries(setting)
            moved.append(Candidate(setting, numbers.mean(setting, values), values, one.tier, one.changes))
    return moved


def _narrowed(numbers: Numbers, one: Candidate, known: Known, units: int) -> Candidate | None:
    """The candidate with those of its tools that give all the other numbers too; None if nothing does."""
    if not fits_queries(one.values, [*numbers.queries, *numbers.extra], known.queries):
        return None
    tools, itself = one.tools, True
    for measure, number in known.second.items():
        theirs = tool_settings(measure) if tools else {}
        tools = tuple(name for name in tools if name in theirs and _gives(numbers, theirs[name], number, units))
        itself &= _gives(numbers, numbers.at(one.setting, measure), number, units)
    return replace(one, tools=tools) if tools or itself else None


def _gives(numbers: Numbers, setting: Setting, number: Given, units: int) -> bool:
    return number.fits(numbers.mean(setting), units)


MOST = 0.1
"""The largest share of printed numbers around that another count may explain, if it is to be mentioned."""


def other_count(pool: list[Candidate], number: Given, queries: int) -> tuple[Candidate, int] | None:
    """A sum divided by another whole number than that of the queries, for the settings that somebody is known to use.

    With few digits or many queries some count gives every number; then none is worth mentioning.
    """
    known = sorted((one for one in pool if one.tier == KNOWN), key=lambda one: one.cost)
    counts = np.arange(max(1, queries // 2), 2 * queries + 1)
    means = np.array([np.nansum(one.values) / counts for one in known]).reshape(len(known), len(counts))
    around, unit = number.value / 4, 10.0**-number.digits
    near = means[np.abs(means - number.value) <= around]
    if not len(near) or len(numbers_hit(near, number.tolerance, unit)) * unit > MOST * 2 * around:
        return None
    for one, row in zip(known, means, strict=True):
        fits = np.flatnonzero(np.abs(row - number.value) <= number.tolerance)
        if len(fits):
            return one, int(counts[fits[0]])
    return None
