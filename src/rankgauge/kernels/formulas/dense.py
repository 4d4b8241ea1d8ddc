"""nDCG of matrices, one query in a row: no identifiers, no join, and ties averaged exactly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankgauge.arrays import Flags, Floats, Ints
from rankgauge.errors import UsageError, did_you_mean
from rankgauge.kernels.rows import WIDE, RowBlock, all_places, as_doubles, first_places, for_each, row_blocks

Ties = Literal["mean", "worst", "best", "order"]

# With so many rows for every rank, sums are faster rank by rank than row by row.
_FLAT = 32
# In rows with fewer columns, single precision has enough bits beside the column's number for most scores; where it has not
# in one row of so many, double precision takes over.
_NARROW, _SELDOM = 256, 16
_NONE: Ints = np.empty(0, np.int64)


def ndcg(
    values: ArrayLike,
    scores: ArrayLike,
    weights: ArrayLike,
    *,
    gain: Callable[[Floats], Floats] | None = None,
    ties: Ties = "mean",
    threads: int | None = None,
) -> Floats:
    """The nDCG of every row; column j is worth `values[row, j]` and comes the earlier the larger `scores[row, j]`.

    `gain` turns values into gains, number by number, a block of rows at a time; without it values are gains.
    `weights[r - 1]` is the weight of rank r and their number the cutoff; a cutoff beyond the columns changes nothing.
    Gains and weights are finite and not negative, scores are finite. A row whose ideal is 0 is nan. The ideal is the
    largest attainable sum, also where weights rise with the rank. Equal scores (0.0 and -0.0 are equal) share the mean
    of their gains (McSherry & Najork 2008), are in the `worst` or the `best` order, or in the `order` of their
    columns. A row's bits depend neither on the rows beside it nor on `threads` (as many as cores, unless given).
    """
    value_matrix, score_matrix = np.asarray(values), as_doubles(np.asarray(scores))
    if value_matrix.ndim != 2 or value_matrix.shape != score_matrix.shape:
        shapes = f"values have shape {value_matrix.shape} and scores {score_matrix.shape}"
        raise UsageError(f"{shapes}; give two matrices of one shape, a row for each query")
    rows, columns = value_matrix.shape
    rank_weights = np.asarray(weights, np.float64)[:columns]
    check_ties(ties, rank_weights)
    shares = np.full(rows, np.nan)
    flat_values, flat_scores = value_matrix.ravel(), score_matrix.ravel()

    def fill(block: RowBlock) -> None:
        gains = block.matrix(flat_values)
        gains = compact(gains if gain is None else np.ascontiguousarray(gain(gains), np.float64))
        reached = dcg(gains, block.matrix(flat_scores), rank_weights, ties=ties)
        shares[block.lists] = share(reached, ideal_dcg(gains, rank_weights))

    if rank_weights.size:
        for_each(row_blocks(np.arange(rows + 1) * columns, len(rank_weights)), fill, threads)
    return shares


def share(reached: Floats, ideal: Floats) -> Floats:
    """nDCG; nan where the ideal is 0."""
    shares = np.full(len(reached), np.nan)
    np.divide(reached, ideal, out=shares, where=ideal > 0)
    return np.minimum(shares, 1.0, out=shares)


def dcg(gains: NDArray[Any], scores: Floats, weights: Floats, *, ties: Ties, inside: Flags | None = None) -> Floats:
    """The DCG of every row."""
    return _weighted_sums(_gains_by_rank(gains, scores, len(weights), ties, inside), weights)


def ideal_dcg(gains: NDArray[Any], weights: Floats) -> Floats:
    """The largest DCG that every row allows."""
    return _weighted_sums(_largest(gains, len(weights)), np.sort(weights)[::-1])


def check_ties(ties: str, weights: Floats) -> None:
    if ties not in get_args(Ties):
        raise UsageError(f"unknown ties {ties!r}\n{did_you_mean(ties, get_args(Ties))}")
    if ties in {"worst", "best"} and np.any(np.diff(weights) > 0):
        raise UsageError(f"ties={ties!r} needs weights that never rise with the rank; ties='mean' takes any weights")


def _weighted_sums(ranked: Floats, weights: Floats) -> Floats:
    """Row sums, added one by one in rank order, so that a row has the same bits in every company."""
    if len(weights) * _FLAT > len(ranked):
        terms = ranked[:, : len(weights)] * weights
        return np.add.accumulate(terms, axis=1, out=terms)[:, -1].copy()
    terms = np.multiply(ranked.T[: len(weights)], weights[:, None], order="C")
    sums: Floats = np.add.reduce(terms, axis=0)  # one rank after the other, for all rows at once
    return sums


def compact(gains: Floats) -> NDArray[Any]:
    """Gains in single precision, of which twice as many fit the cache, where that loses nothing."""
    with np.errstate(over="ignore"):
        single = gains.astype(np.float32)
    return single if np.array_equal(single, gains) else gains


def _largest(gains: NDArray[Any], depth: int) -> Floats:
    """The `depth` largest gains of every row, falling."""
    pool = gains.copy()
    # Without negative numbers, bits are ordered as numbers are, and nobody has to look for nan.
    keys = pool.view(f"i{pool.itemsize}") if gains.min(initial=0.0) >= 0 else pool
    rest = gains.shape[1] - depth
    if rest > 0 and gains.shape[1] > WIDE:
        keys.partition(rest, axis=1)
        keys, pool = keys[:, rest:], pool[:, rest:]
    keys.sort(axis=1)  # and thereby the pool, which is the same memory
    return pool[:, : -depth - 1 : -1].astype(np.float64)


def _gains_by_rank(gains: NDArray[Any], scores: Floats, depth: int, ties: Ties, inside: Flags | None) -> Floats:
    """Gains at ranks 1 to `depth` of every row, and at a few more; ties down to `depth` are resolved."""
    if ties == "mean":
        places, alike, tied = _places(scores, depth, inside)
    else:
        places, alike = first_places(scores, depth, inside)
        tied = np.flatnonzero(alike[:, : depth + 1].any(axis=1))
    ranked: Floats = gains.ravel().take(places, mode="clip").astype(np.float64, copy=False)
    if ties == "mean" and alike.any():
        _average_ties(ranked, alike)
        tied = np.union1d(tied, _average_beyond(ranked, gains, scores, places, alike, depth))
    if tied.size:
        ranked[tied] = _gains_in_full_order(gains[tied], scores[tied], ties)[:, : ranked.shape[1]]
    return ranked


def _places(scores: Floats, depth: int, inside: Flags | None) -> tuple[Ints, Flags, Ints]:
    """As first_places, but alike are equal scores only; and the rows in which others were alike, whose order is open."""
    places, odd = _NONE, _NONE
    alike: Flags = np.empty((0, 0), np.bool_)
    # Filling has the least score there is, which single precision cannot tell from others.
    is_narrow = inside is None and scores.shape[1] < _NARROW
    for single in (True, False)[not is_narrow :]:
        places, alike = first_places(scores, depth, inside, single=single)
        at, flat, score = np.flatnonzero(alike), places.ravel(), scores.ravel()
        differ = at[score.take(flat.take(at), mode="clip") != score.take(flat.take(at - 1), mode="clip")]
        alike.reshape(-1)[differ] = False
        odd = np.unique(differ // alike.shape[1])
        if len(odd) * _SELDOM <= len(scores):
            break
    return places, alike, odd


def _average_ties(ranked: Floats, alike: Flags) -> None:
    """Put the mean gain of each tie group in the place of its gains; `alike` says which items are tied with the one before."""
    joins: Flags = alike.ravel()
    member = joins.copy()
    member[:-1] |= joins[1:]
    tied = np.flatnonzero(member)
    opens = ~joins.take(tied, mode="clip")
    group: Ints = np.cumsum(opens, dtype=np.int64)
    group -= 1
    gains = ranked.reshape(-1)
    sizes = np.diff(np.flatnonzero(opens), append=len(tied))
    means = np.bincount(group, gains.take(tied, mode="clip")) / sizes
    gains[tied] = means.take(group, mode="clip")


def _average_beyond(
    ranked: Floats, gains: NDArray[Any], scores: Floats, places: Ints, alike: Flags, depth: int
) -> Ints:
    """Put the means of ties that go on beyond `places` into `ranked`; the rows whose order the scores have to settle."""
    endless = np.flatnonzero(alike[:, -1]) if places.shape[1] < scores.shape[1] else _NONE
    endless = endless[alike[endless, depth:].all(axis=1)]
    if not endless.size:
        return endless
    row_scores, seen = scores[endless], scores.ravel().take(places[endless, :depth], mode="clip")
    cutoff_score = seen[:, -1:]
    equal = row_scores == cutoff_score
    means = np.bincount(np.nonzero(equal)[0], gains[endless][equal]) / np.count_nonzero(equal, axis=1)
    ranked[endless, :depth] = np.where(seen == cutoff_score, means[:, None], ranked[endless, :depth])
    above = np.count_nonzero(row_scores > cutoff_score, axis=1) != np.count_nonzero(seen > cutoff_score, axis=1)
    return endless[above]


def _gains_in_full_order(gains: NDArray[Any], scores: Floats, ties: Ties) -> Floats:
    """Gains of whole rows, ordered by the scores themselves."""
    if ties in {"worst", "best"}:
        order = np.lexsort(np.broadcast_arrays(gains if ties == "worst" else -gains, -scores), axis=1)
        return np.take_along_axis(gains, order, axis=1)
    places, alike = all_places(scores)
    ranked: Floats = gains.ravel().take(places, mode="clip").astype(np.float64, copy=False)
    if ties == "mean" and alike.any():
        _average_ties(ranked, alike)
    return ranked
