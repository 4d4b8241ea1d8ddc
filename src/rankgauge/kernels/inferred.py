"""Inferred average precision (Yilmaz & Aslam 2006) as trec_eval computes it, also while ties are open."""

from __future__ import annotations

import numpy as np

from rankgauge.kernels.hits import Flags, Floats, Hits, Ints
from rankgauge.kernels.ties import Groups

EPSILON = 1e-5
"""Their smoothing, at the value trec_eval gives it."""


def expected_inferred_sum(hits: Hits, relevant: Flags, bad: Flags) -> Floats:
    """Σ over relevant documents of their inferred precision; every tie group by all numbers that may stand before it.

    A hit is relevant, bad (judged not relevant) or pooled without a usable judgment (negative value).
    """
    groups = Groups(hits)
    good, wrong = groups.total(relevant).astype(np.int64), groups.total(bad).astype(np.int64)
    pooled = groups.hits
    good_before, wrong_before = groups.before(good.astype(np.float64)), groups.before(wrong.astype(np.float64))
    pooled_before = groups.before(pooled.astype(np.float64))
    out = np.zeros(hits.queries)
    for g in np.flatnonzero(good):
        size = int(groups.size[g])
        out[groups.query[g]] += _group_sum(
            int(groups.first[g]),
            size,
            (int(good[g]), int(wrong[g]), int(pooled[g] - good[g] - wrong[g])),
            (good_before[g], wrong_before[g], pooled_before[g]),
        )
    return out


def _group_sum(first: int, size: int, members: tuple[int, int, int], before: tuple[float, float, float]) -> float:
    """One group: for each place of a relevant document, the mean over the good and bad documents before it."""
    good, wrong, other = members
    foreign = size - good - wrong - other
    rest = other + foreign
    log_factorial: Floats = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, size + 1)))))

    def log_choose(n: int, k: Ints) -> Floats:
        inside = (k >= 0) & (k <= n)
        safe = np.where(inside, k, 0)
        return np.where(inside, log_factorial[n] - log_factorial[safe] - log_factorial[n - safe], -np.inf)

    x, y = np.meshgrid(np.arange(good), np.arange(wrong + 1), indexing="ij")
    precision = (before[0] + x + EPSILON) / (before[0] + before[1] + x + y + 2 * EPSILON)
    total = 0.0
    for ahead in range(size):
        drawn = ahead - x - y
        weight = np.exp(
            log_choose(good - 1, x)
            + log_choose(wrong, y)
            + log_choose(rest, drawn)
            - log_choose(size - 1, np.array(ahead))
        )
        pooled = before[2] + x + y + (drawn * (other / rest) if rest else 0)
        rank = first + ahead
        inferred = 1 / rank + pooled / rank * precision if rank > 1 else np.ones_like(precision)
        total += float(np.sum(weight * inferred))
    return total * good / size
