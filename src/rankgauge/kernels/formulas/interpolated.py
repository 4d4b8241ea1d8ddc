"""Interpolated precision: the best precision at or beyond a level of recall."""

from __future__ import annotations

import numpy as np

from rankgauge.arrays import Floats, Ints
from rankgauge.errors import MeasureError
from rankgauge.kernels.formulas.counting import Rounding, documents_for, relevant, relevant_in_pool
from rankgauge.kernels.hits import Hits, Pool, place, ratio, running, total


def interpolated_precision(hits: Hits, pool: Pool, *, cutoff: float, rounding: Rounding, rel: float | None) -> Floats:
    """The best precision at the rank where this recall is reached, or further down; 0 where it is never reached."""
    return mean_interpolated_precision(hits, pool, recall=(cutoff,), rounding=rounding, rel=rel)


def mean_interpolated_precision(
    hits: Hits, pool: Pool, *, recall: tuple[float, ...], rounding: Rounding, rel: float | None
) -> Floats:
    """Interpolated precision, averaged over levels of recall."""
    if hits.is_tied:
        raise MeasureError(
            'interpolated precision is a maximum, whose mean over tied orders has no closed form.\nUse another rule than ties="mean".'
        )
    good = hits.keep(relevant(hits.value, rel))
    at = place(good.query)
    share = (at + 1) / good.rank
    best = running(good.query[::-1], share[::-1], np.maximum)[::-1]
    known = relevant_in_pool(pool, rel)
    amounts = np.zeros(hits.queries)
    # From the highest level down, as the curve is built: sums have the bits of trec_eval's.
    for level in sorted(recall, reverse=True):
        amounts += _at_level(good, at, best, np.maximum(documents_for(level, known, rounding), 1))
    return np.where(known > 0, ratio(amounts, np.full(hits.queries, len(recall))), np.nan)


def _at_level(good: Hits, at: Ints, best: Floats, needed: Ints) -> Floats:
    """The value of the `needed`-th relevant document of each query, 0 where fewer were found."""
    reached = at == needed[good.query] - 1
    return total(good.query[reached], best[reached], good.queries)
