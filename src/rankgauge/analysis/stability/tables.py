"""Studies of stability as tables: one to read, one for other programs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Protocol

from rankgauge.analysis.stability.reliability import Coefficient, StabilityOptions
from rankgauge.analysis.stability.variance import VarianceComponents
from rankgauge.tables.notes import Note, gathered
from rankgauge.tables.table import Cell, Column, Estimate, Table, number

SIGNS: dict[Coefficient, str] = {"dependability": "Φ", "generalizability": "Eρ²"}


class Study(Protocol):
    """What a table asks of the study of one measure."""

    @property
    def measure(self) -> str: ...

    @property
    def systems(self) -> int: ...

    @property
    def query_count(self) -> int: ...

    @property
    def variance(self) -> VarianceComponents: ...

    @property
    def notes(self) -> tuple[Note, ...]: ...

    def coefficient(self, coefficient: Coefficient, queries: int | None = None) -> Estimate: ...

    def queries_needed(self, target: float, coefficient: Coefficient = ...) -> Estimate: ...


def compact_table(studies: Sequence[Study], options: StabilityOptions, about: Sequence[Note] = ()) -> Table:
    """Φ of every measure, then Eρ², with intervals and the queries that each target needs; fits 80 columns.

    In bold the measure that needs the fewest queries for the last target.
    """
    present = {study.query_count for study in studies}
    counts_differ = len(present) > 1 or bool(options.queries_at)
    rows: list[tuple[Cell, ...]] = []
    marked = set()
    for coefficient, sign in SIGNS.items():
        best = _thriftiest(studies, options.reach[-1], coefficient) if options.reach else None
        for study in studies:
            if study is best:
                marked.add(len(rows))
            needed = [study.queries_needed(target, coefficient) for target in options.reach]
            rows.append((study.measure, sign, study.query_count, study.coefficient(coefficient), *needed))
            for queries in options.queries_at:
                blank = [""] * len(options.reach)
                rows.append((study.measure, sign, queries, study.coefficient(coefficient, queries), *blank))
    value = "value" if counts_differ else f"on {max(present)} queries"
    targets = (number(f"for {target:g}") for target in options.reach)
    columns = (Column("measure"), Column(""), number("queries"), number(value), *targets)
    if not counts_differ:
        columns = (*columns[:2], *columns[3:])
        rows = [(*row[:2], *row[3:]) for row in rows]
    notes = (*_explained(options), *_found(studies, options), *gathered(about))
    return Table(columns, tuple(rows), _caption(studies, options), notes, frozenset(marked), decimals=3)


def wide_table(studies: Sequence[Study], options: StabilityOptions) -> Table:
    """One row per measure; the columns are named as the JSON nests them."""
    rows = [dict(_numbers(study, options)) for study in studies]
    columns = (Column("measure"), *(number(name) for name in rows[0] if name != "measure"))
    return Table(columns, tuple(tuple(row.values()) for row in rows))


def _numbers(study: Study, options: StabilityOptions) -> Iterator[tuple[str, Cell]]:
    yield from (("measure", study.measure), ("systems", study.systems), ("queries", study.query_count))
    for part, value in study.variance.to_dict().items():
        yield f"variance_{part}", value
    for coefficient in SIGNS:
        yield from _three(coefficient, study.coefficient(coefficient))
    for coefficient in SIGNS:
        for target in options.reach:
            yield from _three(f"queries_needed_{coefficient}_{target!r}", study.queries_needed(target, coefficient))
    for coefficient in SIGNS:
        for queries in options.queries_at:
            yield from _three(f"at_{coefficient}_{queries}", study.coefficient(coefficient, queries))


def _three(name: str, estimate: Estimate) -> Iterator[tuple[str, Cell]]:
    yield name, estimate.value
    yield f"{name}_low", estimate.low
    yield f"{name}_high", estimate.high


def _caption(studies: Sequence[Study], options: StabilityOptions) -> str:
    systems, queries = ({getattr(study, what) for study in studies} for what in ("systems", "query_count"))
    on = f" on {max(queries)} queries" if len(queries) == 1 else ""
    needed = ", ".join(f"{target:g}" for target in options.reach)
    return f"stability of {max(systems)} systems{on}" + (f", and the queries needed for {needed}" if needed else "")


def _explained(options: StabilityOptions) -> Iterator[str]:
    question = "these systems on other queries" if options.systems == "these" else "other systems and other queries"
    method = "Arteaga for Φ, exact F for Eρ²" if options.interval == "arteaga" else "jackknife"
    yield f"in brackets: {100 * options.confidence:g}% intervals for {question} ({method})"
    yield "Φ asks whether the mean scores hold on other queries, Eρ² whether the order does"


def _found(studies: Sequence[Study], options: StabilityOptions) -> Iterator[str]:
    for study in studies:
        share = study.variance.shares()
        parts = {"systems": share.system, "queries": share.query, "rest": share.residual}
        shares = ", ".join(f"{name} {part:.1%}" for name, part in parts.items())
        yield f"variance of {study.measure}: {shares}"
    for target in options.reach:
        best = _thriftiest(studies, target, "dependability")
        if best is not None:
            yield f"fewest queries for Φ ≥ {target:g}: {best.measure}, {best.queries_needed(target)}"
    said: dict[str, list[str]] = {}
    for study in studies:
        for note in study.notes:
            said.setdefault(note.text, []).append(study.measure)
    for text, measures in said.items():
        yield text if len(measures) == len(studies) else f"{', '.join(measures)}: {text}"


def _thriftiest(studies: Sequence[Study], target: float, coefficient: Coefficient) -> Study | None:
    """The measure that needs the fewest queries, the first of equals; None for one alone, or if none is enough."""
    best = min(studies, key=lambda study: study.queries_needed(target, coefficient).value)
    enough = math.isfinite(best.queries_needed(target, coefficient).value)
    return best if enough and len(studies) > 1 else None
