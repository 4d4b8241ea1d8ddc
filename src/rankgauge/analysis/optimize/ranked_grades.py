"""What the search for a better nDCG needs to know of a collection: which grade stood at which rank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from rankgauge.errors import AnalysisError, UsageError

Floats = NDArray[np.float64]
Codes = NDArray[np.signedinteger]


@dataclass(frozen=True, eq=False)
class RankedGrades:
    """Grades by rank as small integers: code 0 is nothing (unjudged, not relevant, no document), j is `grades[j - 1]`.

    `codes` is [systems, queries, ranks]; `grades` are the positive grades, ascending; `pool` is [queries, grades],
    how many documents of each grade were judged, retrieved or not: the ideal list is made of them.
    """

    codes: Codes
    grades: tuple[float, ...]
    pool: NDArray[np.int64]

    def __post_init__(self) -> None:
        _check_grades(self.grades)
        _check_shapes(self.codes, self.pool, len(self.grades))
        _check_counts(self.codes, self.pool)

    @property
    def systems(self) -> int:
        return int(self.codes.shape[0])

    @property
    def queries(self) -> int:
        return int(self.codes.shape[1])

    @property
    def ranks(self) -> int:
        return int(self.codes.shape[2])

    def select(self, queries: NDArray[np.intp] | NDArray[np.bool_]) -> RankedGrades:
        """The same systems on some of the queries."""
        return _unchecked(self.codes[:, queries], self.grades, self.pool[queries])

    def cut(self, cutoff: int) -> RankedGrades:
        """The first `cutoff` ranks; ranks beyond the table hold nothing."""
        if cutoff < 1:
            raise UsageError(f"the cutoff is {cutoff}; it must be at least 1")
        codes = self.codes[:, :, :cutoff]
        if cutoff > self.ranks:
            codes = np.pad(codes, ((0, 0), (0, 0), (0, cutoff - self.ranks)))
        return _unchecked(codes, self.grades, self.pool)

    def with_relevant(self) -> RankedGrades:
        """Without the queries that have no relevant document, whose nDCG is 0/0 for every system."""
        return self.select(self.pool.sum(axis=1) > 0)

    def deepest_hit(self) -> int:
        """The last rank at which any system has a relevant document; 0 if there is none."""
        found = np.flatnonzero(self.codes.any(axis=(0, 1)))
        return int(found[-1]) + 1 if found.size else 0

    def relevant_by_rank(self) -> Floats:
        """Share of systems and queries with a document of each grade at each rank: [grades, ranks]."""
        cells = self.systems * self.queries
        return np.stack([(self.codes == code).sum(axis=(0, 1)) / cells for code in range(1, len(self.grades) + 1)])


def common_grades(tables: Sequence[RankedGrades]) -> list[RankedGrades]:
    """The same tables over the union of their grades."""
    grades = tuple(sorted({grade for table in tables for grade in table.grades}))
    renamed = []
    for table in tables:
        places = np.searchsorted(grades, table.grades)
        pool = np.zeros((table.queries, len(grades)), np.int64)
        pool[:, places] = table.pool
        codes = np.concatenate(([0], places + 1)).astype(table.codes.dtype)[table.codes]
        renamed.append(_unchecked(codes, grades, pool))
    return renamed


def require_enough(grades: RankedGrades) -> None:
    """Stops where no analysis of variance is possible, with the reason."""
    if grades.systems < 3:
        raise AnalysisError(
            f"{_systems(grades.systems)} too few to say which measure tells systems apart; give at least 3 runs"
        )
    if grades.queries < 2:
        raise AnalysisError(
            f"{grades.queries} of the queries have a relevant document; the variance between queries needs at least 2"
        )
    if grades.deepest_hit() == 0:
        raise AnalysisError(
            f"no system has a relevant document in its first {grades.ranks} ranks: every nDCG is 0; raise the cutoff "
            "or check that document ids in judgments and runs agree"
        )


def _systems(count: int) -> str:
    return "1 system is" if count == 1 else f"{count} systems are"


def _unchecked(codes: Codes, grades: tuple[float, ...], pool: NDArray[np.int64]) -> RankedGrades:
    # A part of a checked table is sound; checking again in every fold would cost more than the folds.
    part = object.__new__(RankedGrades)
    for name, value in (("codes", codes), ("grades", grades), ("pool", pool)):
        object.__setattr__(part, name, value)
    return part


def _check_grades(grades: tuple[float, ...]) -> None:
    if not grades:
        raise AnalysisError("no document is judged relevant; there is no gain to discount")
    for grade in grades:
        if not (isfinite(grade) and grade > 0):
            raise UsageError(f"grade {grade} is not positive and finite; grades at or below 0 have code 0")
    for lower, upper in pairwise(grades):
        if lower >= upper:
            raise UsageError(f"grades must ascend, but {upper:g} follows {lower:g}")


def _check_shapes(codes: Codes, pool: NDArray[np.int64], grades: int) -> None:
    if codes.ndim != 3 or not np.issubdtype(codes.dtype, np.integer):
        raise UsageError(
            f"codes must be whole numbers [systems, queries, ranks], not {codes.dtype} with shape {codes.shape}"
        )
    if codes.shape[2] < 1:
        raise UsageError("codes have no ranks; the cutoff must be at least 1")
    if pool.shape != (codes.shape[1], grades):
        raise UsageError(f"the pool has shape {pool.shape}; {codes.shape[1]} queries and {grades} grades are needed")
    if codes.size and (int(codes.min()) < 0 or int(codes.max()) > grades):
        raise UsageError(
            f"codes run from {codes.min()} to {codes.max()}; with {grades} grades they lie in 0 to {grades}"
        )
    if pool.size and int(pool.min()) < 0:
        raise UsageError("the pool counts documents; a count is negative")


def _check_counts(codes: Codes, pool: NDArray[np.int64]) -> None:
    # More documents of a grade than were judged would give nDCG above 1.
    queries, grades = pool.shape
    cell = np.arange(queries)[:, None] * (grades + 1)
    for system, ranking in enumerate(codes):
        seen = np.bincount((cell + ranking).ravel(), minlength=queries * (grades + 1)).reshape(queries, grades + 1)[
            :, 1:
        ]
        over = np.argwhere(seen > pool)
        if over.size:
            query, grade = over[0]
            raise UsageError(
                f"system {system} has {seen[query, grade]} documents of code {grade + 1} in query {query}, "
                f"but only {pool[query, grade]} were judged; is a document listed twice?"
            )
