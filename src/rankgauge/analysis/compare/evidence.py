"""What the scores of one measure say about every pair, before the family of comparisons is known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankgauge.analysis.compare.differences import paired_differences
from rankgauge.analysis.compare.findings import SystemSummary
from rankgauge.analysis.compare.options import Draws, Question
from rankgauge.analysis.compare.ranks import rank_intervals
from rankgauge.analysis.compare.tests import (
    bootstrap_test,
    equivalence_test,
    sign_flip_test,
    t_test,
    wilcoxon_direction,
    wilcoxon_test,
)
from rankgauge.analysis.compare.tukey import (
    FAMILY_TESTS,
    complete_queries,
    randomised_tukey_test,
    tukey_test,
    two_way,
)
from rankgauge.evaluation.intervals import Intervals, Moments, mean_interval, moments
from rankgauge.kernels.resampling import FloatArray, IntArray, Progress


@dataclass(frozen=True, slots=True)
class Evidence:
    """Arrays with one entry per pair; `noise` is the standard deviation of a difference, `direction` its sign, as the
    test sees them: Tukey's tests take the noise from all systems, Wilcoxon's test the sign from the ranks.
    """

    measure: str
    queries: int
    systems: tuple[SystemSummary, ...]
    sample: Moments
    interval: Intervals
    p: FloatArray
    p_equivalence: FloatArray
    effect: FloatArray
    noise: FloatArray
    direction: FloatArray
    wins: IntArray
    losses: IntArray
    notes: tuple[str, ...]


def examine(
    values: FloatArray,
    measure: str,
    question: Question,
    *,
    tables: int,
    draws: Draws | None,
    progress: Progress | None = None,
) -> Evidence:
    """The evidence in `values`, systems × queries, one of so many tables that are judged together."""
    first, second = question.pairs.T
    differences = paired_differences(values[first], values[second])
    sample = moments(differences)
    bounds = mean_interval(differences, confidence=question.confidence, method=question.interval, seed=question.seed)
    if question.test in FAMILY_TESTS:
        study, p = two_way(complete_queries(values)), _family_p(values, question, draws, progress)[first, second]
        effect, noise = study.effect_sizes[first, second], np.full(len(p), np.sqrt(2.0 * study.residual_mean_square))
    else:
        p, effect = _paired_p(differences, question, tables, draws, progress), _standardised(sample)
        noise = sample.deviation
    return Evidence(
        measure=measure,
        queries=values.shape[1],
        systems=summarise(values, question),
        sample=sample,
        interval=bounds,
        p=p,
        p_equivalence=equivalence_test(differences, question.equivalence)
        if question.equivalence
        else np.full(len(p), np.nan),
        effect=effect,
        noise=noise,
        direction=wilcoxon_direction(differences) if question.test == "wilcoxon" else np.sign(sample.mean),
        wins=np.count_nonzero(differences > 0.0, axis=1),
        losses=np.count_nonzero(differences < 0.0, axis=1),
        notes=_notes(values, measure, question),
    )


def summarise(values: FloatArray, question: Question) -> tuple[SystemSummary, ...]:
    """Mean and rank of every system, in the order given."""
    sample = moments(values)
    bounds = mean_interval(values, confidence=question.confidence, method=question.interval, seed=question.seed)
    ranks = rank_intervals(values, confidence=question.confidence, seed=question.seed)
    return tuple(
        SystemSummary(
            name=name,
            mean=float(bounds.mean[i]),
            low=float(bounds.low[i]),
            high=float(bounds.high[i]),
            deviation=float(sample.deviation[i]),
            queries=int(sample.queries[i]),
            rank=int(ranks.rank[i]),
            rank_low=int(ranks.low[i]),
            rank_high=int(ranks.high[i]),
        )
        for i, name in enumerate(question.systems)
    )


def _paired_p(
    differences: FloatArray, question: Question, tables: int, draws: Draws | None, progress: Progress | None
) -> FloatArray:
    if draws is None:
        return t_test(differences) if question.test == "t" else wilcoxon_test(differences)
    test = sign_flip_test if question.test == "sign-flip" else bootstrap_test
    again = draws.finer if draws.finer > draws.first else 0
    p = test(differences, samples=draws.first, seed=question.seed, progress=_part(progress, 0, draws.first + again))
    # Near the limit of significance, or too near the smallest p that the first sample can give to tell.
    close = p <= max(4.0 * question.alpha / question.factor(tables), 10.0 / (1 + draws.first))
    if again and close.any():
        # Valid because the second sample is drawn afresh: whoever is let in by the first must pass the second.
        remaining = _part(progress, draws.first, draws.first + again)
        p[close] = test(differences[close], samples=again, seed=question.seed + 1, progress=remaining)
    if progress is not None:
        progress(draws.first + again, draws.first + again)
    return p


def _part(progress: Progress | None, before: int, total: int) -> Progress | None:
    return None if progress is None else lambda done, _: progress(before + done, total)


def _family_p(values: FloatArray, question: Question, draws: Draws | None, progress: Progress | None) -> FloatArray:
    if draws is None:
        return tukey_test(values)
    return randomised_tukey_test(values, samples=draws.finer, seed=question.seed, progress=progress)


def _standardised(sample: Moments) -> FloatArray:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(sample.mean == 0.0, np.where(sample.queries > 1, 0.0, np.nan), sample.mean / sample.deviation)


def _notes(values: FloatArray, measure: str, question: Question) -> tuple[str, ...]:
    gaps = int(np.isnan(values).any(axis=0).sum())
    if not gaps:
        return ()
    rule = (
        "the test leaves them out"
        if question.test in FAMILY_TESTS
        else "each pair uses the queries that both systems have"
    )
    return (f"{measure}: {gaps} of {values.shape[1]} queries lack a score of some system; {rule}.",)
