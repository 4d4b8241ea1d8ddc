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
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from rankgauge.arrays import Flags, Floats, Ints, Reals

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
