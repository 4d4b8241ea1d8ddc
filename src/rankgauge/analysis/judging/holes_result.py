"""What unjudged documents leave open: `Holes`, made by `holes`."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np

from rankgauge.analysis.compare.options import Design
from rankgauge.analysis.compare.tables import signed
from rankgauge.analysis.judging.bounded import Limits, Sides
from rankgauge.arrays import Floats, Ints
from rankgauge.errors import UsageError, many, plural
from rankgauge.evaluation.scores import Scores
from rankgauge.signature import Count, checked
from rankgauge.tables import Plain, Shown
from rankgauge.tables.notes import NOUNS, Note, document_of, gathered
from rankgauge.tables.table import Cell, Column, Table, number

Decision = Literal["better", "worse", "undecided"]
ROUNDING = 1e-12
"""A bound nearer to 0 than this is 0, and a difference of 0 has no sign.

Measures move in steps far above it: the mean of P@10 over 53 queries in steps of 1/530, so that 1e-17 is rounding.
"""
SHOWN = 40
"""Pairs in the table to read; all are in the JSON and the CSV."""


@dataclass(frozen=True, slots=True)
class PairHoles(Plain):
    """One system against another. `low` and `high` bound the difference over all grades of the holes.

    `interval_low` and `interval_high` are the t interval with unjudged documents as not relevant; `lowest_limit` and
    `highest_limit` are the ends that it could have, so that they cover queries and unjudged documents together.
    """

    _json_names: ClassVar = {"bounds": None, "noun": None}
    _json_also: ClassVar = ("labels_half_width", "queries_half_width", "advice")

    system: str
    baseline: str
    difference: float
    low: float
    high: float
    interval_low: float
    interval_high: float
    lowest_limit: float
    highest_limit: float
    holes: int
    sign_settled: bool
    verdict: Decision
    verdict_settled: bool
    bounds: tuple[tuple[str, float, float, float], ...] = field(repr=False)
    """Every query with its lowest difference, the difference now, and the highest."""
    noun: str = NOUNS[0]
    """What a reader calls a query."""

    @property
    def is_zero(self) -> bool:
        """Whether the systems are alike under all grades, so that there is no sign to settle."""
        return max(abs(self.low), abs(self.high)) <= ROUNDING

    @property
    def labels_half_width(self) -> float:
        """What unjudged documents leave open, as ±."""
        return (self.high - self.low) / 2

    @property
    def queries_half_width(self) -> float:
        """What the choice of queries leaves open, as ±."""
        return (self.interval_high - self.interval_low) / 2

    @property
    def half_widths(self) -> str:
        """Both in words."""
        labels, queries = self.labels_half_width, self.queries_half_width
        return f"unjudged {document_of(self.noun)}s: ±{labels:.4f}, {many(self.noun)}: ±{queries:.4f}"

    @property
    def advice(self) -> str:
        """Whether to judge more documents or to add queries."""
        labels, queries = self.labels_half_width, self.queries_half_width
        documents, add = f"{document_of(self.noun)}s", f"add {many(self.noun)}"
        if self.verdict_settled and self.verdict != "undecided":
            return "the verdict is settled, no more judging is needed"
        if labels == 0:
            return f"judging the unjudged {documents} would change nothing; {add}"
        if labels <= 0.5 * queries:
            return f"more judging hardly helps; {add}"
        if labels <= queries:
            return f"judge more {documents}, and {add}"
        if labels <= 2 * queries:
            return f"judge more {documents}"
        return f"too many unjudged {documents}: nothing can be said yet"


def pairs_of(
    design: Design, differences: Floats, sides: Sides, limits: Limits, holes: Ints, scores: Scores
) -> tuple[PairHoles, ...]:
    """Every pair with what is settled."""
    found = []
    for at, pair in enumerate(design.pairs.tolist()):
        there = ~np.isnan(differences[at])
        rows = [row[at, there] for row in (sides[0], differences, sides[1])]
        low, difference, high = (math.fsum(row) / len(row) if len(row) else math.nan for row in rows)
        first, second = (design.systems[one] for one in pair)
        ends = [float(end[at]) for end in limits[:4]]
        is_signed = low > ROUNDING or high < -ROUNDING
        names = [query for query, is_there in zip(scores.queries, there.tolist(), strict=True) if is_there]
        bounds = tuple(zip(names, *(row.tolist() for row in rows), strict=True))
        settled = (int(holes[at]), is_signed, *_decided(limits, at))
        found.append(
            PairHoles(
                first,
                second,
                difference,
                low,
                high,
                ends[0],
                ends[1],
                ends[2],
                ends[3],
                *settled,
                bounds,
                scores.about.noun,
            )
        )
    return tuple(found)


def _decided(limits: Limits, at: int) -> tuple[Decision, bool]:
    if limits.low[at] > 0:
        return "better", bool(limits.lowest[at] > 0)
    if limits.high[at] < 0:
        return "worse", bool(limits.highest[at] < 0)
    return "undecided", bool(limits.can_be_better[at] <= 0 and limits.can_be_worse[at] >= 0)


@dataclass(frozen=True, slots=True)
class ToJudge(Plain):
    """A document to judge; `score` is by how much a bound is expected to move."""

    query: str
    document: str
    score: float


@dataclass(frozen=True, repr=False)
class Holes(Shown):
    """What unjudged documents could change, pair by pair. `sharp` says whether some grades attain the bounds."""

    _json_names: ClassVar = {"query_count": "queries", "hole_count": "holes", "worklist": None, "noun": None}
    _json_also: ClassVar = ("summary",)

    measure: str
    baseline: str | None
    confidence: float
    ideal: str
    max_grade: float
    sharp: bool
    query_count: int
    hole_count: int
    systems: tuple[str, ...]
    pairs: tuple[PairHoles, ...]
    notes: tuple[Note, ...]
    worklist: tuple[ToJudge, ...] | None = field(compare=False)
    """Every hole, the most useful to judge first; None for measures without sharp bounds."""
    noun: str = NOUNS[0]
    """What a reader calls a query."""

    @property
    def _document(self) -> str:
        return document_of(self.noun)

    @checked
    def next(self, count: Count) -> tuple[ToJudge, ...]:
        """The documents to judge next, the most useful first: for pairs whose sign is open, if any is."""
        if self.worklist is None:
            raise UsageError(f"{self.measure} has no sharp bounds, so there is no list of what to judge; use nDCG@10")
        return self.worklist[:count]

    @property
    def summary(self) -> str:
        """One sentence: on the pair, or on how many are settled."""
        if len(self.pairs) == 1:
            return self._one(self.pairs[0])
        signs, verdicts = (
            sum(getattr(pair, name) for pair in self.pairs) for name in ("sign_settled", "verdict_settled")
        )
        return (
            f"{self.measure}: {plural(self.hole_count, f'unjudged {self._document}')} in {len(self.systems):,} runs; whatever "
            f"their grades, {signs:,} of {plural(len(self.pairs), 'pair')} keep their sign and {verdicts:,} their verdict."
        )

    def _one(self, pair: PairHoles) -> str:
        head = f"{pair.system} − {pair.baseline}: {self.measure} {signed(pair.difference)}"
        if not pair.holes:
            return f"{head}; every {self._document} is judged, so nothing is open ({_words(pair)})."
        most = "" if self.sharp else "at most "
        sign = f"its sign is {_sign(pair)}"
        limits = f"{signed(pair.lowest_limit)} to {signed(pair.highest_limit)}"
        text = (
            f"{head}; {plural(pair.holes, f'unjudged {self._document}')} can move it {most}from {signed(pair.low)} to "
            f"{signed(pair.high)}: {sign}, "
        )
        joint = f"the interval over {many(self.noun)} and unjudged {self._document}s is {limits}"
        if pair.is_zero:
            return (
                f"{head}, whatever the grades of {plural(pair.holes, f'unjudged {self._document}')} ({_words(pair)})."
            )
        if pair.verdict_settled == pair.sign_settled:
            return f"{text}and so is its verdict ({pair.verdict}); {joint}."
        state = "is settled" if pair.verdict_settled else "is not"
        return f"{text}its verdict ({pair.verdict}) {state}; {joint}."

    def table(self) -> Table:
        """One row per pair: the difference, its bounds, and the interval over queries and unjudged documents."""
        columns = (
            *(Column("system"), Column("against"), number("holes"), number("diff.", signed=True)),
            *(number(name, signed=True) for name in ("low", "high", "lowest", "highest")),
            *(Column("sign"), Column("verdict", is_verdict=True)),
        )
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (
                *(pair.system, pair.baseline, pair.holes, pair.difference),
                *(pair.low, pair.high, pair.lowest_limit, pair.highest_limit),
                _sign(pair),
                pair.verdict + ("" if pair.verdict_settled else "?"),
            )
            for pair in self.pairs[:SHOWN]
        )
        if self.baseline is not None:
            columns, rows = columns[:1] + columns[2:], tuple(row[:1] + row[2:] for row in rows)
        return Table(columns, rows, self.summary, self._remarks(), gap=1)

    def wide_table(self) -> Table:
        """Every pair and number under the names of the JSON."""
        return flat_table([pair.to_dict() for pair in self.pairs], {"system", "baseline", "verdict", "advice"})

    def _remarks(self) -> tuple[str, ...]:
        more = len(self.pairs) - SHOWN
        named = f"{self.baseline} is subtracted; " if self.baseline is not None else ""
        lines = [f"{more:,} more pairs are in --format csv and json"] if more > 0 else []
        if len(self.pairs) == 1:
            pair = self.pairs[0]
            lines.append(f"{pair.half_widths}: {pair.advice}")
        bounds = "some grades attain both" if self.sharp else "valid, but not sharp: at most so far apart"
        lines.append(
            f"{named}low, high: the difference over all grades of the holes ({bounds}); lowest, highest: the ends that its "
            f"{100 * self.confidence:g}% t interval could have; a verdict with ? could change"
        )
        lines.append(
            f"{plural(self.query_count, self.noun)}; a hole is an unjudged {self._document} among the first of a run, of any grade from "
            f"0 to {self.max_grade:g}"
            + (f"; {self._document}s in no run may be relevant, too" if self.ideal == "open" else "")
        )
        return (*lines, *gathered(self.notes))

    def __repr__(self) -> str:
        return f"Holes({self.summary})"


def _sign(pair: PairHoles) -> str:
    return "none" if pair.is_zero else "settled" if pair.sign_settled else "open"


def _words(pair: PairHoles) -> str:
    return f"{pair.verdict}, interval {signed(pair.interval_low)} to {signed(pair.interval_high)}"


def flat_table(data: Sequence[Mapping[str, Any]], words: Collection[str]) -> Table:
    """Rows under their names for other programs; what is not among the `words` is a number, or true or false."""
    columns = tuple(Column(name) if name in words else number(name) for name in data[0])
    cells = [[str(cell).lower() if isinstance(cell, bool) else cell for cell in row.values()] for row in data]
    return Table(columns, tuple(tuple(row) for row in cells))
