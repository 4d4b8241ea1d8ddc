"""Means within segments of the queries: one country, one kind of user at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankgauge.errors import UsageError, many, plural
from rankgauge.tables.notes import clip
from rankgauge.tables.shown import Shown
from rankgauge.tables.table import Cell, Column, Estimate, Table, number


@dataclass(frozen=True)
class Segments(Shown):
    """Scores cut by a label of the queries, largest segment first; queries without a label are in none."""

    column: str
    parts: Mapping[str, Any]
    """The Scores of each segment; their module imports this one, so its name cannot stand here."""
    unlabeled: int

    def mean(self) -> dict[str, dict[str, dict[str, float]]]:
        """{segment: {system: {measure: mean}}}"""
        return {label: scores.mean() for label, scores in self.parts.items()}

    def intervals(self, *, confidence: float = 0.95) -> dict[str, dict[str, dict[str, Estimate]]]:
        """{segment: {system: {measure: mean with its confidence interval}}}"""
        return {label: scores.intervals(confidence=confidence) for label, scores in self.parts.items()}

    def table(self) -> Table:
        """One row per segment and system: the number of queries, and means with their intervals."""
        first = next(iter(self.parts.values()))
        measures = [str(measure) for measure in first.measures]
        rows: list[tuple[Cell, ...]] = []
        for label, scores in self.parts.items():
            intervals, means = scores.intervals(), scores.mean()
            for system in scores.systems:
                cells = [intervals[system].get(name, means[system][name]) for name in measures]
                rows.append((label, system, len(scores.queries), *cells))
        columns = (Column(self.column), Column("system"), number(many(first.about.noun), 0), *map(number, measures))
        notes = [f"in brackets: 95% intervals of the mean over {many(first.about.noun)} (t)"]
        if self.unlabeled:
            notes.append(f"{plural(self.unlabeled, first.about.noun)} without {self.column}, left out")
        return Table(columns, tuple(rows), f"mean by {self.column}", tuple(notes))

    def to_dict(self) -> dict[str, Any]:
        found = {}
        for label, scores in self.parts.items():
            intervals = scores.intervals()
            found[label] = {
                "queries": len(scores.queries),
                "mean": scores.mean(),
                **{
                    side: {
                        system: {name: getattr(one, side) for name, one in row.items()}
                        for system, row in intervals.items()
                    }
                    for side in ("low", "high")
                },
            }
        return {"by": self.column, "segments": found, "unlabeled": self.unlabeled}


def segmented(scores: Any, labels: Any, column: str | None) -> Segments:
    """`labels` maps queries to labels, or is a table or file of queries of which `column` is one."""
    name, places = labeled_places(scores.queries, labels, column)
    parts = {label: scores.only([scores.queries[place] for place in found]) for label, found in places.items()}
    return Segments(name, parts, len(scores.queries) - sum(map(len, places.values())))


def labeled_places(queries: Sequence[str], labels: Any, column: str | None) -> tuple[str, dict[str, list[int]]]:
    """What the labels are called, and the places of the queries that have each, the most frequent label first."""
    name, known = _labels(labels, column)
    places: dict[str, list[int]] = {}
    for place, query in enumerate(queries):
        label = known.get(query)
        if label is not None and label != "":
            places.setdefault(label, []).append(place)
    if not places:
        raise UsageError(
            f"none of the {len(queries)} queries has a value of {name}\n"
            f"Are the ids written the same way? Scores have {', '.join(queries[:3])}; "
            f"the labels have {', '.join(list(known)[:3]) or 'none'}."
        )
    return name, dict(sorted(places.items(), key=lambda item: -len(item[1])))


def _labels(labels: Any, column: str | None) -> tuple[str, Mapping[str, str | None]]:
    if column is None and hasattr(labels, "to_dict") and not hasattr(labels, "columns"):
        labels = labels.to_dict()  # a pandas Series with the queries as its index
    if isinstance(labels, Mapping) and column is None:
        return "label", {_id(query): None if _is_gap(label) else str(label) for query, label in labels.items()}
    if column is None:
        named = [str(name) for name in getattr(labels, "columns", ())]
        example = named[-1] if named else "column"
        raise UsageError(
            f'labels are {{query: label}}, or a table and one of its columns, as in scores.by(table, "{clip(example)}"); '
            f"not {type(labels).__name__} alone"
        )
    from os import PathLike

    from rankgauge.data.about import Queries, read_queries

    if isinstance(labels, (str, PathLike)):
        return column, read_queries(labels).column(column)
    return column, (labels if isinstance(labels, Queries) else Queries(labels)).column(column)


def _id(query: Any) -> str:
    return str(int(query)) if isinstance(query, (float, np.floating)) and float(query).is_integer() else str(query)


def _is_gap(label: Any) -> bool:
    return label is None or label != label  # noqa: PLR0124 - nan
