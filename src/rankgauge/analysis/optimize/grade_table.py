"""From judgments and runs to the table that the search works on: which grade stood at which rank."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankgauge.analysis.optimize.ranked_grades import RankedGrades
from rankgauge.analysis.optimize.search.search import Progress
from rankgauge.analysis.score_table import evaluation_notes
from rankgauge.arrays import Floats, Ints
from rankgauge.data.judgments import Judgments
from rankgauge.data.matching import Match, match_runs
from rankgauge.data.policy import Policy
from rankgauge.data.run import Run
from rankgauge.errors import AnalysisError, UsageError, plural
from rankgauge.evaluation.counted.plan import Plan, deepest_rank
from rankgauge.evaluation.counted.run import evaluate_match
from rankgauge.evaluation.evaluate import scores_of_parts
from rankgauge.kernels.formulas.cumulated import gains_of
from rankgauge.kernels.hits import Pool
from rankgauge.measures.measure import Measure
from rankgauge.tables.notes import Note, some

MOST_GRADES = 100

Worth = Callable[[Floats, Ints], Floats]


class Table(NamedTuple):
    """The grades by rank, and how they came about."""

    grades: RankedGrades
    notes: tuple[Note, ...]


def read_table(
    judgments: Judgments, runs: list[Run], measure: Measure, policy: Policy, progress: Progress | None = None
) -> Table:
    """Every system's ranking down to the measure's cutoff, in the order that the policy gives it."""
    ties = policy.ties or measure.definition.ties
    if ties == "mean":
        raise UsageError('a search needs one order of the documents; use another rule than ties="mean"')
    if policy.unjudged == "bounds":
        raise UsageError('bounds leave open what stands where; a search needs unjudged="zero" or "drop"')
    depth, deepest = int(measure.cutoff or 0), deepest_rank((measure,), policy)
    rows: list[NDArray[np.int8]] = []
    parts, answered, longest = [], [], 0
    for done, run in enumerate(runs, 1):
        (matched,) = match_runs(judgments, [run], policy, deepest)
        part = evaluate_match(matched, (measure,), policy)
        part.facts.refuse(run.name, (measure,), policy)
        parts.append(part)
        if not rows:
            worth = _worth(matched.pool, measure)
            levels = _levels(worth(matched.pool.value, matched.pool.query))
        rows.append(_codes(Plan(matched, policy), ties, worth, levels, depth))
        retrieved = matched.hits.retrieved[: len(matched.queries)]
        answered.append(retrieved > 0)
        longest = max(longest, int(retrieved.max(initial=0)))
        if progress:
            progress("runs", done, len(runs))
    scores = scores_of_parts(judgments, runs, (measure,), parts, policy)
    notes = [*_reached(longest, policy.depth, depth), *evaluation_notes(scores)]
    codes, pool = np.stack(rows), _counts(matched, worth, levels)
    if policy.missing == "drop":
        kept = np.logical_and.reduce(answered)
        notes = [*_left_out(matched, kept), *notes]
        codes, pool = codes[:, kept], pool[kept]
    return Table(RankedGrades(codes, tuple(levels.tolist()), pool), tuple(notes))


def _worth(pool: Pool, measure: Measure) -> Worth:
    """Judged value to relevance; the gain is what is searched or comes later."""
    relevance = measure.settings["relevance"]
    return lambda value, query: gains_of(value, query, pool, relevance, lambda found: found)


def _levels(judged: Floats) -> Floats:
    levels = np.unique(judged[judged > 0])
    if not len(levels):
        raise AnalysisError("no document is judged relevant; there is nothing that a measure could reward")
    if len(levels) > MOST_GRADES:
        raise AnalysisError(
            f"{len(levels):,} different grades were judged; a search is for grades, at most {MOST_GRADES}, not for scores"
        )
    return levels


def _codes(plan: Plan, ties: str, worth: Worth, levels: Floats, depth: int) -> NDArray[np.int8]:
    hits = plan.under(ties)
    codes = np.zeros((len(plan.match.queries), depth), np.int8)
    shown = hits.keep((hits.rank <= depth) & (hits.query < len(codes)))
    found = worth(shown.value, shown.query)
    codes[shown.query, shown.rank - 1] = np.where(found > 0, np.searchsorted(levels, found) + 1, 0)
    return codes


def _counts(matched: Match, worth: Worth, levels: Floats) -> NDArray[np.int64]:
    """How many documents of each grade were judged, query by query."""
    pool, queries = matched.pool, len(matched.queries)
    judged = worth(pool.value, pool.query)
    good = (judged > 0) & (pool.query < queries)
    cell = pool.query[good] * len(levels) + np.searchsorted(levels, judged[good])
    return np.bincount(cell, minlength=queries * len(levels)).reshape(queries, len(levels)).astype(np.int64)


def _reached(longest: int, limit: int | None, cutoff: int) -> list[Note]:
    longest = min(longest, limit or longest)
    if longest >= cutoff:
        return []
    text = f"the longest list has {plural(longest, 'document')}: beyond that, weights act on the ideal alone"
    return [Note("cutoff-beyond-lists", text, longest)]


def _left_out(matched: Match, kept: NDArray[Any]) -> list[Note]:
    absent = [matched.queries[at] for at in np.flatnonzero(~kept)]
    if not absent:
        return []
    text = f"{plural(len(absent), 'query')} that some run lacks, left out for all ({some(absent)})"
    return [Note("missing-queries", text, len(absent), examples=tuple(absent[:3]))]
