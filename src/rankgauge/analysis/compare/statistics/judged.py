"""Few queries judged by people, many by a machine: the difference that both together give.

The regression form of prediction-powered inference (PPI++, Angelopoulos, Duchi and Zrnic 2023), which is the classical
two-phase regression estimator. The leverage term, n - 2 degrees of freedom and Student's t pay for a slope estimated from
few queries: with normal quantiles, as published, 95% intervals cover 85 to 93% at 8 to 40 queries.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from rankgauge.analysis.compare.statistics.power import check_power
from rankgauge.analysis.compare.statistics.studentized import detectable_shift, t_test_power
from rankgauge.analysis.compare.statistics.tests import t_test
from rankgauge.arrays import Floats
from rankgauge.errors import AnalysisError, UsageError
from rankgauge.evaluation.intervals import mean_interval, moments
from rankgauge.kernels.resampling import ROUNDING
from rankgauge.tables import ByMeasure, Plain
from rankgauge.tables.notes import Note
from rankgauge.tables.table import Column, Table, number

FEWEST, FEW = 5, 10
RANDOM = "holds if the human queries were drawn at random"


@dataclass(frozen=True, slots=True)
class HumanOnly(Plain):
    """The pair on the queries that people judged, without the judge."""

    difference: float
    low: float
    high: float
    p: float


@dataclass(frozen=True, slots=True)
class PairJudge(Plain):
    """What a judge of all queries adds to a pair. `effective_queries` human queries alone would give this interval."""

    queries: int
    human_queries: int
    slope: float
    correlation: float
    effective_queries: float
    human_only: HumanOnly
    judge_only: float

    def turned(self) -> PairJudge:
        """The same with the systems swapped."""
        human = self.human_only
        swapped = replace(human, difference=-human.difference, low=-human.high, high=-human.low)
        return replace(self, human_only=swapped, judge_only=-self.judge_only)


@dataclass(frozen=True, slots=True)
class Combined:
    """The combined difference with its standard error and degrees of freedom, and where it comes from."""

    difference: float
    error: float
    freedom: int
    deviation: float
    """Of the human differences."""
    shift: float
    """Mean of human less judge on the human queries where that is beyond chance, else 0."""
    judge: PairJudge

    @property
    def p(self) -> float:
        """Two-sided, as in the t test; without variance no p is below 2^(1-n)."""
        from scipy.special import stdtr

        if self.error == 0.0:
            return 1.0 if self.difference == 0.0 else 2.0 ** (1.0 - self.judge.human_queries)
        found = 2.0 * float(stdtr(self.freedom, -abs(self.difference) / self.error))
        return max(found, float(np.finfo(np.float64).tiny))

    def margin(self, confidence: float) -> float:
        from scipy.special import stdtrit

        return -float(stdtrit(self.freedom, (1.0 - confidence) / 2.0)) * self.error

    def p_equivalence(self, margin: float) -> float:
        """Of "the true difference lies outside ±margin", by two one-sided tests."""
        from scipy.special import stdtr

        room = margin - abs(self.difference)
        if self.error == 0.0:
            return 2.0 ** (1.0 - self.judge.human_queries) if room > 0 else 1.0
        return float(stdtr(self.freedom, -room / self.error))

    def needed(self, alpha: float) -> int | None:
        """Human queries that would decide a true difference of this size."""
        found = human_queries_to_detect(
            self.deviation, self.difference, correlation=self.judge.correlation, queries=self.judge.queries, alpha=alpha
        )
        return None if found is None else max(found, self.judge.human_queries + 1)

    def detectable(self, alpha: float, power: float = 0.8) -> float:
        """The true difference that this design finds with the given chance."""
        return detectable_shift(self.freedom, power, alpha) * self.error


def combine(human: Floats, judge: Floats, everywhere: Floats, confidence: float = 0.95) -> Combined:
    """Human and judge's differences on the human queries, and the judge's on all queries, as one estimate."""
    n, m = len(human), len(everywhere)
    y, f = human - human.mean(), judge - judge.mean()
    spread = float(f @ f)
    deviation, varies = float(moments(human[None]).deviation[0]), float(moments(judge[None]).deviation[0]) > 0
    slope, freedom = 0.0, n - 1
    squared = deviation**2 / n
    apart = float(everywhere.mean() - judge.mean())
    if varies:
        slope, freedom = max(0.0, float(y @ f) / spread), n - 2
        residual = float(np.square(y - slope * f).sum()) / freedom
        # A judge that is the human but for rounding leaves nothing.
        residual = 0.0 if math.sqrt(residual) <= ROUNDING * float(np.abs(human).max()) else residual
        squared = residual * (1 / n + apart**2 / spread) + slope**2 * float(everywhere.var(ddof=1)) / m
    error = math.sqrt(squared)
    strength = float(y @ f) / math.sqrt(float(y @ y) * spread) if varies and deviation > 0 else math.nan
    alone = mean_interval(human[None], confidence=confidence)
    shown = PairJudge(
        queries=m,
        human_queries=n,
        slope=slope,
        correlation=strength,
        effective_queries=deviation**2 / squared if squared > 0 else math.nan,
        human_only=HumanOnly(
            float(human.mean()), float(alone.low[0]), float(alone.high[0]), float(t_test(human[None])[0])
        ),
        judge_only=float(everywhere.mean()),
    )
    return Combined(
        float(human.mean()) + slope * apart, error, freedom, deviation, _shift(human - judge, confidence), shown
    )


def _shift(errors: Floats, confidence: float) -> float:
    interval = mean_interval(errors[None], confidence=confidence)
    is_beyond = interval.low[0] > 0 or interval.high[0] < 0
    return float(errors.mean()) if is_beyond and moments(errors[None]).deviation[0] > 0 else 0.0


def combine_all(human: Floats, judge: Floats, everywhere: Floats, confidence: float) -> tuple[Combined, ...]:
    """Row by row: pairs × queries, nan where a score is missing."""
    found = []
    for y, f, all_f in zip(human, judge, everywhere, strict=True):
        both = ~(np.isnan(y) | np.isnan(f))
        n = int(np.count_nonzero(both))
        if n < FEWEST:
            raise AnalysisError(
                f"{n} human queries are too few to combine with a judge; at least {FEWEST} are needed.\n"
                "Have people judge more queries, or compare under the judge alone."
            )
        found.append(combine(y[both], f[both], all_f[~np.isnan(all_f)], confidence))
    return tuple(found)


def notes_on(found: Sequence[Combined], pairs: Sequence[tuple[str, str]], measure: str, left_out: int) -> list[Note]:
    """What a reader must know of human queries and judge."""
    first, notes = found[0].judge, []

    def note(kind: str, text: str, count: int) -> None:
        notes.append(Note(kind, f"{measure}: {text}", count, measure=measure))

    counts = f"{first.human_queries:,} human queries and {first.queries:,} of the judge"
    about = "(`rankgauge sample` draws them); means, ranks, wins and losses are of the human queries"
    note("random-queries", f"{counts}; {RANDOM} {about}", first.human_queries)
    if left_out:
        note("judge-lacks-queries", f"the judge lacks {left_out:,} human queries; they are left out", left_out)
    if first.human_queries < FEW:
        note("few-human-queries", f"the correlation rests on {first.human_queries} queries", first.human_queries)
    shifted = [(one, pair) for one, pair in zip(found, pairs, strict=True) if one.shift]
    if shifted:
        most, (system, baseline) = max(shifted, key=lambda one: abs(one[0].shift))
        # The shift is human less judge; the judge adds its opposite.
        size = f"by {-most.shift:+.4f}"
        which = f"{len(shifted):,} of {len(found):,} differences beyond chance (most: {system} − {baseline} {size})"
        which = f"this difference {size}" if len(found) == 1 else which
        note("judge-shift", f"the judge shifts {which}; the combined figure corrects it", len(shifted))
    useless = sum(one.judge.effective_queries < one.judge.human_queries for one in found)
    if useless:
        where, whose = ("", "the") if len(found) == 1 else (f" on {useless:,} of {len(found):,} pairs", "their")
        note(
            "judge-does-not-help", f"the judge does not help{where}: {whose} interval is wider than without it", useless
        )
    return notes


def human_queries_to_detect(
    deviation: float, difference: float, *, correlation: float, queries: int, power: float = 0.8, alpha: float = 0.05
) -> int | None:
    """The smallest number of human queries, 5 to queries - 1, that finds a true difference beside a judge of all `queries`.

    `deviation` is that of human differences and `correlation` that with the judge's. None if no number is enough: then
    more queries are needed, not more human judgments.

    >>> human_queries_to_detect(0.2, 0.05, correlation=0.75, queries=1000)
    63
    """
    check_power(power, alpha)
    if difference == 0.0 or not math.isfinite(difference) or not math.isfinite(deviation):
        return None
    shared = 0.0 if math.isnan(correlation) else max(0.0, correlation) ** 2

    def enough(n: int) -> bool:
        unshared = (1.0 - shared) * (1.0 / n + (1.0 / n - 1.0 / queries) / (n - 3))
        variance = deviation**2 * (unshared + shared / queries)
        return variance == 0.0 or t_test_power(abs(difference) / math.sqrt(variance), n - 2, alpha) >= power

    if queries - 1 < FEWEST or not enough(queries - 1):
        return None
    return FEWEST + bisect_left(range(FEWEST, queries - 1), True, key=enough)


@dataclass(frozen=True, slots=True)
class HumanMeasurePlan(Plain):
    """`deviation` and `correlation` are medians over the pairs; `human_queries_needed` is None if no number does."""

    _json_names: ClassVar = {"measure": None}

    measure: str
    deviation: float
    correlation: float
    queries: int
    human_queries: int
    human_queries_needed: int | None


@dataclass(frozen=True, repr=False)
class HumanQueryPlan(ByMeasure[HumanMeasurePlan]):
    """The human queries that each measure needs to detect `difference` beside the judge."""

    difference: float
    power: float
    alpha: float
    parts: tuple[HumanMeasurePlan, ...]

    def table(self) -> Table:
        columns = (
            Column("measure"),
            number("human queries needed"),
            number("human now"),
            number("judged by both or one"),
        )
        rows = tuple((one.measure, one.human_queries_needed, one.human_queries, one.queries) for one in self.parts)
        caption = f"human queries needed to detect a difference of {self.difference:g} with {100 * self.power:g}% power"
        return Table(columns, rows, caption, (f"t-test at α = {self.alpha:g}; two systems compared once; {RANDOM}",))

    def __repr__(self) -> str:
        needed = ", ".join(f"{one.measure}: {one.human_queries_needed}" for one in self.parts)
        return f"HumanQueryPlan({self.difference:g} — {needed})"


def plan_human_queries(
    judged: Mapping[str, Sequence[tuple[float, PairJudge]]], difference: float, *, power: float, alpha: float
) -> HumanQueryPlan:
    """For every measure, from its pairs: the deviation of their differences, and what the judge adds."""
    if not difference > 0:
        raise UsageError(f"difference is {difference}; it must be above 0, such as 0.02.")
    plans = []
    for measure, pairs in judged.items():
        if not pairs:
            raise UsageError("this comparison has no judge\nCompare with judge=…, or use queries_to_detect.")
        deviation = float(np.median([spread for spread, _ in pairs]))
        correlations = [judge.correlation for _, judge in pairs if not np.isnan(judge.correlation)]
        correlation = float(np.median(correlations)) if correlations else 0.0
        queries, human = (max(getattr(judge, name) for _, judge in pairs) for name in ("queries", "human_queries"))
        needed = human_queries_to_detect(
            deviation, difference, correlation=correlation, queries=queries, power=power, alpha=alpha
        )
        plans.append(HumanMeasurePlan(measure, deviation, correlation, queries, human, needed))
    return HumanQueryPlan(difference, power, alpha, tuple(plans))
