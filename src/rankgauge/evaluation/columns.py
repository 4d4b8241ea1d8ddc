"""Columns: one run, seen through judgments and measured, query by query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rankgauge.data.match import Match
from rankgauge.data.policy import Policy
from rankgauge.errors import MeasureError
from rankgauge.evaluation.ruled import Ruled
from rankgauge.kernels.counting import relevant_in_pool
from rankgauge.kernels.hits import Pool, count, counted
from rankgauge.measures.measure import Measure

if TYPE_CHECKING:
    from rankgauge.arrays import Flags, Floats, Ints

CONVENTIONS = {"over", "at", "first", "ideal"}
"""Options that follow other tools; bounds are known for our own form only."""


@dataclass(frozen=True, eq=False, repr=False)
class Columns:
    """One run, queries × measures where nothing else is said; what is counted besides has one number per query."""

    values: Floats
    undefined: Flags
    bounds: tuple[Floats, Floats] | None
    """The lowest and the highest values that unjudged documents leave, where they were asked for."""
    below: Floats | None
    """What each value was divided by, where the mean is over all queries together."""
    foreign: list[str]
    """Queries of the run without judgments."""
    retrieved: Ints
    returned: dict[int, Ints]
    """Documents down to each cutoff, and how many of them somebody judged."""
    judged: dict[int, Floats]
    ties: Ints
    """Groups of equal scores that hold a judged document."""
    worst: Floats
    best: Floats
    """The values in the worst and in the best order inside ties."""


def measured(match: Match, measures: Sequence[Measure], policy: Policy) -> Columns:
    """Every value as the policy wants it, and what there is to say about it."""
    ruled, missing = Ruled(match, policy), match.hits.retrieved == 0

    def decide(value: Floats, measure: Measure) -> tuple[Floats, Flags]:
        return decided(value, measure, policy, missing, ruled.pool(ruled.ties_of(measure)))

    def columns(found: Sequence[Floats]) -> Floats:
        return np.stack([decide(*one)[0] for one in zip(found, measures, strict=True)], axis=1)

    raw = [ruled.value(measure) for measure in measures]
    values, undefined = (np.stack(side, axis=1) for side in zip(*map(decide, raw, measures), strict=True))
    bounds = below = None
    if policy.unjudged == "bounds":
        low, high = zip(*(_bounds(ruled, measure) for measure in measures), strict=True)
        bounds = columns(low), columns(high)
    if policy.mean == "micro":
        below = np.stack([denominators(ruled, measure) for measure in measures], axis=1)
    returned: dict[int, Ints] = {}
    judged: dict[int, Floats] = {}
    if policy.unjudged != "drop":
        hits = ruled.hits(policy.ties or "document")
        for cutoff in dict.fromkeys(measure.cutoff for measure in measures if isinstance(measure.cutoff, int)):
            returned[cutoff], judged[cutoff] = np.minimum(hits.retrieved, cutoff), counted(hits, cutoff)
    ties, worst, best = np.zeros(len(missing), np.int64), values, values
    if ruled.open.is_tied:
        from rankgauge.kernels.ties import Groups

        groups = Groups(ruled.open)
        ties = count(groups.query[groups.size > 1], len(missing))
        worst, best = (
            columns([_reordered(ruled, *one, order) for one in zip(measures, raw, strict=True)])
            for order in ("worst", "best")
        )
    return Columns(
        values, undefined, bounds, below, match.foreign, match.hits.retrieved, returned, judged, ties, worst, best
    )


def decided(value: Floats, measure: Measure, policy: Policy, missing: Flags, pool: Pool | None) -> tuple[Floats, Flags]:
    """Rounded, undefined and missing values as the policy wants them, and where the measure is undefined.

    Where undefined values are left out or 1, so are queries without a relevant document for every measure of relevance:
    P and RR are then 0 whatever a system does, and means over other queries than those of nDCG would not compare.
    """
    value = rounded(value, policy.digits)
    undefined = np.isnan(value)
    if policy.undefined in {"drop", "one", "error"} and measure.is_about_relevance and pool is not None:
        undefined |= relevant_in_pool(pool, measure.settings.get("rel"))[: len(value)] == 0
        value = _where(undefined, np.nan, value)
    if policy.missing == "drop":
        value = _where(missing, np.nan, value)
        undefined &= ~missing
    counted_as = {"zero": 0.0, "one": 1.0}.get(policy.undefined or measure.definition.undefined)
    return value if counted_as is None else _where(undefined, counted_as, value), undefined


def rounded(values: Floats, digits: int | None) -> Floats:
    """To so many digits, halves up."""
    return values if digits is None else np.floor(values * 10**digits + 0.5) / 10**digits


def _where(chosen: Flags, instead: float, values: Floats) -> Floats:
    """np.where, without a copy where nothing is chosen, as in most collections."""
    return np.where(chosen, instead, values) if chosen.any() else values


def _reordered(ruled: Ruled, measure: Measure, value: Floats, order: str) -> Floats:
    """A measure under another order inside ties; only queries with ties that reach above its cutoff can change."""
    hits = ruled.open
    moving = hits.first != hits.last
    if measure.deepest is not None:
        moving = moving & (hits.first <= measure.deepest)
    touched = np.zeros(hits.queries, np.bool_)
    touched[hits.query[moving]] = True
    if not touched.any():
        return value
    settled = ruled.hits(order)
    return np.where(touched, measure.compute(settled.keep(touched[settled.query]), ruled.pool(order)), value)


def denominators(ruled: Ruled, measure: Measure) -> Floats:
    """What each query's value is divided by; 0 where nothing is relevant."""
    pool = ruled.pool(ruled.ties_of(measure))
    below = measure.denominators(ruled.seen_by(measure), pool)
    if measure.is_about_relevance:
        below = np.where(relevant_in_pool(pool, measure.settings.get("rel")) > 0, below, 0.0)
    return below


def _bounds(ruled: Ruled, measure: Measure) -> tuple[Floats, Floats]:
    """Lowest and highest value of every query when each unjudged document may have any grade up to the largest."""
    definition, rule = measure.definition, ruled.ties_of(measure)
    if definition.bounds is not None and rule == "mean":
        raise MeasureError('bounds for unjudged documents need one order; use another rule than ties="mean"')
    if definition.bounds is None or CONVENTIONS & dict(measure.options).keys():
        raise MeasureError(f'{measure} has no bounds for unjudged documents; leave it out or use unjudged="zero"')
    settings = {name: value for name, value in measure.settings.items() if name not in CONVENTIONS}
    return definition.bounds(ruled.hits(rule), ruled.pool(rule), **settings, cutoff=measure.cutoff)
