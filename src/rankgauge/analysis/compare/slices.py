"""The same comparison within each slice of the queries: head and tail, one language at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Unpack

import numpy.typing as npt

from rankgauge.analysis.compare.compare import compare_parts
from rankgauge.analysis.compare.options import Question, Settings, checked_cube
from rankgauge.analysis.compare.result import Comparison
from rankgauge.analysis.compare.wording import measure_table, wrapped
from rankgauge.errors import AnalysisError, UsageError, plural
from rankgauge.kernels.resampling import Progress
from rankgauge.tables.shown import Shown
from rankgauge.tables.table import Cell, Column, Table


@dataclass(frozen=True, slots=True)
class Slice:
    """The queries with one value of the column."""

    value: str
    queries: int
    comparison: Comparison


@dataclass(frozen=True, slots=True)
class SmallSlice:
    """A value with too few queries to compare anything."""

    value: str
    queries: int


@dataclass(frozen=True, slots=True, repr=False)
class Slices(Shown):
    """One comparison per value, largest slice first; p-values are adjusted over slices, pairs and measures together."""

    column: str
    slices: tuple[Slice, ...]
    too_small: tuple[SmallSlice, ...]
    unlabelled: int

    @property
    def summary(self) -> str:
        """Where a verdict was reached, on the first measure."""
        reached: dict[str, list[str]] = {}
        for part in self.slices:
            for pair in part.comparison.measures[0].pairs:
                if pair.verdict != "undecided":
                    reached.setdefault(_claim(pair.system, pair.verdict, pair.baseline), []).append(part.value)
        measure = self.slices[0].comparison.measures[0].measure
        where = [f"{claim} for {', '.join(values)}" for claim, values in reached.items()]
        found = "; ".join(where) if where else "no slice shows a difference"
        return f"By {self.column} ({plural(len(self.slices), 'slice')}), on {measure}: {found}."

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"Slices({self.summary})"

    def text(self, decimals: int | None = None, *, notes: bool = True) -> str:
        """The sentence, and a table per slice and measure; 80 columns wide."""
        places = 4 if decimals is None else decimals
        tables = []
        for part in self.slices:
            where = f"{self.column} = {part.value}, {plural(part.queries, 'query')}"
            for found in part.comparison.measures:
                title = wrapped(f"{found.measure}: {where}")
                tables.append(measure_table(found, part.comparison.baseline, title=title, decimals=places))
        made = ["\n".join(wrapped(line) for line in self.remarks())] if notes else []
        return "\n\n".join([wrapped(self.summary), *tables, *made])

    def table(self) -> Table:
        """One row per slice, measure and pair, to read."""
        table = self._joined([part.comparison.table() for part in self.slices])
        return replace(table, caption=self.summary, notes=self.remarks())

    def wide_table(self) -> Table:
        """One row per slice, measure and pair, every number in a column of its own: for other programs."""
        return self._joined([part.comparison.wide_table() for part in self.slices])

    def remarks(self) -> tuple[str, ...]:
        """How the p-values were adjusted, and which queries belong to no slice."""
        lines = ["Slices: p adjusted over slices, pairs and measures together."]
        if self.too_small:
            values = ", ".join(part.value for part in self.too_small)
            lines.append(f"Values of {self.column} with a single query, not compared: {values}.")
        if self.unlabelled:
            lines.append(f"{plural(self.unlabelled, 'query')} without {self.column}, in no slice.")
        return tuple(lines)

    def _joined(self, tables: Sequence[Table]) -> Table:
        rows: list[tuple[Cell, ...]] = []
        marked: set[int] = set()
        for part, table in zip(self.slices, tables, strict=True):
            marked |= {len(rows) + at for at in table.marked}
            rows += [(part.value, *row) for row in table.rows]
        return Table((Column(self.column), *tables[0].columns), tuple(rows), marked=frozenset(marked))

    def to_dict(self) -> dict[str, object]:
        return {
            "by": self.column,
            "summary": self.summary,
            "slices": {part.value: {"queries": part.queries, **part.comparison.to_dict()} for part in self.slices},
            "too_small": {part.value: part.queries for part in self.too_small},
            "unlabelled": self.unlabelled,
        }


def compare_slices(
    values: npt.ArrayLike,
    systems: Sequence[str],
    measures: Sequence[str],
    *,
    column: str,
    labels: Sequence[str | None],
    progress: Progress | None = None,
    **settings: Unpack[Settings],
) -> Slices:
    """As `compare`, for every value among `labels`, which has one entry per query; None leaves a query out."""
    cube = checked_cube(values, systems, measures)
    if len(labels) != cube.shape[1]:
        raise UsageError(f"{column} has {len(labels)} values for {cube.shape[1]} queries; give one a query, or None.")
    question = Question(systems=tuple(systems), measures=tuple(measures), **settings)
    large, small = _groups(labels)
    if not large:
        raise AnalysisError(f"no value of {column} has two queries, so that no slice can be compared.")
    comparisons = compare_parts([cube[:, queries] for queries in large.values()], question, progress)
    return Slices(
        column,
        tuple(Slice(value, len(large[value]), found) for value, found in zip(large, comparisons, strict=True)),
        tuple(SmallSlice(value, 1) for value in small),
        sum(label is None for label in labels),
    )


def _groups(labels: Sequence[str | None]) -> tuple[dict[str, list[int]], list[str]]:
    """Places of the queries with each value, largest group first, and the values of a single query."""
    places: dict[str, list[int]] = {}
    for place, label in enumerate(labels):
        if label is not None:
            places.setdefault(label, []).append(place)
    ordered = sorted(places.items(), key=lambda item: -len(item[1]))
    large = {value: queries for value, queries in ordered if len(queries) > 1}
    return large, [value for value, queries in ordered if len(queries) == 1]


def _claim(system: str, verdict: str, baseline: str) -> str:
    return f"{system} is {verdict} {'to' if verdict == 'equivalent' else 'than'} {baseline}"
