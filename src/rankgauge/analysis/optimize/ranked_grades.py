"""What the search for a better nDCG needs to know of a collection: which grade is at which rank."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import isfinite
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from rankgauge.analysis.score_table import evaluation_notes, refuse_negative_worth, refuse_other_ideals
from rankgauge.arrays import Floats, Ints
from rankgauge.data.judgments import Judgments, Run
from rankgauge.data.match import Match
from rankgauge.data.policy import Policy
from rankgauge.errors import AnalysisError, UsageError, plural
from rankgauge.evaluation.evaluate import evaluated, list_runs, settle_call
from rankgauge.evaluation.ranked import Ranked
from rankgauge.kernels.cumulated import ndcg
from rankgauge.measures.measure import Measure
from rankgauge.tables.notes import NOUNS, Note

Codes = NDArray[np.signedinteger]
Stages = Callable[[str, int, int], None]
"""Progress of work in several stages: what is counted, how many are done, of how many."""
MOST_GRADES = 100
T = TypeVar("T")


def with_progress(items: Sequence[T], what: str, progress: Stages | None) -> Iterator[T]:
    """The items one after the other; each counts as done when the next one is asked for."""
    for done, item in enumerate(items, 1):
        yield item
        if progress:
            progress(what, done, len(items))


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

    def reordered(self, ranks: Ints, levels: Ints) -> RankedGrades:
        """With the ranks in another order, and the grades worth what those in `levels` are worth, the least first."""
        codes = np.concatenate(([0], np.argsort(levels) + 1)).astype(self.codes.dtype)
        return _unchecked(codes[self.codes[:, :, ranks]], self.grades, self.pool[:, levels])

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
        few = f"{plural(grades.systems, 'system')} {'is' if grades.systems == 1 else 'are'} too few"
        raise AnalysisError(f"{few} to say which measure separates systems best; give at least 3 runs")
    if grades.queries < 2:
        raise AnalysisError(
            f"{grades.queries} of the queries have a relevant document; the variance between queries needs at least 2"
        )
    if grades.deepest_hit() == 0:
        raise AnalysisError(
            f"no system has a relevant document in its first {grades.ranks} ranks: every nDCG is 0; raise the cutoff "
            "or check that document ids in judgments and runs agree"
        )


class RankedCollection(NamedTuple):
    """The grades by rank of a collection, what was noted, and the nDCG to start from."""

    grades: RankedGrades
    notes: tuple[Note, ...]
    measure: Measure
    noun: str = NOUNS[0]
    """What a reader calls a query."""


def read_collection(
    judgments: Any,
    runs: Any,
    measure: str | Measure,
    *,
    policy: Policy | None = None,
    like: str | None = None,
    only: Iterable[str] | None = None,
    progress: Stages | None = None,
) -> RankedCollection:
    """Read a collection once, so that several things can be asked of it."""
    chosen, rule = settle_call(measure, policy, like)
    if len(chosen) != 1 or chosen[0].definition.kernel is not ndcg or not isinstance(chosen[0].cutoff, int):
        names = " ".join(map(str, chosen))
        raise UsageError(f"{names} cannot be optimized; name an nDCG with a cutoff, as in nDCG@20")
    judged = judgments if isinstance(judgments, Judgments) else Judgments(judgments)
    listed = list_runs(runs, judged)
    if only is not None:
        judged = judged.only(only)
    # Where nDCG is 0/0 no weighting says anything: such queries never take part.
    if policy is not None and policy.undefined == "zero":
        raise UsageError(
            'undefined="zero" has no effect here because a search leaves out queries with undefined values'
        )
    rule = rule if rule.undefined == "error" else replace(rule, undefined="drop")
    return _ranked(judged, listed, chosen[0], rule, progress)


def _ranked(
    judgments: Judgments, runs: list[Run], measure: Measure, policy: Policy, progress: Stages | None = None
) -> RankedCollection:
    """Every system's ranking down to the measure's cutoff, in the order that the policy gives it."""
    if (policy.ties or measure.definition.ties) == "mean":
        raise UsageError('a search needs one order of the documents; use another rule than ties="mean"')
    if policy.unjudged == "bounds":
        raise UsageError('unjudged="bounds" gives no single order; a search needs unjudged="zero" or "drop"')
    refuse_other_ideals(measure, policy)
    depth, matches = int(measure.cutoff or 0), list[Match]()
    report = None if progress is None else lambda done, whole: progress("runs", done, whole)
    scores = evaluated(judgments, runs, (measure,), policy, progress=report, look=matches.append)
    view = Ranked(matches, measure, policy)
    refuse_negative_worth(view.worth)
    _check_levels(len(view.levels))
    codes = np.zeros((len(runs), len(view.queries), depth), np.int8)
    for at in range(len(runs)):
        found = view.found(at, depth)
        codes[at, found.query, found.rank - 1] = np.searchsorted(view.levels, found.worth) + 1
    longest = max(int(match.hits.retrieved.max(initial=0)) for match in matches)
    noun, kept, levels = scores.about.noun, view.kept, tuple(view.levels.tolist())
    notes = (*view.left_out(noun), *_reached(min(longest, policy.depth or longest), depth), *evaluation_notes(scores))
    return RankedCollection(RankedGrades(codes[:, kept], levels, view.judged[kept]), notes, measure, noun)


def _check_levels(levels: int) -> None:
    if not levels:
        raise AnalysisError("no document is judged relevant; there is nothing to optimize")
    if levels > MOST_GRADES:
        raise AnalysisError(
            f"{levels:,} different grades were judged; a search is for grades, at most {MOST_GRADES}, not for scores"
        )


def _reached(longest: int, cutoff: int) -> list[Note]:
    text = f"the longest list has {plural(longest, 'document')}: beyond that, weights act on the ideal alone"
    return [Note("cutoff-beyond-lists", text, longest)] if longest < cutoff else []


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
        counts = np.bincount((cell + ranking).ravel(), minlength=queries * (grades + 1))
        seen = counts.reshape(queries, grades + 1)[:, 1:]
        over = np.argwhere(seen > pool)
        if over.size:
            query, grade = over[0]
            raise UsageError(
                f"system {system} has {seen[query, grade]} documents of code {grade + 1} in query {query}, "
                f"but only {pool[query, grade]} were judged; is a document listed twice?"
            )
