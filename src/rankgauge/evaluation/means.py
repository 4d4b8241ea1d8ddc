"""Means over queries: alone, where the scores of the queries are more than one machine should hold, and as tables."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
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
        """{system: {measure: mean}}"""
        names = [str(measure) for measure in self.measures]
        return {
            system: ByName(zip(names, row, strict=True))
            for system, row in zip(self.systems, self.values.tolist(), strict=True)
        }

    def table(self) -> Table:
        """One row per system, best first by the first measure."""
        return mean_table(self, {})

    def to_dict(self) -> dict[str, Any]:
        """As that of Scores, without medians and queries."""
        in_force = {"ties": ties_of(self.measures, self.policy), "undefined": undefined_of(self.measures, self.policy)}
        return {
            "measures": [str(measure) for measure in self.measures],
            "systems": list(self.systems),
            "queries": self.queries,
            "policy": self.policy.to_dict() | in_force,
            "mean": plain(self.mean()),
            "notes": [note.to_dict() for note in self.notes],
        }


def mean_table(found: Means, beside: Mapping[str, Mapping[str, Mapping[str, float]]]) -> Table:
    """One row per system, best first by the first measure; `beside` has more numbers for each mean, such as the median."""
    from rankgauge.tables.table import Column, Table, number

    first, means, counts = str(found.measures[0]), found.mean(), dict(zip(found.systems, found.counts, strict=True))
    order = sorted(means, key=lambda s: math.inf if math.isnan(means[s][first]) else -means[s][first])
    columns, more = [Column("system")], [number(name) for name in beside]
    for measure in found.measures:
        columns += [measure_column(measure), *more]
    rows: list[tuple[Cell, ...]] = []
    for system in order:
        cells = [(mean, *(other[system][name] for other in beside.values())) for name, mean in means[system].items()]
        rows.append((system, *chain.from_iterable(cells)))
    if found.counts.min() != found.counts.max():
        columns.append(number(many(found.noun)))
        fewest_and_most = [(int(counts[system].min()), int(counts[system].max())) for system in order]
        spans = [least if least == most else f"{least:,}–{most:,}" for least, most in fewest_and_most]
        rows = [(*row, span) for row, span in zip(rows, spans, strict=True)]
    caption = f"mean over {plural(int(found.counts.max()), found.noun)}"
    caption += f", best {first} first" if len(order) > 1 else ""
    return Table(tuple(columns), tuple(rows), caption, remarks(found))


def query_table(scores: Any) -> Table:
    """One row per system and query of Scores, whose module imports this one."""
    from rankgauge.tables.table import Column, Table

    columns = (Column("system"), Column("query"), *map(measure_column, scores.measures))
    rows = tuple(
        (system, query, *row)
        for system, block in zip(scores.systems, scores.values.tolist(), strict=True)
        for query, row in zip(scores.queries, block, strict=True)
    )
    return Table(columns, rows, "per query", remarks(scores))


def remarks(scores: Any) -> tuple[str, ...]:
    """Of Scores or Means: the policy in one line, then the notes; those that many systems share are combined."""
    measures, policy = scores.measures, scores.policy
    unknown = [note.text for note in scores.notes if note.kind == UNRECORDED]
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
    lines = [f"policy: {unknown[0] if unknown else line}"]
    for kind, words in (("sum", "summed over queries"), ("geometric", "geometric mean over queries")):
        names = [str(measure) for measure in measures if measure.definition.aggregate == kind]
        lines += [f"{words}: {', '.join(names)}"] if names else []
    return (*lines, *gathered([note for note in scores.notes if note.kind != UNRECORDED]))


def ties_of(measures: Sequence[Measure], policy: Policy) -> dict[str, str]:
    """The tie rule in force for each measure."""
    return {str(measure): policy.ties or measure.definition.ties for measure in measures}


def undefined_of(measures: Sequence[Measure], policy: Policy) -> dict[str, str]:
    """What each measure counts where it is undefined."""
    return {str(measure): policy.undefined or measure.definition.undefined for measure in measures}


def measure_column(measure: Measure) -> Column:
    """Counts have no decimals."""
    from rankgauge.tables.table import number

    return number(str(measure), 0 if measure.definition.aggregate == "sum" else None)


def _shared(rules: Mapping[str, str]) -> str:
    """One word if all measures agree, else each measure with its own."""
    kinds = set(rules.values())
    return kinds.pop() if len(kinds) == 1 else " ".join(f"{name}:{rule}" for name, rule in rules.items())
