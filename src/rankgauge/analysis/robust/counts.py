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

from rankgauge.analysis.robust.family import Free, free_parts
from rankgauge.analysis.score_table import refuse_negative_worth, refuse_other_ideals
from rankgauge.arrays import Floats, Ints
from rankgauge.data.about import aligned_weights
from rankgauge.data.judgments import Judgments
from rankgauge.data.match import Match
from rankgauge.data.policy import Policy
from rankgauge.errors import AnalysisError, UsageError
from rankgauge.evaluation.evaluate import evaluated, list_runs, settle_one
from rankgauge.evaluation.ranked import Ranked, itself
from rankgauge.evaluation.scores import Scores, weighted
from rankgauge.kernels.cumulated import best_first, best_weights, gains_of, weights_to
from rankgauge.kernels.resampling import Progress
from rankgauge.measures.measure import Measure

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
    """Everything a verdict rests on: the counts, the ordinary scores of the measure, and the lists behind them."""

    counts: Counts
    scores: Scores
    view: Ranked
    query_weights: Floats | None

    @property
    def measure(self) -> Measure:
        return self.view.measure

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
    view = Ranked(matches, chosen, rule)
    names, kept = view.queries, view.kept
    if not kept.any():
        raise AnalysisError(
            f'no {scores.about.noun} is in every run, and missing="drop" leaves out the others\nUse missing="zero".'
        )
    given = None if weights is None else aligned_weights(weights, names)
    scores = scores if given is None else weighted(scores, given)
    scores = scores if kept.all() else scores.only([name for name, there in zip(names, kept, strict=True) if there])
    return Basis(_counted(view, free, np.ones(len(names)) if given is None else given), scores, view, given)


def _counted(view: Ranked, free: Free, weight: Floats) -> Counts:
    """Amounts by cutoff and threshold, of each run and of the ideal order."""
    measure, queries, levels = view.measure, len(view.queries), view.levels
    refuse_negative_worth(view.worth)
    _check_grades(levels, measure, free)
    cutoff, discount = None if measure.cutoff is None else int(measure.cutoff), measure.settings["discount"]
    depth = cutoff or max(int(match.hits.last.max(initial=1)) for match in view.matches)
    gain = itself if free.gain else measure.settings["gain"]
    ranks, grades = depth if free.discount else 1, len(levels) if free.gain else 1

    def summed(query: Ints, rank: Ints, level: Ints, amount: Floats) -> Floats:
        """Amounts at this rank or before, and of this grade or more: [queries, cutoffs, thresholds]."""
        cell = (query * ranks + rank) * grades + level
        at = np.bincount(cell, amount, queries * ranks * grades).astype(np.float64).reshape(queries, ranks, grades)
        return np.cumsum(np.cumsum(at[:, :, ::-1], axis=2)[:, :, ::-1], axis=1)

    def found(run: int) -> Floats:
        query, rank, worth, amount = view.found(run, depth, gain)
        level = np.searchsorted(levels, worth) if free.gain else np.zeros(len(query), np.int64)
        amount = amount if free.gain else amount * worth
        if not free.discount:
            amount, rank = amount * weights_to(depth, cutoff, discount)[rank - 1], np.ones_like(rank)
        return summed(query, rank - 1, level, amount)

    if measure.definition.name != "nDCG":  # a sum that nothing divides
        best = np.ones((queries, ranks, grades))
    elif not free.gain:
        pool = view.pool
        gains = best_first(gains_of(pool.value, pool.query, pool, measure.settings["relevance"], gain), pool)
        seen = pool.place < depth
        best = summed(pool.query[seen], pool.place[seen], np.zeros(int(seen.sum()), np.int64), gains[seen])
    else:
        many = np.cumsum(view.judged[:, ::-1], axis=1)[:, ::-1]  # documents of each grade or more
        if free.discount:
            best = np.minimum(np.arange(1, ranks + 1)[None, :, None], many[:, None, :]).astype(np.float64)
        else:
            weights = best_weights(int(many.max(initial=0)), cutoff, discount)
            best = np.concatenate(([0.0], np.cumsum(weights)))[np.minimum(many, len(weights))][:, None, :]
    # A query without anything to find is 0/0 for every system, or 0: it never tells two systems apart.
    there = view.kept & best.any(axis=(1, 2))
    amounts = np.stack([found(run)[there] for run in range(len(view.ruled))])
    best, weight = best[there], weight[there]
    is_whole = all(np.array_equal(array, np.rint(array)) for array in (amounts, best, weight))
    return Counts(amounts, best, weight, tuple(levels.tolist()) if free.gain else (), is_whole)


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
