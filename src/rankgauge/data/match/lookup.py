"""Which rows of a run are judged: a table of marks lets most pass by, sorted 64-bit keys find, the texts decide.

A key holds the code of the query and part of a hash of the document. Rows without a mark have no judgment; of the
others, those whose key is found are compared as texts. So a hash can cost time but never change a result.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rankgauge.arrays import Floats, Ints

Hashes = NDArray[np.uint64]
_SPARSE = 16
"""Places of the table for each judged document: one unjudged document in so many is looked up in vain."""
_LARGEST = 1 << 26


class Lookup:
    """Judged documents of the queries with codes 0 … queries - 1; the next code is everybody else's."""

    def __init__(self, code: Ints, hashes: Hashes, documents: pl.Series, value: Floats, queries: int) -> None:
        self._code_bits = np.uint64((queries + 1).bit_length())
        key = self._keys(code, hashes)
        order = np.argsort(key, kind="stable")
        self._key, self._value = key[order], value[order]
        self._documents = documents[order]
        wanted = min(_SPARSE * len(value), _LARGEST) // (queries + 1)
        self._width = max(1, wanted.bit_length())
        self._marks = np.zeros((queries + 1) << self._width, np.bool_)
        self._marks[self._places(code, hashes)] = True

    def find(self, code: Ints, hashes: Hashes, texts: Callable[[Ints], pl.Series]) -> tuple[Ints, Floats]:
        """Which of some rows are judged, and their judged values; `texts` gives the documents of chosen rows."""
        row = np.flatnonzero(self._marks[self._places(code, hashes)])
        key = self._keys(code[row], hashes[row])
        at = np.searchsorted(self._key, key)
        found: list[tuple[Ints, Ints]] = []
        while len(row):  # once, unless two judged documents of a query share a key
            there = at < len(self._key)
            there[there] = self._key[at[there]] == key[there]
            row, key, at = row[there], key[there], at[there]
            same = (texts(row) == self._documents[at]).to_numpy()
            found.append((row[same], at[same]))
            row, key, at = row[~same], key[~same], at[~same] + 1
        if len(found) == 1:
            return found[0][0], self._value[found[0][1]]
        rows = np.concatenate([rows for rows, _ in found] or [row])
        order = np.argsort(rows)
        return rows[order], self._value[np.concatenate([ats for _, ats in found] or [at])[order]]

    def _keys(self, code: Ints, hashes: Hashes) -> Hashes:
        return (code.astype(np.uint64) << (np.uint64(64) - self._code_bits)) | (hashes >> self._code_bits)

    def _places(self, code: Ints, hashes: Hashes) -> Ints:
        """Each query has a stretch of the table of its own, so that its rows touch little memory."""
        place: Ints = (hashes >> np.uint64(64 - self._width)).astype(np.int64)
        place += code << self._width
        return place
