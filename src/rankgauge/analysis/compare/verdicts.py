"""From evidence to verdicts: p-values of the whole family adjusted together, then each pair judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rankgauge.analysis.compare.corrections import adjust, next_level
from rankgauge.analysis.compare.evidence import Evidence
from rankgauge.analysis.compare.findings import MeasureComparison, Pair, Verdict
from rankgauge.analysis.compare.options import Question
from rankgauge.analysis.compare.power import detectable_difference, queries_to_detect
from rankgauge.analysis.compare.tukey import FAMILY_TESTS
from rankgauge.kernels.resampling import FloatArray


@dataclass(frozen=True, slots=True)
class Levels:
    """p-values that decide: `verdict` once adjusted; raw, `further` for one more finding, `planned` for the first."""

    verdict: float
    further: float
    planned: float


def conclude(evidence: Sequence[Evidence], question: Question) -> list[MeasureComparison]:
    """Every table of the evidence with its verdicts; the family is all pairs of all tables."""
    p = np.concatenate([table.p for table in evidence])
    if question.test in FAMILY_TESTS:
        # Tukey's p-values already hold for all pairs of one table: what is left is the number of tables.
        adjusted = np.minimum(p * question.factor(len(evidence)), 1.0)
    else:
        adjusted = adjust(p, question.correction)
    equivalent = adjust(np.concatenate([table.p_equivalence for table in evidence]), question.correction)
    levels = _levels(adjusted, question)
    ends = np.cumsum([len(table.p) for table in evidence])[:-1]
    parts = zip(evidence, np.split(adjusted, ends), np.split(equivalent, ends), strict=True)
    return [_measure(table, question, levels, *p_values) for table, *p_values in parts]


def _levels(adjusted: FloatArray, question: Question) -> Levels:
    if question.test in FAMILY_TESTS:
        # Tukey's limit is the same for all pairs, and Bonferroni's is a little stricter than that.
        level = question.alpha / (len(question.pairs) * question.factor(len(adjusted) // len(question.pairs)))
        return Levels(question.alpha, level, level)
    family = max(1, int(np.count_nonzero(~np.isnan(adjusted))))
    found = int(np.count_nonzero(adjusted < question.alpha))
    further, planned = (next_level(family, n, question.alpha, question.correction) for n in (found, 0))
    return Levels(question.alpha, further, planned)


def _measure(
    table: Evidence, question: Question, levels: Levels, adjusted: FloatArray, equivalent: FloatArray
) -> MeasureComparison:
    shifts = {n: detectable_difference(1.0, n, alpha=levels.planned) for n in set(table.sample.queries.tolist())}
    pairs = tuple(
        _pair(
            table, i, question, levels, float(adjusted[i]), float(equivalent[i]), shifts[int(table.sample.queries[i])]
        )
        for i in range(len(adjusted))
    )
    known = [pair.detectable_difference for pair in pairs if not np.isnan(pair.detectable_difference)]
    return MeasureComparison(table.measure, table.systems, pairs, float(np.median(known)) if known else float("nan"))


def _pair(
    table: Evidence, i: int, question: Question, levels: Levels, adjusted: float, equivalent: float, shift: float
) -> Pair:
    system, baseline = question.pairs[i]
    queries, noise = int(table.sample.queries[i]), float(table.noise[i])
    difference, wins, losses = float(table.sample.mean[i]), int(table.wins[i]), int(table.losses[i])
    verdict = _verdict(difference, float(table.direction[i]), adjusted, equivalent, levels.verdict)
    return Pair(
        system=question.systems[system],
        baseline=question.systems[baseline],
        difference=difference,
        low=float(table.interval.low[i]),
        high=float(table.interval.high[i]),
        p=float(table.p[i]),
        p_adjusted=adjusted,
        effect_size=float(table.effect[i]),
        wins=wins,
        ties=queries - wins - losses,
        losses=losses,
        verdict=verdict,
        queries_needed=_needed(noise, difference, queries, levels.further) if verdict == "undecided" else None,
        detectable_difference=shift * noise,
        p_equivalence=equivalent,
        deviation=float(table.sample.deviation[i]),
        queries=queries,
        dropped=table.queries - queries,
    )


def _verdict(difference: float, direction: float, adjusted: float, equivalent: float, alpha: float) -> Verdict:
    # Whoever names a margin says that smaller differences do not matter: equivalence goes before significance.
    if equivalent < alpha:
        return "equivalent"
    # Ranks may point one way and the mean the other; then neither is an answer to "which is better?"
    if adjusted < alpha and direction * difference > 0.0:
        return "better" if difference > 0.0 else "worse"
    return "undecided"


def _needed(noise: float, difference: float, queries: int, alpha: float) -> int | None:
    needed = queries_to_detect(noise, difference, alpha=alpha)
    return None if needed is None else max(needed, queries + 1)
