"""What the scores of one measure say about every pair, before the family of comparisons is known."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from rankgauge.analysis.compare.judged import Combined, combine_all, notes_on
from rankgauge.analysis.compare.options import Design, Draws
from rankgauge.analysis.compare.ranks import rank_intervals
from rankgauge.analysis.compare.tests import (
    bootstrap_test,
    equivalence_test,
    paired_differences,
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
from rankgauge.arrays import Floats, Ints
from rankgauge.evaluation.intervals import Intervals, Moments, mean_interval, moments
from rankgauge.kernels.resampling import Progress
from rankgauge.tables.notes import Note
from rankgauge.tables.shown import Plain


@dataclass(frozen=True, slots=True)
class SystemSummary(Plain):
    """One system's mean over its queries, and its rank among the systems; both with their intervals."""

    json_names: ClassVar = {"deviation": None, "query_count": "queries"}

    name: str
    mean: float
    low: float
    high: float
    deviation: float
    query_count: int
    rank: int
    rank_low: int
    rank_high: int


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
    p: Floats
    p_equivalence: Floats
    effect: Floats
    noise: Floats
    direction: Floats
    wins: Ints
    losses: Ints
    notes: tuple[Note, ...]
    judged: tuple[Combined, ...] | None = None
    """Where a judge of more queries has a say."""


@dataclass(frozen=True, slots=True)
class JudgeScores:
    """A judge's scores, systems × queries: on the human queries, in their order, and on all it has."""

    on_human: Floats
    everywhere: Floats
    left_out: int
    """Human queries that the judge lacks."""


def examine(
    values: Floats,
    measure: str,
    design: Design,
    *,
    tables: int,
    draws: Draws | None,
    progress: Progress | None = None,
    judge: JudgeScores | None = None,
) -> Evidence:
    """The evidence in `values`, systems × queries; `tables` is how many such tables are judged together."""
    first, second = design.pairs.T
    differences = paired_differences(values[first], values[second])
    sample = moments(differences)
    bounds = mean_interval(differences, confidence=design.confidence, method=design.interval, seed=design.seed)
    if design.test in FAMILY_TESTS:
        study, p = two_way(complete_queries(values)), _family_p(values, design, draws, progress)[first, second]
        effect, noise = study.effect_sizes[first, second], np.full(len(p), np.sqrt(2.0 * study.residual_mean_square))
    else:
        p, effect = _paired_p(differences, design, tables, draws, progress), _standardised(sample)
        noise = sample.deviation
    found = Evidence(
        measure=measure,
        queries=values.shape[1],
        systems=summarise(values, design),
        sample=sample,
        interval=bounds,
        p=p,
        p_equivalence=equivalence_test(differences, design.equivalence)
        if design.equivalence
        else np.full(len(p), np.nan),
        effect=effect,
        noise=noise,
        direction=wilcoxon_direction(differences) if design.test == "wilcoxon" else np.sign(sample.mean),
        wins=np.count_nonzero(differences > 0.0, axis=1),
        losses=np.count_nonzero(differences < 0.0, axis=1),
        notes=_notes(values, measure, design),
    )
    return found if judge is None else _with_judge(found, differences, judge, design)


def _with_judge(found: Evidence, human: Floats, judge: JudgeScores, design: Design) -> Evidence:
    """The same pairs with the combined differences; wins, ties and losses stay those of the human queries."""
    first, second = design.pairs.T
    on_human, everywhere = (
        paired_differences(scores[first], scores[second]) for scores in (judge.on_human, judge.everywhere)
    )
    combined = combine_all(human, on_human, everywhere, design.confidence)
    difference, margin, p = (
        np.array(column)
        for column in zip(*((one.difference, one.margin(design.confidence), one.p) for one in combined), strict=True)
    )
    counts = np.array([one.judge.human_queries for one in combined])
    sample = Moments(counts, difference, found.sample.deviation)
    equivalent = [one.p_equivalence(design.equivalence) if design.equivalence else np.nan for one in combined]
    names = [(design.systems[a], design.systems[b]) for a, b in design.pairs.tolist()]
    return replace(
        found,
        sample=sample,
        interval=Intervals(difference, difference - margin, difference + margin, counts),
        p=p,
        p_equivalence=np.array(equivalent),
        effect=_standardised(sample),
        direction=np.sign(difference),
        notes=(*found.notes, *notes_on(combined, names, found.measure, judge.left_out)),
        judged=combined,
    )


def summarise(values: Floats, design: Design) -> tuple[SystemSummary, ...]:
    """Mean and rank of every system, in the order given."""
    sample = moments(values)
    bounds = mean_interval(values, confidence=design.confidence, method=design.interval, seed=design.seed)
    ranks = rank_intervals(values, confidence=design.confidence, seed=design.seed)
    return tuple(
        SystemSummary(
            name=name,
            mean=float(bounds.mean[i]),
            low=float(bounds.low[i]),
            high=float(bounds.high[i]),
            deviation=float(sample.deviation[i]),
            query_count=int(sample.queries[i]),
            rank=int(ranks.rank[i]),
            rank_low=int(ranks.low[i]),
            rank_high=int(ranks.high[i]),
        )
        for i, name in enumerate(design.systems)
    )


def _paired_p(
    differences: Floats, design: Design, tables: int, draws: Draws | None, progress: Progress | None
) -> Floats:
    if draws is None:
        return t_test(differences) if design.test == "t" else wilcoxon_test(differences)
    test = sign_flip_test if design.test == "sign-flip" else bootstrap_test
    again = draws.finer if draws.finer > draws.first else 0
    p = test(differences, samples=draws.first, seed=design.seed, progress=_part(progress, 0, draws.first + again))
    # Near the limit of significance, or too near the smallest p that the first sample can give to decide.
    close = p <= max(4.0 * design.alpha / design.factor(tables), 10.0 / (1 + draws.first))
    if again and close.any():
        # Valid because the second sample is drawn afresh: whoever is let in by the first must pass the second.
        remaining = _part(progress, draws.first, draws.first + again)
        p[close] = test(differences[close], samples=again, seed=design.seed + 1, progress=remaining)
    if progress is not None:
        progress(draws.first + again, draws.first + again)
    return p


def _part(progress: Progress | None, before: int, total: int) -> Progress | None:
    return None if progress is None else lambda done, _: progress(before + done, total)


def _family_p(values: Floats, design: Design, draws: Draws | None, progress: Progress | None) -> Floats:
    if draws is None:
        return tukey_test(values)
    return randomised_tukey_test(values, samples=draws.finer, seed=design.seed, progress=progress)


def _standardised(sample: Moments) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(sample.mean == 0.0, np.where(sample.queries > 1, 0.0, np.nan), sample.mean / sample.deviation)


def _notes(values: Floats, measure: str, design: Design) -> tuple[Note, ...]:
    gaps = int(np.isnan(values).any(axis=0).sum())
    if not gaps:
        return ()
    rule = (
        "the test leaves them out"
        if design.test in FAMILY_TESTS
        else "each pair uses the queries that both systems have"
    )
    text = f"{measure}: {gaps} of {values.shape[1]} queries lack a score for some system; {rule}."
    return (Note("missing-scores", text, gaps, measure=measure),)
