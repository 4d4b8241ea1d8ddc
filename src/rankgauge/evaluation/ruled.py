"""Hits under a policy: ties settled, lists cut, unjudged documents left out, grades as the policy wants them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from rankgauge.data.match import Match
from rankgauge.data.policy import Policy
from rankgauge.errors import PolicyError
from rankgauge.kernels.hits import Hits, Pool, pool_of
from rankgauge.measures.measure import Measure

if TYPE_CHECKING:
    from rankgauge.arrays import Floats


class Ruled:
    """The hits and the pool of one run as measures see them under a policy; each is made once."""

    def __init__(self, match: Match, policy: Policy) -> None:
        self.match, self.policy = match, policy
        self._graded, self._judged = _graded(match.hits, policy), graded_pool(match.pool, policy)
        self._settled: dict[str, Hits] = {}
        self._returned: dict[str, Pool] = {}

    @cached_property
    def open(self) -> Hits:
        """What can be within the depth while ties are open; without unjudged documents where these are dropped."""
        return self._without_unjudged(self._graded.within(self.policy.depth))

    def value(self, measure: Measure) -> Floats:
        """One number per query, nan where the measure is undefined."""
        hits = self.seen_by(measure)
        return measure.compute(hits, self.pool(self.ties_of(measure)))

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
        """The lists under a rule for ties."""
        if ties not in self._settled:
            self._settled[ties] = self._settle(ties)
        return self._settled[ties]

    def _settle(self, ties: str) -> Hits:
        """Ties first, then the depth: which documents of a tie are above it depends on the order inside."""
        depth, queries = self.policy.depth, self.match.queries
        if ties == "error":
            settle(self.open, ties, queries)
        hits = settle(self._graded.within(depth), "document" if ties == "error" else ties, queries)
        if depth is not None:
            parted = (hits.first <= depth) & (hits.last > depth)
            if parted.any():
                raise PolicyError(
                    f"{_tied(hits, int(np.argmax(parted)), queries)}, which "
                    f'depth={depth} splits; ties="mean" then has no single list.\n'
                    f"Give the measures a cutoff instead, as in nDCG@{depth}, or take another rule for ties."
                )
            hits = hits.top(depth)
        return self._without_unjudged(hits)

    def _without_unjudged(self, hits: Hits) -> Hits:
        if self.policy.unjudged != "drop":
            return hits
        # A negative grade means "not looked at", as in trec_eval, unless the policy says what it counts.
        return hits.condensed(hits.value >= 0 if self.policy.negative is None else None)


def settle(hits: Hits, ties: str, queries: Sequence[str]) -> Hits:
    """The order inside ties that a rule asks for; "mean" and "mean-rank" leave it open."""
    if ties == "error" and hits.is_tied:
        at = int(np.argmax(hits.first != hits.last))
        raise PolicyError(f'{_tied(hits, at, queries)}, and ties="error" forbids it.')
    if ties in {"worst", "best"}:
        from rankgauge.kernels.ties import best, worst

        return worst(hits) if ties == "worst" else best(hits)
    return hits if ties in {"mean", "mean-rank"} else hits.settled()


def _tied(hits: Hits, at: int, queries: Sequence[str]) -> str:
    return f"query {queries[int(hits.query[at])]} has equal scores at ranks {hits.first[at]} to {hits.last[at]}"


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


def _graded(hits: Hits, policy: Policy) -> Hits:
    """Fractions and negative grades as the policy says."""
    if policy.negative == "drop":
        hits = hits.without((hits.value if hits.judged is None else hits.judged) < 0)
    if policy.fraction in {None, "keep"}:
        return hits
    judged = None if hits.judged is None else _cut(hits.judged, policy)
    return replace(hits, value=_cut(hits.value, policy), judged=judged)


def graded_pool(pool: Pool, policy: Policy) -> Pool:
    """The judged values in the same way."""
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
    if policy.fraction == "single":
        return value.astype(np.float32).astype(np.float64)
    return value
