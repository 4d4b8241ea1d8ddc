"""Grades as a policy wants them, before any measure sees them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rankgauge.arrays import Floats
from rankgauge.data.matching import Match
from rankgauge.data.policy import Policy
from rankgauge.kernels.hits import Hits, Pool, pool_of


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
    return value
