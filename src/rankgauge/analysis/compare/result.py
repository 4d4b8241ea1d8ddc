"""What a comparison of systems found: `Comparison`, made by `compare`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rankgauge.analysis.compare.findings import MeasureComparison
from rankgauge.analysis.compare.options import position
from rankgauge.analysis.compare.tables import compact_table, pair_table, wide_table
from rankgauge.analysis.compare.wording import measure_table, method_text, wrapped
from rankgauge.errors import UsageError
from rankgauge.tables.markup import to_latex, to_markdown
from rankgauge.tables.shown import Shown
from rankgauge.tables.table import Table

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(Shown):
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
        return self.text()

    def __repr__(self) -> str:
        return f"Comparison({self.summary})"

    def text(self, decimals: int | None = None, *, notes: bool = True) -> str:
        """The sentence, a table per measure, and how the numbers were made; 80 columns wide."""
        places = 4 if decimals is None else decimals
        tables = [measure_table(found, self.baseline, decimals=places) for found in self.measures]
        made = ["\n".join(wrapped(line) for line in self.remarks())] if notes else []
        return "\n\n".join([wrapped(self.summary), *tables, *made])

    def table(self) -> Table:
        """One row per measure and pair under the sentence, to read."""
        return pair_table(self.measures, self.baseline, self.summary, self.remarks())

    def compact_table(self) -> Table:
        """Systems × measures with the marks of significance and their legend, as papers print it."""
        if self.baseline is None:
            raise UsageError("marks of significance need a baseline\nName one when comparing.")
        return compact_table(self.measures, self.baseline, self.summary, self.remarks())

    def to_latex(self, decimals: int | None = None, *, compact: bool = False) -> str:
        """A booktabs table of the pairs, or (`compact`) of systems × measures; arrows mark significance."""
        return to_latex(self.compact_table() if compact else self.table(), decimals)

    def to_markdown(self, decimals: int | None = None, *, compact: bool = False) -> str:
        """As `to_latex`, for pages."""
        return to_markdown(self.compact_table() if compact else self.table(), decimals)

    def wide_table(self) -> Table:
        """One row per measure and pair, every number in a column of its own: for other programs."""
        return wide_table(self.measures)

    def remarks(self) -> tuple[str, ...]:
        """How the numbers were made, and what was noted."""
        method = method_text(self.measures, self.test, self.correction, self.confidence, self.interval)
        return (f"{method}; seed {self.seed}.", *self.notes)

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
