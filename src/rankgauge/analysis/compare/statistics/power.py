"""How small a difference can these queries detect, and how many queries would detect a given one?

Planning is by the paired t-test, whichever test is used for the verdict: the others have nearly the same power on
scores, and none has a formula.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rankgauge.analysis.compare.statistics.shrinkage import Scatter
from rankgauge.analysis.compare.statistics.studentized import detectable_shift, t_test_power
from rankgauge.analysis.compare.statistics.tests import paired_differences
from rankgauge.arrays import LARGEST, Floats, Ints
from rankgauge.errors import AnalysisError, UsageError, many, plural
from rankgauge.evaluation.intervals import Moments, moments
from rankgauge.evaluation.scores import Scores
from rankgauge.tables import ByMeasure, Plain
from rankgauge.tables.notes import NOUNS, Note
from rankgauge.tables.table import Column, Table, number

# Beyond a billion queries the answer is "never".
MOST_QUERIES = 10**9
ASSURANCE = 0.8
NODES = 64
# With fewer systems it depends on which they are whether their plans are kept (papers/coverage/sets.py).
FEW_SYSTEMS = 10


@dataclass(frozen=True, slots=True)
class MeasurePlan(Plain):
    """`deviation` is that of paired differences, the median over all pairs, and `queries_needed` are enough for half of
    the pairs; `queries_needed_80` and `queries_needed_95` for that many in a hundred. None if no number is enough.
    """

    _json_names: ClassVar = {"measure": None, "query_count": "queries"}

    measure: str
    deviation: float
    query_count: int
    queries_needed: int | None
    queries_needed_80: int | None
    queries_needed_95: int | None
    detectable_difference: float


@dataclass(frozen=True, repr=False)
class QueryPlan(ByMeasure[MeasurePlan]):
    """The queries that each measure needs to detect `difference` with the given `power` at level `alpha`."""

    difference: float
    power: float
    alpha: float
    parts: tuple[MeasurePlan, ...]

    def table(self) -> Table:
        shares = (number(f"{share}% of pairs") for share in (50, 80, 95))
        columns = (Column("measure"), *shares, number("queries now"), number("detectable now"))
        rows = tuple(
            (
                *(plan.measure, plan.queries_needed, plan.queries_needed_80, plan.queries_needed_95),
                *(plan.query_count, plan.detectable_difference),
            )
            for plan in self.parts
        )
        caption = f"queries needed to detect a difference of {self.difference:g} with {100 * self.power:g}% power"
        return Table(columns, rows, caption, (f"paired t-test at α = {self.alpha:g}; two systems compared once",))

    def __repr__(self) -> str:
        needed = ", ".join(f"{plan.measure}: {plan.queries_needed}" for plan in self.parts)
        return f"QueryPlan({self.difference:g} — {needed})"


def plan_queries(scores: Scores, difference: float, *, power: float, alpha: float) -> QueryPlan:
    """How many queries a comparison needs to detect a true difference of this size, for every measure of the scores.

    The spread of paired differences is estimated from the scores: its median, 80 % and 95 % points over all pairs.
    """
    if not 0 < difference < LARGEST:
        raise UsageError(f"difference is {difference}; it must be a number above 0, such as 0.02.")
    plans = []
    for measure in scores.measures:
        values = scores.matrix(measure)
        known, queries = pair_deviations(values), int(np.count_nonzero(~np.isnan(values).any(axis=0)))
        deviations = [float(one) for one in np.quantile(known, [0.5, 0.8, 0.95], method="median_unbiased")]
        half, most, nearly_all = (queries_needed(one, difference, power=power, alpha=alpha) for one in deviations)
        detectable = detectable_difference(deviations[0], queries, power=power, alpha=alpha)
        plans.append(MeasurePlan(str(measure), deviations[0], queries, half, most, nearly_all, detectable))
    return QueryPlan(difference, power, alpha, tuple(plans))


def detectable_difference(deviation: float, queries: int, *, power: float = 0.8, alpha: float = 0.05) -> float:
    """The true difference that a paired t-test on this many queries finds with the given chance.

    `deviation` is the standard deviation of the paired differences. nan for fewer than two queries.
    """
    check_power(power, alpha)
    if queries < 2 or math.isnan(deviation):
        return math.nan
    return detectable_shift(queries - 1, power, alpha) * deviation / math.sqrt(queries)


def queries_needed(deviation: float, difference: float, *, power: float = 0.8, alpha: float = 0.05) -> int | None:
    """The smallest number of queries with which a paired t-test finds a true difference with the given chance.

    None where no number of queries does: the difference is 0 or lost in the noise of more than 10⁹ queries.

    >>> queries_needed(0.1, 0.02)
    199
    """
    from scipy.special import ndtri

    check_power(power, alpha)
    if difference == 0.0 or not math.isfinite(difference) or not math.isfinite(deviation):
        return None
    if deviation == 0.0:
        # Without variance the smallest p of n queries is 2^(1-n), as in the tests.
        return max(2, math.ceil(1.0 - math.log2(alpha)))
    effect = abs(difference) / deviation
    # Known standard deviation, normal distribution: a query or two below the answer, rarely above it.
    start = float(np.square((ndtri(1.0 - alpha / 2.0) + ndtri(power)) / effect))
    if start > MOST_QUERIES:
        return None
    return _smallest(lambda n: t_test_power(effect * math.sqrt(n), n - 1, alpha) >= power, max(2, math.ceil(start)))


def pair_deviations(values: Floats) -> Floats:
    """Standard deviations of paired differences over all pairs of systems; `values` is systems × queries."""
    if len(values) < 2 or values.shape[1] < 2:
        shape = f"{len(values)} × {values.shape[1]}"
        raise AnalysisError(f"paired differences need two systems and two queries; there are {shape}.")
    # One system against the later ones at a time: all pairs at once may not fit into memory.
    against = (paired_differences(values[i + 1 :], values[i]) for i in range(len(values) - 1))
    deviations = np.concatenate([moments(differences).deviation for differences in against])
    known: Floats = deviations[~np.isnan(deviations)]
    if not len(known):
        raise AnalysisError("no two systems share two queries, so their differences cannot be measured.")
    return known


def _smallest(enough: Callable[[int], bool], start: int) -> int:
    """The smallest n >= 2 that is enough, searched outwards from `start` in doubling steps."""
    step = 1
    if enough(start):
        low, high = start, start
        while low >= 2 and enough(low):
            low, high, step = max(1, low - step), low, 2 * step
    else:
        low, high = start, start + 1
        while not enough(high):
            low, high, step = high, high + 2 * step, 2 * step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def check_power(power: float, alpha: float) -> None:
    """Refuses levels that are no probabilities, and power that no test lacks."""
    if not 0.0 < alpha < 1.0:
        raise UsageError(f"alpha is {alpha}; it must lie between 0 and 1, such as 0.05.")
    if not alpha < power < 1.0:
        raise UsageError(f"power is {power}; it must lie between alpha = {alpha} and 1, such as 0.8.")


@dataclass(frozen=True, slots=True)
class Needed:
    """Queries for 80 % assurance, and the range that holds the number for the true difference with chance 80 %."""

    queries: Floats
    low: Floats
    high: Floats


def assured_queries(
    sample: Moments, alpha: float, scatter: Scatter | None = None, assurance: float = ASSURANCE
) -> Needed:
    """Of pairs with these observed differences; nan where no number of queries is enough.

    A plan that takes the observed difference for the true one promises 80 % and keeps 64 to 76 %. Here the true
    difference is anywhere that the queries seen allow, and `assurance` is the chance to settle the pair, averaged over
    it. What all systems say of how much true differences scatter is taken in: where systems hardly differ, an observed
    difference is mostly noise, and the plan gets longer.
    """
    from scipy.special import ndtr, ndtri

    sizes, weights = _possible_effects(sample, scatter)
    limit = float(ndtri(1.0 - alpha / 2.0))
    effect = sizes[:, 0]

    def settled(number: Floats) -> Floats:
        power: Floats = ndtr(sizes * np.sqrt(number)[:, np.newaxis] - limit) @ weights
        return power

    low, high = np.zeros(len(effect)), np.full(len(effect), np.log2(float(MOST_QUERIES)))
    for _ in range(40):
        middle = (low + high) / 2.0
        enough = settled(np.exp2(middle)) >= assurance
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    unsolved = np.isnan(effect) | (high >= np.log2(MOST_QUERIES) - 1e-6)
    one = np.square(limit + float(ndtri(0.8)))
    small, large = _weighted_quantiles(sizes, weights, (0.1, 0.9))
    with np.errstate(divide="ignore"):
        fewest, most = one / np.square(large), one / np.square(small)
    return Needed(
        *(np.where(unsolved, np.nan, np.ceil(np.minimum(n, MOST_QUERIES))) for n in (np.exp2(high), fewest, most))
    )


def few_systems(systems: int, noun: str = NOUNS[0]) -> list[Note]:
    """A caution beside plans: how close systems are to each other, a few of them do not tell."""
    if systems >= FEW_SYSTEMS:
        return []
    text = (
        f"the {many(noun)} that would settle a pair are for 80% assurance; {plural(systems, 'system')} say little about how much "
        "systems differ, and on real collections 60 to 95% of the plans of so few were kept"
    )
    return [Note("few-systems", text, systems)]


def _possible_effects(sample: Moments, scatter: Scatter | None) -> tuple[Floats, Floats]:
    """|true difference| in standard deviations, pairs × possibilities, and how likely each is; nan where there is none.

    Without a `scatter` any difference is as likely as any other before the queries are seen.
    """
    from scipy.special import stdtrit

    known = np.maximum(sample.queries, 2)[:, np.newaxis]
    with np.errstate(divide="ignore", invalid="ignore"):
        effect = (sample.mean / sample.deviation)[:, np.newaxis]
        effect[~np.isfinite(effect) | (effect == 0.0)] = np.nan
        error = np.sqrt(1.0 / known + np.square(effect) / (2.0 * (known - 1.0)))
        share, scales = np.ones_like(effect), np.ones(1)
        if scatter is not None:
            variances = scatter.variances / np.square(sample.deviation)[:, np.newaxis]
            share, scales = variances / (variances + np.square(error)), scatter.weights
    each = NODES if scatter is None else NODES // 2
    steps = stdtrit(known - 1.0, (np.arange(each) + 0.5) / each)
    sizes = np.abs((share * effect)[..., np.newaxis] + (np.sqrt(share) * error)[..., np.newaxis] * steps[:, np.newaxis])
    return sizes.reshape(len(effect), -1), np.repeat(scales / each, each)


def _weighted_quantiles(values: Floats, weights: Floats, shares: tuple[float, ...]) -> list[Floats]:
    """Of every row, between the middles of the steps."""
    order = np.argsort(values, axis=1)
    ascending, own = np.take_along_axis(values, order, axis=1), weights[order]
    middles = np.cumsum(own, axis=1) - 0.5 * own
    rows = zip(middles, ascending, strict=True)
    return list(np.array([np.interp(shares, middle, row) for middle, row in rows]).reshape(-1, len(shares)).T)


def sign_errors(effect: Floats, queries: Ints) -> Floats:
    """The chance that the true difference has the other sign, by the t distribution and without any prior belief."""
    from scipy.special import stdtr

    known = np.maximum(queries, 2)
    with np.errstate(invalid="ignore"):
        chance: Floats = stdtr(known - 1, -np.abs(effect) * np.sqrt(known))
    return chance
