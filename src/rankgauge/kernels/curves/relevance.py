"""Judged value to relevance, fitted per query on everything judged for it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from rankgauge.kernels.hits import Pool, count

if TYPE_CHECKING:
    from rankgauge.arrays import Flags, Floats, Ints
    from rankgauge.kernels.curves.phi import PhiSettings


def signed(value: Floats, query: Ints, pool: Pool) -> Floats:
    """The judged value as it is."""
    return value


def bounded(value: Floats, query: Ints, pool: Pool) -> Floats:
    """The judged value as it is, for measures that take an ideal of 0 or less as undefined."""
    return value


def balanced(value: Floats, query: Ints, pool: Pool) -> Floats:
    """The judged value as it is, for measures that take a query whose values add up to 0 as one without relevance."""
    return value


def tiers(value: Floats, query: Ints, pool: Pool, *size: float) -> Floats:
    """With sizes 10, 25, 50: 3 for the ten best of a query, 2 for the next 15, 1 for the next 25, else 0.

    Documents tied at a boundary share the mean of the tiers they span: which of them belongs above it, nobody can say.
    """
    out = np.zeros(len(value))
    for within in size:
        threshold, share = pool.once(("tier", within), partial(_boundary, pool, int(within)))
        at = threshold[query]
        out += np.where(value == at, share[query], value > at)
    return out


def split_by_tiers(pool: Pool, *size: float) -> Flags:
    """For every query, whether documents of one value lie on both sides of a boundary."""
    split = np.zeros(pool.queries, np.bool_)
    for within in size:
        split |= _boundary(pool, int(within))[1] < 1
    return split


def _boundary(pool: Pool, within: int) -> tuple[Floats, Floats]:
    """For every query, the value of the last document within the tier, and the share of its equals that are within."""
    inside = np.minimum(within, np.maximum(pool.judged, 1))
    # An empty query has no value to look up.
    threshold = np.append(pool.value, np.inf)[np.minimum(pool.start[:-1] + inside - 1, len(pool.value))]
    at = threshold[pool.query]
    above, equal = (count(pool.query[chosen], pool.queries) for chosen in (pool.value > at, pool.value == at))
    return threshold, np.divide(inside - above, equal, out=np.ones(pool.queries), where=equal > 0)


def phi(value: Floats, query: Ints, pool: Pool, settings: PhiSettings | None = None) -> Floats:
    """Relevance from the scores themselves (Moniz, Torgo & Vinagre), fitted on all judged values of the query."""
    from rankgauge.kernels.curves.phi import PAPER, evaluate, fit

    chosen = settings or PAPER
    curves = pool.once(("phi", chosen), lambda: fit(pool.value, pool.start, chosen))
    return evaluate(curves, query, value)


def knots(value: Floats, query: Ints, pool: Pool, *point: tuple[float, float]) -> Floats:
    """A monotone curve through control points (value, relevance), one scale for all queries."""
    from rankgauge.kernels.curves import pchip

    x, v = np.asarray(point, np.float64).T
    return pchip.evaluate(x, v, pchip.slopes(x, v), value)


def quantiles(value: Floats, query: Ints, pool: Pool, *point: tuple[float, float]) -> Floats:
    """A monotone curve through control points (quantile of the judged values, relevance), fitted query by query.

    Where two quantiles are the same value, the lower relevance counts, at the maximum the higher one; a query whose
    values are all equal has no relevance, as under phi.
    """
    from rankgauge.kernels.curves import pchip

    out = np.zeros(len(value))
    order = np.argsort(query, kind="stable")
    edges = np.searchsorted(query[order], np.arange(pool.queries + 1))
    for one in np.flatnonzero((np.diff(edges) > 0) & (pool.judged > 0)):
        rows, judged = order[edges[one] : edges[one + 1]], pool.value[pool.start[one] : pool.start[one + 1]]
        x, v = _distinct(np.quantile(judged, [place for place, _ in point]), np.array([level for _, level in point]))
        if len(x) > 1:
            out[rows] = pchip.evaluate(x, v, pchip.slopes(x, v), value[rows])
    return out


def _distinct(x: Floats, v: Floats) -> tuple[Floats, Floats]:
    kept, first = np.unique(x, return_index=True)
    levels = v[first]
    levels[-1] = v[-1]
    return kept, levels
