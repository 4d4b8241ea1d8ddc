"""From evidence to verdicts: p-values of the whole family adjusted together, then each pair judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from rankgauge.analysis.compare.corrections import adjust, next_level
from rankgauge.analysis.compare.evidence import Evidence, SystemSummary
from rankgauge.analysis.compare.judged import PairJudge
from rankgauge.analysis.compare.options import Design
from rankgauge.analysis.compare.power import detectable_difference, queries_needed
from rankgauge.analysis.compare.tukey import FAMILY_TESTS
from rankgauge.arrays import Floats
from rankgauge.errors import UsageError
from rankgauge.tables.shown import Plain

Verdict = Literal["better", "worse", "undecided", "equivalent"]


@dataclass(frozen=True, slots=True)
class Pair(Plain):
    """One system against another, on the queries that both have.

    `p` and the interval are of this pair alone, `p_adjusted` of the whole family, and the verdict follows `p_adjusted`.
    `effect_size` is the difference in standard deviations of the differences (in residual ones for Tukey's tests).
    `queries_needed` is None unless the verdict is undecided and some number of queries would change it.
    """

    json_names: ClassVar = {"deviation": None, "query_count": "queries"}

    system: str
    baseline: str
    difference: float
    low: float
    high: float
    p: float
    p_adjusted: float
    effect_size: float
    wins: int
    ties: int
    losses: int
    verdict: Verdict
    queries_needed: int | None
    detectable_difference: float
    p_equivalence: float
    deviation: float
    query_count: int
    dropped: int
    judge: PairJudge | None = None
    """What a judge of more queries adds; the difference, interval and p are then of both together."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; `judge` is there only where one was given."""
        found = Plain.to_dict(self)
        return found if self.judge is not None else {name: part for name, part in found.items() if name != "judge"}


@dataclass(frozen=True, slots=True)
class MeasureComparison(Plain):
    """Systems and pairs on one measure; `detectable_difference` is the median over the pairs."""

    json_names: ClassVar = {"measure": None}

    measure: str
    systems: tuple[SystemSummary, ...]
    pairs: tuple[Pair, ...]
    detectable_difference: float

    def pair(self, system: str, baseline: str) -> Pair:
        """The pair as it was compared; an error when it was not."""
        for pair in self.pairs:
            if (pair.system, pair.baseline) == (system, baseline):
                return pair
        raise UsageError(f"{system} was not compared with {baseline}; compare all pairs, or name another baseline.")


@dataclass(frozen=True, slots=True)
class Levels:
    """p-values that decide: `verdict` once adjusted; raw, `further` for one more finding, `planned` for the first."""

    verdict: float
    further: float
    planned: float


def conclude(evidence: Sequence[Evidence], design: Design) -> list[MeasureComparison]:
    """Every table of the evidence with its verdicts; the family is all pairs of all tables."""
    p = np.concatenate([table.p for table in evidence])
    if design.test in FAMILY_TESTS:
        # Tukey's p-values already hold for all pairs of one table: what is left is the number of tables.
        adjusted = np.minimum(p * design.factor(len(evidence)), 1.0)
    else:
        adjusted = adjust(p, design.correction)
    equivalent = adjust(np.concatenate([table.p_equivalence for table in evidence]), design.correction)
    levels = _levels(adjusted, design)
    ends = np.cumsum([len(table.p) for table in evidence])[:-1]
    parts = zip(evidence, np.split(adjusted, ends), np.split(equivalent, ends), strict=True)
    return [_measure(table, design, levels, *p_values) for table, *p_values in parts]


def _levels(adjusted: Floats, design: Design) -> Levels:
    if design.test in FAMILY_TESTS:
        # Tukey's limit is the same for all pairs, and Bonferroni's is a little stricter than that.
        level = design.alpha / (len(design.pairs) * design.factor(len(adjusted) // len(design.pairs)))
        return Levels(design.alpha, level, level)
    family = max(1, int(np.count_nonzero(~np.isnan(adjusted))))
    found = int(np.count_nonzero(adjusted < design.alpha))
    further, planned = (next_level(family, n, design.alpha, design.correction) for n in (found, 0))
    return Levels(design.alpha, further, planned)


def _measure(
    table: Evidence, design: Design, levels: Levels, adjusted: Floats, equivalent: Floats
) -> MeasureComparison:
    shifts = {n: detectable_difference(1.0, n, alpha=levels.planned) for n in set(table.sample.queries.tolist())}
    pairs = tuple(
        _pair(table, i, design, levels, float(adjusted[i]), float(equivalent[i]), shifts[int(table.sample.queries[i])])
        for i in range(len(adjusted))
    )
    known = [pair.detectable_difference for pair in pairs if not np.isnan(pair.detectable_difference)]
    return MeasureComparison(table.measure, table.systems, pairs, float(np.median(known)) if known else float("nan"))


def _pair(
    table: Evidence, i: int, design: Design, levels: Levels, adjusted: float, equivalent: float, shift: float
) -> Pair:
    system, baseline = design.pairs[i]
    queries, noise = int(table.sample.queries[i]), float(table.noise[i])
    difference, wins, losses = float(table.sample.mean[i]), int(table.wins[i]), int(table.losses[i])
    verdict = _verdict(difference, float(table.direction[i]), adjusted, equivalent, levels.verdict)
    judged = None if table.judged is None else table.judged[i]
    needed: int | None = None
    if verdict == "undecided":
        needed = judged.needed(levels.further) if judged else _needed(noise, difference, queries, levels.further)
    return Pair(
        system=design.systems[system],
        baseline=design.systems[baseline],
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
        queries_needed=needed,
        detectable_difference=judged.detectable(levels.planned) if judged else shift * noise,
        p_equivalence=equivalent,
        deviation=float(table.sample.deviation[i]),
        query_count=queries,
        dropped=table.queries - queries,
        judge=judged.judge if judged else None,
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
    needed = queries_needed(noise, difference, alpha=alpha)
    return None if needed is None else max(needed, queries + 1)
