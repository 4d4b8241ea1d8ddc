"""Two explanations of one query side by side: where they part, and by how much."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

from rankgauge.evaluation.explain import SHOWN, Explanation, Line
from rankgauge.frozen import dataclass
from rankgauge.tables.shown import Shown
from rankgauge.tables.table import Cell, Column, Table, number


@dataclass(frozen=True)
class Contrast(Shown):
    """The same query under another measure, another policy or another run."""

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
        columns = (
            number("rank"),
            Column("document"),
            number("judged", 2),
            number("so far"),
            Column("versus"),
            number("judged", 2),
            number("so far"),
            number("difference", signed=True),
        )
        cutoffs = [side.measure.cutoff for side in (self.first, self.second)]
        deepest = max((cut if isinstance(cut, int) else SHOWN) for cut in cutoffs)
        rows = tuple(_row(rank, *pair) for rank, pair in enumerate(self._pairs(), 1) if rank <= min(SHOWN, deepest))
        parting = "they never part" if self.parting is None else f"they part at rank {self.parting}"
        notes = (
            f"{names[0]} (ties={self.first.ties}): {self.first.value!r}",
            f"{names[1]} (ties={self.second.ties}): {self.second.value!r}",
            f"{parting}; the second is {self.difference:+.6g} from the first",
        )
        return Table(columns, rows, f"query {self.first.query}: {names[0]} versus {names[1]}", notes)

    def to_dict(self) -> dict[str, Any]:
        return {
            "first": self.first.to_dict(),
            "second": self.second.to_dict(),
            "difference": self.difference,
            "parting_rank": self.parting,
        }

    def _pairs(self) -> list[tuple[Line | None, Line | None]]:
        return list(zip_longest(self.first.lines, self.second.lines))


def _seen(line: Line) -> tuple[object, ...]:
    return (line.found.document, line.running, line.weight, line.gain)


def _row(rank: int, one: Line | None, two: Line | None) -> tuple[Cell, ...]:
    left: tuple[Cell, ...] = (None,) * 3 if one is None else (one.found.document, one.found.value, one.running)
    right: tuple[Cell, ...] = (None,) * 3 if two is None else (two.found.document, two.found.value, two.running)
    change = None if one is None or two is None else two.running - one.running
    return (rank, *left, *right, change)
