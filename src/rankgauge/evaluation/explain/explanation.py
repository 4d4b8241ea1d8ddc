"""What explain() returns: one query rank by rank, or two explanations side by side."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, ClassVar

from rankgauge.measures.measure import Measure
from rankgauge.tables.notes import visible
from rankgauge.tables.shown import Shown
from rankgauge.tables.table import Cell, Column, Table, number

SHOWN = 30
_IDEALS = {
    "judged": "the best order of everything judged",
    "returned": "the best order of the returned documents",
    "top": "the best order of the documents down to the cutoff",
    "answered": "the best order of everything judged, as far as the list goes",
    "uncut": "the best order of everything judged, not cut",
    "ones": "a list where every document gains 1",
}


@dataclass(frozen=True)
class RankedDocument:
    """A retrieved document; `value` is what it counts, None where nobody judged it; `first` and `last` span its tie."""

    rank: int
    document: str
    score: float
    value: float | None
    first: int
    last: int


@dataclass(frozen=True)
class Line:
    """One rank: the document there and, for sums of gain times weight, its parts and the ideal beside it.

    `running` is the value of the measure on the list cut after this rank.
    """

    found: RankedDocument
    running: float
    relevance: float | None = None
    gain: float | None = None
    weight: float | None = None
    ideal_gain: float | None = None

    def to_dict(self) -> dict[str, Any]:
        found = vars(self.found)
        own = ("relevance", "gain", "weight", "ideal_gain", "running")
        return {
            **{name: found[name] for name in ("rank", "document", "score", "value")},
            "tied": [self.found.first, self.found.last],
            **{name: getattr(self, name) for name in own},
        }


@dataclass(frozen=True)
class Explanation(Shown):
    """Why a measure has its value on one query."""

    _json_names: ClassVar = {"lines": "ranks"}

    measure: Measure
    system: str
    query: str
    value: float
    ties: str
    ideal: float | None
    """The DCG of the best order, where the measure divides by it."""
    lines: tuple[Line, ...]

    def __repr__(self) -> str:
        return visible(f"Explanation({self.measure} of {self.system} on query {self.query}: {self.value:.4f})")

    def table(self) -> Table:
        is_sum = any(line.gain is not None for line in self.lines)
        columns = [number("rank"), Column("document"), number("score"), number("judged", 2)]
        columns += [number(name, 3) for name in ("relevance", "gain", "weight", "term", "ideal") if is_sum]
        columns.append(number("so far"))
        deepest = self.measure.cutoff if isinstance(self.measure.cutoff, int) else SHOWN
        shown = self.lines[: min(SHOWN, deepest)]
        rows = [self._row(line, is_sum=is_sum) for line in shown]
        said = f"= {self.value!r}" if self.value == self.value else "is undefined and left out"
        notes = [f"{self.measure} {said} (ties={self.ties})"]
        if is_sum:
            best = _IDEALS[str(self.measure.settings.get("ideal", "judged"))]
            notes.append(f"term = gain · weight; ideal = the gain at this rank in {best}")
        if self.ideal is not None:
            notes.append(f"the sum of terms is divided by the ideal sum, {self.ideal!r}")
        spans = sorted({(line.found.first, line.found.last) for line in self.lines})
        tied = [f"{first}–{last}" for first, last in spans if first != last]
        if tied:
            notes.append(f"equal scores at ranks {', '.join(tied[:8])}" + (" …" if len(tied) > 8 else ""))
        if len(self.lines) > len(shown):
            notes.append(f"{len(self.lines) - len(shown):,} further ranks are not shown")
        caption = f"{self.measure} of {self.system} on query {self.query}"
        return Table(tuple(columns), tuple(rows), caption, tuple(notes))

    def _row(self, line: Line, *, is_sum: bool) -> tuple[Cell, ...]:
        found = line.found
        head: tuple[Cell, ...] = (found.rank, found.document, found.score, found.value)
        if not is_sum:
            return (*head, line.running)
        product = None if line.gain is None or line.weight is None else line.gain * line.weight
        return (*head, line.relevance, line.gain, line.weight, product, line.ideal_gain, line.running)


@dataclass(frozen=True)
class Contrast(Shown):
    """The same query under another measure, another policy or another run."""

    _json_names: ClassVar = {"parting": "parting_rank"}
    _json_also: ClassVar = ("difference", "parting")

    first: Explanation
    second: Explanation

    @property
    def difference(self) -> float:
        return self.second.value - self.first.value

    @property
    def parting(self) -> int | None:
        """The first rank at which the documents or their weights or values so far differ; None if they never do."""
        for rank, (one, two) in enumerate(self._pairs(), 1):
            if one is None or two is None or _seen(one) != _seen(two):
                return rank
        return None

    def table(self) -> Table:
        names = [f"{side.system} {side.measure}" for side in (self.first, self.second)]
        seen = (number("judged", 2), number("so far"))
        difference = number("difference", signed=True)
        columns = (number("rank"), Column("document"), *seen, Column("versus"), *seen, difference)
        cutoffs = [side.measure.cutoff for side in (self.first, self.second)]
        deepest = max((cut if isinstance(cut, int) else SHOWN) for cut in cutoffs)
        rows = tuple(_row(rank, *pair) for rank, pair in enumerate(self._pairs(), 1) if rank <= min(SHOWN, deepest))
        parting = "they never differ" if self.parting is None else f"they differ from rank {self.parting}"
        notes = (
            f"{names[0]} (ties={self.first.ties}): {self.first.value!r}",
            f"{names[1]} (ties={self.second.ties}): {self.second.value!r}",
            f"{parting}; difference {self.difference:+.6g}",
        )
        return Table(columns, rows, f"query {self.first.query}: {names[0]} versus {names[1]}", notes)

    def _pairs(self) -> list[tuple[Line | None, Line | None]]:
        return list(zip_longest(self.first.lines, self.second.lines))


def _seen(line: Line) -> tuple[object, ...]:
    return (line.found.document, line.running, line.weight, line.gain)


def _row(rank: int, one: Line | None, two: Line | None) -> tuple[Cell, ...]:
    left, right = (
        (None,) * 3 if line is None else (line.found.document, line.found.value, line.running) for line in (one, two)
    )
    change = None if one is None or two is None else two.running - one.running
    return (rank, *left, *right, change)
