"""What a study of stability found: per measure, and for several measures side by side."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args

from rankgauge.analysis.stability.reliability import (
    Coefficient,
    Reliability,
    ReliabilityCurve,
    StabilityOptions,
    check_word,
)
from rankgauge.analysis.stability.variance import MeanSquares, VarianceComponents
from rankgauge.errors import many, plural
from rankgauge.signature import Level, checked
from rankgauge.tables import ByMeasure, Shown, plain
from rankgauge.tables.notes import NOUNS, Note, gathered
from rankgauge.tables.table import Cell, Column, Estimate, Table, number

if TYPE_CHECKING:
    import polars as pl

SIGNS: dict[Coefficient, str] = {"dependability": "Φ", "generalizability": "Eρ²"}


@dataclass(frozen=True, repr=False)
class MeasureStability(Shown):
    """What one measure's scores say about the number of queries. `systems` and `query_count` count what was used."""

    measure: str
    systems: int
    query_count: int
    mean_squares: MeanSquares
    variance: VarianceComponents
    absolute: Reliability
    relative: Reliability
    options: StabilityOptions
    systems_left_out: tuple[str, ...]
    queries_left_out: tuple[str, ...]
    notes: tuple[Note, ...]
    noun: str = NOUNS[0]
    """What a reader calls a query."""

    def dependability(self, queries: int | None = None) -> Estimate:
        """Φ on this many queries (the present number by default): can the mean scores be taken at face value?"""
        return self.absolute.at(self.query_count if queries is None else queries)

    def generalizability(self, queries: int | None = None) -> Estimate:
        """Eρ² on this many queries (the present number by default): would other queries rank these systems in the same order?"""
        return self.relative.at(self.query_count if queries is None else queries)

    def coefficient(self, coefficient: Coefficient, queries: int | None = None) -> Estimate:
        """Either of the two, by name."""
        return self._reliability(coefficient).at(self.query_count if queries is None else queries)

    @checked
    def queries_needed(self, target: Level, coefficient: Coefficient = "dependability") -> Estimate:
        """The smallest number of queries that reaches the target; inf where the systems do not differ."""
        return self._reliability(coefficient).queries_needed(target)

    def curve(
        self, queries: Iterable[int] | None = None, coefficient: Coefficient = "dependability"
    ) -> ReliabilityCurve:
        """Φ (or Eρ²) with its band; by default from 1 query to `curve_end`."""
        counts = range(1, self.curve_end(coefficient) + 1) if queries is None else queries
        return self._reliability(coefficient).curve(counts)

    def curve_end(self, coefficient: Coefficient = "dependability") -> int:
        """Where a curve may end: past the present number and the last target, at most tenfold the present."""
        needed = [self.queries_needed(target, coefficient).value for target in self.options.reach]
        last = max([self.query_count, *needed, *self.options.queries_at])
        return max(int(min(10 * self.query_count, 1.1 * last)), *self.options.queries_at, 2)

    def table(self) -> Table:
        """Φ and Eρ² with their intervals, and the queries that the targets need."""
        return compact_table((self,), self.options)

    def to_dict(self) -> dict[str, Any]:
        """The object of one measure in the JSON of `stability`; `variance` as estimated, `variance_used` truncated."""
        coefficients: tuple[Coefficient, ...] = get_args(Coefficient)
        targets, at = self.options.reach, self.options.queries_at
        found: dict[str, Any] = {
            "systems": self.systems,
            "queries": self.query_count,
            "variance": self.variance,
            "variance_used": self.variance.truncated(),
            "share": self.variance.shares(),
            "mean_squares": self.mean_squares,
            **{name: self.coefficient(name) for name in coefficients},
            "dependability_per_query": self.dependability(1).value,
            "queries_needed": {
                name: {repr(target): self.queries_needed(target, name) for target in targets} for name in coefficients
            },
            "left_out": {"systems": self.systems_left_out, "queries": self.queries_left_out},
            "notes": self.notes,
        }
        if at:
            found["at"] = {name: {queries: self.coefficient(name, queries) for queries in at} for name in coefficients}
        return {name: plain(part) for name, part in found.items()}

    def __repr__(self) -> str:
        return f"MeasureStability({self.measure}: Φ {self.dependability()}, {self.systems} systems × {plural(self.query_count, self.noun)})"

    def _reliability(self, coefficient: Coefficient) -> Reliability:
        check_word("coefficient", coefficient, get_args(Coefficient))
        return self.absolute if coefficient == "dependability" else self.relative


@dataclass(frozen=True, repr=False)
class Stability(ByMeasure[MeasureStability]):
    """The studies of one or several measures, in the order asked for; `study["nDCG@10"]` is one of them.

    `notes` says how the scores were computed.
    """

    parts: tuple[MeasureStability, ...]
    options: StabilityOptions
    notes: tuple[Note, ...] = ()

    def fewest_queries(self, target: float, coefficient: Coefficient = "dependability") -> MeasureStability | None:
        """The measure that reaches the target with the fewest queries, the first of equals; None if none does."""
        return _thriftiest(self.parts, target, coefficient)

    def to_dict(self) -> dict[str, Any]:
        asked = {name: getattr(self.options, name) for name in ("confidence", "interval", "drop", "systems")}
        return asked | {"measures": plain({part.measure: part for part in self.parts}), "notes": plain(self.notes)}

    def to_polars(self) -> pl.DataFrame:
        """One row per measure; an undefined or infinite number is nan or inf, as Polars can hold them."""
        import polars as pl

        table = self.wide_table()
        return pl.DataFrame(table.rows, schema=[column.name for column in table.columns], orient="row")

    def table(self) -> Table:
        """Φ and Eρ² of each measure with their intervals, and the queries that the targets need."""
        return compact_table(self.parts, self.options, self.notes)

    def wide_table(self) -> Table:
        """One row per measure, one column per number: for other programs."""
        return wide_table(self.parts, self.options)

    def __repr__(self) -> str:
        return f"Stability({', '.join(self.measures)})"


def compact_table(studies: Sequence[MeasureStability], options: StabilityOptions, about: Sequence[Note] = ()) -> Table:
    """Φ of every measure, then Eρ², with intervals and the queries that each target needs; fits 80 columns.

    In bold the measure that needs the fewest queries for the last target.
    """
    present = {study.query_count for study in studies}
    counts_differ = len(present) > 1 or bool(options.queries_at)
    rows: list[tuple[Cell, ...]] = []
    marked = set()
    for coefficient, sign in SIGNS.items():
        best = _thriftiest(studies, options.reach[-1], coefficient) if options.reach and len(studies) > 1 else None
        for study in studies:
            if study is best:
                marked.add(len(rows))
            needed = [study.queries_needed(target, coefficient) for target in options.reach]
            rows.append((study.measure, sign, study.query_count, study.coefficient(coefficient), *needed))
            for queries in options.queries_at:
                blank = [""] * len(options.reach)
                rows.append((study.measure, sign, queries, study.coefficient(coefficient, queries), *blank))
    noun = many(studies[0].noun)
    value = "value" if counts_differ else f"on {max(present):,} {noun}"
    targets = (number(f"for {target:g}") for target in options.reach)
    columns = (Column("measure"), Column(""), number(noun), number(value), *targets)
    if not counts_differ:
        columns = (*columns[:2], *columns[3:])
        rows = [(*row[:2], *row[3:]) for row in rows]
    notes = (*_explained(options, noun), *_found(studies, options, noun), *gathered(about))
    return Table(columns, tuple(rows), _caption(studies, options, noun), notes, frozenset(marked), decimals=3)


def wide_table(studies: Sequence[MeasureStability], options: StabilityOptions) -> Table:
    """One row per measure; the columns are named as the JSON nests them."""
    rows = [dict(_numbers(study, options)) for study in studies]
    columns = (Column("measure"), *(number(name) for name in rows[0] if name != "measure"))
    return Table(columns, tuple(tuple(row.values()) for row in rows))


def _numbers(study: MeasureStability, options: StabilityOptions) -> Iterator[tuple[str, Cell]]:
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
    yield from ((name, estimate.value), (f"{name}_low", estimate.low), (f"{name}_high", estimate.high))


def _caption(studies: Sequence[MeasureStability], options: StabilityOptions, noun: str) -> str:
    systems, queries = ({getattr(study, what) for study in studies} for what in ("systems", "query_count"))
    on = f" on {max(queries):,} {noun}" if len(queries) == 1 else ""
    needed = ", ".join(f"{target:g}" for target in options.reach)
    return f"stability of {max(systems)} systems{on}" + (f", and the {noun} needed for {needed}" if needed else "")


def _explained(options: StabilityOptions, noun: str) -> Iterator[str]:
    question = f"these systems on other {noun}" if options.systems == "these" else f"other systems and other {noun}"
    method = "Arteaga for Φ, exact F for Eρ²" if options.interval == "arteaga" else "jackknife"
    yield f"in brackets: {100 * options.confidence:g}% intervals for {question} ({method})"
    yield f"Φ asks whether the mean scores hold on other {noun}, Eρ² whether the order does"


def _found(studies: Sequence[MeasureStability], options: StabilityOptions, noun: str) -> Iterator[str]:
    for study in studies:
        share = study.variance.shares()
        parts = {"systems": share.system, noun: share.query, "rest": share.residual}
        shares = ", ".join(f"{name} {part:.1%}" for name, part in parts.items())
        yield f"variance of {study.measure}: {shares}"
    for target in options.reach if len(studies) > 1 else ():
        best = _thriftiest(studies, target, "dependability")
        if best is not None:
            yield f"fewest {noun} for Φ ≥ {target:g}: {best.measure}, {best.queries_needed(target)}"
    said: dict[str, list[str]] = {}
    for study in studies:
        for note in study.notes:
            said.setdefault(note.text, []).append(study.measure)
    for text, measures in said.items():
        yield text if len(measures) == len(studies) else f"{', '.join(measures)}: {text}"


def _thriftiest(
    studies: Sequence[MeasureStability], target: float, coefficient: Coefficient
) -> MeasureStability | None:
    """The measure that needs the fewest queries, the first of equals; None if no number is enough."""
    best = min(studies, key=lambda study: study.queries_needed(target, coefficient).value)
    return best if math.isfinite(best.queries_needed(target, coefficient).value) else None
