"""Documents that stand twice in a query: equal hashes are suspects, only equal texts are duplicates."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rankgauge.arrays import Flags, Ints
from rankgauge.data.match.lookup import Hashes
from rankgauge.data.match.segments import Segments, Stretch
from rankgauge.data.match.threads import AT_ONCE, in_threads
from rankgauge.data.tables import faults
from rankgauge.data.tables.table import FrameTable

_NARROW = 1 << 16
"""Queries of up to so many rows are searched by 32 bits of the hash; in longer ones too many would be equal by chance."""


def refuse_duplicates(table: FrameTable, segments: Segments, hashes: Hashes) -> None:
    def found(stretch: Stretch) -> Ints:
        return stretch.source(_suspects(stretch.start, stretch.take(hashes)))

    suspects = np.concatenate(in_threads(found, segments.stretches(AT_ONCE)))
    if not len(suspects):
        return
    rows = table.data[np.sort(suspects)].select("query", "document")
    repeats = rows.group_by("query", "document", maintain_order=True).len().filter(pl.col("len") > 1)
    pairs = list(repeats.select("query", "document").iter_rows())
    faults.refuse(faults.duplicates(pairs, int((repeats["len"] - 1).sum()), len(table.data), table))


def _suspects(start: Ints, hashes: Hashes) -> Ints:
    """All rows of the segments in which a hash stands twice."""
    size = np.diff(start)
    width = int(size.max(initial=0))
    narrow = hashes.astype(np.uint32) if width <= _NARROW else hashes  # the cast keeps the low bits
    is_sparse = width * len(size) > 4 * len(hashes)
    repeats = _in_one_sort(size, narrow) if is_sparse else _in_rows(size, width, narrow)
    return np.flatnonzero(np.repeat(repeats, size)) if repeats.any() else np.empty(0, np.int64)


def _in_rows(size: Ints, width: int, hashes: NDArray[np.unsignedinteger]) -> Flags:
    """One row of a matrix for each segment: sorting short rows is much faster than sorting everything."""
    if width * len(size) == len(hashes):
        matrix = np.sort(hashes.reshape(-1, width), axis=1)
        return np.any(matrix[:, 1:] == matrix[:, :-1], axis=1)
    inside = np.arange(width) < size[:, None]
    matrix = np.full(inside.shape, np.iinfo(hashes.dtype).max, hashes.dtype)
    matrix[inside] = hashes
    matrix.sort(axis=1)  # the filling is the largest number, so the hashes come first
    return np.any((matrix[:, 1:] == matrix[:, :-1]) & inside[:, 1:], axis=1)


def _in_one_sort(size: Ints, hashes: NDArray[np.unsignedinteger]) -> Flags:
    """For a few long segments among many short ones, where a matrix would be mostly filling."""
    segment = np.repeat(np.arange(len(size)), size)
    ordered = hashes[np.lexsort((hashes, segment))]
    same = (ordered[1:] == ordered[:-1]) & (segment[1:] == segment[:-1])
    repeats = np.zeros(len(size), np.bool_)
    repeats[segment[1:][same]] = True
    return repeats
