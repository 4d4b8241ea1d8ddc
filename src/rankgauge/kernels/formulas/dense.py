"""nDCG of matrices, one query in a row: no identifiers, no join, and ties averaged exactly.

A row is ordered by sorting plain numbers, which processors do several at a time, instead of positions, which they do
not: each column's number takes the place of the last bits of its score. Rows in which those bits could have decided
something are found and settled by the scores themselves.

Lists of similar length are rows of one matrix, filled up with documents that gain nothing. The rest of a row has the
least score there is, so it comes last and changes no rank; its zeros change no bit of a sum.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankgauge.arrays import Flags, Floats, Ints
from rankgauge.errors import UsageError, did_you_mean

Ties = Literal["mean", "worst", "best", "order"]

# Smaller blocks stay in a core's cache, but two threads then wait for each other longer than they gain: on 100,000 × 100
# 25,000 items took 167 ms, 100,000 85 ms, 400,000 56 ms.
BLOCK_ITEMS = 400_000
# Columns ordered beyond the cutoff; most ties that the cutoff parts end among them.
SPARE = 6
# Short rows of gains are sorted as fast as they are parted.
WIDE = 256


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
    value_matrix, score_matrix = np.asarray(values), _as_doubles(np.asarray(scores))
    if value_matrix.ndim != 2 or value_matrix.shape != score_matrix.shape:
        shapes = f"values have shape {value_matrix.shape} and scores {score_matrix.shape}"
        raise UsageError(f"{shapes}; give two matrices of one shape, a row for each query")
    rows, columns = value_matrix.shape
    rank_weights = np.asarray(weights, np.float64)[:columns]
    _check_ties(ties, rank_weights)
    reached_of_ideal = np.full(rows, np.nan)
    if rank_weights.size == 0:
        return reached_of_ideal
    falling_weights = np.sort(rank_weights)[::-1]
    step = max(1, BLOCK_ITEMS // columns)

    def fill(start: int) -> None:
        block = slice(start, start + step)
        block_gains = np.ascontiguousarray(value_matrix[block], np.float64)
        if gain is not None:
            block_gains = np.ascontiguousarray(gain(block_gains), np.float64)
        block_scores = np.ascontiguousarray(score_matrix[block])
        reached = _weighted_sums(_gains_by_rank(block_gains, block_scores, len(rank_weights), ties), rank_weights)
        ideal = _weighted_sums(_largest(block_gains, len(rank_weights)), falling_weights)
        np.divide(reached, ideal, out=reached_of_ideal[block], where=ideal > 0)

    _for_each(fill, range(0, rows, step), threads or os.cpu_count() or 1)
    return np.minimum(reached_of_ideal, 1.0, out=reached_of_ideal)


def _check_ties(ties: str, weights: Floats) -> None:
    if ties not in get_args(Ties):
        raise UsageError(f"unknown ties {ties!r}\n{did_you_mean(ties, get_args(Ties))}")
    if ties in {"worst", "best"} and np.any(np.diff(weights) > 0):
        raise UsageError(f"ties={ties!r} needs weights that never rise with the rank; ties='mean' takes any weights")


def _for_each(fill: Callable[[int], None], starts: range, threads: int) -> None:
    if min(threads, len(starts)) < 2:
        for start in starts:
            fill(start)
    else:
        with ThreadPoolExecutor(threads) as pool:
            # Reading the results raises here what went wrong there.
            list(pool.map(fill, starts))


def _as_doubles(scores: NDArray[Any]) -> Floats:
    """Scores as doubles in the same order; their ranks instead where doubles might not distinguish them."""
    is_small = scores.dtype == np.float64 or scores.dtype.itemsize < 8
    if is_small or (scores.dtype.kind in "iu" and np.all((scores >= -(2**53)) & (scores <= 2**53))):
        return scores.astype(np.float64, copy=False)
    ranks: Ints = np.unique(scores, return_inverse=True)[1].reshape(scores.shape)
    return ranks.astype(np.float64)


def _weighted_sums(ranked: Floats, weights: Floats) -> Floats:
    """Row sums; bincount adds in rank order, so that a row has the same bits in every company."""
    rows, depth = ranked.shape
    sums = np.bincount(np.repeat(np.arange(rows), depth), (ranked * weights).ravel(), rows)
    return sums.astype(np.float64, copy=False)


def _largest(gains: Floats, depth: int) -> Floats:
    """The `depth` largest gains of every row, falling; in single precision, twice as fast, where that loses nothing."""
    columns = gains.shape[1]
    with np.errstate(over="ignore"):
        single = gains.astype(np.float32)
    pool: NDArray[Any] = single if np.array_equal(single, gains) else gains.copy()
    if depth < columns and columns > WIDE:
        pool.partition(columns - depth, axis=1)
        pool = pool[:, columns - depth :]
    return np.sort(pool, axis=1)[:, : -depth - 1 : -1].astype(np.float64)


def _gains_by_rank(gains: Floats, scores: Floats, depth: int, ties: Ties) -> Floats:
    """Gains at ranks 1 to `depth` of every row, ties resolved."""
    places, alike = _first_places(scores, depth)
    ranked = gains.ravel().take(places[:, :depth], mode="clip")
    unsettled = np.flatnonzero(alike[:, :depth].any(axis=1))
    if unsettled.size and ties == "mean":
        ranked[unsettled], settled = _average_first(gains, scores, places[unsettled], alike[unsettled], depth)
        unsettled = unsettled[~settled]
    if unsettled.size:
        ranked[unsettled] = _gains_in_full_order(gains[unsettled], scores[unsettled], ties)[:, :depth]
    return ranked


def _first_places(scores: Floats, depth: int) -> tuple[Ints, Flags]:
    """Flat places of the highest scores of every row, falling, and which neighbors are equal.

    A few more than `depth` if there are. Alike means: in all bits but those that the column's number took.
    """
    rows, columns = scores.shape
    bits = (columns - 1).bit_length()
    width = min(columns, depth + SPARE)
    keys = scores + 0.0  # -0.0 becomes 0.0
    packed = keys.view(np.int64)
    packed &= -1 << bits
    packed |= np.arange(columns)
    if width < columns:
        keys.partition(columns - width, axis=1)
    packed = np.sort(keys[:, columns - width :], axis=1).view(np.int64)[:, ::-1]
    places = (packed & ((1 << bits) - 1)) + np.arange(0, rows * columns, columns)[:, None]
    heads = packed >> bits
    return places, heads[:, 1:] == heads[:, :-1]


def _average_first(gains: Floats, scores: Floats, places: Ints, alike: Flags, depth: int) -> tuple[Floats, Flags]:
    """Mean gains at ranks 1 to `depth` of the rows that `places` come from, and for which rows they are right."""
    columns, width = scores.shape[1], places.shape[1]
    seen = scores.ravel().take(places, mode="clip")
    averaged = _average_ties(gains.ravel().take(places, mode="clip"), seen)[:, :depth]
    settled = np.all(seen[:, 1:] <= seen[:, :-1], axis=1)
    if width < columns:
        # Scores like the one at the cutoff fill the rest of `places`: more of them may follow.
        endless = np.flatnonzero(alike[:, depth - 1 :].all(axis=1))
        rows = places[endless, 0] // columns
        row_scores, seen = scores[rows], seen[endless, :depth]
        cutoff_score = seen[:, -1:]
        equal = row_scores == cutoff_score
        means = np.sum(gains[rows] * equal, axis=1) / np.count_nonzero(equal, axis=1)
        averaged[endless] = np.where(seen == cutoff_score, means[:, None], averaged[endless])
        above, above_seen = row_scores > cutoff_score, seen > cutoff_score
        settled[endless] &= np.count_nonzero(above, axis=1) == np.count_nonzero(above_seen, axis=1)
    return averaged, settled


def _average_ties(ranked: Floats, scores: Floats) -> Floats:
    """Every gain replaced by the mean gain of the equal scores in its row; `scores` fall along the rows."""
    opens = np.ones(scores.shape, np.bool_)
    np.not_equal(scores[:, 1:], scores[:, :-1], out=opens[:, 1:])
    starts = np.flatnonzero(opens)
    sizes = np.diff(starts, append=opens.size)
    return np.repeat(np.add.reduceat(ranked.ravel(), starts) / sizes, sizes).reshape(ranked.shape)


def _gains_in_full_order(gains: Floats, scores: Floats, ties: Ties) -> Floats:
    """Gains of whole rows, ordered by the scores themselves."""
    tie_break = {"worst": gains, "best": -gains}.get(ties, np.zeros(1))
    order = np.lexsort(np.broadcast_arrays(tie_break, -scores), axis=1)
    ranked = np.take_along_axis(gains, order, axis=1)
    return _average_ties(ranked, np.take_along_axis(scores, order, axis=1)) if ties == "mean" else ranked


LEAST = np.finfo(np.float64).min


def can_fill(scores: NDArray[Any]) -> bool:
    """Whether a score below all of these is left, and doubles tell all of them apart."""
    if scores.dtype.kind != "f":
        return scores.dtype.kind == "b" or scores.dtype.itemsize < 8
    return scores.dtype.itemsize <= 8 and bool(scores.min() > LEAST)


def ndcg_of_lists(gains: Floats, scores: Floats, offsets: Ints, weights: Floats, *, ties: Ties) -> Floats:
    """The nDCG of every list; `offsets` says where lists begin in the flat columns, and where the last ends."""
    sizes = np.diff(offsets)
    found = np.full(len(sizes), np.nan)
    classes = np.zeros(len(sizes), np.int64) if sizes.max() * len(sizes) < 2 * len(gains) else _bits(sizes)
    for one in np.unique(classes):
        chosen = classes == one
        inside = np.arange(sizes[chosen].max()) < sizes[chosen][:, None]
        items = slice(None) if chosen.all() else np.repeat(chosen, sizes)
        filled = _filled(scores[items], inside, LEAST)
        found[chosen] = ndcg(_filled(gains[items], inside, 0.0), filled, weights, ties=ties)
    return found


def _bits(sizes: Ints) -> NDArray[np.int64]:
    """Lists whose lengths are within a factor of two are of one class."""
    return np.frexp(sizes.astype(np.float64))[1].astype(np.int64)


def _filled(column: Floats, inside: Flags, rest: float) -> Floats:
    matrix = np.full(inside.shape, rest)
    matrix[inside] = column
    return matrix
