"""How many queries would settle a pair, when the true difference is itself uncertain?

A plan that takes the observed difference for the true one promises 80 % and keeps 64 to 76 %. Here the true difference,
in standard deviations, is anywhere that the queries seen allow: it scatters about the observed one by its own error, and
`assurance` is the chance to settle the pair, averaged over it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankgauge.arrays import Floats, Ints

ASSURANCE = 0.8
# Beyond a billion queries the answer is "never".
MOST_QUERIES = 10**9
NODES = 64


@dataclass(frozen=True, slots=True)
class Needed:
    """Queries for 80 % assurance, and the range that holds the number for the true difference with chance 80 %."""

    queries: Floats
    low: Floats
    high: Floats


def assured_queries(effect: Floats, queries: Ints, alpha: float, assurance: float = ASSURANCE) -> Needed:
    """Of pairs with these observed effect sizes on so many queries; nan where no number of queries is enough."""
    from scipy.special import ndtr, ndtri, stdtrit

    known = np.maximum(queries, 2)
    shares = (np.arange(NODES) + 0.5) / NODES
    error = np.sqrt(1.0 / known + np.square(effect) / (2.0 * (known - 1.0)))
    scatter = stdtrit((known - 1.0)[:, np.newaxis], shares)
    sizes = np.abs(effect[:, np.newaxis] + scatter * error[:, np.newaxis])
    limit = float(ndtri(1.0 - alpha / 2.0))

    def settled(number: Floats) -> Floats:
        power: Floats = ndtr(sizes * np.sqrt(number)[:, np.newaxis] - limit).mean(axis=1)
        return power

    low, high = np.zeros(len(effect)), np.full(len(effect), np.log2(float(MOST_QUERIES)))
    for _ in range(40):
        middle = (low + high) / 2.0
        enough = settled(np.exp2(middle)) >= assurance
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    unsolved = np.isnan(effect) | (high >= np.log2(MOST_QUERIES) - 1e-6)
    one = np.square(limit + float(ndtri(0.8)))
    small, large = np.quantile(sizes, [0.1, 0.9], axis=1) if len(effect) else np.zeros((2, 0))
    with np.errstate(divide="ignore"):
        fewest, most = one / np.square(large), one / np.square(small)
    return Needed(
        *(np.where(unsolved, np.nan, np.ceil(np.minimum(n, MOST_QUERIES))) for n in (np.exp2(high), fewest, most))
    )


def sign_errors(effect: Floats, queries: Ints) -> Floats:
    """The chance that the true difference has the other sign, by the t distribution and without any prior belief."""
    from scipy.special import stdtr

    known = np.maximum(queries, 2)
    with np.errstate(invalid="ignore"):
        chance: Floats = stdtr(known - 1, -np.abs(effect) * np.sqrt(known))
    return chance
