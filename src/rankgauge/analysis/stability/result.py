"""What a study of stability found: per measure, and for several measures side by side."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args

from rankgauge.analysis.stability.reliability import (
    Coefficient,
    Reliability,
    ReliabilityCurve,
    StabilityOptions,
    check_word,
)
from rankgauge.analysis.stability.tables import compact_table, wide_table
from rankgauge.analysis.stability.variance import MeanSquares, VarianceComponents
from rankgauge.tables.notes import Note
from rankgauge.tables.shown import ByMeasure, Shown, plain
from rankgauge.tables.table import Estimate, Table

if TYPE_CHECKING:
    import polars as pl


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

    def dependability(self, queries: int | None = None) -> Estimate:
        """Φ on this many queries (the present number by default): can the mean scores be taken at face value?"""
        return self.absolute.at(self.query_count if queries is None else queries)

    def generalizability(self, queries: int | None = None) -> Estimate:
        """Eρ² on this many queries (the present number by default): would other queries rank these systems in the same order?"""
        return self.relative.at(self.query_count if queries is None else queries)

    def coefficient(self, coefficient: Coefficient, queries: int | None = None) -> Estimate:
        """Either of the two, by name."""
        return self._reliability(coefficient).at(self.query_count if queries is None else queries)

    def queries_needed(self, target: float, coefficient: Coefficient = "dependability") -> Estimate:
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
        found = {
            "systems": self.systems,
            "queries": self.query_count,
            "variance": self.variance.to_dict(),
            "variance_used": self.variance.truncated().to_dict(),
            "share": self.variance.shares().to_dict(),
            "mean_squares": self.mean_squares.to_dict(),
            "dependability": self.dependability().to_dict(),
            "generalizability": self.generalizability().to_dict(),
            "dependability_per_query": plain(self.dependability(1).value),
            "queries_needed": {
                name: {repr(target): self.queries_needed(target, name).to_dict() for target in targets}
                for name in coefficients
            },
            "left_out": {"systems": list(self.systems_left_out), "queries": list(self.queries_left_out)},
            "notes": [note.to_dict() for note in self.notes],
        }
        if at:
            found["at"] = {
                name: {str(queries): self.coefficient(name, queries).to_dict() for queries in at}
                for name in coefficients
            }
        return found

    def __repr__(self) -> str:
        return f"MeasureStability({self.measure}: Φ {self.dependability()}, {self.systems} systems × {self.query_count} queries)"

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
        best = min(self.parts, key=lambda study: study.queries_needed(target, coefficient).value)
        return best if math.isfinite(best.queries_needed(target, coefficient).value) else None

    def to_dict(self) -> dict[str, Any]:
        options = self.options
        about: dict[str, Any] = {"confidence": options.confidence, "interval": options.interval, "drop": options.drop}
        about["systems"] = options.systems
        return about | plain({"measures": {part.measure: part for part in self.parts}, "notes": self.notes})

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
