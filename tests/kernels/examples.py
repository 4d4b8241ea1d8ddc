"""Small lists for formula tests: what a run retrieved and what was judged."""

from __future__ import annotations

import numpy as np

from rankgauge.kernels.hits import Hits, Pool, pool_of


def ranked(*grades: float | None, unretrieved: tuple[float, ...] = ()) -> tuple[Hits, Pool]:
    """One query: the judged values in rank order (None = unjudged), and judged documents that were not retrieved."""
    rank = np.array([r for r, grade in enumerate(grades, 1) if grade is not None], np.int64)
    value = np.array([grade for grade in grades if grade is not None], np.float64)
    query = np.zeros(len(rank), np.int64)
    judged = np.concatenate((value, np.array(unretrieved, np.float64)))
    hits = Hits(query, rank, value, rank, rank, np.array([len(grades)]))
    return hits, pool_of(np.zeros(len(judged), np.int64), judged, 1)
