"""One run, seen through judgments under a policy, and measured query by query."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rankgauge.data.match import Match
from rankgauge.data.policy import Policy
from rankgauge.errors import MeasureError, PolicyError
from rankgauge.evaluation.aggregates import Sum
from rankgauge.evaluation.notes import COUNTED_AS, Names, OfRun
from rankgauge.kernels.counting import relevant_in_pool
from rankgauge.kernels.hits import Hits, Pool, counted, exact_sum, pool_of
from rankgauge.measures.measure import Measure

if TYPE_CHECKING:
    from rankgauge.arrays import Flags, Floats

CONVENTIONS = {"over", "at", "first", "ideal"}
"""Options that follow other tools; bounds are known for our own form only."""
ENDS = ("worst", "best")


class Ruled:
    """The hits and the pool of one run as measures see them under a policy; each is made once.

    Ties are settled, lists cut, unjudged documents left out, and grades are as the policy wants them.
    """

    def __init__(self, match: Match, policy: Policy) -> None:
        self.match, self.policy, hits = match, policy, match.hits
        if policy.negative == "drop":
            hits = hits.without((hits.value if hits.judged is None else hits.judged) < 0)
        if policy.fraction not in {None, "keep"}:
            judged = None if hits.judged is None else _cut(hits.judged, policy)
            hits = replace(hits, value=_cut(hits.value, policy), judged=judged)
        self._graded = hits if policy.depth is None else hits.within(policy.depth)
        self._judged = graded_pool(match.pool, policy)
        self._settled: dict[str, Hits] = {}
        self._returned: dict[str, Pool] = {}

    @cached_property
    def open(self) -> Hits:
        """What can be within the depth while ties are open; without unjudged documents where these are dropped."""
        return self._without_unjudged(self._graded)

    def value(self, measure: Measure) -> Floats:
        """One number per query, nan where the measure is undefined."""
        return measure.compute(self.seen_by(measure), self.pool(self.ties_of(measure)))

    def ties_of(self, measure: Measure) -> str:
        return self.policy.ties or measure.definition.ties

    def seen_by(self, measure: Measure) -> Hits:
        """The hits as a measure sees them."""
        ties = self.ties_of(measure)
        if dict(measure.options).get("at") == "threshold":
            return self.hits("mean")  # it needs to know where scores change
        hits = self.hits(ties)
        if ties != "mean-rank":
            return hits
        if "discount" not in measure.definition.options:
            return hits.settled()  # whatever counts documents takes them in the order given
        from rankgauge.kernels.ties import at_mean_rank

        return at_mean_rank(hits)

    def pool(self, ties: str) -> Pool:
        """What the ideal and the number of relevant documents come from."""
        if self.policy.pool != "returned":
            return self._judged
        if ties not in self._returned:
            self._returned[ties] = self.hits(ties).pool()
        return self._returned[ties]

    def hits(self, ties: str) -> Hits:
        """The lists under a rule for ties; "mean" and "mean-rank" leave the order inside them open."""
        if ties in self._settled:
            return self._settled[ties]
        hits, depth = self._graded, self.policy.depth
        if ties == "error" and self.open.is_tied:
            raise PolicyError(
                f'{self._tied(self.open, self.open.first != self.open.last)}, and ties="error" forbids it.'
            )
        if ties in {"worst", "best"}:
            from rankgauge.kernels.ties import by_value

            hits = by_value(hits, best=ties == "best")
        elif ties not in {"mean", "mean-rank"}:
            hits = hits.settled()
        if depth is not None:  # after ties: which documents of a tie are above it depends on the order inside
            parted = (hits.first <= depth) & (hits.last > depth)
            if parted.any():
                raise PolicyError(
                    f'{self._tied(hits, parted)}, which depth={depth} splits; ties="mean" then has no single list.\n'
                    f"Give the measures a cutoff instead, as in nDCG@{depth}, or take another rule for ties."
                )
            hits = hits.top(depth)
        self._settled[ties] = self._without_unjudged(hits)
        return self._settled[ties]

    def _without_unjudged(self, hits: Hits) -> Hits:
        if self.policy.unjudged != "drop":
            return hits
        # A negative grade means "not looked at", as in trec_eval, unless the policy says what it counts.
        return hits.condensed(hits.value >= 0 if self.policy.negative is None else None)

    def _tied(self, hits: Hits, chosen: Flags) -> str:
        at = int(np.argmax(chosen))
        query = self.match.queries[int(hits.query[at])]
        return f"query {query} has equal scores at ranks {hits.first[at]} to {hits.last[at]}"


def deepest_rank(measures: Sequence[Measure], policy: Policy) -> int | None:
    """The last rank that can change a value or a note; None where every rank can."""
    if policy.negative == "drop":  # what is below moves up
        return None
    # Dropping unjudged documents moves up what is below; bounds and the search for ties go through the whole list.
    looks_below = policy.unjudged != "zero" or policy.ties == "error" or policy.pool == "returned"
    ranks = [measure.deepest for measure in measures]
    if looks_below or None in ranks:
        return policy.depth
    deepest = max(filter(None, ranks))
    return min(deepest, policy.depth or deepest)


def graded_pool(pool: Pool, policy: Policy) -> Pool:
    """The judged values as the policy wants them: fractions cut, negative ones left out."""
    if policy.fraction in {None, "keep"} and policy.negative != "drop":
        return pool

    def make() -> Pool:
        kept = pool.value >= 0 if policy.negative == "drop" else np.ones(len(pool.value), np.bool_)
        return pool_of(pool.query[kept], _cut(pool.value, policy)[kept], pool.queries)

    found: Pool = pool.once(("graded", policy.fraction, policy.negative), make)
    return found


def _cut(value: Floats, policy: Policy) -> Floats:
    if policy.fraction == "truncate":
        return np.trunc(value) + 0.0  # -0.5 becomes 0, not -0
    if policy.fraction == "below-1":
        return np.where(value < 1, 0.0, value)
    return value.astype(np.float32).astype(np.float64) if policy.fraction == "single" else value


class Columns(NamedTuple):
    """One run, queries × measures, and what is to be said of it."""

    values: Floats
    bounds: tuple[Floats, Floats] | None
    """The lowest and the highest values that unjudged documents leave, where they were asked for."""
    below: Floats | None
    """What each value was divided by, where the mean is over all queries together."""
    foreign: list[str]
    """Queries of the run without judgments."""
    counted: OfRun


def measured(
    match: Match,
    measures: Sequence[Measure],
    policy: Policy,
    weights: Floats | None = None,
    *,
    is_part: bool = False,
) -> Columns:
    """Every value as the policy wants it, and what there is to say about it; of a part, also what other parts add to."""
    ruled, missing = Ruled(match, policy), match.hits.retrieved == 0

    def decide(found: Iterable[Floats]) -> list[Any]:
        pairs = []
        for value, measure in zip(found, measures, strict=True):
            pairs.append(decided(value, measure, policy, missing, ruled.pool(ruled.ties_of(measure))))
        return [np.stack(side, axis=1) for side in zip(*pairs, strict=True)]

    raw = list(map(ruled.value, measures))
    values, undefined = decide(raw)
    bounds = below = None
    if policy.unjudged == "bounds":
        low, high = zip(*(_bounds(ruled, measure) for measure in measures), strict=True)
        bounds = decide(low)[0], decide(high)[0]
    if policy.mean == "micro":
        below = np.stack([denominators(ruled, measure) for measure in measures], axis=1)
    unjudged = []
    if policy.unjudged != "drop":
        hits = ruled.hits(policy.ties or "document")
        for cutoff in dict.fromkeys(measure.cutoff for measure in measures if isinstance(measure.cutoff, int)):
            returned, known = np.minimum(hits.retrieved, cutoff), counted(hits, cutoff)
            shares = known[returned > 0] / returned[returned > 0]
            unjudged.append((exact_sum(returned - known), int(returned.sum()), exact_sum(shares)))
    tied, ends = 0, [values, values]
    if ruled.open.is_tied:
        from rankgauge.kernels.ties import Groups

        tied = int(np.count_nonzero(Groups(ruled.open).size > 1))
        reordered = ([_reordered(ruled, *one, order) for one in zip(measures, raw, strict=True)] for order in ENDS)
        ends = [decide(one)[0] for one in reordered]
    spans: list[Any] = []
    if tied or is_part:
        for at, measure in enumerate(measures):
            spans.append(tuple(Sum.of(end[:, at], measure.definition.aggregate, weights) for end in ends))
    names, foreign = match.queries, Names.of(match.foreign)
    absent, odd = Names.where(missing, names), tuple([Names.where(one, names) for one in undefined.T])
    seen = OfRun(len(missing) - absent.count, absent, foreign, odd, tuple(unjudged), tied, tuple(spans))
    return Columns(values, bounds, below, match.foreign, seen)


def decided(value: Floats, measure: Measure, policy: Policy, missing: Flags, pool: Pool | None) -> tuple[Floats, Flags]:
    """Rounded, undefined and missing values as the policy wants them, and where the measure is undefined.

    Where undefined values are left out or 1, so are queries without a relevant document for every measure of relevance:
    P and RR are then 0 whatever a system does, and means over other queries than those of nDCG would not compare.
    """
    if policy.digits is not None:  # halves up
        value = np.floor(value * 10**policy.digits + 0.5) / 10**policy.digits
    undefined = np.isnan(value)
    if policy.undefined in {"drop", "one", "error"} and measure.is_about_relevance and pool is not None:
        undefined |= relevant_in_pool(pool, measure.settings.get("rel"))[: len(value)] == 0
        value = np.where(undefined, np.nan, value)
    if policy.missing == "drop":
        value = np.where(missing, np.nan, value)
        undefined &= ~missing
    counted_as = COUNTED_AS.get(policy.undefined or measure.definition.undefined)
    if counted_as is not None and undefined.any():
        value = np.where(undefined, counted_as, value)
    return value, undefined


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
