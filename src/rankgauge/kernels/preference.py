"""Measures for incomplete judgments: documents that nobody judged are neither right nor wrong.

A negative grade says, as in TREC, that a document was pooled but not judged.
"""

from __future__ import annotations

import numpy as np

from rankgauge.kernels.counting import relevant, relevant_in_pool
from rankgauge.kernels.hits import Floats, Hits, Ints, Pool, count, place, ratio, total

EPSILON = 1e-5
"""Yilmaz & Aslam's smoothing, at the value trec_eval gives it."""


def bpref(hits: Hits, pool: Pool, *, rel: float | None) -> Floats:
    """1/R · Σ over the relevant found of 1 - min(n, R) / min(N, R).

    n of the N judged non-relevant documents stand above; where none does, the term is 1.
    """
    judged = hits.keep(hits.value >= 0)
    good, above = _relevant_and_judged_above(judged, rel)
    wrong = above - place(good.query)
    known = relevant_in_pool(pool, rel)
    most = np.minimum(nonrelevant_in_pool(pool, rel), known)[good.query]
    lost = np.minimum(wrong, known[good.query]) / np.maximum(most, 1)
    return ratio(total(good.query, 1 - lost, hits.queries), known)


def inferred_average_precision(hits: Hits, pool: Pool, *, rel: float | None) -> Floats:
    """Average precision estimated from a judged sample of the pool.

    The expected precision at rank r is (1 + pooled · (relevant + ε) / (judged + 2ε)) / r, counted above r.
    """
    judged = hits.keep(hits.value >= 0)
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
