"""How many values the pages of a Parquet file state: Polars ends the process where a damaged one states fewer than none.

The headers are in Thrift's compact protocol; of a small file all are looked at, which takes about a millisecond. Large
ones are left to Polars: there a command has a child that may die (`cli/limited.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

_SMALL, _SHORT = 1 << 20, 1 << 14
"""Bytes of a file, and of its footer, that are looked at."""
_TRUE, _FALSE, _BYTE, _DOUBLE, _TEXT, _LIST, _SET, _MAP, _STRUCT = 1, 2, 3, 7, 8, 9, 10, 11, 12
_ROW_GROUPS, _COLUMNS, _ABOUT, _VALUES, _SIZE, _FIRST, _DICTIONARY = 4, 1, 3, 5, 7, 9, 11
"""Numbers of fields: of the file; of a group of rows; of a column; of what is told about it, four times."""
_LONGEST = 63
"""Bits of a number."""
_PACKED, _COUNTED = 3, (5, 7, 8)
"""Of the header of a page: its size, and the headers of its three kinds, whose first field counts values."""


def refuse_counts(data: NDArray[np.uint8]) -> None:
    """An error of Polars where a page states more values than its column, or fewer than none."""
    footer = int.from_bytes(data[-8:-4].tobytes(), "little")
    if len(data) > _SMALL or not 0 < footer <= min(_SHORT, len(data) - 8):
        return
    whole = data.tobytes()
    try:
        for stated, values in _pages(whole, len(whole) - 8 - footer):
            if not 0 <= values <= stated:
                raise pl.exceptions.ComputeError(f"a page of a column of {stated:,} values states {values:,}")
    except (AttributeError, IndexError, KeyError, OverflowError, RecursionError, TypeError):
        return  # damaged otherwise, which Polars notices


def _pages(data: bytes, footer: int) -> Iterator[tuple[int, int]]:
    """The values of each page beside those of its column."""
    for group in _Thrift(data, footer).struct().get(_ROW_GROUPS, ()):
        for column in group[_COLUMNS]:
            about = column[_ABOUT]
            at = min(about[_FIRST], about.get(_DICTIONARY) or about[_FIRST])
            end = at + about[_SIZE]
            while 0 <= at < end:
                reader = _Thrift(data, at)
                header = reader.struct()
                yield from ((about[_VALUES], header[kind][1]) for kind in _COUNTED if kind in header)
                at = reader.at + max(0, header[_PACKED])


class _Thrift:
    """Reads structs as dicts by the numbers of their fields; IndexError where the data end."""

    def __init__(self, data: bytes, at: int) -> None:
        self.data, self.at = data, at

    def struct(self) -> dict[int, Any]:
        fields: dict[int, Any] = {}
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._whole()
            kind = head & 15
            fields[number] = kind == _TRUE if kind in {_TRUE, _FALSE} else self._value(kind)
        return fields

    def _value(self, kind: int) -> Any:
        if kind == _STRUCT:
            return self.struct()
        if kind in {_LIST, _SET}:
            head = self._byte()
            count = head >> 4 if head >> 4 < 15 else self._varint()
            return [self._value(head & 15) for _ in range(count)]
        if kind == _MAP:
            count = self._varint()
            kinds = self._byte() if count else 0
            return [(self._value(kinds >> 4), self._value(kinds & 15)) for _ in range(count)]
        if kind in {_TRUE, _FALSE, _BYTE}:
            return self._byte()
        if kind in {_DOUBLE, _TEXT}:
            size = 8 if kind == _DOUBLE else self._varint()
            self.at += size
            if self.at > len(self.data):  # as a damaged list of 10¹⁵ numbers soon is
                raise IndexError
            return None
        return self._whole()

    def _byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def _varint(self) -> int:
        found = shift = 0
        while (byte := self._byte()) > 127:
            found |= (byte & 127) << shift
            shift += 7
            if shift > _LONGEST:
                raise OverflowError
        return found | byte << shift

    def _whole(self) -> int:
        """Signed numbers take turns: 0, -1, 1, -2, …"""
        found = self._varint()
        return found >> 1 ^ -(found & 1)
