"""Means over queries: alone, where the scores of the queries are more than one machine should hold, as tables, and by segment."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np

from rankgauge.arrays import Floats, Ints
from rankgauge.data.policy import DEFAULT, Policy
from rankgauge.errors import UsageError, many, plural
from rankgauge.evaluation.aggregates import by_name
from rankgauge.measures.measure import Measure
from rankgauge.tables import Shown, plain
from rankgauge.tables.notes import NOUNS, UNRECORDED, Note, clip, gathered
from rankgauge.tables.table import Cell, Column, Estimate, Table, number


@dataclass(frozen=True)
class Means(Shown):
    """Mean of each measure per system, equal to the last bit to that of Scores, without the queries behind it."""

    systems: tuple[str, ...]
    queries: int
    measures: tuple[Measure, ...]
    values: Floats
    """Systems × measures."""
    counts: Ints
    """Systems × measures: the number of queries in each mean."""
    policy: Policy = DEFAULT
    notes: tuple[Note, ...] = ()
    noun: str = NOUNS[0]

    def mean(self) -> dict[str, dict[str, float]]:
        """{system: {measure: mean}}"""
        return by_name(self.systems, self.measures, self.values.tolist())

    def table(self) -> Table:
        """One row per system, best first by the first measure."""
        return mean_table(self, {})

    def to_dict(self) -> dict[str, Any]:
        """As that of Scores, without medians and queries."""
        rules = {name: in_force(name, self.measures, self.policy) for name in ("ties", "undefined")}
        return {
            "measures": [str(measure) for measure in self.measures],
            "systems": list(self.systems),
            "queries": self.queries,
            "policy": self.policy.to_dict() | rules,
            "mean": plain(self.mean()),
            "notes": [note.to_dict() for note in self.notes],
        }


def mean_table(found: Means, beside: Mapping[str, Mapping[str, Mapping[str, float]]]) -> Table:
    """One row per system, best first by the first measure; `beside` has more numbers for each mean, such as the median."""
    first, means, differ = str(found.measures[0]), found.mean(), bool(np.ptp(found.counts))
    columns = [Column("system")]
    for measure in found.measures:
        columns += [_column(measure), *map(number, beside)]
    columns += [number(many(found.noun))] * differ
    rows: list[tuple[Cell, ...]] = []
    for system, counts in zip(found.systems, found.counts.tolist(), strict=True):
        row: list[Cell] = [system]
        for name, mean in means[system].items():
            row += [mean, *(other[system][name] for other in beside.values())]
        least, most = min(counts), max(counts)
        rows.append((*row, *[least if least == most else f"{least:,}–{most:,}"] * differ))
    rows.sort(key=lambda row: math.inf if math.isnan(means[str(row[0])][first]) else -means[str(row[0])][first])
    caption = f"mean over {plural(int(found.counts.max()), found.noun)}"
    caption += f", best {first} first" if len(rows) > 1 else ""
    return Table(tuple(columns), tuple(rows), caption, remarks(found))


def query_table(scores: Any) -> Table:
    """One row per system and query of Scores, whose module imports this one."""
    columns = (Column("system"), Column("query"), *map(_column, scores.measures))
    rows = tuple(
        (system, query, *row)
        for system, block in zip(scores.systems, scores.values.tolist(), strict=True)
        for query, row in zip(scores.queries, block, strict=True)
    )
    return Table(columns, rows, "per query", remarks(scores))


def _column(measure: Measure) -> Column:
    """Counts have no decimals."""
    return number(str(measure), 0 if measure.definition.aggregate == "sum" else None)


def remarks(scores: Any) -> tuple[str, ...]:
    """Of Scores or Means: the policy in one line, then the notes; those that many systems share are combined."""
    measures, policy = scores.measures, scores.policy
    parts = {name: getattr(policy, name) for name in ("ties", "unjudged", "missing", "undefined", "precision", "depth")}
    for name in ("ties", "undefined"):  # one word if all measures agree, else each measure with its own
        rules = in_force(name, measures, policy)
        one, *others = set(rules.values())
        parts[name] = " ".join(f"{measure}:{rule}" for measure, rule in rules.items()) if others else one
    usual = {"precision": "double", "depth": None}
    line = ", ".join(f"{k}={v}" for k, v in {**parts, **policy.unusual()}.items() if usual.get(k, "") != v)
    lines = [f"policy: {next((note.text for note in scores.notes if note.kind == UNRECORDED), line)}"]
    for kind, words in (("sum", "summed over queries"), ("geometric", "geometric mean over queries")):
        names = [str(measure) for measure in measures if measure.definition.aggregate == kind]
        lines += [f"{words}: {', '.join(names)}"] if names else []
    return (*lines, *gathered([note for note in scores.notes if note.kind != UNRECORDED]))


def in_force(decision: str, measures: Sequence[Measure], policy: Policy) -> dict[str, str]:
    """The rule for each measure about "ties", or about what it counts where it is "undefined"."""
    return {str(measure): getattr(policy, decision) or getattr(measure.definition, decision) for measure in measures}


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
        measures, noun = [str(measure) for measure in first.measures], first.about.noun
        rows: list[tuple[Cell, ...]] = []
        for label, scores in self.parts.items():
            intervals, means = scores.intervals(), scores.mean()
            for system in scores.systems:
                cells = [intervals[system].get(name, means[system][name]) for name in measures]
                rows.append((label, system, len(scores.queries), *cells))
        columns = (Column(self.column), Column("system"), number(many(noun), 0), *map(number, measures))
        notes = [f"in brackets: 95% intervals of the mean over {many(noun)} (t)"]
        if self.unlabeled:
            notes.append(f"{plural(self.unlabeled, noun)} without {self.column}, left out")
        return Table(columns, tuple(rows), f"mean by {self.column}", tuple(notes))

    def to_dict(self) -> dict[str, Any]:
        found = {label: {"queries": len(one.queries), "mean": one.mean()} for label, one in self.parts.items()}
        for label, intervals in self.intervals().items():
            for side in ("low", "high"):
                found[label][side] = {
                    system: {name: getattr(one, side) for name, one in row.items()} for system, row in intervals.items()
                }
        return {"by": self.column, "segments": found, "unlabeled": self.unlabeled}


def labeled_places(queries: Sequence[str], labels: Any, column: str | None) -> tuple[str, dict[str, list[int]]]:
    """What the labels are called, and the places of the queries that have each, the most frequent label first.

    `labels` maps queries to labels, or is a table or file of queries of which `column` is one.
    """
    known: Mapping[str, str | None]
    if column is not None:
        from rankgauge.data.about import Queries, read_queries

        if isinstance(labels, (str, PathLike)):
            labels = read_queries(labels)
        known = (labels if isinstance(labels, Queries) else Queries(labels)).column(column)
    else:
        if hasattr(labels, "to_dict") and not hasattr(labels, "columns"):
            labels = labels.to_dict()  # a pandas Series with the queries as its index
        if not isinstance(labels, Mapping):
            named = [str(name) for name in getattr(labels, "columns", ())]
            example = f'scores.by(table, "{clip(named[-1] if named else "column")}")'
            kinds = f"{{query: label}}, or a table and one of its columns, as in {example}"
            raise UsageError(f"labels are {kinds}; not {type(labels).__name__} alone")
        known = {}
        for query, cell in labels.items():
            is_whole = isinstance(query, (float, np.floating)) and float(query).is_integer()
            is_gap = cell is None or cell != cell  # noqa: PLR0124 - nan
            known[str(int(query) if is_whole else query)] = None if is_gap else str(cell)
    name = "label" if column is None else column
    places: dict[str, list[int]] = {}
    for place, query in enumerate(queries):
        if label := known.get(query):
            places.setdefault(label, []).append(place)
    if not places:
        raise UsageError(
            f"none of the {len(queries)} queries has a value of {name}\n"
            f"Are the ids written the same way? Scores have {', '.join(queries[:3])}; "
            f"the labels have {', '.join(list(known)[:3]) or 'none'}."
        )
    return name, dict(sorted(places.items(), key=lambda item: -len(item[1])))
