"""reconcile(): whose number is this?"""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike
from typing import Any, ClassVar, Literal

import numpy as np

from rankgauge.analysis.reconcile.candidates import FAR, KNOWN, Candidate, Numbers, moves, own_setting, tool_settings
from rankgauge.analysis.reconcile.search import (
    Known,
    Search,
    given_number,
    other_count,
    query_numbers,
    search,
    second_numbers,
)
from rankgauge.data.judgments import Judgments, Run
from rankgauge.data.policy import Policy
from rankgauge.errors import UsageError, plural
from rankgauge.evaluation.evaluate import Progress, list_runs
from rankgauge.evaluation.presets import PRESETS
from rankgauge.evaluation.setting import Setting, words_of
from rankgauge.measures.grammar import parse
from rankgauge.measures.measure import Measure
from rankgauge.tables import Plain, Shown
from rankgauge.tables.notes import Note
from rankgauge.tables.table import Cell, Column, Table, number

Verdict = Literal["likely", "possible", "also possible"]


@dataclass(frozen=True)
class DecisionStep(Plain):
    """One decision on the way from our number to theirs, and how much it changes the mean."""

    decision: str
    words: str
    change: float


@dataclass(frozen=True)
class NumberExplanation(Plain):
    """Decisions that reproduce the number; `chance` is that something of their kind fits a number made otherwise."""

    verdict: Verdict
    tools: tuple[str, ...]
    value: float
    departures: int
    steps: tuple[DecisionStep, ...]
    chance: float
    measure: str
    policy: str
    like: str | None
    command: str

    @property
    def whose(self) -> str:
        return ", ".join(self.tools) or "no known tool"


@dataclass(frozen=True, repr=False)
class Reconciliation(Shown):
    """Whose number it is: the explanations, the likeliest first; empty where nothing known gives it."""

    _json_also: ClassVar = ("is_explained",)

    number: str
    measure: str
    run: str
    ours: float
    explanations: tuple[NumberExplanation, ...]
    same_here: tuple[str, ...]
    candidates: int
    by_chance: dict[str, float]
    """How often a number made in another way would fit: a known tool, at most one decision, either, at most two."""
    notes: tuple[Note, ...] = ()

    @property
    def is_explained(self) -> bool:
        """Whether the first explanation is a likely one."""
        return _is_sure(self.explanations)

    @property
    def best(self) -> NumberExplanation | None:
        return self.explanations[0] if self.explanations else None

    def table(self) -> Table:
        """The explanations, below them the way from our number to theirs."""
        columns = (
            Column("verdict"), Column("whose"), Column("decisions"), number("value", 6), Column("by chance")
        )  # fmt: skip
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (one.verdict, one.whose, _decisions(one), one.value, f"about {_percent(one.chance)}")
            for one in self.explanations
        )
        caption = f"{self.measure} = {self.number} of {self.run}: " + self._headline()
        return Table(columns, rows, caption, tuple(self._notes()))

    def _headline(self) -> str:
        best = self.best
        if best is None:
            return "nothing known gives this"
        if not best.steps and best.verdict == "likely":
            return f"this is our own number, and that of {best.whose}"
        return {"likely": f"likely {best.whose}", "possible": "perhaps one of these"}.get(
            best.verdict, "nothing known gives this for sure"
        )

    def _notes(self) -> list[str]:
        notes = [f"rankgauge's own {self.measure} is {self.ours:.6f}"]
        best = self.best
        if best is not None and best.steps:
            notes.append("from there to the first explanation:")
            notes += [f"  {step.change:+.6f}  {step.decision}: {step.words}" for step in best.steps]
        if best is not None:
            notes.append(f"from now on: {best.command}")
        if self.same_here:
            notes.append("no difference on these data: " + ", ".join(self.same_here))
        chances = ", ".join(f"{_percent(chance)} ({kind})" for kind, chance in self.by_chance.items())
        notes.append(
            f"{self.candidates:,} settings were tried; a number made in another way would fit one of them by chance in "
            f"about {chances}"
        )
        return notes + [note.text for note in self.notes]


def _is_sure(explanations: tuple[NumberExplanation, ...]) -> bool:
    return bool(explanations) and explanations[0].verdict == "likely"


def _decisions(one: NumberExplanation) -> str:
    return ", ".join(step.decision for step in one.steps) or "ours"


def _percent(chance: float) -> str:
    if chance < 0.001:
        return f"{chance:.2%}" if chance >= 0.0001 else "0.01% or less"
    return f"{chance:.1%}" if chance < 0.1 else f"{chance:.0%}"


LIKELY = 0.03
"""The largest chance of a false match at which an explanation is called likely."""
POSSIBLE = 0.1
SHOWN = 8
FEW = 20
"""Fewer queries than this leave few possible numbers, and the chance rough: measured, up to twice the printed one."""


def reconcile(
    value: float | str,
    judgments: Any,
    run: Any,
    measure: str | Measure = "nDCG@10",
    *,
    second: Any = None,
    per_query: Any = None,
    progress: Progress | None = None,
) -> Reconciliation:
    """Find the decisions that reproduce a number that another tool printed for a run, and whose they are."""
    known = Known(
        parse(measure) if isinstance(measure, str) else measure,
        given_number(value),
        second_numbers(second),
        query_numbers(per_query),
    )
    judged = judgments if isinstance(judgments, Judgments) else Judgments(judgments)
    runs = list_runs(run, judged)
    if len(runs) > 1:
        raise UsageError(f"one run is reconciled at a time, and there are {len(runs):,}\nName one of them.")
    named = _origin(judgments, "JUDGMENTS"), _origin(run, "RUN")
    numbers, ours = Numbers(judged, runs[0]), own_setting(known.measure)
    found = search(numbers, known, progress)
    explanations = tuple(_explained(numbers, ours, found, candidate, named) for candidate in found.fitting[:SHOWN])
    return Reconciliation(
        found.known.number.text,
        str(known.measure),
        runs[0].name,
        numbers.mean(ours),
        explanations,
        _without_effect(numbers, ours, {step.decision for one in explanations for step in one.steps}),
        len(found.pool),
        found.by_chance,
        tuple(_notes(numbers, known, found, explanations)),
    )


def _origin(given: Any, fallback: str) -> str:
    """What to call judgments or a run in a command: their file, where there is one."""
    if isinstance(given, (str, PathLike)):
        return str(given)
    held = given[0] if isinstance(given, list) and len(given) == 1 else given
    if isinstance(held, (Judgments, Run)) and held.table.unit == "line":
        return held.table.origin
    return fallback


def _explained(
    numbers: Numbers, ours: Setting, found: Search, one: Candidate, named: tuple[str, str]
) -> NumberExplanation:
    """The way to a candidate, how sure it is, and what to type to have its number; `named` are judgments and run."""
    steps, chance, measure = _steps(numbers, ours, one), found.chance(one), str(one.setting.measure)
    policy = ",".join(str(change) for change in one.setting.changes_from(ours) if change.is_of_policy)
    like = one.tools[0] if one.tools and one.tier == KNOWN and steps else None
    verdict: Verdict = "also possible"
    if found.exact and one.tier < FAR and chance <= LIKELY:
        verdict = "likely"
    elif found.exact and chance <= POSSIBLE:
        verdict = "possible"
    words = ["rankgauge", "evaluate", *named, "-m", measure, *(["--policy", policy] if policy else [])]
    if like is not None:
        words = ["rankgauge", "evaluate", *named, "-m", str(ours.measure), "--like", like]
    command = shlex.join(words)
    return NumberExplanation(verdict, one.tools, one.mean, len(steps), steps, chance, measure, policy, like, command)


def _steps(numbers: Numbers, ours: Setting, one: Candidate) -> tuple[DecisionStep, ...]:
    """One decision after the other, from our number to theirs; what changes no query is left out."""
    steps: list[DecisionStep] = []
    at, before = ours, numbers.of_queries(ours)
    mean = numbers.mean(ours, before)
    for change in one.changes:
        target = one.setting.measure
        if change.name == "negative" and "relevance" in target.definition.options:
            at = Setting(at.measure(relevance=target.settings["relevance"]), at.policy)
        at = at.with_change(change)
        values = numbers.of_queries(at)
        new = numbers.mean(at, values)
        if new != mean or not np.array_equal(values, before, equal_nan=True):
            steps.append(DecisionStep(str(change), words_of(change), new - mean))
        before, mean = values, new
    return tuple(steps)


def _without_effect(numbers: Numbers, ours: Setting, used: set[str]) -> tuple[str, ...]:
    """Single decisions that change no query of this run, without those that do after others have been taken."""
    base = numbers.of_queries(ours)
    same = [
        str(change)
        for change in moves(ours.measure, numbers.grades, numbers.odd)
        if np.array_equal(numbers.of_queries(ours.with_change(change)), base, equal_nan=True)
    ]
    absent = [name for name in ("ties", "extra", "precision") if name not in numbers.odd]
    return tuple(name for name in dict.fromkeys([*absent, *same]) if name not in used)


def _notes(
    numbers: Numbers, asked: Known, found: Search, explanations: tuple[NumberExplanation, ...]
) -> Iterator[Note]:
    """How sure the search is, and what else may be behind the number; `found.known` is how what was asked was read."""
    count, sure, known = len(numbers.queries), _is_sure(explanations), found.known
    if explanations and (like := explanations[0].like) is not None:
        yield Note("tool", f"{like}: {PRESETS[like].told}", 1)
    if known != asked:
        text = f"{asked.number.text} was read as {known.number.text}: {asked.measure} is at most 1"
        yield Note("percentage", text, 1)
    if not numbers.any_judged:
        yield Note("nothing-judged", "the run returns no judged document, so every convention gives 0 or 1", 1)
    if found.fitting and not found.exact:
        text = "nothing rounds to this number; the explanations are one unit of the last digit away"
        yield Note("inexact", text, len(found.fitting))
    is_mean = known.measure.definition.aggregate == "mean"
    if is_mean and not found.fitting and (other := other_count(found.pool, known.number, count)) is not None:
        one, divisor = other
        whose = ", ".join(one.tools) or "rankgauge"
        text = f"the sum over queries that {whose} has, divided by {divisor:,} rather than by {count:,}, would give it"
        yield Note("other-count", text, divisor)
    if not sure and "ties" in numbers.odd:
        yield from _drawn_ties(numbers, known)
    if found.fitting and found.exact and not sure:
        text = (
            "many settings give numbers as close as this; more digits, a second number (--second) or values of single "
            "queries (--per-query) would tell them apart"
        )
        yield Note("unsure", text, len(found.fitting))
    if count < FEW:
        yield Note("rough", f"with {plural(count, 'query')} the chance is rough: it may be twice as large", count)
    hidden = len(found.fitting) - len(explanations)
    if hidden > 0:
        yield Note("hidden", f"{hidden:,} further settings fit too", hidden)


def _drawn_ties(numbers: Numbers, known: Known) -> Iterator[Note]:
    """Tools that break ties at random: which of them could have drawn the number."""
    drawn: dict[tuple[float, float], list[str]] = defaultdict(list)
    for name, setting in tool_settings(known.measure).items():
        if "at random" in PRESETS[name].caveat:
            orders = (Setting(setting.measure, Policy(ties=ties).over(setting.policy)) for ties in ("worst", "best"))
            low, high = map(numbers.mean, orders)
            if low < high and low <= known.number.value <= high:
                drawn[low, high].append(name)
    for (low, high), names in drawn.items():
        text = f"ties broken at random give anything from {low:.4f} to {high:.4f} on this run: {', '.join(names)}"
        yield Note("random-ties", text, len(names))
