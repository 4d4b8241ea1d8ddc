"""nDCG of many lists at once: lists of similar length are the rows of a matrix. The bits are those of `cumulated.ndcg`."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from rankgauge.arrays import Floats, Ints
from rankgauge.kernels.hits import ratio
from rankgauge.kernels.order import highest, rising, taken

SPARE = 6
"""Ranks looked at beyond the cutoff; most ties that it splits end among them."""


def for_each(parts: Sequence[Any], work: Callable[[Any], None]) -> None:
    """Threads work on the parts, if there are several."""
    workers = min(os.cpu_count() or 1, len(parts))
    if workers < 2:
        for part in parts:
            work(part)
        return
    with ThreadPoolExecutor(workers) as pool:
        for _ in pool.map(work, parts):
            pass


def ndcg(gains: Floats, scores: Floats, weights: Floats, best: Floats, *, ties: str) -> Floats:
    """The nDCG of every row with the ideals `best`; `weights` are those of the ranks down to the cutoff.

    Equal scores share the mean of the weights of their ranks, or they come in the "order" of their columns.
    """
    depth, width = len(weights), scores.shape[1]
    weights = np.concatenate((weights, np.zeros(width - depth)))
    if depth + SPARE >= width:
        return ratio(_dcg(gains, scores, rising(0.0 - scores), weights, ties), best)
    order, unsure = highest(scores, depth, depth + SPARE)
    found = _dcg(gains, scores, order, weights, ties)
    if len(unsure):
        gains, scores = gains[unsure], scores[unsure]
        found[unsure] = _dcg(gains, scores, rising(0.0 - scores), weights, ties)
    return ratio(found, best)


def ideal_dcg(gains: Floats, weights: Floats) -> Floats:
    """The largest DCG that every row allows."""
    bits = np.sort(gains.view(np.int64), axis=1)  # none is below 0, so their bits are in their order
    return _sums(bits.view(np.float64)[:, : -len(weights) - 1 : -1] * weights)


def _dcg(gains: Floats, scores: Floats, order: Ints, weights: Floats, ties: str) -> Floats:
    """The DCG of rows whose columns come in this order."""
    gains, deep = taken(gains, order), order.shape[1]
    terms = gains * weights[:deep]
    if ties != "mean":
        return _sums(terms)
    joined, flat = np.zeros(gains.size, np.bool_), taken(scores, order).ravel()
    np.equal(flat[1:], flat[:-1], out=joined[1:])
    joined[::deep] = False
    tied = joined.copy()
    tied[:-1] |= joined[1:]
    at = np.flatnonzero(tied)
    if len(at):
        lead = np.flatnonzero(~joined[at])
        size, first = np.diff(lead, append=len(at)), at[lead] % deep
        running = np.concatenate(([0.0], np.cumsum(weights)))
        share = (running[first + size] - running[first]) / size
        terms.reshape(-1)[at] = gains.reshape(-1)[at] * np.repeat(share, size)
    return _sums(terms)


def _sums(terms: Floats) -> Floats:
    """Row sums, added one by one from the left, so that a row has the same bits in every company."""
    if len(terms) == 1:  # NumPy would add up pairs
        return np.add.accumulate(terms, axis=1)[:, -1]
    sums: Floats = np.add.reduce(np.ascontiguousarray(terms.T), axis=0)
    return sums
