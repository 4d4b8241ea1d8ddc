"""Judged value to relevance, fitted per query on everything judged for it."""

from __future__ import annotations

import numpy as np

from rankgauge.arrays import Floats, Ints
from rankgauge.kernels.curves import pchip
from rankgauge.kernels.curves import phi as phi_kernel
from rankgauge.kernels.hits import Pool

PHI = {"paper": phi_kernel.PAPER, "authors": phi_kernel.AUTHORS}


def identity(value: Floats, query: Ints, pool: Pool) -> Floats:
    """The judged value; negative ones count as 0."""
    # Mostly there is nothing to clip, and then a copy of everything judged would be made for nothing.
    return np.maximum(value, 0) if value.min(initial=0) < 0 else value


def signed(value: Floats, query: Ints, pool: Pool) -> Floats:
    """The judged value as it is."""
    return value


def tiers(value: Floats, query: Ints, pool: Pool, *size: float) -> Floats:
    """With sizes 10, 25, 50: 3 for the ten best of a query, 2 for the next 15, 1 for the next 25, else 0.

    Documents tied at a boundary all take the better tier.
    """
    out = np.zeros(len(value))
    for within in size:
        # The value of the last document that still belongs to the tier; an empty query has no values to look up.
        edge = pool.start[:-1] + np.minimum(int(within), np.maximum(pool.judged, 1)) - 1
        threshold = np.append(pool.value, np.inf)[np.minimum(edge, len(pool.value))]
        out += value >= threshold[query]
    return out


def phi(value: Floats, query: Ints, pool: Pool, preset: str = "paper") -> Floats:
    """Relevance from the scores themselves (Moniz, Torgo & Vinagre), fitted on all judged values of the query."""
    curves = pool.once(("phi", preset), lambda: phi_kernel.fit(pool.value, pool.start, PHI[preset]))
    return phi_kernel.evaluate(curves, query, value)


def knots(value: Floats, query: Ints, pool: Pool, *point: tuple[float, float]) -> Floats:
    """A monotone curve through control points (value, relevance), one scale for all queries."""
    x, v = np.asarray(point, np.float64).T
    return pchip.evaluate(x, v, pchip.slopes(x, v), value)
