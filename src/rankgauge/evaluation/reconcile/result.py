"""What reconcile() finds: explanations of a number, how sure each is, and what to type from now on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

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
    """Decisions that reproduce the number; `chance` is that of fitting a number that was made otherwise."""

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

    json_also: ClassVar = ("is_explained",)

    number: str
    measure: str
    run: str
    ours: float
    explanations: tuple[NumberExplanation, ...]
    same_here: tuple[str, ...]
    candidates: int
    by_chance: dict[str, float]
    """How often a number made in another way would fit something as near: a known tool, one decision away, two."""
    notes: tuple[Note, ...] = ()

    @property
    def is_explained(self) -> bool:
        """Whether the first explanation is a likely one."""
        return bool(self.explanations) and self.explanations[0].verdict == "likely"

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
        chances = ", ".join(f"{_percent(chance)} ({tier})" for tier, chance in self.by_chance.items())
        notes.append(
            f"{self.candidates:,} settings were tried; a number made in another way would fit one of them by chance in "
            f"about {chances}"
        )
        return notes + [note.text for note in self.notes]


def _decisions(one: NumberExplanation) -> str:
    return ", ".join(step.decision for step in one.steps) or "ours"


def _percent(chance: float) -> str:
    if chance < 0.001:
        return f"{chance:.2%}" if chance >= 0.0001 else "0.01 % or less"
    return f"{chance:.1%}" if chance < 0.1 else f"{chance:.0%}"
