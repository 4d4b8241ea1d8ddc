"""What several measures of one call share, built once: hits under each tie rule, without unjudged, cut at a depth."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from rankgauge.data.matching import Match
from rankgauge.data.policy import Policy
from rankgauge.errors import PolicyError
from rankgauge.kernels.hits import Hits, Pool, pool_of
from rankgauge.measures.measure import Measure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rankgauge.arrays import Floats


class Plan:
    """The hits of one run as the policy wants them, and the values of measures on them."""

    def __init__(self, match: Match, policy: Policy) -> None:
        self.match, self.policy = graded(match, policy), policy
        self._settled: dict[str, Hits] = {}
        self._pools: dict[str, Pool] = {}

    @cached_property
    def hits(self) -> Hits:
        """What can be within the depth while ties are open; without unjudged documents where these are dropped."""
        return self._without_unjudged(self.match.hits.within(self.policy.depth))

    def value(self, measure: Measure) -> Floats:
        """One number per query, nan where the measure is undefined."""
        hits = self.seen_by(measure)
        return measure.compute(hits, self.pool_under(self.ties_of(measure)))

    def ties_of(self, measure: Measure) -> str:
        return self.policy.ties or measure.definition.ties

    def seen_by(self, measure: Measure) -> Hits:
        """The hits as a measure sees them."""
        ties = self.ties_of(measure)
        if dict(measure.options).get("at") == "threshold":
            return self.under("mean")  # it needs to know where scores change
        hits = self.under(ties)
        if ties == "mean-rank":
            from rankgauge.kernels.ties import at_mean_rank

            # Only a weight of the rank can be shared; whatever counts documents takes them in the order given.
            hits = at_mean_rank(hits) if "discount" in measure.definition.options else hits.settled()
        return hits

    def pool_under(self, ties: str) -> Pool:
        """What the ideal and the number of relevant documents come from."""
        if self.policy.pool != "returned":
            return self.match.pool
        if ties not in self._pools:
            self._pools[ties] = self.under(ties).pool()
        return self._pools[ties]

    def under(self, ties: str) -> Hits:
        if ties not in self._settled:
            self._settled[ties] = self._settle(ties)
        return self._settled[ties]

    def _settle(self, ties: str) -> Hits:
        """Ties first, then the depth: which documents of a tie group are above it depends on the order inside."""
        depth, queries = self.policy.depth, self.match.queries
        if ties == "error":
            settle(self.hits, ties, queries)
        hits = settle(self.match.hits.within(depth), "document" if ties == "error" else ties, queries)
        if depth is not None:
            _refuse_parted(hits, depth, queries)
            hits = hits.top(depth)
        return self._without_unjudged(hits)

    def _without_unjudged(self, hits: Hits) -> Hits:
        if self.policy.unjudged != "drop":
            return hits
        # A negative grade means "not looked at", as in trec_eval, unless the policy says what it counts.
        return hits.condensed(hits.value >= 0 if self.policy.negative is None else None)


def _refuse_parted(hits: Hits, depth: int, queries: Sequence[str]) -> None:
    parted = (hits.first <= depth) & (hits.last > depth)
    if parted.any():
        at = int(np.argmax(parted))
        raise PolicyError(
            f"query {queries[hits.query[at]]} has equal scores at ranks {hits.first[at]} to {hits.last[at]}, which "
            f'depth={depth} splits; ties="mean" then has no single list.\n'
            f"Give the measures a cutoff instead, as in nDCG@{depth}, or take another rule for ties."
        )


def deepest_rank(measures: tuple[Measure, ...], policy: Policy) -> int | None:
    """The last rank that can change a value or a note; None where every rank can."""
    cutoffs = [measure.cutoff if looks_no_deeper(measure) else None for measure in measures]
    # Dropping unjudged documents moves up what is below; bounds and the search for ties go through the whole list.
    if policy.unjudged != "zero" or policy.ties == "error" or None in cutoffs:
        return policy.depth
    if policy.pool == "returned" or policy.negative == "drop":
        return policy.depth
    limits = [int(cutoff) for cutoff in cutoffs if cutoff is not None]
    return min(max(limits), policy.depth or max(limits))


def looks_no_deeper(measure: Measure) -> bool:
    """Whether the cutoff is a rank of the run (not a level of recall) and the kernel one of ours."""
    definition = measure.definition
    looks_below = definition.looks_below or measure.looks_at_all
    return definition.cuts_ranks and not looks_below and not measure.is_custom


def settle(hits: Hits, ties: str, queries: Sequence[str]) -> Hits:
    if ties == "error" and hits.is_tied:
        at = int(np.argmax(hits.first != hits.last))
        raise PolicyError(
            f'query {queries[hits.query[at]]} has equal scores at ranks {hits.first[at]} to {hits.last[at]}, and ties="error" forbids it.'
        )
    if ties in {"mean", "mean-rank"}:
        return hits
    if ties in {"worst", "best"}:
        from rankgauge.kernels.ties import best, worst

        return worst(hits) if ties == "worst" else best(hits)
    return hits.settled()


def graded(match: Match, policy: Policy) -> Match:
    """The match with fractions and negative grades treated as the policy says."""
    if policy.fraction in {None, "keep"} and policy.negative != "drop":
        return match
    return replace(match, hits=_hits(match.hits, policy), pool=graded_pool(match.pool, policy))


def graded_pool(pool: Pool, policy: Policy) -> Pool:
    def make() -> Pool:
        value, kept = _cut(pool.value, policy), np.ones(len(pool.value), np.bool_)
        if policy.negative == "drop":
            kept = pool.value >= 0
        return pool_of(pool.query[kept], value[kept], pool.queries)

    if policy.fraction in {None, "keep"} and policy.negative != "drop":
        return pool
    found: Pool = pool.once(("graded", policy.fraction, policy.negative), make)
    return found


def _hits(hits: Hits, policy: Policy) -> Hits:
    if policy.negative == "drop":
        hits = hits.without((hits.value if hits.judged is None else hits.judged) < 0)
    judged = None if hits.judged is None else _cut(hits.judged, policy)
    return replace(hits, value=_cut(hits.value, policy), judged=judged)


def _cut(value: Floats, policy: Policy) -> Floats:
    if policy.fraction == "truncate":
        return np.trunc(value) + 0.0  # -0.5 becomes 0, not -0
    if policy.fraction == "below-1":
        return np.where(value < 1, 0.0, value)
    if policy.fraction == "single":
        return value.astype(np.float32).astype(np.float64)
    return value
