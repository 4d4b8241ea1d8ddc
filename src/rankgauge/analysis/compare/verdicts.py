"""From evidence to verdicts: p-values of the whole family adjusted together, then each pair judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from rankgauge.analysis.compare.evidence import Evidence, SystemSummary
from rankgauge.analysis.compare.options import Design
from rankgauge.analysis.compare.statistics.corrections import Bounds, adjust, agreeing, next_level, t_quantile, widened
from rankgauge.analysis.compare.statistics.families import FAMILY_TESTS
from rankgauge.analysis.compare.statistics.judged import PairJudge
from rankgauge.analysis.compare.statistics.max_t import FEW, near_copies
from rankgauge.analysis.compare.statistics.power import Needed, assured_queries, detectable_difference, sign_errors
from rankgauge.analysis.compare.statistics.shrinkage import PairBayes
from rankgauge.arrays import Flags, Floats
from rankgauge.errors import UsageError
from rankgauge.tables import Plain

Verdict = Literal["better", "worse", "undecided", "equivalent"]
SAME = "the same"


@dataclass(frozen=True, slots=True)
class Pair(Plain):
    """One system against another, on the queries that both have.

    The interval is at the level that decides, so it excludes 0 exactly where the verdict is better or worse (unless
    intervals of each pair alone were asked for). `p` is of this pair alone, `p_adjusted` of the whole family; `at_limit`
    marks a p-value that could not be told from the limit, and such a pair is undecided. `effect_size` is the difference
    in standard deviations of the differences (in residual ones for Tukey's tests), with its interval. `sign_error` is
    the chance that the true difference has the other sign. `queries_needed` is None unless the verdict is undecided and
    some number of queries would change it: enough in 80 % of cases, the uncertainty of the observed difference taken in;
    the number for the true difference lies between `queries_needed_low` and `queries_needed_high` with the same chance.
    """

    _json_names: ClassVar = {"deviation": None, "alone": None, "query_count": "queries"}

    system: str
    baseline: str
    difference: float
    low: float
    high: float
    p: float
    p_adjusted: float
    at_limit: bool
    effect_size: float
    effect_low: float
    effect_high: float
    sign_error: float
    wins: int
    ties: int
    losses: int
    verdict: Verdict
    queries_needed: int | None
    queries_needed_low: int | None
    queries_needed_high: int | None
    detectable_difference: float
    p_equivalence: float
    deviation: float
    alone: tuple[float, float]
    query_count: int
    dropped: int
    judge: PairJudge | None = None
    """What a judge of more queries adds; the difference, interval and p are then of both together."""
    robust: str | None = None
    """What `robust` says of the pair, where it was asked: robust, depends, open, equal, or not covered."""
    bayes: PairBayes | None = None
    """How likely it is the better one, where that was asked."""

    @property
    def is_same(self) -> bool:
        """Whether the two have the same score on every query."""
        return self.verdict == "undecided" and self.query_count > 0 and not self.wins + self.losses

    @property
    def word(self) -> str:
        """The verdict in tables and sentences; of systems that are the same, nothing is undecided."""
        return SAME if self.is_same else self.verdict

    @property
    def tally(self) -> str:
        """'7 wins, 1 tie, 32 losses'."""
        counts = ((self.wins, "win", "wins"), (self.ties, "tie", "ties"), (self.losses, "loss", "losses"))
        return ", ".join(f"{count:,} {one if count == 1 else more}" for count, one, more in counts)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; `judge`, `robust` and `bayes` are there only where they were asked for."""
        unasked = {name for name in ("judge", "robust", "bayes") if getattr(self, name) is None}
        return {name: part for name, part in Plain.to_dict(self).items() if name not in unasked}


@dataclass(frozen=True, slots=True)
class MeasureComparison(Plain):
    """Systems and pairs on one measure; `detectable_difference` is the median over the pairs."""

    _json_names: ClassVar = {"measure": None}

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


@dataclass(frozen=True, slots=True)
class Settled:
    """One entry per pair of all tables; `at_limit` marks those whose p-value could not be told from α."""

    adjusted: Floats
    at_limit: Flags


def conclude(evidence: Sequence[Evidence], design: Design) -> tuple[list[MeasureComparison], list[float]]:
    """Every table with its verdicts, and the confidence of each of its shown intervals taken by itself.

    The family is all pairs of all tables, or of all tables of a measure.
    """
    families = [list(range(len(evidence)))]
    if design.correction_within == "measure":
        families = [[at for at, table in enumerate(evidence) if table.measure == name] for name in design.measures]
    parts: dict[int, MeasureComparison] = {}
    confidences: dict[int, float] = {}
    at_usual = design.interval_for == "pair" or design.judged_together
    for places in families:
        tables = [evidence[at] for at in places]
        settled = settle(tables, design)
        equivalent = adjust(np.concatenate([table.p_equivalence for table in tables]), design.correction)
        levels = _levels(settled.adjusted, design)
        ends = np.cumsum([len(table.p.p) for table in tables])[:-1]
        columns = (np.split(column, ends) for column in (settled.adjusted, equivalent, settled.at_limit))
        for at, table, *column in zip(places, tables, *columns, strict=True):
            parts[at] = _measure(table, design, levels, *column)
            confidences[at] = design.confidence if at_usual else 1.0 - levels.further
    return [parts[at] for at in sorted(parts)], [confidences[at] for at in sorted(parts)]


def settle(evidence: Sequence[Evidence], design: Design) -> Settled:
    """The p-values of the whole family, adjusted together and sharpened until no verdict hangs on chance.

    Adjusting is monotone, so adjusted bounds are bounds of the adjusted p-values: where they lie on either side of α the
    pair is refined, and where nothing finer can be had it counts as not found.
    """
    at_limit, high = _at_limit(evidence, design)
    # Of a test by pairs: what is resampled for all pairs together is as sharp as it gets.
    unsure = at_limit & (_of_test(evidence, design, "high") >= design.alpha)
    if unsure.any() and design.test not in FAMILY_TESTS:
        _refine(evidence, unsure)
        at_limit, high = _at_limit(evidence, design)
    return Settled(np.where(at_limit, high, _adjusted(evidence, design, "p")), at_limit)


def _at_limit(evidence: Sequence[Evidence], design: Design) -> tuple[Flags, Floats]:
    """Where the bounds of an adjusted p-value lie on either side of α, and the upper bounds."""
    low, high = _adjusted(evidence, design, "low"), _adjusted(evidence, design, "high")
    return (low < design.alpha) & (high >= design.alpha), high


def _adjusted(evidence: Sequence[Evidence], design: Design, name: str) -> Floats:
    if not design.judged_together:
        return _of_test(evidence, design, name)
    p = np.concatenate([getattr(table.family, name) for table in evidence])
    # These p-values already hold for all pairs resampled together: what is left is how often that was done.
    together = np.minimum(p * design.repeats(len(evidence)), 1.0)
    return np.maximum(together, _of_test(evidence, design, name)) if design.correction == "max-t" else together


def _of_test(evidence: Sequence[Evidence], design: Design, name: str) -> Floats:
    """p-values of each pair alone, adjusted; of max-t, the least that a p-value can be.

    A handful of queries that differ can deceive the bootstrap and t, so that what max-t finds on them must be a finding by
    Holm as well.
    """
    p = np.concatenate([getattr(table.p, name) for table in evidence])
    adjusted = adjust(p, design.correction)
    if design.correction != "max-t":
        return adjusted
    strict = [
        (table.sample.queries < FEW) | near_copies(table.wins + table.losses, table.sample.queries)
        for table in evidence
    ]
    return np.where(np.concatenate(strict), adjusted, p)


def _refine(evidence: Sequence[Evidence], unsure: Flags) -> None:
    """Sharpen these pairs. Others cannot help: a pair that is found, or not, whatever its p-value within its bounds,
    has its place before, or behind, all that are open.
    """
    ends = np.cumsum([len(table.p.p) for table in evidence])[:-1]
    for table, flags in zip(evidence, np.split(unsure, ends), strict=True):
        places = np.flatnonzero(flags)
        finer = table.refine(places) if table.refine and len(places) else None
        if finer is not None:
            table.p.put(places, finer)


def _levels(adjusted: Floats, design: Design) -> Levels:
    if design.judged_together:
        # The limit is the same for all pairs, and Bonferroni's is a little stricter than that.
        level = design.alpha / (len(design.pairs) if design.correction == "none" else len(adjusted))
        return Levels(design.alpha, level, level)
    family = max(1, int(np.count_nonzero(~np.isnan(adjusted))))
    found = int(np.count_nonzero(adjusted < design.alpha))
    further, planned = (next_level(family, n, design.alpha, design.correction) for n in (found, 0))
    return Levels(design.alpha, further, planned)


def _measure(
    table: Evidence, design: Design, levels: Levels, adjusted: Floats, equivalent: Floats, at_limit: Flags
) -> MeasureComparison:
    sample, queries = table.sample, table.sample.queries
    # Ranks may point one way and the mean the other; then neither is an answer to "which is better?"
    found = (adjusted < levels.verdict) & (table.direction * sample.mean > 0.0)
    shown, effect = _intervals(table, design, levels, adjusted, found)
    with np.errstate(divide="ignore", invalid="ignore"):
        plain_effect = np.where(sample.mean == 0.0, 0.0, sample.mean / sample.deviation)
    shifts = {n: detectable_difference(1.0, n, alpha=levels.planned) for n in set(queries.tolist())}
    shift = np.array([shifts[n] for n in queries.tolist()])
    # Whoever names a margin says that smaller differences do not matter: equivalence goes before significance.
    outcomes = [equivalent < levels.verdict, found & (sample.mean > 0.0), found & (sample.mean < 0.0)]
    first, second = np.array(design.systems, dtype=object)[design.pairs.T]
    columns = {
        "system": first,
        "baseline": second,
        "verdict": np.select(outcomes, ["equivalent", "better", "worse"], "undecided"),
        "difference": sample.mean,
        "low": shown.low,
        "high": shown.high,
        "p": table.p.p,
        "p_adjusted": adjusted,
        "at_limit": at_limit,
        "effect_size": table.effect,
        "effect_low": effect.low,
        "effect_high": effect.high,
        "sign_error": sign_errors(plain_effect, queries),
        "wins": table.wins,
        "ties": queries - table.wins - table.losses,
        "losses": table.losses,
        # Identical systems show no noise, which says nothing about the difference that could be detected.
        "detectable_difference": np.where(table.noise > 0.0, shift * table.noise, np.nan),
        "p_equivalence": equivalent,
        "deviation": sample.deviation,
        "query_count": queries,
        "dropped": table.queries - queries,
    }
    needed = assured_queries(sample, levels.further, table.scatter)
    rows = zip(*(column.tolist() for column in columns.values()), strict=True)
    pairs = tuple(_pair(dict(zip(columns, row, strict=True)), table, i, needed, levels) for i, row in enumerate(rows))
    known = [pair.detectable_difference for pair in pairs if not np.isnan(pair.detectable_difference)]
    detectable = float(np.median(known)) if known else float("nan")
    return MeasureComparison(table.measure, _ranked(table, design, found), pairs, detectable)


def _ranked(table: Evidence, design: Design, found: Flags) -> tuple[SystemSummary, ...]:
    """The systems, with ranges of ranks that leave open what the verdicts do."""
    ranks = table.ranks.reopened(design.pairs, ~found)
    ranges = zip(table.systems, ranks.low.tolist(), ranks.high.tolist(), strict=True)
    return tuple(replace(system, rank_low=low, rank_high=high) for system, low, high in ranges)


def _intervals(
    table: Evidence, design: Design, levels: Levels, adjusted: Floats, found: Flags
) -> tuple[Bounds, Bounds]:
    """Of the difference and of the effect size."""
    queries, mean, alone = table.freedom + 1, table.sample.mean, table.interval
    usual = t_quantile(queries, design.alpha)
    deciding = t_quantile(queries, levels.further)
    if np.isfinite(table.critical) and design.interval_for != "pair":
        deciding = np.full(len(mean), table.critical) if table.limits is None else table.limits
    if design.interval_for == "pair":
        shown, deciding = Bounds(alone.low, alone.high), usual
    elif np.isfinite(table.critical) and design.test in FAMILY_TESTS:
        margin = table.critical * table.noise / np.sqrt(np.maximum(queries, 1))
        shown = Bounds(mean - margin, mean + margin)
    else:
        shown = widened(mean, alone.low, alone.high, deciding / usual)
    with np.errstate(divide="ignore", invalid="ignore"):  # without variance the effect is infinite
        arm = deciding * table.effect_error
        effect = Bounds(table.effect - arm, table.effect + arm)
        if design.interval_for == "pair":
            return shown, effect
        ratio = t_quantile(queries, levels.verdict) / t_quantile(queries, np.nan_to_num(adjusted, nan=1.0))
        return agreeing(mean, shown, found, ratio), agreeing(table.effect, effect, found, ratio)


def _pair(row: dict[str, Any], table: Evidence, i: int, needed: Needed, levels: Levels) -> Pair:
    """`row` has what is known of the pair from columns; where a judge has a say, plans are for human queries."""
    is_open, both = row["verdict"] == "undecided", table.judged[i] if table.judged else None
    wanted = _needed(needed, i, row["query_count"]) if is_open else (None, None, None)
    if both is not None:
        wanted = both.needed(levels.further) if is_open else None, None, None
        row |= {"detectable_difference": both.detectable(levels.planned), "sign_error": both.p / 2, "judge": both.judge}
    row |= zip(("queries_needed", "queries_needed_low", "queries_needed_high"), wanted, strict=True)
    return Pair(
        **row,
        alone=(float(table.interval.low[i]), float(table.interval.high[i])),
        bayes=table.bayes[i] if table.bayes else None,
    )


def _needed(needed: Needed, i: int, queries: int) -> tuple[int | None, int | None, int | None]:
    """Never fewer than one query more: these were not enough."""
    if np.isnan(needed.queries[i]):
        return None, None, None
    low, middle, high = (max(int(column[i]), queries + 1) for column in (needed.low, needed.queries, needed.high))
    return middle, low, max(high, middle)
