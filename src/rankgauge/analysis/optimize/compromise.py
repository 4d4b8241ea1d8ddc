"""One measure for several collections: how well it serves each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from rankgauge.analysis.optimize.gains_by_cutoff import cutoffs_of
from rankgauge.analysis.optimize.ranked_grades import (
    RankedGrades,
    Stages,
    common_grades,
    read_collection,
    with_progress,
)
from rankgauge.analysis.optimize.search.minimax import Problem, climb_worst, common_starts
from rankgauge.analysis.optimize.search.objective import dependability
from rankgauge.analysis.optimize.search.search import search
from rankgauge.analysis.optimize.search.simplex import Steps, steps_of
from rankgauge.analysis.optimize.search.weighting import (
    Over,
    Question,
    Weighting,
    by_grade,
    check_weighting,
    measure_text,
    named_weighting,
    parts_to_search,
    weighting_of,
)
from rankgauge.errors import AnalysisError, UsageError
from rankgauge.measures.measure import Measure
from rankgauge.tables import Plain, Shown
from rankgauge.tables.table import Column, Table, number


@dataclass(frozen=True)
class Served(Plain):
    """How one collection fares: Φ for one query under the common measure and under its own optimum."""

    _json_names: ClassVar = {"name": None, "dependability": "dependability_per_query"}
    _json_also: ClassVar = ("efficiency",)

    name: str
    dependability: float
    own_optimum: float

    @property
    def efficiency(self) -> float:
        return self.dependability / self.own_optimum


@dataclass(frozen=True, repr=False)
class Compromise(Shown):
    """The common measure. `worst` is the smallest efficiency, or the smallest Φ where values count as they are."""

    _json_names: ClassVar = {"steps": None, "served": "collections"}

    measure: str
    over: tuple[str, ...]
    relative: bool
    discount: tuple[float, ...]
    steps: Steps
    gain: tuple[tuple[float, float], ...]
    served: tuple[Served, ...]
    worst: float
    gap: float
    seed: int

    def to_dict(self) -> dict[str, Any]:
        collections = {one.name: one.to_dict() for one in self.served}
        return super().to_dict() | {"gain": by_grade(self.gain), "collections": collections}

    def table(self) -> Table:
        columns = (Column("collection"), number("Φ"), number("own optimum"), number("efficiency"))
        rows = tuple((one.name, one.dependability, one.own_optimum, one.efficiency) for one in self.served)
        least = "efficiency, Φ over that of the own optimum" if self.relative else "Φ"
        notes = (
            f"common measure: {self.measure}",
            f"the smallest {least}, is as large as possible: {self.worst:.4f} (gap {self.gap:.0e})",
        )
        caption = f"one {' and '.join(self.over)} for {len(self.served)} collections or cutoffs"
        return Table(columns, rows, caption, notes)

    def __repr__(self) -> str:
        return f"Compromise({self.measure}; worst {self.worst:.4f})"


def compromise_of(
    collections: Mapping[str, RankedGrades],
    start: Weighting | None = None,
    *,
    over: str = "discount",
    relative: bool = True,
    seed: int = 0,
    spell: Callable[[Weighting], str] = measure_text,
    progress: Stages | None = None,
) -> Compromise:
    """The non-increasing discount, the non-decreasing gain, or both, that suit best the collection they suit least.

    Collections may differ in everything but their grades; one with fewer ranks uses the first weights. To weigh
    several cutoffs of one collection, give it several times, cut. `start` (default: linear gain, log2) has what is not
    searched, for the longest of them.
    """
    judged = {name: grades.with_relevant() for name, grades in collections.items()}
    searched = _checked(judged, over)
    longest = max(judged.values(), key=lambda grades: grades.ranks)
    start = start or named_weighting(longest)
    check_weighting(start, longest)
    asked = Question(start, searched, seed=seed)
    own = [
        search(grades, asked._replace(start=start.with_discount(start.discount[: grades.ranks], start.discount_text)))[
            0
        ]
        for grades in with_progress(tuple(judged.values()), "collections", progress)
    ]
    scales = np.array([trial.value if relative else 1.0 for trial in own])
    if scales.min() <= 0:
        raise AnalysisError(
            "in one of the collections no measure separates the systems; leave it out, or use relative=False"
        )
    problem = Problem(tuple(judged.values()), scales, asked)
    best = max((climb_worst(problem, *point) for point in common_starts(own, start)), key=lambda peak: peak.worst)
    common = asked.answered(best.discount, best.gain, longest)
    served = tuple(
        Served(name, dependability(common.scores(grades)), trial.value)
        for (name, grades), trial in zip(judged.items(), own, strict=True)
    )
    return Compromise(
        measure=spell(common),
        over=searched,
        relative=relative,
        discount=tuple(common.discount.tolist()),
        steps=steps_of(common.discount) if "discount" in searched else (),
        gain=tuple(zip(longest.grades, common.gain.tolist(), strict=True)),
        served=served,
        worst=min(one.efficiency if relative else one.dependability for one in served),
        gap=best.gap,
        seed=seed,
    )


def _checked(judged: Mapping[str, RankedGrades], over: str) -> Over:
    if not judged:
        raise UsageError("no collection is given; one or more are needed")
    grades = {grades.grades for grades in judged.values()}
    if len(grades) > 1:
        raise UsageError(f"collections must share their grades, but there are {sorted(grades)}")
    for name, collection in judged.items():
        try:
            searched = parts_to_search(collection, over)
        except AnalysisError as error:
            raise AnalysisError(f"{name}: {error}") from error
    return searched


def read_several(
    collections: Any, measure: str | Measure, cutoffs: Sequence[int] | None, **chosen: Any
) -> tuple[dict[str, RankedGrades], Weighting, Callable[[Weighting], str]]:
    """Collections as a user gives them, each once or at every cutoff; the start, and how to write a weighting."""
    if not isinstance(collections, Mapping) or not all(
        isinstance(pair, (tuple, list)) and len(pair) == 2 for pair in collections.values()
    ):
        raise UsageError("give judgments and runs, or several collections as {name: (judgments, runs)}")
    read = {
        str(name): read_collection(judgments, runs, measure, **chosen)
        for name, (judgments, runs) in collections.items()
    }
    if not read:
        raise UsageError("no collection is given; name at least one")
    first = next(iter(read.values())).measure
    wanted = cutoffs_of(first, cutoffs or [int(first.cutoff or 0)])
    shared = common_grades([one.grades for one in read.values()])
    tables = {
        name if cutoffs is None else f"{name}@{cutoff}": grades.cut(cutoff)
        for name, grades in zip(read, shared, strict=True)
        for cutoff in wanted
    }
    deepest = first @ wanted[-1]
    return tables, weighting_of(deepest, shared[0]), spelling(deepest)


def spelling(measure: Measure) -> Callable[[Weighting], str]:
    return lambda found: str(measure(gain=found.gain_text, discount=found.discount_text))
