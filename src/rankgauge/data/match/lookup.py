"""What hashes of documents find: the judged rows of a run, and documents that repeat within a query.

A table with a few places for each judged document names the one document that a row can be, and the texts decide.
Where two judged documents of a query have one place, the second is found by a sorted key, which holds the code of the
query and part of the hash. So a hash can cost time but never change a result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rankgauge.arrays import Flags, Floats, Ints
from rankgauge.data.match.segments import Column, QueryRows, Stretch
from rankgauge.data.match.side_by_side import ShortLists, fits
from rankgauge.data.match.threads import AT_ONCE, in_threads
from rankgauge.data.tables import faults
from rankgauge.data.tables.table import FrameTable
from rankgauge.kernels.ranking import SHORT

Hashes = NDArray[np.uint64]
_SPARSE = 4
"""Places of the table for each judged document: one unjudged document in this many, or fewer, is compared in vain."""
_LARGEST = 1 << 26
_NARROW = 1 << 16
"""Queries of up to this many rows are searched by 32 bits of the hash; in longer ones too many would be equal by chance."""


class Lookup:
    """Judged documents of the queries with codes 0 … queries - 1; the next code is everybody else's.

    Without `documents` the hashes themselves say which document it is: no two documents have the same.
    """

    def __init__(self, code: Ints, hashes: Hashes, documents: pl.Series | None, value: Floats, queries: int) -> None:
        self._hashes, self._documents, self._value = hashes, documents, value
        self._code_bits = np.uint64((queries + 1).bit_length())
        wanted = min(_SPARSE * len(value), _LARGEST) // (queries + 1)
        self._width = max(1, wanted.bit_length())
        self._table = np.zeros((queries + 1) << self._width, np.int32)
        place, number = self._places(code, hashes), np.arange(1, len(value) + 1, dtype=np.int32)
        self._table[place] = number
        crowded = np.flatnonzero(self._table[place] != number)
        self._table[place[crowded]] = -np.abs(self._table[place[crowded]])
        key = self._keys(code[crowded], hashes[crowded])
        order = np.argsort(key, kind="stable")
        self._key, self._crowded = key[order], crowded[order]

    def find(self, code: Ints, hashes: Hashes, texts: Callable[[Ints], pl.Series]) -> tuple[Ints, Floats]:
        """Which of some rows are judged, and their judged values; `texts` gives the documents of chosen rows."""
        number = self._table[self._places(code, hashes)]
        row = np.flatnonzero(number)
        number = number[row]
        at = np.abs(number) - 1
        same = self._same(row, at, hashes, texts)
        rest = row[~same & (number < 0)]
        if not len(rest):
            return row[same], self._value[at[same]]
        found = [(row[same], at[same]), *self._among_crowded(rest, code, hashes, texts)]
        rows = np.concatenate([rows for rows, _ in found])
        order = np.argsort(rows)
        return rows[order], self._value[np.concatenate([ats for _, ats in found])[order]]

    def _same(self, row: Ints, at: Ints, hashes: Hashes, texts: Callable[[Ints], pl.Series]) -> Flags:
        """Whether rows hold the documents of judged rows."""
        same = self._hashes[at] == hashes[row]
        if self._documents is not None:
            alike = np.flatnonzero(same)
            same[alike] = (texts(row[alike]) == self._documents[at[alike]]).to_numpy()
        return same

    def _among_crowded(
        self, row: Ints, code: Ints, hashes: Hashes, texts: Callable[[Ints], pl.Series]
    ) -> Iterator[tuple[Ints, Ints]]:
        """Rows that are judged, but not at the top of their place."""
        key = self._keys(code[row], hashes[row])
        at = np.searchsorted(self._key, key)
        while len(row):  # once, unless two judged documents of a query share a key
            there = at < len(self._key)
            there[there] = self._key[at[there]] == key[there]
            row, key, at = row[there], key[there], at[there]
            same = self._same(row, self._crowded[at], hashes, texts)
            yield row[same], self._crowded[at[same]]
            row, key, at = row[~same], key[~same], at[~same] + 1

    def _keys(self, code: Ints, hashes: Hashes) -> Hashes:
        return (code.astype(np.uint64) << (np.uint64(64) - self._code_bits)) | (hashes >> self._code_bits)

    def _places(self, code: Ints, hashes: Hashes) -> Ints:
        """Each query has its own stretch of the table, so that its rows touch little memory."""
        place: Ints = (hashes >> np.uint64(64 - self._width)).astype(np.int64)
        place += code << self._width
        return place


def refuse_duplicates(table: FrameTable, segments: QueryRows, hashes: Column) -> None:
    """Documents that repeat within a query."""
    short = fits(segments.size, SHORT)

    def repeats(stretch: Stretch) -> Ints:
        own = hashes.take(stretch)
        return repeats_in(stretch, own, ShortLists(stretch.start, own) if short else None)

    refuse_repeated(table, in_threads(repeats, segments.stretches(AT_ONCE)))


def repeats_in(stretch: Stretch, hashes: Hashes, lists: ShortLists | None = None) -> Ints:
    """Rows of the table that may repeat a document; `lists` are those of the stretch side by side, if there are."""
    if lists is not None and not lists.may_repeat():
        return np.empty(0, np.int64)
    return stretch.source(_suspects(stretch.start, hashes))


def refuse_repeated(table: FrameTable, found: Sequence[Ints]) -> None:
    """Where ids and not only hashes repeat; what was found in each stretch may be too much, but never too little."""
    suspects = np.concatenate(found)
    if not len(suspects):
        return
    rows = table.data[np.sort(suspects)].select("query", "document")
    repeats = rows.group_by("query", "document", maintain_order=True).len().filter(pl.col("len") > 1)
    pairs = list(repeats.select("query", "document").iter_rows())
    faults.refuse(faults.duplicates(pairs, int((repeats["len"] - 1).sum()), len(table.rows), table))


def _suspects(start: Ints, hashes: Hashes) -> Ints:
    """All rows of the segments in which a hash repeats."""
    size = np.diff(start)
    width = int(size.max(initial=0))
    narrow = hashes.astype(np.uint32) if width <= _NARROW else hashes  # the cast keeps the low bits
    is_sparse = width * len(size) > 4 * len(hashes)
    repeats = _in_one_sort(size, narrow) if is_sparse else _in_rows(size, width, narrow)
    return np.flatnonzero(np.repeat(repeats, size)) if repeats.any() else np.empty(0, np.int64)


def _in_rows(size: Ints, width: int, hashes: NDArray[np.unsignedinteger]) -> Flags:
    """One row of a matrix for each segment: sorting short rows is much faster than sorting everything."""
    if width * len(size) == len(hashes):
        matrix, filling = np.sort(hashes.reshape(-1, width), axis=1), 0
    else:
        inside = np.arange(width) < size[:, None]
        matrix = np.full(inside.shape, np.iinfo(hashes.dtype).max, hashes.dtype)
        matrix[inside] = hashes
        matrix.sort(axis=1)  # the filling is the largest number, so the hashes come first
        filling = int(np.maximum(width - size - 1, 0).sum())
    equal = matrix[:, 1:] == matrix[:, :-1]
    if np.count_nonzero(equal) == filling:
        return np.zeros(len(size), np.bool_)
    return np.any(equal & (np.arange(1, width) < size[:, None]), axis=1)


def _in_one_sort(size: Ints, hashes: NDArray[np.unsignedinteger]) -> Flags:
    """For a few long segments among many short ones, where a matrix would be mostly filling."""
    segment = np.repeat(np.arange(len(size)), size)
    ordered = hashes[np.lexsort((hashes, segment))]
    same = (ordered[1:] == ordered[:-1]) & (segment[1:] == segment[:-1])
    repeats = np.zeros(len(size), np.bool_)
    repeats[segment[1:][same]] = True
    return repeats
