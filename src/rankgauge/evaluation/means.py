"""Means alone: all that comes back where the scores of the queries are more than one machine should hold."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rankgauge.data.policy import DEFAULT, Policy
from rankgauge.errors import many, plural
from rankgauge.evaluation.aggregates import ByName
from rankgauge.measures.measure import Measure
from rankgauge.tables.notes import NOUNS, UNRECORDED, Note, gathered
from rankgauge.tables.shown import Shown, plain

if TYPE_CHECKING:
    from rankgauge.arrays import Floats, Ints
    from rankgauge.tables.table import Cell, Column, Table


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
        names = [str(measure) for measure in self.measures]
        return {
            system: ByName(zip(names, row, strict=True))
            for system, row in zip(self.systems, self.values.tolist(), strict=True)
        }

    def counted(self) -> Ints:
        return self.counts

    def table(self) -> Table:
        remarks = remarks_on(self.measures, self.policy, self.notes)
        return mean_table(self.measures, self.mean(), self.counts, remarks, noun=self.noun)

    def to_dict(self) -> dict[str, Any]:
        """As that of Scores, without medians and queries."""
        return {
            "measures": [str(measure) for measure in self.measures],
            "systems": list(self.systems),
            "queries": self.queries,
            "policy": policy_in_force(self.measures, self.policy),
            "mean": plain(self.mean()),
            "notes": [note.to_dict() for note in self.notes],
        }


def mean_table(
    measures: Sequence[Measure],
    means: Mapping[str, Mapping[str, float]],
    counted: Ints,
    remarks: tuple[str, ...],
    spans: Mapping[str, Mapping[str, tuple[float, float]]] | None = None,
    *,
    noun: str = NOUNS[0],
) -> Table:
    """One row per system, best first by the first measure; `spans` are the lowest and highest means, where asked for."""
    from rankgauge.tables.table import Column, Table, number

    first = str(measures[0])
    systems = list(means)
    order = sorted(systems, key=lambda system: -_or_least(means[system][first]))
    columns = [Column("system"), *map(measure_column, measures)]
    rows: list[tuple[Cell, ...]] = [(system, *means[system].values()) for system in order]
    if spans:
        columns = [
            columns[0],
            *(part for column in columns[1:] for part in (column, number("lowest"), number("highest"))),
        ]
        rows = [(s, *(cell for name, mean in means[s].items() for cell in (mean, *spans[s][name]))) for s in order]
    if counted.min() != counted.max():
        columns.append(number(many(noun)))
        rows = [(*row, _from_to(counted[systems.index(system)])) for row, system in zip(rows, order, strict=True)]
    caption = f"mean over {plural(int(counted.max()), noun)}" + (f", best {first} first" if len(order) > 1 else "")
    return Table(tuple(columns), tuple(rows), caption, remarks)


def with_medians(table: Table, medians: Mapping[str, Mapping[str, float]]) -> Table:
    """A table of means with the median over queries beside each."""
    from rankgauge.tables.table import number

    columns: list[Column] = []
    rows: list[list[Cell]] = [[] for _ in table.rows]
    for at, column in enumerate(table.columns):
        columns.append(column)
        for row, cells in zip(rows, table.rows, strict=True):
            row.append(cells[at])
            row.extend([medians[str(cells[0])][column.name]] if column.name in medians[str(cells[0])] else [])
        columns += [number("median")] if any(column.name in found for found in medians.values()) else []
    return replace(table, columns=tuple(columns), rows=tuple(map(tuple, rows)))


def remarks_on(measures: Sequence[Measure], policy: Policy, notes: Sequence[Note]) -> tuple[str, ...]:
    """The policy in one line, then the notes; those that many systems share are combined."""
    parts = {
        "ties": _shared(ties_of(measures, policy)),
        "unjudged": policy.unjudged,
        "missing": policy.missing,
        "undefined": _shared(undefined_of(measures, policy)),
        "precision": policy.precision,
        "depth": policy.depth,
        **policy.unusual(),
    }
    usual = {"precision": "double", "depth": None}
    line = ", ".join(f"{name}={value}" for name, value in parts.items() if usual.get(name, "") != value)
    unknown = [note.text for note in notes if note.kind == UNRECORDED]
    shared = gathered([note for note in notes if note.kind != UNRECORDED])
    return (f"policy: {unknown[0] if unknown else line}", *_unusual_means(measures), *shared)


def policy_in_force(measures: Sequence[Measure], policy: Policy) -> dict[str, Any]:
    return policy.to_dict() | {"ties": ties_of(measures, policy), "undefined": undefined_of(measures, policy)}


def ties_of(measures: Sequence[Measure], policy: Policy) -> dict[str, str]:
    """The tie rule in force for each measure."""
    return {str(measure): policy.ties or measure.definition.ties for measure in measures}


def undefined_of(measures: Sequence[Measure], policy: Policy) -> dict[str, str]:
    """What each measure counts where it is undefined."""
    return {str(measure): policy.undefined or measure.definition.undefined for measure in measures}


def measure_column(measure: Measure) -> Column:
    from rankgauge.tables.table import number

    return number(str(measure), 0 if measure.definition.aggregate == "sum" else None)


def _unusual_means(measures: Sequence[Measure]) -> Iterator[str]:
    for kind, words in (("sum", "summed over queries"), ("geometric", "geometric mean over queries")):
        names = [str(measure) for measure in measures if measure.definition.aggregate == kind]
        if names:
            yield f"{words}: {', '.join(names)}"


def _from_to(counts: Ints) -> Cell:
    """One number where all measures of a system have it, else the least and the most."""
    least, most = int(counts.min()), int(counts.max())
    return least if least == most else f"{least:,}–{most:,}"


def _or_least(value: float) -> float:
    return -math.inf if math.isnan(value) else value


def _shared(rules: Mapping[str, str]) -> str:
    """One word if all measures agree, else each measure with its own."""
    kinds = set(rules.values())
    return kinds.pop() if len(kinds) == 1 else " ".join(f"{name}:{rule}" for name, rule in rules.items())
