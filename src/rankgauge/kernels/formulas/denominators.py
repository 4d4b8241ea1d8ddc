"""What counts of relevant documents are divided by: the decision on which tools differ most for P, R and AP."""

from __future__ import annotations

import numpy as np

from rankgauge.arrays import Floats, Ints
from rankgauge.kernels.hits import Hits


def looked_at(hits: Hits, cutoff: int | None) -> Ints:
    """How many documents a query has down to the cutoff."""
    return hits.retrieved if cutoff is None else np.minimum(hits.retrieved, cutoff)


def of_precision(hits: Hits, known: Ints, cutoff: int | None, over: str) -> Ints:
    """k even if fewer were returned; what was returned down to k; or the most relevant documents that could be there."""
    if over == "returned":
        return looked_at(hits, cutoff)
    below = hits.retrieved if cutoff is None else np.full(hits.queries, cutoff)
    return np.minimum(below, known) if over == "reachable" else below


def of_recall(hits: Hits, known: Ints, cutoff: int | None, over: str) -> Ints:
    """All relevant documents, or the most that could be among the first k."""
    if over == "all":
        return known
    return np.minimum(hits.retrieved if cutoff is None else cutoff, known)


def of_average_precision(hits: Hits, known: Ints, cutoff: int | None, over: str, found: Floats) -> Ints | Floats:
    """All relevant documents; those that could be among the first k, or in the list; those found; or k."""
    if over == "reachable":
        return known if cutoff is None else np.minimum(known, cutoff)
    if over == "returned":
        return np.minimum(known, looked_at(hits, cutoff))
    if over == "k":
        return hits.retrieved if cutoff is None else np.full(hits.queries, cutoff)
    return found if over == "found" else known
