"""What a better grade is worth in worse ones, cutoff by cutoff: Table 2 of Kanoulas & Aslam 2009."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rankgauge.analysis.optimize.ranked_grades import RankedCollection, RankedGrades, Stages, with_progress
from rankgauge.analysis.optimize.search.objective import dependability
from rankgauge.analysis.optimize.search.search import search
from rankgauge.analysis.optimize.search.weighting import (
    Question,
    Weighting,
    by_grade,
    check_weighting,
    parts_to_search,
    weighting_of,
)
from rankgauge.errors import UsageError, many
from rankgauge.measures.measure import Measure
from rankgauge.tables import Shown, plain
from rankgauge.tables.notes import NOUNS, Note, gathered
from rankgauge.tables.table import Column, Table, number

ROUND = (5, 10, 20, 50, 100, 200, 500)


@dataclass(frozen=True)
class GainAt:
    """The optimal gain of every grade at one cutoff (the lowest is worth 1), and Φ for one query before and after."""

    cutoff: int
    gain: tuple[float, ...]
    start: float
    optimum: float
    gap: float


@dataclass(frozen=True, repr=False)
class GainsByCutoff(Shown):
    """The most dependable gains under one discount, by cutoff; the gain of the lowest grade is 1, so they are ratios."""

    measure: str
    grades: tuple[float, ...]
    rows: tuple[GainAt, ...]
    constrained: bool
    seed: int
    notes: tuple[Note, ...] = ()
    noun: str = NOUNS[0]
    """What a reader calls a query."""

    def to_dict(self) -> dict[str, Any]:
        return {
            "measure": self.measure,
            "constrained": self.constrained,
            "cutoffs": {
                str(row.cutoff): {
                    "gain": by_grade(zip(self.grades, row.gain, strict=True)),
                    "dependability_per_query": {"start": row.start, "optimum": row.optimum},
                    "gap": row.gap,
                }
                for row in self.rows
            },
            "seed": self.seed,
            "notes": plain(self.notes),
        }

    def table(self) -> Table:
        columns = (
            Column("cutoff", is_number=True),
            *(number(f"gain of {grade:g}", 3) for grade in self.grades),
            number("Φ before"),
            number("Φ after"),
        )
        rows = tuple((row.cutoff, *row.gain, row.start, row.optimum) for row in self.rows)
        notes = (
            f"Φ is for one {self.noun} and on these {many(self.noun)}: it says nothing of unseen ones",
            *gathered(self.notes),
        )
        return Table(columns, rows, f"the most dependable gains under the discount of {self.measure}", notes)

    def __repr__(self) -> str:
        return f"GainsByCutoff({self.measure}; {', '.join(str(row.cutoff) for row in self.rows)})"


def gains_of(
    collection: RankedCollection,
    cutoffs: Sequence[int] | None,
    *,
    constrained: bool,
    seed: int,
    progress: Stages | None,
) -> GainsByCutoff:
    """The optimal gains at these cutoffs, or at round numbers up to that of the measure."""
    wanted = cutoffs_of(collection.measure, ROUND if cutoffs is None else cutoffs)
    rows = []
    for cutoff in with_progress(wanted, "cutoffs", progress):
        grades = collection.grades.cut(cutoff)
        start = weighting_of(collection.measure @ cutoff, grades)
        rows.append(gain_at(cutoff, grades, start, constrained=constrained, seed=seed))
    grades = collection.grades
    found = (str(collection.measure), grades.grades, tuple(rows), constrained, seed)
    return GainsByCutoff(*found, collection.notes, collection.noun)


def cutoffs_of(measure: Measure, given: Sequence[int]) -> list[int]:
    """Those up to the measure's own, which is one of them where they are only a proposal."""
    deepest = int(measure.cutoff or 0)
    if given is ROUND:
        return [*(cutoff for cutoff in ROUND if cutoff < deepest), deepest]
    wanted = sorted(set(given))
    if not wanted or wanted[0] < 1 or wanted[-1] > deepest:
        raise UsageError(f"cutoffs lie between 1 and {deepest}, that of {measure}; not {wanted}")
    return wanted


def gain_at(cutoff: int, grades: RankedGrades, start: Weighting, *, constrained: bool, seed: int) -> GainAt:
    """The optimal gain of a collection that is cut already."""
    judged = grades.with_relevant()
    check_weighting(start, judged)
    asked = Question(start, parts_to_search(judged, "gain"), constrained, seed=seed)
    best = search(judged, asked)[0]
    found = asked.answered(best.discount, best.gain, judged)
    before, after = (dependability(one.scores(judged)) for one in (start, found))
    return GainAt(cutoff, tuple(found.gain.tolist()), before, after, best.gap)
