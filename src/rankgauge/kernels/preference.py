"""Measures for incomplete judgments: documents that nobody judged are neither right nor wrong.

A negative grade says, as in TREC, that a document was pooled but not judged.
"""

from __future__ import annotations

import numpy as np

from rankgauge.arrays import Flags, Floats, Ints
from rankgauge.kernels import ties
from rankgauge.kernels.counting import relevant, relevant_in_pool
from rankgauge.kernels.hits import Hits, Pool, count, place, ratio, total
from rankgauge.kernels.ties import Groups


def bpref(hits: Hits, pool: Pool, *, rel: float | None) -> Floats:
    """1/R · Σ over the relevant found of 1 - min(n, R) / min(N, R).

    n of the N judged non-relevant documents are above; where none is, the term is 1.
    """
    judged = hits.keep(hits.value >= 0)
    known, right = relevant_in_pool(pool, rel), relevant(judged.value, rel)
    good = judged.keep(right)
    if judged.is_tied:
        wrong = ties.capped_above(judged, right, ~right, known[judged.query])[right]
    else:
        wrong = np.minimum(place(judged.query)[right] - place(good.query), known[good.query])

    def not_relevant() -> Ints:
        return count(pool.query[(pool.value >= 0) & ~relevant(pool.value, rel)], pool.queries)

    most = np.minimum(pool.once(("nonrelevant", rel), not_relevant), known)[good.query]
    return ratio(total(good.query, 1 - wrong / np.maximum(most, 1), hits.queries), known)


def inferred_average_precision(hits: Hits, pool: Pool, *, rel: float | None) -> Floats:
    """Average precision estimated from a judged sample of the pool.

    The expected precision at rank r is (1 + pooled · (relevant + ε) / (judged + 2ε)) / r, counted above r.
    """
    known, right = relevant_in_pool(pool, rel), relevant(hits.value, rel)
    if hits.is_tied:
        return ratio(expected_inferred_sum(hits, right, ~right & (hits.value >= 0)), known)
    judged, good = hits.value >= 0, hits.keep(right)
    judged_above, pooled_above = place(hits.query[judged])[right[judged]], place(hits.query)[right]
    share = (place(good.query) + EPSILON) / (judged_above + 2 * EPSILON)
    return ratio(total(good.query, (1 + pooled_above * share) / good.rank, hits.queries), known)


EPSILON = 1e-5
"""Their smoothing, at the value trec_eval gives it."""


def expected_inferred_sum(hits: Hits, relevant: Flags, bad: Flags) -> Floats:
    """Σ over relevant documents of their inferred precision; every tie group by all numbers that may come before it.

    A hit is relevant, bad (judged not relevant) or pooled without a usable judgment (negative value).
    """
    groups = Groups(hits)
    counts = good, wrong, pooled = groups.total(relevant), groups.total(bad), groups.hits.astype(np.float64)
    before = np.transpose([groups.before(amount) for amount in counts])
    out = np.zeros(hits.queries)
    for g in np.flatnonzero(good):
        members = int(good[g]), int(wrong[g]), int(pooled[g] - good[g] - wrong[g])
        out[groups.query[g]] += _group_sum(int(groups.first[g]), int(groups.size[g]), members, before[g])
    return out


def _group_sum(first: int, size: int, members: tuple[int, int, int], before: Floats) -> float:
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
