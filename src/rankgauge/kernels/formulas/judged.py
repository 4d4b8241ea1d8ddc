"""How much of what was returned has been judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rankgauge.kernels.hits import Hits, Pool, ratio, total

if TYPE_CHECKING:
    from rankgauge.arrays import Floats, Ints


def judged(hits: Hits, pool: Pool, *, cutoff: int | None) -> Floats:
    """Share of the returned documents, down to the cutoff, that have a judgment."""
    return ratio(counted(hits, cutoff), looked_at(hits, cutoff))


def unjudged(hits: Hits, pool: Pool, *, cutoff: int) -> Floats:
    """Documents among the first k without a judgment, or with a negative one, over k even if fewer were returned."""
    known = hits.keep(hits.value >= 0)
    returned = np.minimum(hits.retrieved, cutoff)
    return (returned - total(known.query, seen(known, cutoff), hits.queries)) / cutoff


def counted(hits: Hits, depth: int | Ints | None) -> Floats:
    """Documents of each query down to the depth."""

    def summed() -> Floats:
        return total(hits.query, seen(hits, depth), hits.queries)

    found: Floats = summed() if isinstance(depth, np.ndarray) else hits.once(("counted", depth), summed)
    return found


def seen(hits: Hits, depth: int | Ints | None) -> Floats:
    """1 for a hit down to the depth (one for all, or one per query), else 0; while ties are open, the chance of it."""
    if depth is None:
        return np.ones(len(hits.query))
    within = depth if isinstance(depth, int) else depth[hits.query]
    if hits.first is hits.last:
        return (hits.first <= within).astype(np.float64)
    return np.clip((within + 1 - hits.first) / (hits.last + 1 - hits.first), 0, 1)


def looked_at(hits: Hits, cutoff: int | None) -> Ints:
    """How many documents a query has down to the cutoff."""
    return hits.retrieved if cutoff is None else np.minimum(hits.retrieved, cutoff)
