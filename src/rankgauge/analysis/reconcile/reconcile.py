"""reconcile(): whose number is this?"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from os import PathLike
from typing import Any, ClassVar, Literal

import numpy as np

from rankgauge.analysis.reconcile.candidates import FAR, KNOWN, Candidate, moves, own_setting
from rankgauge.analysis.reconcile.given import given_number, query_numbers, second_numbers
from rankgauge.analysis.reconcile.notes import notes
from rankgauge.analysis.reconcile.numbers import Numbers
from rankgauge.analysis.reconcile.search import Known, search
from rankgauge.data.judgments import Judgments
from rankgauge.data.run import Run
from rankgauge.errors import UsageError
from rankgauge.evaluation.evaluate import Progress, list_runs
from rankgauge.evaluation.tools.setting import Change, Setting, words_of
from rankgauge.measures.grammar import parse
from rankgauge.measures.measure import Measure
from rankgauge.tables.notes import Note
from rankgauge.tables.shown import Plain, Shown
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
    one = _only_run(list_runs(run, judged))
    named = tuple(_origin(given, fallback) for given, fallback in ((judgments, "JUDGMENTS"), (run, "RUN")))
    numbers = Numbers(judged, one)
    found = search(numbers, known, progress)
    ours = own_setting(known.measure)
    explanations = tuple(
        _explained(numbers, ours, candidate, found.chance(candidate), named, exact=found.exact)
        for candidate in found.fitting[:SHOWN]
    )
    return Reconciliation(
        found.known.number.text,
        str(known.measure),
        one.name,
        numbers.mean(ours),
        explanations,
        _without_effect(numbers, ours, {step.decision for one in explanations for step in one.steps}),
        len(found.pool),
        found.by_chance,
        tuple(
            notes(
                numbers,
                known,
                found,
                shown=len(explanations),
                sure=_is_sure(explanations),
                like=explanations[0].like if explanations else None,
            )
        ),
    )


def _only_run(runs: list[Run]) -> Run:
    if len(runs) > 1:
        raise UsageError(f"one run is reconciled at a time, and there are {len(runs):,}\nName one of them.")
    return runs[0]


def _origin(given: Any, fallback: str) -> str:
    """What to call judgments or a run in a command: their file, where there is one."""
    if isinstance(given, (str, PathLike)):
        return str(given)
    held = given[0] if isinstance(given, list) and len(given) == 1 else given
    if isinstance(held, (Judgments, Run)) and held.table.unit == "line":
        return held.table.origin
    return fallback


def _explained(
    numbers: Numbers, ours: Setting, one: Candidate, chance: float, named: tuple[str, ...], *, exact: bool
) -> NumberExplanation:
    steps = _steps(numbers, ours, one)
    like = one.tools[0] if one.tools and one.tier == KNOWN and steps else None
    verdict: Verdict = "also possible"
    if exact and one.tier < FAR and chance <= LIKELY:
        verdict = "likely"
    elif exact and chance <= POSSIBLE:
        verdict = "possible"
    return NumberExplanation(
        verdict,
        one.tools,
        one.mean,
        len(steps),
        steps,
        chance,
        str(one.setting.measure),
        policy_text(one.setting, ours),
        like,
        command_for(one.setting, ours, like, *named),
    )


def _steps(numbers: Numbers, ours: Setting, one: Candidate) -> tuple[DecisionStep, ...]:
    """One decision after the other, from our number to theirs; what changes no query is left out."""
    steps: list[DecisionStep] = []
    at, before = ours, numbers.of_queries(ours)
    mean = numbers.mean(ours, before)
    for change in one.changes:
        at = _moved(at, change, one.setting)
        values = numbers.of_queries(at)
        new = numbers.mean(at, values)
        if new != mean or not np.array_equal(values, before, equal_nan=True):
            steps.append(DecisionStep(str(change), words_of(change), new - mean))
        before, mean = values, new
    return tuple(steps)


def _moved(at: Setting, change: Change, target: Setting) -> Setting:
    if change.name == "cutoff":
        return Setting(at.measure @ change.value, at.policy)
    if change.name == "negative" and "relevance" in target.measure.definition.options:
        signed = at.measure(relevance=target.measure.settings["relevance"])
        return Setting(signed, at.policy).with_change(change)
    return at.with_change(change)


def _without_effect(numbers: Numbers, ours: Setting, used: set[str]) -> tuple[str, ...]:
    """Single decisions that change no query of this run, without those that do after others have been taken."""
    base = numbers.of_queries(ours)
    same = [
        change
        for change in moves(ours.measure, numbers.grades, numbers.odd)
        if np.array_equal(numbers.of_queries(ours.with_change(change)), base, equal_nan=True)
    ]
    absent = {"ties": "ties", "extra": "extra", "precision": "single"}
    held = [name for name, sign in absent.items() if sign not in numbers.odd]
    return tuple(name for name in dict.fromkeys([*held, *map(str, same)]) if name not in used)


def policy_text(setting: Setting, ours: Setting) -> str:
    """What of the policy departs from ours, as --policy takes it."""
    return ",".join(str(change) for change in setting.changes_from(ours) if not change.is_option)


def command_for(setting: Setting, ours: Setting, like: str | None, judgments: str, run: str) -> str:
    """What to type to have this number from now on."""
    words = ["rankgauge", "evaluate", judgments, run]
    if like is not None:
        return shlex.join([*words, "-m", str(ours.measure), "--like", like])
    policy = policy_text(setting, ours)
    return shlex.join([*words, "-m", str(setting.measure), *(["--policy", policy] if policy else [])])
