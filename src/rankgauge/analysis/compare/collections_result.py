"""What a comparison over several collections found."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from rankgauge.analysis.compare.verdicts import Verdict
from rankgauge.analysis.compare.wording import interval_text, p_text, percent, signed
from rankgauge.tables.notes import Note, gathered
from rankgauge.tables.shown import ByMeasure, Plain
from rankgauge.tables.table import Cell, Column, Table, number


@dataclass(frozen=True, slots=True)
class CollectionDifference(Plain):
    """One pair on one collection, with the interval of this collection alone; `weight` is its share of the mean."""

    json_names: ClassVar = {"query_count": "queries"}

    collection: str
    difference: float
    low: float
    high: float
    query_count: int
    weight: float

    def weighing(self, share: float) -> CollectionDifference:
        return replace(self, weight=share)


@dataclass(frozen=True, slots=True)
class PooledPair(Plain):
    """One system against the baseline: the mean difference over collections like these.

    `between` is the standard deviation of true differences between collections, `heterogeneity` (I²) the share of the
    scatter that is more than noise, `p_heterogeneity` of no such scatter; a new collection's true difference lies between
    `predicted_low` and `predicted_high` with the confidence asked for.
    """

    system: str
    baseline: str
    difference: float
    low: float
    high: float
    p: float
    p_adjusted: float
    p_equivalence: float
    verdict: Verdict
    between: float
    heterogeneity: float
    p_heterogeneity: float
    predicted_low: float
    predicted_high: float
    collections: tuple[CollectionDifference, ...]


@dataclass(frozen=True, slots=True)
class MeasureAcross(Plain):
    """The pairs of one measure."""

    json_names: ClassVar = {"measure": None}

    measure: str
    pairs: tuple[PooledPair, ...]


@dataclass(frozen=True, repr=False)
class AcrossCollections(ByMeasure[MeasureAcross]):
    """Systems compared on several collections; `interval_confidence` is of each mean by itself, at the level that decides."""

    json_also: ClassVar = ("summary",)

    collections: tuple[str, ...]
    baseline: str
    correction: str
    confidence: float
    interval_confidence: float
    equivalence: float | None
    notes: tuple[Note, ...]
    parts: tuple[MeasureAcross, ...]

    def __repr__(self) -> str:
        return f"AcrossCollections({self.summary})"

    @property
    def summary(self) -> str:
        """One sentence, on the first measure."""
        lead = self.parts[0]
        where = f"over {len(self.collections)} collections, on {lead.measure}"
        if len(lead.pairs) == 1:
            pair = lead.pairs[0]
            evidence = interval_text(pair.low, pair.high, self.interval_confidence)
            outcome = {
                "undecided": f"Undecided between {pair.system} and {pair.baseline}",
                "equivalent": f"{pair.system} and {pair.baseline} are equivalent",
            }.get(pair.verdict, f"{pair.system} is {pair.verdict} than {pair.baseline}")
            p = f"p = {p_text(pair.p_adjusted)}".replace("= <", "< ")
            return f"{outcome} {where}: {signed(pair.difference)} on average ({evidence}, {p})."
        counts = {word: sum(pair.verdict == word for pair in lead.pairs) for word in ("better", "worse", "equivalent")}
        found = ", ".join(f"{count or 'none'} {word}" for word, count in counts.items() if count or word == "better")
        return f"Of {len(lead.pairs)} systems against {self.baseline} {where}: {found}, the others undecided."

    @property
    def method(self) -> str:
        level = percent(self.interval_confidence)
        adjusted = "p not adjusted" if self.correction == "none" else f"p adjusted ({self.correction})"
        return (
            f"random effects (Paule-Mandel, t with {len(self.collections) - 1} degrees of freedom where all collections"
            f" have both), {adjusted}; {level} intervals of the mean difference over collections."
        )

    def table(self) -> Table:
        """A row per pair for the mean, below it one per collection."""
        rows: list[tuple[Cell, ...]] = []
        marked = set()
        for part in self.parts:
            for pair in part.pairs:
                marked.add(len(rows))
                rows.append(
                    (
                        *(part.measure, pair.system, "all", None, pair.difference, pair.low, pair.high),
                        *(p_text(pair.p_adjusted), f"{pair.heterogeneity:.0%}", pair.verdict),
                    )
                )
                rows += [
                    (
                        part.measure,
                        "",
                        one.collection,
                        f"{one.weight:.0%}",
                        one.difference,
                        one.low,
                        one.high,
                        "",
                        "",
                        "",
                    )
                    for one in pair.collections
                ]
        columns = (
            *(Column("measure"), Column("system"), Column("collection"), number("weight")),
            *(number(name, signed=True) for name in ("difference", "low", "high")),
            *(number("p"), number("I²"), Column("verdict", is_verdict=True)),
        )
        if len(self.parts) == 1:
            columns, rows = (columns[1:], [row[1:] for row in rows])
        notes = (
            self.method,
            "I²: share of the scatter between collections that is more than noise",
            *gathered(self.notes),
        )
        return Table(columns, tuple(rows), self.summary, notes, frozenset(marked), gap=1)

    def wide_table(self) -> Table:
        """One row per measure, pair and collection, the mean first: for other programs."""
        names = ("difference", "low", "high")
        more = ("p", "p_adjusted", "between", "heterogeneity", "p_heterogeneity", "predicted_low", "predicted_high")
        rows: list[tuple[Cell, ...]] = []
        for part in self.parts:
            for pair in part.pairs:
                own = [getattr(pair, name) for name in (*names, *more)]
                rows.append((part.measure, pair.system, pair.baseline, "", None, None, *own, pair.verdict))
                rows += [
                    (
                        *(part.measure, pair.system, pair.baseline, one.collection, one.query_count, one.weight),
                        *(getattr(one, name) for name in names),
                        *([None] * len(more)),
                        "",
                    )
                    for one in pair.collections
                ]
        columns = (
            *(Column(name) for name in ("measure", "system", "baseline", "collection")),
            *(number(name) for name in ("queries", "weight", *names, *more)),
            Column("verdict"),
        )
        return Table(columns, tuple(rows))
