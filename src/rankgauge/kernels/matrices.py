"""Lists as rows of matrices, ordered many at a time.

A row is ordered by sorting plain numbers, which processors do several at a time, instead of positions, which they do
not: each column's number takes the place of the last bits of its score. Rows in which those bits could have decided
something are found and settled by the scores themselves.

Lists of similar length are rows of one matrix, filled up with items that are worth nothing. The rest of a row has the
least score there is, so it comes last and changes no rank; its zeros change no bit of a sum.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import ArrayLike, NDArray

from rankgauge.arrays import Flags, Floats, Ints, Reals
from rankgauge.errors import UsageError, did_you_mean

Ties = Literal["mean", "worst", "best", "order"]

# With so many rows for every rank, sums are faster rank by rank than row by row.
_FLAT = 32
# In rows with fewer columns, single precision has enough bits beside the column's number for most scores; where it has not
# in one row of so many, double precision takes over.
_NARROW, _SELDOM = 256, 16
_NONE: Ints = np.empty(0, np.int64)
# What is computed on the way stays in the cache, and in memory that the process already has.
BLOCK_ITEMS = 100_000
# Where only the first ranks matter, little is computed on the way, and larger blocks are faster: after every call of NumPy,
# threads wait for each other. nDCG@10 of 10,000 × 100 took 4.5 ms on two cores, and 6.5 ms in blocks of BLOCK_ITEMS.
_FEW_RANKS, _TIMES = 0.25, 4
# Shorter rows are sorted as fast as they are parted.
WIDE = 256
# Columns ordered beyond the cutoff; most ties that the cutoff parts end among them.
SPARE = 6
LEAST = np.finfo(np.float64).min
# Lower scores could share all bits with LEAST but those that the column's number takes.
_LOWEST = -1e308


@dataclass(frozen=True)
class RowBlock:
    """Some lists as the rows of a matrix: their numbers, their sizes, and where they begin in flat columns."""

    lists: Ints | slice
    sizes: Ints
    begin: Ints
    width: int
    inside: Flags | None = None
    """Which places of the matrix hold an item; None where all do."""
    outside: Ints | None = None
    """The flat places that hold none."""

    @property
    def items(self) -> slice:
        """What the block takes of flat columns, where no place of the matrix is empty."""
        at = int(self.begin[0])
        return slice(at, at + len(self.begin) * self.width)

    def matrix(self, column: NDArray[Any], rest: float = 0.0) -> Floats:
        if self.outside is None:
            return column[self.items].reshape(-1, self.width).astype(np.float64, copy=False)
        # Whole rows are copied, with the items of lists that follow, which is faster than item by item.
        last = len(column) - self.width
        rows = sliding_window_view(column, self.width)[np.minimum(self.begin, last)].astype(np.float64, copy=False)
        for row in np.flatnonzero(self.begin > last).tolist():
            begin, size = self.begin[row], self.sizes[row]
            rows[row, :size] = column[begin : begin + size]
        rows.reshape(-1)[self.outside] = rest
        return rows


def row_blocks(offsets: Ints, depth: int) -> list[RowBlock]:
    """All lists; `offsets` says where they begin in the flat columns, and where the last ends; `depth` ranks matter."""
    sizes, begin = np.diff(offsets), offsets[:-1]
    width = int(sizes.max(initial=0))
    items = BLOCK_ITEMS * (_TIMES if depth <= _FEW_RANKS * width else 1)
    if not len(sizes) or sizes.min() == width:
        rows = max(1, items // max(width, 1))
        steps = [slice(at, at + rows) for at in range(0, len(sizes), rows)]
        return [RowBlock(step, sizes[step], begin[step], width) for step in steps]
    lengths = np.ceil(3 * np.log2(np.maximum(sizes, 1)))  # within a quarter
    blocks: list[RowBlock] = []
    for length in np.unique(lengths):
        lists = np.flatnonzero(lengths == length)
        width = int(sizes[lists].max())
        rows = max(1, items // max(width, 1))
        blocks += [_filled(lists[at : at + rows], width, offsets) for at in range(0, len(lists), rows)]
    return blocks


def _filled(lists: Ints, width: int, offsets: Ints) -> RowBlock:
    begin = offsets[lists]
    sizes = offsets[lists + 1] - begin
    inside = np.arange(width) < sizes[:, None]
    return RowBlock(lists, sizes, begin, width, inside, np.flatnonzero(~inside))


def for_each(blocks: Sequence[RowBlock], fill: Callable[[RowBlock], None], threads: int | None = None) -> None:
    """Fill every block; the calling thread takes part, because starting another takes as long as hundreds of rows."""
    workers, left = min(threads or os.cpu_count() or 1, len(blocks)), iter(blocks)

    def work() -> None:
        for block in left:
            fill(block)

    if workers < 2:
        work()
        return
    with ThreadPoolExecutor(workers - 1) as pool:
        others = [pool.submit(work) for _ in range(workers - 1)]
        work()
    for other in others:
        other.result()  # raises here what went wrong there


def can_fill(scores: NDArray[Any]) -> bool:
    """Whether a score is left that stays below all of these, even without its last bits."""
    return len(scores) > 0 and float(scores.min()) > _LOWEST


def as_doubles(scores: NDArray[Any]) -> NDArray[Any]:
    """Scores that doubles distinguish, in their order: as they came, or their ranks where doubles might not."""
    is_small = scores.dtype == np.float64 or scores.dtype.itemsize < 8
    if is_small or (scores.dtype.kind in "iu" and np.all((scores >= -(2**53)) & (scores <= 2**53))):
        return scores
    ranks: Ints = np.unique(scores, return_inverse=True)[1].reshape(scores.shape)
    return ranks.astype(np.float64)


def first_places(
    scores: Floats, depth: int, inside: Flags | None = None, *, single: bool = False
) -> tuple[Ints, Flags]:
    """Flat places of the highest scores of every row, falling, and which are like the one before.

    A few more than `depth` if there are. Alike means: in all bits but those that the column's number took. Among these,
    earlier columns come first. In `single` precision it takes little more than half the time, and more are alike.
    """
    rows, columns = scores.shape
    bits, width = columns.bit_length(), min(columns, depth + SPARE)
    behind = _behind_the_highest(scores, single=single)
    packed: NDArray[Any] = behind.view(f"i{behind.itemsize}")
    packed &= -1 << bits
    packed |= np.arange(columns, dtype=packed.dtype)
    if columns > WIDE and width < columns:
        packed.partition(width - 1, axis=1)
        packed = np.ascontiguousarray(packed[:, :width])
    packed.sort(axis=1)
    packed = np.ascontiguousarray(packed[:, :width])
    alike = _like_the_one_before(packed >> bits)
    if inside is not None and not inside[:, width - 1].all():
        alike &= inside[:, :width]
    packed &= (1 << bits) - 1
    return packed + np.arange(0, rows * columns, columns)[:, None], alike


def _behind_the_highest(scores: Floats, *, single: bool) -> Reals:
    """How far every score is: the highest come first and, without negative numbers (-0.0 is one), bits are in their order.

    In single precision if asked for, and if it holds the highest. What is infinite, as scores beyond single precision are
    under some policies, is taken as the largest number.
    """
    with np.errstate(over="ignore"):
        near: Reals = scores.astype(np.float32) if single else np.minimum(scores, -LEAST)
        highest = near.max(initial=0.0)
        if np.isinf(highest):
            return _behind_the_highest(scores, single=False)
        return np.subtract(highest + 0.0, near, out=near)


def _like_the_one_before(ranked: NDArray[Any]) -> Flags:
    """Which numbers equal the one before them in their row; all rows are compared as one, which is faster."""
    alike = np.zeros(ranked.shape, np.bool_)
    flat = ranked.ravel()
    np.equal(flat[1:], flat[:-1], out=alike.reshape(-1)[1:])
    alike[:, :1] = False
    return alike


def all_places(scores: Floats, inside: Flags | None = None) -> tuple[Ints, Flags]:
    """Flat places of every row, by falling score and then by column, and which equal the one before."""
    columns = scores.shape[1]
    places, alike = first_places(scores, columns, inside)
    if not alike.any():
        return places, alike
    seen = scores.ravel().take(places, mode="clip")
    odd = np.flatnonzero(np.any(seen[:, 1:] > seen[:, :-1], axis=1))
    if odd.size:
        order = np.argsort(-scores[odd], axis=1, kind="stable")
        places[odd] = order + odd[:, None] * columns
        seen[odd] = np.take_along_axis(scores[odd], order, axis=1)
    alike &= _like_the_one_before(seen)
    return places, alike


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
