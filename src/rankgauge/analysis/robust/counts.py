"""What a verdict over all gains and discounts needs to know of a collection: how much was found, and how much could be.

By summation by parts in rank and in grade, nDCG of a query is Σ α_k β_j found_kj / Σ α_k β_j best_kj, where α_k and β_j
are the steps of the discount and of the gain, found_kj counts the documents of grade j or more in the top k, and best_kj
the same in the ideal order. A corner (k, j) is a plain cutoff with a grade threshold.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankgauge.analysis.robust.family import Free, free_parts
from rankgauge.analysis.score_table import refuse_negative_worth, refuse_other_ideals
from rankgauge.arrays import Floats, Ints
from rankgauge.data.about import aligned_weights
from rankgauge.data.judgments import Judgments
from rankgauge.data.match import Match, prepared
from rankgauge.data.policy import Policy
from rankgauge.errors import AnalysisError, UsageError, plural
from rankgauge.evaluation.evaluate import evaluated, list_runs, settle_one
from rankgauge.evaluation.ruled import Ruled
from rankgauge.evaluation.scores import Scores, weighted
from rankgauge.kernels.cumulated import best_first, best_weights, gains_of, weights_to
from rankgauge.kernels.hits import Hits, Pool
from rankgauge.kernels.resampling import Progress
from rankgauge.measures.measure import Measure
from rankgauge.tables.notes import Note, some

MOST_GRADES = 10


@dataclass(frozen=True, eq=False)
class Counts:
    """Found and attainable amounts at every corner: cutoffs × grade thresholds.

    `found` is [systems, queries, cutoffs, thresholds] and `best` [queries, cutoffs, thresholds]. Where the discount is
    fixed there is one cutoff, with its weights applied; where the gain is fixed, one threshold, with its gains applied.
    Only queries that have something to find are here; `weight` is what each counts in a mean.
    """

    found: Floats
    best: Floats
    weight: Floats
    grades: tuple[float, ...]
    """The judged values above 0, ascending; empty where the gain is fixed."""
    is_whole: bool
    """Whether every amount is a whole number, so that sums of them are exact."""


@dataclass(frozen=True, eq=False)
class Basis:
    """Everything a verdict rests on: the counts, the ordinary scores of the measure, and the runs behind them."""

    counts: Counts
    scores: Scores
    measure: Measure
    policy: Policy
    matches: list[Match]
    query_weights: Floats | None
    kept: NDArray[np.bool_]
    """The queries that take part: all but those that some run lacks, where these are left out."""
    notes: list[Note]
    """On queries left out."""

    @cached_property
    def means(self) -> Floats:
        """Of every system under the user's measure."""
        return np.array([row[str(self.measure)] for row in self.scores.mean().values()])


def read_counts(
    judgments: Any,
    runs: Any,
    measure: str | Measure,
    over: str,
    policy: Policy | None = None,
    like: str | None = None,
    only: Iterable[str] | None = None,
    weights: Mapping[str, float] | None = None,
    progress: Progress | None = None,
) -> Basis:
    """Read a collection once: its ordinary scores, and what every gain and discount would make of it."""
    chosen, rule = settle_one(measure, policy, like)
    if rule.unjudged == "bounds":
        raise UsageError('unjudged="bounds" leaves the order of systems open\nUse unjudged="zero" or "drop".')
    refuse_other_ideals(chosen, rule)
    free = free_parts(chosen, over)
    judged = judgments if isinstance(judgments, Judgments) else Judgments(judgments)
    listed = list_runs(runs, judged)
    judged = judged if only is None else judged.only(only)
    if len(listed) < 2:
        raise AnalysisError(f"robust compares systems; there is only {listed[0].name!r}. Add another run.")
    matches: list[Match] = []
    scores = evaluated(judged, listed, (chosen,), rule, progress=progress, look=matches.append)
    names = prepared(judged).queries
    given = None if weights is None else aligned_weights(weights, names)
    scores = scores if given is None else weighted(scores, given)
    kept, notes = _taking_part(matches, rule, scores.about.noun)
    scores = scores if kept.all() else scores.only([name for name, there in zip(names, kept, strict=True) if there])
    counts = _counted(matches, chosen, free, rule, np.ones(len(names)) if given is None else given, kept)
    return Basis(counts, scores, chosen, rule, matches, given, kept, notes)


def _taking_part(matches: list[Match], policy: Policy, noun: str) -> tuple[NDArray[np.bool_], list[Note]]:
    names = matches[0].queries
    kept = np.ones(len(names), np.bool_)
    if policy.missing == "drop":
        kept = np.logical_and.reduce([matched.hits.retrieved[: len(names)] > 0 for matched in matches])
    absent = [names[at] for at in np.flatnonzero(~kept).tolist()]
    if not kept.any():
        raise AnalysisError(f'no {noun} is in every run, and missing="drop" leaves out the others\nUse missing="zero".')
    if not absent:
        return kept, []
    text = f"{plural(len(absent), noun)} that some run lacks, left out for all ({some(absent)})"
    return kept, [Note("missing-queries", text, len(absent), examples=tuple(absent[:3]))]


def _counted(
    matches: list[Match], measure: Measure, free: Free, policy: Policy, weight: Floats, kept: NDArray[np.bool_]
) -> Counts:
    pool, queries = matches[0].pool, len(matches[0].queries)
    relevance = measure.settings["relevance"]
    worth = gains_of(pool.value, pool.query, pool, relevance, _itself)
    refuse_negative_worth(worth)
    grades = np.unique(worth[(worth > 0) & (pool.query < queries)])
    _check_grades(grades, measure, free)
    longest = max(int(matched.hits.last.max(initial=1)) for matched in matches)
    depth = longest if measure.cutoff is None else int(measure.cutoff)
    sums = _Sums(pool, queries, measure, free, grades, depth)
    best = sums.best(worth, normalized=measure.definition.name == "nDCG")
    # A query without anything to find is 0/0 for every system, or 0: it never tells two systems apart.
    there = kept & best.any(axis=(1, 2))
    ties = policy.ties or measure.definition.ties
    found = np.stack([sums.found(Ruled(matched, policy).hits(ties), matched.pool)[there] for matched in matches])
    best, weight = best[there], weight[there]
    is_whole = all(np.array_equal(array, np.rint(array)) for array in (found, best, weight))
    return Counts(found, best, weight, tuple(grades.tolist()) if free.gain else (), is_whole)


def _itself(relevance: Floats) -> Floats:
    return relevance


def _check_grades(grades: Floats, measure: Measure, free: Free) -> None:
    if not len(grades):
        raise AnalysisError("no document is judged relevant; no measure can tell the systems apart")
    if not free.gain:
        return
    if len(grades) > MOST_GRADES:
        raise AnalysisError(
            f"{len(grades):,} different grades above 0 were judged; every gain can be considered for at most "
            f"{MOST_GRADES}.\nFix the gain with over=discount (--over discount), or make fewer grades, as in "
            f"{measure.definition.name}(relevance=tiers(10, 25, 50))@10."
        )
    gains = np.asarray(measure.settings["gain"](grades), np.float64)
    if not (gains[0] > 0 and np.all(np.diff(gains) >= 0)):
        raise UsageError(
            f"the gain of {measure} falls with the grade or is 0 for a relevant document, so it is none of the gains "
            "considered\nFix it with over=discount (--over discount), or choose another."
        )


class _Sums:
    """Amounts by query, cutoff and threshold, of a run and of the ideal order."""

    def __init__(self, pool: Pool, queries: int, measure: Measure, free: Free, grades: Floats, depth: int) -> None:
        self.queries, self.free, self.grades, self.depth = queries, free, grades, depth
        self.relevance, self.gain = measure.settings["relevance"], measure.settings["gain"]
        self.pool, self.discount = pool, measure.settings["discount"]
        self.cutoff = None if measure.cutoff is None else int(measure.cutoff)
        self.shape = depth if free.discount else 1, len(grades) if free.gain else 1

    def found(self, hits: Hits, pool: Pool) -> Floats:
        shown = hits.keep((hits.first <= self.depth) & (hits.query < self.queries))
        worth = gains_of(shown.value, shown.query, pool, self.relevance, _itself if self.free.gain else self.gain)
        shown, worth = shown.keep(worth > 0), worth[worth > 0]
        # A document of a tie group whose order is open is at each rank of its span with the same chance.
        size = shown.last - shown.first + 1
        entry = np.repeat(np.arange(len(size)), size)
        rank = shown.first[entry] + np.arange(len(entry)) - np.repeat(np.cumsum(size) - size, size)
        entry, rank = entry[rank <= self.depth], rank[rank <= self.depth]
        amount = 1.0 / size[entry]
        level = np.searchsorted(self.grades, worth[entry]) if self.free.gain else np.zeros(len(entry), np.int64)
        if not self.free.gain:
            amount = amount * worth[entry]
        if not self.free.discount:
            amount = amount * weights_to(self.depth, self.cutoff, self.discount)[rank - 1]
            rank = np.ones_like(rank)
        return self._summed(shown.query[entry], rank - 1, level, amount)

    def best(self, worth: Floats, *, normalized: bool) -> Floats:
        """The largest attainable amounts; 1 for a sum that nothing divides."""
        ranks, levels = self.shape
        if not normalized:
            return np.ones((self.queries, ranks, levels))
        if not self.free.gain:
            gained = gains_of(self.pool.value, self.pool.query, self.pool, self.relevance, self.gain)
            gains = best_first(gained, self.pool)
            seen = (self.pool.place < self.depth) & (self.pool.query < self.queries)
            nothing = np.zeros(int(seen.sum()), np.int64)
            return self._summed(self.pool.query[seen], self.pool.place[seen], nothing, gains[seen])
        judged = (worth > 0) & (self.pool.query < self.queries)
        level = np.searchsorted(self.grades, worth[judged])
        nothing = np.zeros(int(judged.sum()), np.int64)
        # [queries, levels]: how many documents are of this grade or more
        many = self._summed(self.pool.query[judged], nothing, level, np.ones(len(level)), 1)[:, 0]
        if self.free.discount:
            return np.minimum(np.arange(1, ranks + 1)[None, :, None], many[:, None, :]).astype(np.float64)
        weights = best_weights(int(many.max(initial=0)), self.cutoff, self.discount)
        reached = np.concatenate(([0.0], np.cumsum(weights)))
        return reached[np.minimum(many.astype(np.int64), len(weights))][:, None, :]

    def _summed(self, query: Ints, rank: Ints, level: Ints, amount: Floats, ranks: int | None = None) -> Floats:
        """Amounts at this rank or before, and of this grade or more: [queries, cutoffs, thresholds]."""
        shape = (self.queries, ranks or self.shape[0], self.shape[1])
        cell = (query * shape[1] + rank) * shape[2] + level
        at = np.bincount(cell, amount, int(np.prod(shape))).astype(np.float64).reshape(shape)
        return np.cumsum(np.cumsum(at[:, :, ::-1], axis=2)[:, :, ::-1], axis=1)
