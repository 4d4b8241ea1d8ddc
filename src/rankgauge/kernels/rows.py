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
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankgauge.arrays import Flags, Floats, Ints
from rankgauge.frozen import dataclass

# What is computed on the way stays in a core's cache: nDCG of 10,000 × 100 takes 12 ms of work in blocks of 100,000
# items and 33 ms in blocks of 500,000; with blocks of 25,000, threads wait for each other.
BLOCK_ITEMS = 100_000
# Columns ordered beyond the cutoff; most ties that the cutoff parts end among them.
SPARE = 6
LEAST = np.finfo(np.float64).min
# Lower scores could share all bits with LEAST but those that the column's number takes.
_LOWEST = -1e308


@dataclass(frozen=True)
class RowBlock:
    """Some lists as the rows of a matrix: their numbers, their sizes, and the places of their items in flat columns."""

    lists: Ints | slice
    sizes: Ints
    items: Ints | slice
    inside: Flags | None = None
    """Which places of the matrix hold an item; None where all do."""

    def matrix(self, column: NDArray[Any], rest: float = 0.0) -> Floats:
        rows = column[self.items].reshape(len(self.sizes), -1).astype(np.float64, copy=False)
        if self.inside is not None:
            np.copyto(rows, rest, where=~self.inside)
        return rows


def row_blocks(offsets: Ints) -> list[RowBlock]:
    """All lists; `offsets` says where they begin in the flat columns, and where the last ends."""
    sizes = np.diff(offsets)
    width = int(sizes.max(initial=0))
    if not len(sizes) or sizes.min() == width:
        step = _rows_of(width)
        return [
            RowBlock(slice(at, at + step), sizes[at : at + step], slice(at * width, (at + step) * width))
            for at in range(0, len(sizes), step)
        ]
    lengths = np.ceil(4 * np.log2(np.maximum(sizes, 1)))  # within a fifth
    blocks: list[RowBlock] = []
    for length in np.unique(lengths):
        lists = np.flatnonzero(lengths == length)
        width = int(sizes[lists].max())
        step = _rows_of(width)
        blocks += [_filled(lists[at : at + step], width, offsets) for at in range(0, len(lists), step)]
    return blocks


def _rows_of(width: int) -> int:
    return max(1, BLOCK_ITEMS // max(width, 1))


def _filled(lists: Ints, width: int, offsets: Ints) -> RowBlock:
    begin, sizes, columns = offsets[lists], offsets[lists + 1] - offsets[lists], np.arange(width)
    inside = columns < sizes[:, None]
    return RowBlock(lists, sizes, np.where(inside, begin[:, None] + columns, 0), inside)


def for_each(blocks: Sequence[RowBlock], fill: Callable[[RowBlock], None], threads: int | None = None) -> None:
    workers = min(threads or os.cpu_count() or 1, len(blocks))
    if workers < 2:
        for block in blocks:
            fill(block)
    else:
        with ThreadPoolExecutor(workers) as pool:
            # Reading the results raises here what went wrong there.
            list(pool.map(fill, blocks))


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


def first_places(scores: Floats, depth: int, inside: Flags | None = None) -> tuple[Ints, Flags]:
    """Flat places of the highest scores of every row, falling, and which neighbors are alike.

    A few more than `depth` if there are. Alike means: in all bits but those that the column's number took. Among these,
    earlier columns come first.
    """
    rows, columns = scores.shape
    bits = columns.bit_length()  # so that no column's number is all ones, and no negative key becomes -0.0
    mask, width = (1 << bits) - 1, min(columns, depth + SPARE)
    keys = 0.0 - scores  # the highest come first, and -0.0 becomes 0.0
    packed = keys.view(np.int64)
    packed &= ~mask
    # Where the sign is negative, larger bits are lower numbers.
    packed |= ((packed >> 63) & mask) ^ np.arange(columns)
    if width < columns:
        keys.partition(width - 1, axis=1)
        keys = np.ascontiguousarray(keys[:, :width])
    keys.sort(axis=1)
    packed = keys.view(np.int64)
    heads = packed >> bits
    alike = heads[:, 1:] == heads[:, :-1]
    if inside is not None:
        alike &= inside[:, 1:width]
    packed ^= packed >> 63
    packed &= mask
    packed += np.arange(0, rows * columns, columns)[:, None]
    return packed, alike


def all_places(scores: Floats, inside: Flags | None = None) -> tuple[Ints, Flags]:
    """Flat places of every row, by falling score and then by column, and which neighbors are equal."""
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
    alike &= seen[:, 1:] == seen[:, :-1]
    return places, alike
