"""What is known of a number, the candidates that fit it, and how often a number made in another way would fit by chance."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from rankgauge.analysis.reconcile.candidates import FAR, KNOWN, NEAR, Candidate, Numbers, candidates, tool_settings
from rankgauge.arrays import Floats
from rankgauge.data.door import is_frame
from rankgauge.errors import DataError, MeasureError, UsageError, plural
from rankgauge.evaluation.evaluate import Progress
from rankgauge.evaluation.setting import Setting
from rankgauge.measures.grammar import parse
from rankgauge.measures.measure import Measure
from rankgauge.signature import members

SINGLE = 3e-7
"""How far single precision may take a mean of numbers between 0 and 1."""
DIGITS = 12
"""Digits beyond these say nothing."""


@dataclass(frozen=True)
class Given:
    """A number as it was printed: anything that rounds to it may be behind it."""

    text: str
    value: float
    digits: int

    @property
    def unit(self) -> float:
        """One of the last digit."""
        return 10.0**-self.digits

    def tolerance(self, units: int = 0) -> float:
        """How far a mean may be off that rounds to the number, or is some units of the last digit away."""
        return 0.5 * self.unit + SINGLE + units * self.unit

    def fits(self, mean: float, units: int = 0) -> bool:
        return abs(mean - self.value) <= self.tolerance(units)

    def as_percent(self) -> Given:
        """The number as a percentage, unless it says so already."""
        if self.text.endswith("%"):
            return self
        return Given(f"{self.text}%", self.value / 100, min(self.digits + 2, DIGITS))


def given_number(value: Any) -> Given:
    """A number as text ("0.2857", "28.57%") or as a float, whose digits are those that Python prints."""
    text = str(value).strip()
    bare = text.removesuffix("%").strip()
    try:
        number = float(bare)
    except ValueError:
        raise UsageError(f"{text!r} is not a number such as 0.2857") from None
    if not math.isfinite(number) or isinstance(value, bool):
        raise UsageError(f"{text!r} is not a finite number")
    mantissa, _, exponent = bare.lower().partition("e")
    digits = len(mantissa.partition(".")[2]) - int(exponent or 0)
    if text.endswith("%"):
        number, digits = number / 100, digits + 2
    return Given(text, number, min(max(digits, 0), DIGITS))


def second_numbers(given: Any) -> dict[Measure, Given]:
    """Other numbers of the same tool: "nDCG@5=0.71", a list of such texts, or {measure: number}."""
    pairs: list[tuple[str, Any]] = []
    if isinstance(given, Mapping):
        pairs += [(str(name), value) for name, value in given.items()]
    elif isinstance(given, (str, list, tuple)):
        for text in [given] if isinstance(given, str) else given:
            name, sign, value = str(text).rpartition("=")
            if not sign or not name:
                raise UsageError(f"{text!r} is not a second number such as nDCG@5=0.71")
            pairs.append((name, value))
    elif given is not None:
        raise UsageError(f"cannot read second numbers from {type(given).__name__}; give a text such as nDCG@5=0.71")
    found: dict[Measure, Given] = {}
    for name, value in pairs:
        measure, number = parse(name), given_number(value)
        if measure in found:
            raise UsageError(f"{measure} has two numbers, {found[measure].text} and {number.text}; give one")
        found[measure] = number
    return found


def query_numbers(given: Any) -> dict[str, Given]:
    """Values of single queries: {query: value}, a table with two columns, or a file with query and value in each line."""
    if given is None:
        return {}
    if isinstance(given, (str, PathLike)):
        return _from_file(Path(given))
    rows: Sequence[Sequence[Any]]
    if isinstance(given, Mapping):
        rows = list(given.items())
    elif is_frame(given):
        from rankgauge.data.columns import to_frame

        frame = to_frame(given, "per_query")
        rows = frame.rows() if frame.width > 1 else [()]
    else:
        listed = members(given)
        if listed is None:
            raise UsageError(f"cannot read values of queries from {type(given).__name__}; give a dict or a path")
        rows = [list(row.values()) if isinstance(row, Mapping) else members(row) or [] for row in listed or [[]]]
    if any(len(row) < 2 for row in rows):
        raise UsageError("values of queries need two columns: query and value")
    found: dict[str, Given] = {}
    for row in rows:
        query, number = str(row[0]), given_number(row[-1])
        if query in found:
            raise UsageError(f"query {query} has two values, {found[query].text} and {number.text}; give one")
        found[query] = number
    return found


def _from_file(path: Path) -> dict[str, Given]:
    """The last two words of each line; a header, and the line of the mean, are passed over."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        raise DataError(f"{path} is not a text file; give lines of query and value") from None
    except (OSError, ValueError) as problem:  # ValueError: a NUL in the name
        why = getattr(problem, "strerror", None) or problem
        raise DataError(f"{path}: {why}", hint="Give a file with lines of query and value.") from None
    found: dict[str, Given] = {}
    for at, line in enumerate(lines, 1):
        words = line.replace(",", " ").split()
        if len(words) < 2 or words[-2] in {"all", "mean", "amean"}:
            continue
        query, text = words[-2:]
        try:
            number = given_number(text)
        except UsageError:
            if at == 1:
                continue
            raise DataError(f"{path}, line {at}: {text!r} is not a number; give query and value") from None
        if query in found:
            raise DataError(
                f"{path}, line {at}: query {query} has two values, {found[query].text} and {text}; give one"
            )
        found[query] = number
    if not found:
        raise DataError(f"{path} holds no values of queries; give lines of query and value")
    return found


@dataclass(frozen=True)
class Known:
    """All that is known of the number."""

    measure: Measure
    number: Given
    second: dict[Measure, Given] = field(default_factory=dict)
    queries: dict[str, Given] = field(default_factory=dict)

    def as_percent(self) -> Known:
        """The same numbers, those without a % sign as percentages."""
        second = {measure: one.as_percent() for measure, one in self.second.items()}
        queries = {query: one.as_percent() for query, one in self.queries.items()}
        return Known(self.measure, self.number.as_percent(), second, queries)


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
    absent = [query for query in known.queries if query not in numbers.place]
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
    asked = [(known.measure, known.number, pool)]
    asked += [(measure, number, _at(numbers, pool, measure)) for measure, number in known.second.items()]
    around = [(number, near, others_of(near), grain(one, len(numbers.queries))) for one, number, near in asked]

    def chances(units: int) -> dict[str, float]:
        """That something of each kind fits by chance all that is known."""
        share = 0.1 ** min(len(known.queries), 6)
        return {
            kind: math.prod(chance_of(number, near, others, kind, grid, units) for number, near, others, grid in around)
            * share
            for kind in KINDS
        }

    by_chance = chances(0)
    return Search(known, fitting, by_chance, chances(1) if units and fitting else by_chance, units == 0, pool)


def _at(numbers: Numbers, pool: list[Candidate], measure: Measure) -> list[Candidate]:
    """The candidates' numbers for another measure; those two decisions away are too many to be worth it."""
    moved = []
    for one in pool:
        if one.tier <= NEAR:
            setting = _same_decisions(one.setting, measure)
            values = numbers.of_queries(setting)
            moved.append(Candidate(setting, numbers.mean(setting, values), values, one.tier, one.changes))
    return moved


def _same_decisions(setting: Setting, measure: Measure) -> Setting:
    """The same for another measure or cutoff, as far as the other measure has such options and words for them."""
    for name, value in setting.measure.options:
        if name in measure.definition.options:
            with suppress(MeasureError):
                measure = measure(**{name: value})
    return replace(setting, measure=measure)


def _narrowed(numbers: Numbers, one: Candidate, known: Known, units: int) -> Candidate | None:
    """The candidate with those of its tools that give all the other numbers too; None if nothing does."""
    of_queries = ((one.values[numbers.place[query]], number) for query, number in known.queries.items())
    if not all(math.isnan(value) or number.fits(value) for value, number in of_queries):
        return None
    tools, itself = one.tools, True
    for measure, number in known.second.items():
        theirs = tool_settings(measure) if tools else {}
        tools = tuple(name for name in tools if name in theirs and number.fits(numbers.mean(theirs[name]), units))
        itself &= number.fits(numbers.mean(_same_decisions(one.setting, measure)), units)
    return replace(one, tools=tools) if tools or itself else None


KINDS: dict[str, Callable[[Candidate], bool]] = {
    "known tools": lambda one: one.tier == KNOWN,
    "one decision away": lambda one: len(one.changes) <= 1,
    "either": lambda one: one.tier <= NEAR,
    "two decisions away": lambda one: one.tier <= FAR,
}
"""Kinds of explanations. Tools may be one decision away too; "either" is what can be called likely."""
KIND_OF = {KNOWN: "known tools", NEAR: "one decision away", FAR: "two decisions away"}
"""The kind of which a candidate's chance is printed beside it."""
REACH = 1.5
"""How far the neighborhood of a number extends, in standard errors of the mean: other numbers of a run, such as the mean
of a part of its queries, are about as far from each other. Narrower neighborhoods say more about a place, but an
explanation is found where candidates are dense: the chance printed beside it is then farther from the rate over all."""
CLUSTERED = 1.65
"""Numbers that are made by evaluating, rightly or wrongly, lie nearer to those of candidates than numbers at random do.
Chosen, as REACH was, by papers/reconcile/recompute.py on nine collections and seven measures, and checked with --others
on others, whose figures were seen while the width was settled."""
ON_GRID = 0.15
"""The share of other numbers that lie on the same grid as those of the measure, such as multiples of 1/400."""
LEAST = 5
"""A neighborhood has at least so many units of the last digit on each side."""
DRAWS, MOST_QUERIES = 200, 1000
"""How many other sets of queries are drawn; with more queries than these their means no longer coincide."""
SAME = 1e-9
"""Means that are nearer than this are one number, whatever the digits."""
UNIFORM = 1 / math.sqrt(12)
"""The standard deviation of a number between 0 and 1 of which nothing is known."""


def chance_of(given: Given, pool: Sequence[Candidate], others: Floats, kind: str, grid: float, units: int = 0) -> float:
    """The chance that a number near this one, made in a way that is not among the candidates, fits one of a kind.

    `others` are numbers made in another way, `grid` is the step between numbers that the measure can have, and `units`
    of the last digit is how far from the number a candidate may be and still fits.
    """
    means = np.array([one.mean for one in pool if KINDS[kind](one)])
    if not len(means):
        return 0.0
    if round(given.value, given.digits) in {0.0, 1.0} and any(given.fits(mean) for mean in means.tolist()):
        return 1.0  # where everything or nothing is found, settings do not differ
    nearest = min(pool, key=lambda one: abs(one.mean - given.value)).values
    there = nearest[~np.isnan(nearest)]
    error = float(there.std()) / math.sqrt(len(there)) if len(there) > 1 else UNIFORM
    reach = max(REACH * error, LEAST * given.unit)
    covered = 1 - (1 - _covered(means, given.value, given.tolerance(units), given.unit, reach)) ** CLUSTERED
    if grid > given.unit:
        covered = (1 - ON_GRID) * covered + ON_GRID * _covered(means, given.value, grid / 2, grid, reach)
    return covered + (1 - covered) * _coincident(means, others, given.value, reach)


def grain(measure: Measure, queries: int) -> float:
    """The step between numbers that a measure can have at all, such as 1/400 for P@10 of 40 queries; 0 if none."""
    name, cutoff = measure.definition.name, measure.cutoff
    if name == "Success":
        return 1 / queries
    return 1 / (queries * cutoff) if name == "P" and cutoff else 0.0


def _covered(means: Floats, value: float, tolerance: float, step: float, reach: float) -> float:
    """The share of printed numbers around a value that some mean rounds to, the nearer ones counted more."""
    hit = _numbers_hit(means[np.abs(means - value) <= 4 * reach], tolerance, step)
    weight = np.exp(-0.5 * ((hit * step - value) / reach) ** 2)
    return min(float(weight.sum()) * step / (reach * math.sqrt(2 * math.pi)), 1.0)


def _numbers_hit(means: Floats, tolerance: float, step: float) -> Floats:
    """The multiples of a step that are within the tolerance of some mean, each once."""
    first, last = np.ceil((means - tolerance) / step), np.floor((means + tolerance - SINGLE) / step)
    width = int(np.max(last - first, initial=0.0))
    return np.unique(np.concatenate([np.minimum(first + more, last) for more in range(width + 1)]))


def others_of(pool: Sequence[Candidate]) -> Floats:
    """Means over other sets of queries, drawn by lot, under what is known to be done."""
    known = [one.values for one in pool if one.tier == KNOWN and _varies(one.values)]
    if not known or not LEAST <= len(known[0]) <= MOST_QUERIES:
        return np.empty(0)
    values, lot = np.array(known).T, np.random.default_rng(len(known[0]))
    count = len(values)
    kept = lot.integers(count // 2, count, (DRAWS, 1))
    chosen = (lot.random((DRAWS, count)).argsort(axis=1) < kept).astype(np.float64)
    there = chosen @ ~np.isnan(values)
    means = (chosen @ np.nan_to_num(values))[there > 0] / there[there > 0]
    return means[(means > SAME) & (means < 1 - SAME)]


def _varies(values: Floats) -> bool:
    """Not where every query has the same value: any set of queries has that mean, rightly."""
    there = values[~np.isnan(values)]
    return bool(np.any(np.abs(there - there[:1]) > SAME))


def _coincident(means: Floats, others: Floats, value: float, reach: float) -> float:
    """The share of other numbers around a value that are exactly one of the means: few queries leave few numbers."""
    others = others[np.abs(others - value) <= 4 * reach]
    weight = np.exp(-0.5 * ((others - value) / reach) ** 2)
    if weight.sum() < 1:
        return 0.0
    ordered = np.append(np.sort(means), np.inf)
    same = ordered[np.searchsorted(ordered, others - SAME)] <= others + SAME
    return float(weight[same].sum() / weight.sum())


MOST = 0.1
"""The largest share of printed numbers around that another count may explain, if it is to be mentioned."""


def other_count(pool: list[Candidate], number: Given, queries: int) -> tuple[Candidate, int] | None:
    """A sum divided by another whole number than that of the queries, for the settings that somebody is known to use.

    With few digits or many queries some count gives every number; then none is worth mentioning.
    """
    known = sorted((one for one in pool if one.tier == KNOWN), key=lambda one: one.cost)
    counts = np.arange(max(1, queries // 2), 2 * queries + 1)
    means = np.array([np.nansum(one.values) / counts for one in known]).reshape(len(known), len(counts))
    around = number.value / 4
    near = means[np.abs(means - number.value) <= around]
    if not len(near) or len(_numbers_hit(near, number.tolerance(), number.unit)) * number.unit > MOST * 2 * around:
        return None
    for one, row in zip(known, means, strict=True):
        fits = np.flatnonzero(np.abs(row - number.value) <= number.tolerance())
        if len(fits):
            return one, int(counts[fits[0]])
    return None
