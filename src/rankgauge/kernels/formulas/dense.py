"""nDCG of matrices, one query in a row: no identifiers, no join, and ties averaged exactly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankgauge.arrays import Flags, Floats, Ints
from rankgauge.errors import UsageError, did_you_mean
from rankgauge.kernels.rows import RowBlock, all_places, as_doubles, first_places, for_each, row_blocks

Ties = Literal["mean", "worst", "best", "order"]

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
        gains = gains if gain is None else np.ascontiguousarray(gain(gains), np.float64)
        reached = dcg(gains, block.matrix(flat_scores), rank_weights, ties=ties)
        shares[block.lists] = share(reached, ideal_dcg(gains, rank_weights))

    if rank_weights.size:
        for_each(row_blocks(np.arange(rows + 1) * columns), fill, threads)
    return shares


def share(reached: Floats, ideal: Floats) -> Floats:
    """nDCG; nan where the ideal is 0."""
    shares = np.full(len(reached), np.nan)
    np.divide(reached, ideal, out=shares, where=ideal > 0)
    return np.minimum(shares, 1.0, out=shares)


def dcg(gains: Floats, scores: Floats, weights: Floats, *, ties: Ties, inside: Flags | None = None) -> Floats:
    """The DCG of every row."""
    return _weighted_sums(_gains_by_rank(gains, scores, len(weights), ties, inside), weights)


def ideal_dcg(gains: Floats, weights: Floats) -> Floats:
    """The largest DCG that every row allows."""
    return _weighted_sums(_largest(gains, len(weights)), np.sort(weights)[::-1])


def check_ties(ties: str, weights: Floats) -> None:
    if ties not in get_args(Ties):
        raise UsageError(f"unknown ties {ties!r}\n{did_you_mean(ties, get_args(Ties))}")
    if ties in {"worst", "best"} and np.any(np.diff(weights) > 0):
        raise UsageError(f"ties={ties!r} needs weights that never rise with the rank; ties='mean' takes any weights")


def _weighted_sums(ranked: Floats, weights: Floats) -> Floats:
    """Row sums, added one by one in rank order, so that a row has the same bits in every company."""
    terms = ranked * weights
    return np.add.accumulate(terms, axis=1, out=terms)[:, -1].copy()


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


def _gains_by_rank(gains: Floats, scores: Floats, depth: int, ties: Ties, inside: Flags | None) -> Floats:
    """Gains at ranks 1 to `depth` of every row, ties resolved."""
    places, alike = first_places(scores, depth, inside)
    tied = np.flatnonzero(alike[:, :depth].any(axis=1))
    if ties == "mean" and 2 * tied.size > len(scores):  # also right where nothing is tied
        ranked, settled = _average_first(gains, scores, places, alike, depth)
        tied = np.flatnonzero(~settled)
    else:
        ranked = gains.ravel().take(places[:, :depth], mode="clip")
        if tied.size and ties == "mean":
            ranked[tied], settled = _average_first(gains, scores, places[tied], alike[tied], depth)
            tied = tied[~settled]
    if tied.size:
        ranked[tied] = _gains_in_full_order(gains[tied], scores[tied], ties)[:, :depth]
    return ranked


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
        counts = np.count_nonzero(equal, axis=1)
        if endless.size:
            means = np.bincount(np.nonzero(equal)[0], gains[rows][equal]) / counts
            averaged[endless] = np.where(seen == cutoff_score, means[:, None], averaged[endless])
        above, above_seen = row_scores > cutoff_score, seen > cutoff_score
        settled[endless] &= np.count_nonzero(above, axis=1) == np.count_nonzero(above_seen, axis=1)
    return averaged, settled


def _average_ties(ranked: Floats, scores: Floats) -> Floats:
    """Every gain replaced by the mean gain of the equal scores in its row; `scores` fall along the rows."""
    opens = np.ones(scores.shape, np.bool_)
    np.not_equal(scores[:, 1:], scores[:, :-1], out=opens[:, 1:])
    group: Ints = np.cumsum(opens, dtype=np.int64)
    group -= 1
    sizes = np.diff(np.flatnonzero(opens), append=opens.size)
    means = np.bincount(group, ranked.ravel()) / sizes
    return means.take(group, mode="clip").reshape(ranked.shape)


def _gains_in_full_order(gains: Floats, scores: Floats, ties: Ties) -> Floats:
    """Gains of whole rows, ordered by the scores themselves."""
    if ties in {"worst", "best"}:
        order = np.lexsort(np.broadcast_arrays(gains if ties == "worst" else -gains, -scores), axis=1)
        return np.take_along_axis(gains, order, axis=1)
    places, _ = all_places(scores)
    ranked = gains.ravel().take(places, mode="clip")
    return _average_ties(ranked, scores.ravel().take(places, mode="clip")) if ties == "mean" else ranked
