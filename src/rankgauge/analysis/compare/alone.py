"""One system with nothing beside it: its means and their intervals, for rules with a fixed number."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from rankgauge.analysis.compare.evidence import summarise
from rankgauge.analysis.compare.options import Design
from rankgauge.analysis.compare.verdicts import MeasureComparison
from rankgauge.analysis.compare.wording import percent
from rankgauge.errors import plural
from rankgauge.evaluation.intervals import linearized
from rankgauge.evaluation.scores import Scores
from rankgauge.tables.table import Column, Table, number


def alone(table: Scores, design: Design) -> tuple[MeasureComparison, ...]:
    """Every measure with its one system and no pair."""
    found = []
    for measure in table.measures:
        values = np.ascontiguousarray(table.matrix(measure))
        values = values if table.weights is None else linearized(values, table.weights)
        found.append(MeasureComparison(str(measure), summarise(values, design), (), math.nan))
    return tuple(found)


def alone_summary(parts: Sequence[MeasureComparison], confidence: float) -> str:
    system = parts[0].systems[0]
    interval = f"{percent(confidence)} interval {system.low:.4f} to {system.high:.4f}"
    evidence = f"{parts[0].measure} is {system.mean:.4f} ({interval}) on {plural(system.query_count, 'query')}"
    return f"Nothing to compare {system.name} with: {evidence}."


def alone_method(confidence: float, interval: str) -> str:
    return f"{percent(confidence)} {interval} intervals of each mean"


def alone_table(parts: Sequence[MeasureComparison], caption: str = "", notes: Sequence[str] = ()) -> Table:
    """One row per measure."""
    columns = (Column("measure"), Column("system"), number("mean"), number("low"), number("high"), number("queries"))
    rows = tuple(
        (part.measure, system.name, system.mean, system.low, system.high, system.query_count)
        for part in parts
        for system in part.systems
    )
    return Table(columns, rows, caption, tuple(notes))
