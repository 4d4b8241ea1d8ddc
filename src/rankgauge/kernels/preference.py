"""Measures for incomplete judgments: documents that nobody judged are neither right nor wrong.

A negative grade says, as in TREC, that a document was pooled but not judged.
"""

from __future__ import annotations

import numpy as np

from rankgauge.kernels import expected
from rankgauge.kernels.counting import relevant, relevant_in_pool
from rankgauge.kernels.hits import Floats, Hits, Ints, Pool, count, place, ratio, total
from rankgauge.kernels.inferred import EPSILON, expected_inferred_sum


def bpref(hits: Hits, pool: Pool, *, rel: float | None) -> Floats:
    """1/R · Σ over the relevant found of 1 - min(n, R) / min(N, R).

    n of the N judged non-relevant documents stand above; where none does, the term is 1.
    """
    judged = hits.keep(hits.value >= 0)
    known = relevant_in_pool(pool, rel)
    right = relevant(judged.value, rel)
    if judged.is_tied:
        wrong = expected.capped_above(judged, right, ~right, known[judged.query])[right]
        good = judged.keep(right)
    else:
        good, above = _relevant_and_judged_above(judged, rel)
        wrong = np.minimum(above - place(good.query), known[good.query])
    most = np.minimum(nonrelevant_in_pool(pool, rel), known)[good.query]
    return ratio(total(good.query, 1 - wrong / np.maximum(most, 1), hits.queries), known)


def inferred_average_precision(hits: Hits, pool: Pool, *, rel: float | None) -> Floats:
    """Average precision estimated from a judged sample of the pool.

    The expected precision at rank r is (1 + pooled · (relevant + ε) / (judged + 2ε)) / r, counted above r.
    """
    judged = hits.keep(hits.value >= 0)
    if hits.is_tied:
        right = relevant(hits.value, rel)
        summed = expected_inferred_sum(hits, right, ~right & (hits.value >= 0))
        return ratio(summed, relevant_in_pool(pool, rel))
    good, judged_above = _relevant_and_judged_above(judged, rel)
    pooled_above = place(hits.query)[relevant(hits.value, rel)]
    share = (place(good.query) + EPSILON) / (judged_above + 2 * EPSILON)
    return ratio(total(good.query, (1 + pooled_above * share) / good.rank, hits.queries), relevant_in_pool(pool, rel))


def nonrelevant_in_pool(pool: Pool, rel: float | None) -> Ints:
    wrong = (pool.value >= 0) & ~relevant(pool.value, rel)
    counted: Ints = pool.once(("nonrelevant", rel), lambda: count(pool.query[wrong], pool.queries))
    return counted


def _relevant_and_judged_above(judged: Hits, rel: float | None) -> tuple[Hits, Ints]:
    """The relevant hits, and how many judged documents stand above each."""
    good = relevant(judged.value, rel)
    return judged.keep(good), place(judged.query)[good]
