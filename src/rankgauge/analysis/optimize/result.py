"""What `optimize` found, with everything needed to doubt it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass, field
from math import isfinite
from typing import TYPE_CHECKING, Any, ClassVar

from rankgauge.analysis.optimize.gains_by_cutoff import GainsByCutoff, gains_of
from rankgauge.analysis.optimize.holdout import DISCOUNTS, GAINS, HeldOut
from rankgauge.analysis.optimize.ranked_grades import RankedCollection, Stages
from rankgauge.analysis.optimize.search.form import queries_needed, with_queries
from rankgauge.analysis.optimize.search.objective import OBJECTIVES, Objective
from rankgauge.analysis.optimize.search.simplex import Steps
from rankgauge.analysis.optimize.search.weighting import by_grade
from rankgauge.errors import UsageError, many, plural
from rankgauge.measures.grammar import parse
from rankgauge.measures.measure import Measure
from rankgauge.signature import Count, checked
from rankgauge.tables import Plain, Shown, plain
from rankgauge.tables.notes import NOUNS, Note, gathered
from rankgauge.tables.table import Cell, Column, Table, number

if TYPE_CHECKING:
    import polars as pl

CERTIFIED = 1e-7
BEST = {"phi": "most dependable", "erho": "most generalizable", "power": "most powerful"}


@dataclass(frozen=True)
class Ascent:
    """One start of the search and the local maximum of the objective that it reached."""

    start: str
    value: float
    gap: float


@dataclass(frozen=True)
class Outcome(Plain):
    """A candidate's measure, its value, Φ for one query and (target, queries needed), which is inf where none are enough.

    The value is that of the objective: Φ or Eρ² for one query, or the share of pairs separated on these queries.
    """

    _json_names: ClassVar = {"name": None, "dependability": "dependability_per_query"}

    name: str
    measure: str
    value: float
    dependability: float
    queries_needed: tuple[tuple[float, float], ...]

    def to_dict(self) -> dict[str, Any]:
        return super().to_dict() | {"queries_needed": self.by_target()}

    def by_target(self) -> dict[str, int | None]:
        return {f"{target:g}": int(queries) if isfinite(queries) else None for target, queries in self.queries_needed}


@dataclass(frozen=True, repr=False)
class Optimum(Shown):
    """The best gain or discount for these systems and queries; `recommendation` is what to use.

    Best by the `objective`: phi, erho or power. Dependability is Φ for one query, its components not truncated at 0.
    `candidates` are all that was tried, fitted to all queries. `gap` is the first-order certificate: how fast the
    objective (for power, its expectation) could still grow, at most. `discount`, `steps` (where the discount was
    searched) and `gain` (by grade) are the optimum's, as its measure prints them. `relevant_by_rank` is the share of
    lists with a document of each grade at each rank. `tau` compares the orders of systems under start and optimum.
    """

    over: tuple[str, ...]
    constrained: bool
    systems: int
    query_count: int
    candidates: tuple[Outcome, ...]
    recommendation: str
    discount: tuple[float, ...]
    start_discount: tuple[float, ...]
    steps: Steps
    gain: tuple[tuple[float, float], ...]
    start_gain: tuple[tuple[float, float], ...]
    relevant_by_rank: tuple[tuple[float, ...], ...]
    gap: float
    ascents: tuple[Ascent, ...]
    held_out: HeldOut | None
    tau: float
    seed: int
    notes: tuple[Note, ...]
    objective: str = "phi"
    noun: str = NOUNS[0]
    """What a reader calls a query."""
    collection: RankedCollection | None = field(default=None, compare=False)
    """What was searched."""

    @property
    def aim(self) -> Objective:
        """The objective with its sign and its words."""
        return OBJECTIVES[self.objective]

    def __getitem__(self, name: str) -> Outcome:
        return next(one for one in self.candidates if one.name == name)

    @property
    def start(self) -> Outcome:
        return self["start"]

    @property
    def optimum(self) -> Outcome:
        return self["optimum"]

    @property
    def measure(self) -> Measure:
        """The optimum as a measure: for these queries the best, for others see `recommendation`."""
        return parse(self.optimum.measure)

    @property
    def spread(self) -> float:
        """Largest difference between what two starts reached: above 1e-7 there are several local maxima."""
        values = [ascent.value for ascent in self.ascents]
        return max(values) - min(values)

    @property
    def keeps_start(self) -> bool:
        return self.recommendation == self.start.measure

    @property
    def recommended(self) -> str:
        """The name of the recommended candidate."""
        return self.held_out.recommended if self.held_out else "start"

    def curve(self, most: int) -> tuple[tuple[int, float, float], ...]:
        """(queries, Φ or Eρ² of the start, of the optimum) for 1 to `most` queries: the paper's Figure 4."""
        if not self.aim.is_coefficient:
            raise UsageError(f"no curve of {self.objective} by the number of queries; optimize for phi or erho")
        return tuple(
            (n, with_queries(self.start.value, n), with_queries(self.optimum.value, n)) for n in range(1, most + 1)
        )

    @checked
    def gains_by_cutoff(
        self, cutoffs: Sequence[Count] | None = None, *, progress: Stages | None = None
    ) -> GainsByCutoff:
        """What each grade is worth at the most dependable gain, cutoff by cutoff; round numbers by default."""
        if self.collection is None:
            raise UsageError("this optimum does not know its collection; call optimize(…, cutoffs=…)")
        return gains_of(self.collection, cutoffs, constrained=self.constrained, seed=self.seed, progress=progress)

    def to_dict(self) -> dict[str, Any]:
        pair = {name: self[name].to_dict() for name in ("start", "optimum")}
        compared = ("value", "dependability_per_query", "queries_needed")
        reached = {ascent.start: ascent.value for ascent in self.ascents}
        shares = zip(self.gain, self.relevant_by_rank, strict=True)
        found = {
            "start": self.start.measure,
            "objective": self.objective,
            "over": self.over,
            "constrained": self.constrained,
            "systems": self.systems,
            "queries": self.query_count,
            "optimum": self.optimum.measure,
            **{name: {which: one[name] for which, one in pair.items()} for name in compared},
            "discount": self.discount,
            "steps": self.steps,
            "gain": by_grade(self.gain),
            "gap": self.gap,
            "starts": {"count": len(self.ascents), "spread": self.spread, "reached": reached},
            "held_out": self.held_out,
            "recommendation": self.recommendation,
            "candidates": {one.name: one for one in self.candidates},
            "tau": self.tau,
            "relevant_by_rank": {f"{grade:g}": by_rank for (grade, _), by_rank in shares},
            "seed": self.seed,
            "notes": self.notes,
        }
        return {name: plain(part) for name, part in found.items()}

    def table(self) -> Table:
        """The candidates on these queries and on unseen ones; in bold what to use. Fits 60 columns."""
        targets = [target for target, _ in self.start.queries_needed]
        numbers = [self.aim.sign, *(f"for {target:g}" for target in targets)]
        numbers += ["unseen", "lead", "±"] if self.held_out else []
        listed = self._listed()
        rows = tuple(("=".join(names), *self._numbers(one, one.value), *self._lead(one.name)) for names, one in listed)
        advised = frozenset(at for at, (names, _) in enumerate(listed) if self.recommended in names)
        free = "" if self.constrained else ", free to rise and fall"
        what = f"the {BEST[self.objective]} {' and '.join(self.over)} for {self.start.measure}{free}"
        caption = f"{what}: {self.systems} systems on {plural(self.query_count, self.noun)}"
        return Table((Column("candidate"), *map(number, numbers)), rows, caption, tuple(self._remarks()), advised)

    def wide_table(self) -> Table:
        """Everything about each candidate: for other programs."""
        targets = [target for target, _ in self.start.queries_needed]
        numbers = ["value", "dependability_per_query", *(f"queries_needed_{target:g}" for target in targets)]
        numbers += ["held_out", "deviation", "lead", "lead_error", "query_error"] if self.held_out else []
        columns = (Column("candidate"), Column("measure"), *map(number, numbers), Column("recommended"))
        rows: list[tuple[Cell, ...]] = []
        for one in self.candidates:
            unseen = plain(astuple(self.held_out[one.name])[2:]) if self.held_out else ()
            advised = "yes" if one.name == self.recommended else "no"
            found = (plain(one.value), *self._numbers(one, one.dependability), *unseen)
            rows.append((one.name, one.measure, *found, advised))
        return Table(columns, tuple(rows))

    def to_polars(self) -> pl.DataFrame:
        """One row per candidate, the columns of `wide_table`."""
        import polars as pl

        table = self.wide_table()
        return pl.DataFrame(table.rows, schema=[column.name for column in table.columns], orient="row")

    def __repr__(self) -> str:
        return f"Optimum({self.optimum.measure}; recommended: {self.recommendation})"

    def _numbers(self, one: Outcome, value: float) -> tuple[Cell, ...]:
        needed = (int(queries) if isfinite(queries) else None for _, queries in one.queries_needed)
        unseen = (plain(self.held_out[one.name].value),) if self.held_out else ()
        return (plain(value), *needed, *unseen)

    def _lead(self, name: str) -> tuple[Cell, ...]:
        """How far it leads the start on unseen queries, and how far other queries would have moved that, in per cent of
        the start.
        """
        if self.held_out is None:
            return ()
        tried, start = self.held_out[name], abs(self.held_out["start"].value)
        if name == "start" or not start:
            return "", ""
        error = max(tried.error, tried.query_error) if isfinite(tried.query_error) else None
        return f"{tried.lead / start:+.1%}", "?" if error is None else f"{error / start:.1%}"

    def _listed(self) -> list[tuple[list[str], Outcome]]:
        """Candidates that are the same measure share a row."""
        listed: list[tuple[list[str], Outcome]] = []
        for one in self.candidates:
            same = next((names for names, other in listed if other.measure == one.measure), None)
            if same and one.name in {*DISCOUNTS, *GAINS, "linear discount"}:
                same.append(one.name)
            else:
                listed.append(([one.name], one))
        return listed

    def _remarks(self) -> list[str]:
        remarks = [f"recommendation: {self._advice()}", f"optimum: {self.optimum.measure}", *self._saving()]
        targets = " and ".join(f"{target:g}" for target, _ in self.start.queries_needed)
        queries = many(self.noun)
        explained = f"{self.aim.sign}: {self.aim.words.format(self.noun)}" + (
            f", and {queries} needed for {targets}" if targets else ""
        )
        if self.held_out:
            times = f"{self.held_out.repeats} × {self.held_out.folds} folds, seed {self.seed}"
            explained += f"; unseen: {self.aim.sign} on {queries} held out ({times}), with the lead over the start ± its error, had there been other {queries}"
        remarks.append(explained)
        remarks.append(self._search())
        if isfinite(self.tau):
            remarks.append(f"τ between the orders of systems under start and optimum: {self.tau:.3f}")
        return [*remarks, *gathered(self.notes)]

    def _search(self) -> str:
        # Not to the last digit: what is left of rounding differs from machine to machine.
        starts, apart = plural(len(self.ascents), "start"), f"end at the same {self.aim.climbed}"
        if self.spread > CERTIFIED:
            apart = f"end up to {self.spread:.1g} of {self.aim.climbed} apart, the best is given"
        gap = "certified, gap ≤ 1e-7" if self.gap <= CERTIFIED else f"NOT CERTIFIED, gap {self.gap:.0e}"
        return f"search: {starts} {apart}; {gap}"

    def _advice(self) -> str:
        tried, start, unseen = self.held_out, self.start.measure, f"unseen {many(self.noun)}"
        if tried is None:
            return f"keep {start}; nothing was tried on {unseen}"
        if tried.best == "start":
            return f"keep {start}; no candidate does better on {unseen}"
        if tried.recommended == "start":
            noisy = tried.gain <= tried.error or not tried.sure
            why = "within noise" if noisy else "too little to change a measure"
            return (
                f"keep {start}; on {unseen} {tried.best} leads by {' ± '.join(map(str, self._lead(tried.best)))}: {why}"
            )
        lead = " ± ".join(map(str, self._lead(tried.recommended)))
        what = "the optimum" if tried.recommended == "optimum" else f"{self.recommendation} ({tried.recommended})"
        return f"use {what}, which leads by {lead} on {unseen}"

    def _saving(self) -> list[str]:
        """Queries for the last target: on these queries, and where something was held out on unseen ones."""
        if not self.start.queries_needed:
            return []
        target, before = self.start.queries_needed[-1]
        after = dict(self.optimum.queries_needed)[target]
        if not (isfinite(before) and isfinite(after)):
            return []
        text = f"for {self.aim.sign} ≥ {target:g} the optimum needs {after:g} {many(self.noun)} instead of {before:g}"
        if self.held_out:
            unseen = [queries_needed(self.held_out[name].value, target) for name in ("start", "optimum")]
            if all(map(isfinite, unseen)):
                text += f"; judged by unseen {many(self.noun)}, {unseen[1]:g} instead of {unseen[0]:g}"
        return [text]
