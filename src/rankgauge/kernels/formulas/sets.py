"""Measures of what was returned as a set, whatever its order, and counts."""

from __future__ import annotations

import numpy as np

from rankgauge.arrays import Floats
from rankgauge.kernels.formulas.counting import (
    f_measure,
    found,
    precision,
    recall,
    relative_precision,
    relevant,
    relevant_in_pool,
)
from rankgauge.kernels.hits import Hits, Pool, count, ratio


def set_precision(hits: Hits, pool: Pool, *, rel: float | None) -> Floats:
    """Relevant documents returned, over all returned."""
    return precision(hits, pool, cutoff=None, rel=rel)


def set_relative_precision(hits: Hits, pool: Pool, *, rel: float | None) -> Floats:
    """Relevant documents returned, over the most that this many documents could hold."""
    return relative_precision(hits, pool, cutoff=None, rel=rel)


def set_recall(hits: Hits, pool: Pool, *, rel: float | None) -> Floats:
    """Relevant documents returned, over all judged relevant."""
    return recall(hits, pool, cutoff=None, rel=rel)


def set_f_measure(hits: Hits, pool: Pool, *, beta: float, rel: float | None) -> Floats:
    """Weighted harmonic mean of the set's precision and recall."""
    return f_measure(hits, pool, cutoff=None, beta=beta, rel=rel)


def set_average_precision(hits: Hits, pool: Pool, *, rel: float | None) -> Floats:
    """Precision · recall of the set: every relevant document found counts with the precision of the whole set."""
    good = found(hits, None, rel)
    return ratio(good * good, hits.retrieved * relevant_in_pool(pool, rel))


def queries(hits: Hits, pool: Pool) -> Floats:
    """1 for every query; the sum counts them."""
    return np.ones(hits.queries)


def retrieved(hits: Hits, pool: Pool) -> Floats:
    """Documents returned."""
    return hits.retrieved.astype(np.float64)


def relevant_known(hits: Hits, pool: Pool, *, rel: float | None) -> Floats:
    """Documents judged relevant, returned or not."""
    return relevant_in_pool(pool, rel).astype(np.float64)


def relevant_retrieved(hits: Hits, pool: Pool, *, cutoff: int | None, rel: float | None) -> Floats:
    """Relevant documents returned."""
    return found(hits, cutoff, rel)


def nonrelevant_retrieved(hits: Hits, pool: Pool, *, rel: float | None) -> Floats:
    """Documents returned that were judged not relevant; a negative grade is not a judgment."""
    wrong = (hits.value >= 0) & ~relevant(hits.value, rel)
    return count(hits.query[wrong], hits.queries).astype(np.float64)
