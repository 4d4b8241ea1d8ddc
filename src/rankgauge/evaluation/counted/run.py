"""One run seen through judgments: what evaluate() does with a whole run, and a Spark worker with its bucket of queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rankgauge.data.matching import Match, as_one
from rankgauge.data.policy import Policy
from rankgauge.evaluation.counted.facts import Names, RunFacts, Span, look_at_unjudged
from rankgauge.evaluation.counted.plan import Plan, graded_pool
from rankgauge.kernels.hits import Pool
from rankgauge.measures.measure import Measure
from rankgauge.tables.notes import Note

if TYPE_CHECKING:
    from rankgauge.arrays import Flags, Floats, Values
    from rankgauge.evaluation.counted.exposure import Decide


@dataclass(frozen=True)
class Evaluated:
    """One run: queries × measures, the same for the bounds that unjudged documents leave, and what was counted."""

    values: Floats
    bounds: tuple[Floats, Floats] | None
    facts: RunFacts
    remarks: tuple[Note, ...]
    """What the reader of the run has to say."""
    foreign: tuple[str, ...] = ()
    """Queries of the run without judgments, where these count."""
    below: Floats | None = None
    """What each value was divided by, where the mean is over all queries together."""


def evaluate_match(
    matched: Match,
    measures: tuple[Measure, ...],
    policy: Policy,
    weights: Floats | None = None,
    *,
    is_part: bool = False,
) -> Evaluated:
    """Every value as the policy wants it. A part of a run also counts what is of use only together with other parts.

    Queries of the pool beyond those that have a name are seen by the measures, but have no value.
    """
    return evaluate_matches([matched], measures, policy, weights, is_part=is_part)[0]


def evaluate_matches(
    matches: Sequence[Match],
    measures: tuple[Measure, ...],
    policy: Policy,
    weights: Floats | None = None,
    *,
    is_part: bool = False,
) -> list[Evaluated]:
    """Several runs seen through the same judgments, as if they were one run with all their queries."""
    runs, names, pool = len(matches), matches[0].queries, matches[0].pool
    together = as_one(matches)
    plan, hits = Plan(together, policy), together.hits

    def apart(column: Values) -> Values:
        """One row for each run."""
        return column.reshape(runs, -1)[:, : len(names)]

    missing = apart(hits.retrieved) == 0

    def settled(values: Floats, measure: Measure) -> tuple[Floats, Flags]:
        """As the policy wants them, one row for each run; queries without a name stand at the end."""
        seen = graded_pool(pool, policy) if policy.pool != "returned" else plan.pool_under(plan.ties_of(measure))
        return decide(apart(rounded(values, policy.digits)), measure, policy, missing, seen)

    def decided(values: Floats, measure: Measure) -> Floats:
        return settled(values, measure)[0]

    raw = [plan.value(measure) for measure in measures]
    found = [settled(value, measure) for value, measure in zip(raw, measures, strict=True)]
    values = np.stack([column for column, _ in found], axis=2)
    bounds = _bounds(plan, measures, decided) if policy.unjudged == "bounds" else [None] * runs
    unjudged = look_at_unjudged(plan, measures, runs)
    tied, spans = [0] * runs, list[tuple[Span, ...]]([()] * runs)
    if plan.hits.is_tied or is_part:
        from rankgauge.evaluation.counted.exposure import look_at_ties

        tied, spans = look_at_ties(plan, measures, raw, decided, weights, runs, is_part=is_part)

    def facts(run: int, foreign: list[str]) -> RunFacts:
        return RunFacts(
            answered=int(np.count_nonzero(~missing[run])),
            missing=Names.where(missing[run], names),
            foreign=Names.of(foreign),
            undefined=tuple(Names.where(undefined[run], names) for _, undefined in found),
            unjudged=unjudged[run],
            tied=tied[run],
            spans=spans[run],
        )

    below = [apart(_below(plan, measure)) for measure in measures] if policy.mean == "micro" else None
    return [
        Evaluated(
            values[run],
            bounds[run],
            facts(run, matched.foreign),
            matched.remarks,
            tuple(matched.foreign) if policy.extra in {"zero", "undefined"} else (),
            None if below is None else np.stack([side[run] for side in below], axis=1),
        )
        for run, matched in enumerate(matches)
    ]


def rounded(values: Floats, digits: int | None) -> Floats:
    """To so many digits, halves up."""
    return values if digits is None else np.floor(values * 10**digits + 0.5) / 10**digits


def _below(plan: Plan, measure: Measure) -> Floats:
    """What each query's value is divided by; 0 where nothing is relevant."""
    pool = plan.pool_under(plan.ties_of(measure))
    below = measure.denominators(plan.seen_by(measure), pool)
    if measure.is_about_relevance:
        from rankgauge.kernels.counting import relevant_in_pool

        below = np.where(relevant_in_pool(pool, measure.settings.get("rel")) > 0, below, 0.0)
    return below


def _bounds(plan: Plan, measures: Sequence[Measure], decided: Decide) -> list[tuple[Floats, Floats]]:
    """For each run, the lowest and the highest values that unjudged documents leave."""
    from rankgauge.evaluation.counted.exposure import unjudged_bounds

    pairs = [unjudged_bounds(plan, measure) for measure in measures]
    low, high = (
        np.stack([decided(pair[side], measure) for pair, measure in zip(pairs, measures, strict=True)], axis=2)
        for side in (0, 1)
    )
    return list(zip(low, high, strict=True))


def decide(values: Floats, measure: Measure, policy: Policy, missing: Flags, pool: Pool | None) -> tuple[Floats, Flags]:
    """Undefined and missing values as the policy wants them, and where the measure is undefined; queries are the last axis.

    Where undefined values are left out or 1, so are queries without a relevant document for every measure of relevance:
    P and RR are then 0 whatever a system does, and means over other queries than those of nDCG would not compare.
    """
    undefined, decided = np.isnan(values), values
    if pool is not None and policy.undefined in {"drop", "one", "error"} and measure.is_about_relevance:
        from rankgauge.kernels.counting import relevant_in_pool

        known = relevant_in_pool(pool, measure.settings.get("rel"))
        if values.ndim > 1 and policy.pool == "returned":
            known = known.reshape(len(values), -1)  # every run has a pool of its own
        undefined |= known[..., : values.shape[-1]] == 0
        decided = _where(undefined, np.nan, decided)
    if policy.missing == "drop":
        decided = _where(missing, np.nan, decided)
        undefined[missing] = False
    counted = {"zero": 0.0, "one": 1.0}.get(policy.undefined or measure.definition.undefined)
    return decided if counted is None else _where(undefined, counted, decided), undefined


def _where(chosen: Flags, instead: float, values: Floats) -> Floats:
    """np.where, without a copy where nothing is chosen, as in most collections."""
    return np.where(chosen, instead, values) if chosen.any() else values


def counted_values(
    names: Sequence[str], measures: Sequence[Measure], parts: Sequence[Evaluated], policy: Policy
) -> tuple[Sequence[str], Floats]:
    """All queries, and systems × queries × measures."""
    extra = list(dict.fromkeys(query for part in parts for query in part.foreign))
    values = np.stack([part.values for part in parts]) if len(parts) > 1 else parts[0].values[None]
    if extra:
        values = np.concatenate((values, _of_extra(extra, measures, parts, policy)), axis=1)
    if policy.mean == "micro":
        below = np.stack([part.below for part in parts if part.below is not None])
        values = _weighed(values, np.pad(below, ((0, 0), (0, len(extra)), (0, 0))))
    return [*names, *extra] if extra else names, values


def _of_extra(extra: list[str], measures: Sequence[Measure], parts: Sequence[Evaluated], policy: Policy) -> Floats:
    """Queries without judgments: 0, or what an undefined value counts; left out for a run that lacks them."""
    rules = [policy.undefined or measure.definition.undefined for measure in measures]
    counts = {"zero": 0.0, "one": 1.0}
    value = [0.0 if policy.extra == "zero" else counts.get(rule, np.nan) for rule in rules]
    has = np.array([[query in set(part.foreign) for query in extra] for part in parts])
    return np.where(has[:, :, None], np.array(value), np.nan)


def _weighed(values: Floats, below: Floats) -> Floats:
    """Values whose plain mean is the sum of all numerators over that of all denominators."""
    there = ~np.isnan(values)
    whole = np.sum(np.where(there, below, 0.0), axis=1, keepdims=True)
    share = np.divide(below, whole, out=np.zeros_like(below), where=whole > 0)
    return values * share * np.sum(there, axis=1, keepdims=True)
