"""What a comparison of systems found: `Comparison`, made by `compare`."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from os import PathLike
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from rankgauge.analysis.compare import tables
from rankgauge.analysis.compare.gate import Gate, Rule, fitted_rules, judge_all
from rankgauge.analysis.compare.ledger import Ledger
from rankgauge.analysis.compare.statistics.judged import HumanQueryPlan, plan_human_queries
from rankgauge.analysis.compare.statistics.power import QueryPlan, plan_queries
from rankgauge.analysis.compare.statistics.tests import paired_differences
from rankgauge.analysis.compare.verdicts import MeasureComparison
from rankgauge.analysis.score_table import position
from rankgauge.errors import UsageError
from rankgauge.evaluation.scores import Scores
from rankgauge.signature import Level, Margin, checked
from rankgauge.tables import ByMeasure, Plain
from rankgauge.tables.notes import Note, gathered, visible
from rankgauge.tables.table import Table

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True)
class QueryDifference(Plain):
    """One query of two systems."""

    query: str
    system: float
    baseline: float
    difference: float


@dataclass(frozen=True, slots=True)
class PairDifferences(Plain):
    """Every query of one pair on one measure, from the worst loss to the best win."""

    _json_names: ClassVar = {"per_query": "queries"}

    measure: str
    system: str
    baseline: str
    per_query: tuple[QueryDifference, ...]

    @property
    def queries(self) -> tuple[str, ...]:
        return tuple(one.query for one in self.per_query)


@dataclass(frozen=True, repr=False)
class Comparison(ByMeasure[MeasureComparison]):
    """Systems compared on the same queries.

    `baseline` is None when all pairs were compared and none was named. `samples` were drawn for every pair and
    `finer_samples` for those near the limit of significance; both are None for tests without samples.
    `interval_confidence` is the confidence of each interval by itself, at the level that decides within the family.
    """

    _json_names: ClassVar = {"parts": "measures", "scores": None}

    baseline: str | None
    test: str
    correction: str
    confidence: float
    seed: int
    samples: int | None
    finer_samples: int | None
    interval: str
    interval_for: str
    interval_confidence: float
    equivalence: float | None
    summary: str
    next_step: str
    """What to do now: ship, keep, choose by cost, or judge more queries."""
    notes: tuple[Note, ...]
    parts: tuple[MeasureComparison, ...]
    scores: Scores = field(compare=False)
    """What was compared."""
    correction_within: str = "all"
    """Whether p-values are adjusted over all measures together, or within each ("measure")."""

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return visible(f"Comparison({self.summary})")

    @property
    def queries(self) -> tuple[str, ...]:
        return self.scores.queries

    @property
    def floors(self) -> tuple[float, ...]:
        """The p-values of samples none of which was as extreme: the test cannot tell smaller ones apart."""
        return tuple(1 / (1 + drawn) for drawn in (self.samples, self.finer_samples) if drawn)

    @checked
    def gate(self, *rules: str | Rule, ledger: str | PathLike[str] | None = None) -> Gate:
        """Whether any of these rules is broken, such as "nDCG@10 < baseline - 0.01"; judged on the intervals.

        All runs and rules hold together at the confidence of the comparison; with a `ledger`, a file that counts the
        looks, so do all looks that are ever taken: for a gate that is run on every commit.
        """
        about: dict[str, Any] = {
            "baseline": self.baseline,
            "confidence": self.confidence,
            "noun": self.scores.about.noun,
        }
        if ledger is None:
            return judge_all(rules, self.parts, **about)
        looks = Ledger(ledger)
        look, digest = looks.look(self.scores, [rule.text for rule in fitted_rules(rules, self.parts)])
        found = judge_all(rules, self.parts, **about, look=look)
        looks.record(look, digest, found.outcome)
        return found

    @checked
    def queries_to_detect(
        self, difference: Margin = 0.02, *, power: Level = 0.8, alpha: Level | None = None
    ) -> QueryPlan:
        """How many queries would detect a true difference of this size; alpha is 1 - confidence by default."""
        level = round(1.0 - self.confidence, 12) if alpha is None else alpha
        return plan_queries(self.scores, difference, power=power, alpha=level)

    @checked
    def human_queries_to_detect(
        self, difference: Margin = 0.02, *, power: Level = 0.8, alpha: Level | None = None
    ) -> HumanQueryPlan:
        """How many human queries, beside the judge of all queries, would detect a true difference of this size."""
        level = round(1.0 - self.confidence, 12) if alpha is None else alpha
        judged = {
            part.measure: [(pair.deviation, pair.judge) for pair in part.pairs if pair.judge is not None]
            for part in self.parts
        }
        return plan_human_queries(judged, difference, power=power, alpha=level)

    def differences(self) -> tuple[PairDifferences, ...]:
        """The queries behind every pair, from the worst loss to the best win."""
        found = []
        for part, measure in zip(self.parts, self.scores.measures, strict=True):
            values = self.scores.matrix(measure)
            for pair in part.pairs:
                first, second = (
                    values[position(name, self.scores.systems, "system")] for name in (pair.system, pair.baseline)
                )
                queries = query_differences(first, second, self.scores.queries)
                found.append(PairDifferences(part.measure, pair.system, pair.baseline, queries))
        return tuple(found)

    def text(self, decimals: int | None = None, *, notes: bool = True) -> str:
        """The sentence, a table per measure, and how the numbers were computed, as wide as the terminal."""
        from rankgauge.tables.table import page_text

        return page_text(self.summary, self.measure_tables(), self.remarks() if notes else (self.method,), decimals)

    def measure_tables(self) -> list[Table]:
        """A table per measure; where a judge or --bayes had a say, another of what they say."""
        if not self.parts[0].pairs:
            return [tables.alone_table(self.parts)]
        shown = [tables.measure_table(found, self.baseline, floors=self.floors) for found in self.parts]
        judged = [found for found in self.parts if found.pairs and found.pairs[0].judge]
        shown += [tables.judge_table(found, self.baseline, self.confidence) for found in judged]
        likely = [found for found in self.parts if found.pairs and found.pairs[0].bayes]
        return shown + [tables.bayes_table(found, self.baseline) for found in likely]

    def table(self) -> Table:
        """One row per measure and pair under the sentence, to read."""
        notes = gathered(self.notes)
        if not self.parts[0].pairs:
            return replace(tables.alone_table(self.parts, self.summary, notes), legend=(self.method,))
        about = (self.summary, notes, self.method)
        return tables.pair_table(self.parts, self.baseline, *about, sources=True, floors=self.floors)

    def compact_table(self, *, caption: str | None = None, label: str | None = None) -> Table:
        """Systems × measures as papers print it: the best of each column in bold, marks of significance, a legend."""
        if self.baseline is None:
            raise UsageError("marks of significance need a baseline\nName one when comparing.")
        notes = (self.summary, *gathered(self.notes))
        about: dict[str, Any] = {"caption": caption, "label": label, "noun": self.scores.about.noun}
        return tables.paper_table(self.parts, self.baseline, self._method(intervals=False), notes, **about)

    def to_latex(
        self,
        decimals: int | None = None,
        *,
        compact: bool = False,
        caption: str | None = None,
        label: str | None = None,
    ) -> str:
        """A booktabs table of the pairs, or (`compact`) of systems × measures; arrows mark significance."""
        from rankgauge.tables.table import to_latex

        return to_latex(self._pasted(compact=compact, caption=caption, label=label), decimals)

    def to_markdown(self, decimals: int | None = None, *, compact: bool = False, caption: str | None = None) -> str:
        """As `to_latex`, for pages."""
        from rankgauge.tables.table import to_markdown

        return to_markdown(self._pasted(compact=compact, caption=caption, label=None), decimals)

    def _pasted(self, *, compact: bool, caption: str | None, label: str | None) -> Table:
        if compact:
            return self.compact_table(caption=caption, label=label)
        table = self.table()
        return replace(table, caption=table.caption if caption is None else caption, label=label or "")

    def wide_table(self) -> Table:
        """One row per measure and pair, every number in its own column: for other programs."""
        return tables.wide_table(self.parts) if self.parts[0].pairs else tables.alone_table(self.parts)

    @property
    def method(self) -> str:
        """How the numbers were computed."""
        if not self.parts[0].pairs:
            return f"{tables.percent(self.confidence)} {self.interval} intervals of each mean."
        return self._method(intervals=True)

    def _method(self, *, intervals: bool) -> str:
        method = tables.method_text(
            self.parts,
            self.test,
            self.correction,
            self.interval_confidence,
            self.interval,
            alone=self.interval_for == "pair",
            within=self.correction_within == "measure",
            shown=intervals,
        )
        taken = ""
        if self.baseline is not None and len(self.scores.systems) > 2:
            why = ", the first run" if self.baseline == self.scores.systems[0] else ""
            taken = f"baseline {self.baseline}{why}; "
        drawn = f"; seed {self.seed}" if self.samples or self.interval != "t" else ""
        return f"{taken}{method}{drawn}."

    def remarks(self) -> tuple[str, ...]:
        """How the numbers were computed, and what was noted."""
        return (self.method, *gathered(self.notes))

    def to_polars(self) -> pl.DataFrame:
        """One row per measure and pair."""
        import polars as pl

        return pl.DataFrame(tables.flat_rows(self.parts), infer_schema_length=None)


def query_differences(
    system: npt.ArrayLike, baseline: npt.ArrayLike, queries: tuple[str, ...]
) -> tuple[QueryDifference, ...]:
    """Every query that both systems have a score for, from the worst loss to the best win; equal ones as given."""
    system, baseline = np.asarray(system, dtype=np.float64), np.asarray(baseline, dtype=np.float64)
    differences = paired_differences(system, baseline)
    order = np.argsort(differences, kind="stable")
    return tuple(
        QueryDifference(queries[i], float(system[i]), float(baseline[i]), float(differences[i]))
        for i in order[: len(order) - int(np.isnan(differences).sum())]
    )
