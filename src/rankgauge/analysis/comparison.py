"""What a comparison of systems found: `Comparison`, made by `compare`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rankgauge.analysis.cube import position
from rankgauge.analysis.findings import MeasureComparison
from rankgauge.analysis.wording import measure_table, method_text, wrapped

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True)
class Comparison:
    """Systems compared on the same queries.

    `baseline` is None when all pairs were compared and none was named. `samples` were drawn for every pair and
    `finer_samples` for those near the limit of significance; both are None for tests without samples.
    """

    baseline: str | None
    test: str
    correction: str
    confidence: float
    seed: int
    samples: int | None
    finer_samples: int | None
    interval: str
    equivalence: float | None
    summary: str
    notes: tuple[str, ...]
    measures: tuple[MeasureComparison, ...]

    def __getitem__(self, measure: str) -> MeasureComparison:
        names = [found.measure for found in self.measures]
        return self.measures[position(measure, names, "measure")]

    def __str__(self) -> str:
        """The sentence, a table per measure, and how the numbers were made; 80 columns wide."""
        tables = [measure_table(found, self.baseline) for found in self.measures]
        method = method_text(self.measures, self.test, self.correction, self.confidence, self.interval)
        made = [wrapped(line) for line in (f"{method}; seed {self.seed}.", *self.notes)]
        return "\n\n".join([wrapped(self.summary), *tables, "\n".join(made)])

    def to_dict(self) -> dict[str, object]:
        return {
            "baseline": self.baseline,
            "test": self.test,
            "correction": self.correction,
            "confidence": self.confidence,
            "seed": self.seed,
            "samples": self.samples,
            "finer_samples": self.finer_samples,
            "interval": self.interval,
            "equivalence": self.equivalence,
            "summary": self.summary,
            "notes": list(self.notes),
            "measures": {found.measure: found.to_dict() for found in self.measures},
        }

    def to_polars(self) -> pl.DataFrame:
        """One row per measure and pair."""
        import polars as pl

        rows = [{"measure": found.measure, **pair.to_dict()} for found in self.measures for pair in found.pairs]
        return pl.DataFrame(rows, infer_schema_length=None)
