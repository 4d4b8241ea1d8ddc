"""The same comparison within each slice of the queries: head and tail, one language at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rankgauge.analysis.compare.result import Comparison
from rankgauge.analysis.compare.tables import measure_table
from rankgauge.errors import AnalysisError, UsageError, plural
from rankgauge.evaluation.means import labeled_places
from rankgauge.evaluation.scores import Scores
from rankgauge.tables import Shown, plain
from rankgauge.tables.table import Cell, Column, Table


@dataclass(frozen=True, slots=True)
class Slice:
    """The queries with one value of the column."""

    value: str
    query_count: int
    comparison: Comparison


@dataclass(frozen=True, slots=True)
class SmallSlice:
    """A value with too few queries to compare anything."""

    value: str
    query_count: int


@dataclass(frozen=True, repr=False)
class Slices(Shown):
    """One comparison per value, largest slice first; p-values are adjusted over slices, pairs and measures together.

    `overall` is the comparison on all queries, labeled or not.
    """

    column: str
    slices: tuple[Slice, ...]
    too_small: tuple[SmallSlice, ...]
    unlabeled: int
    overall: Comparison

    @property
    def _noun(self) -> str:
        return self.overall.scores.about.noun

    @property
    def summary(self) -> str:
        """Where a verdict was reached, on the first measure."""
        reached: dict[str, list[str]] = {}
        for part in self.slices:
            for pair in part.comparison.parts[0].pairs:
                if pair.verdict != "undecided":
                    word = "to" if pair.verdict == "equivalent" else "than"
                    claim = f"{pair.system} is {pair.verdict} {word} {pair.baseline}"
                    reached.setdefault(claim, []).append(part.value)
        measure = self.slices[0].comparison.parts[0].measure
        where = [f"{claim} for {', '.join(values)}" for claim, values in reached.items()]
        found = "; ".join(where) if where else "no slice shows a difference"
        return f"By {self.column} ({plural(len(self.slices), 'slice')}), on {measure}: {found}."

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"Slices({self.summary})"

    def text(self, decimals: int | None = None, *, notes: bool = True) -> str:
        """The sentence, and a table per slice and measure, as wide as the terminal."""
        from rankgauge.tables.table import page_text

        tables: list[Table] = []
        for part in self.slices:
            where = f"{self.column} = {part.value}, {plural(part.query_count, self._noun)}"
            tables += [
                measure_table(found, part.comparison.baseline, f"{found.measure}: {where}", part.comparison.floors)
                for found in part.comparison.parts
            ]
        return page_text(self.summary, tables, self.remarks()[: None if notes else 1], decimals)

    def table(self) -> Table:
        """One row per slice, measure and pair, to read."""
        table = self._joined([part.comparison.table() for part in self.slices])
        return replace(table, caption=self.summary, legend=self.remarks()[:1], notes=self.remarks()[1:])

    def wide_table(self) -> Table:
        """One row per slice, measure and pair, every number in its own column: for other programs."""
        return self._joined([part.comparison.wide_table() for part in self.slices])

    def remarks(self) -> tuple[str, ...]:
        """How the p-values were adjusted, and which queries belong to no slice."""
        lines = ["p adjusted over slices, pairs and measures together."]
        if self.too_small:
            values = ", ".join(part.value for part in self.too_small)
            lines.append(f"Values of {self.column} with a single {self._noun}, not compared: {values}.")
        if self.unlabeled:
            lines.append(f"{plural(self.unlabeled, self._noun)} without {self.column}, left out.")
        return tuple(lines)

    def _joined(self, tables: Sequence[Table]) -> Table:
        rows: list[tuple[Cell, ...]] = []
        marked: set[int] = set()
        for part, table in zip(self.slices, tables, strict=True):
            marked |= {len(rows) + at for at in table.marked}
            rows += [(part.value, *row) for row in table.rows]
        return Table((Column(self.column), *tables[0].columns), tuple(rows), marked=frozenset(marked))

    def to_dict(self) -> dict[str, Any]:
        return {
            "by": self.column,
            "summary": self.summary,
            "slices": {part.value: {"queries": part.query_count, **plain(part.comparison)} for part in self.slices},
            "too_small": {part.value: part.query_count for part in self.too_small},
            "unlabelled": self.unlabeled,
        }


def sliced(table: Scores, by: Any, queries: Any, compared: Callable[[Sequence[Scores]], list[Comparison]]) -> Slices:
    """Each slice compared, and all queries together."""
    if isinstance(by, str) and queries is None:
        raise UsageError(f"by={by!r} needs the queries that have this column\nGive them as queries=….")
    labels = (queries, by) if isinstance(by, str) else (by, None)
    column, places = labeled_places(table.queries, *labels)
    large = {value: found for value, found in places.items() if len(found) > 1}
    if not large:
        raise AnalysisError(f"no value of {column} has two queries, so no slice can be compared.")
    overall = compared([table])[0]
    found = compared([table.only([table.queries[place] for place in places]) for places in large.values()])
    slices = (Slice(value, len(large[value]), one) for value, one in zip(large, found, strict=True))
    too_small = tuple(SmallSlice(value, 1) for value in places if value not in large)
    unlabeled = len(table.queries) - sum(map(len, places.values()))
    return Slices(column, tuple(slices), too_small, unlabeled, overall)
