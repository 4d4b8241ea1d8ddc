"""The lines of a large file of TREC text, brought together by query on the disk, so that memory is needed for a few queries only."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from tempfile import TemporaryFile
from threading import Lock
from typing import Self

import numpy as np
from numpy.typing import NDArray

from rankgauge.arrays import Ints
from rankgauge.data.read.bytes import BOM
from rankgauge.data.read.trec import single_blanks, whole_lines
from rankgauge.data.read.trec_pieces import TextPiece
from rankgauge.data.tables.table import Piece

Signs = NDArray[np.uint8]
_MOST = 256
"""Groups; with more of them the lines that a piece of the file has for each would be too few to be worth a read."""
_WIDE = 4
"""Lines are copied at the width of the longest if that takes at most so many times the memory of the text."""
_BLOCK = 1 << 20
"""Bytes that are worked on together: few enough for the cache, and enough that threads seldom wait for each other. A quarter of
them took an eighth longer in all."""
_STEP = 8
_LOW, _HIGH = (np.uint64(int.from_bytes(bytes([byte]) * _STEP, "little")) for byte in (0x21, 0x80))
_ONE, _TO_LOWEST, _HALF, _MIX = np.uint64(1), np.uint64(7), np.uint64(32), np.uint64(0x9E3779B97F4A7C15)


class Regrouped:
    """Whole queries in groups; the lines of a query keep their order.

    The file has no name where the system allows it, and vanishes with the process, however that ends.
    """

    def __init__(self, groups: int) -> None:
        self._count = min(max(groups, 1), _MOST)
        self._places: list[list[tuple[int, int, int]]] = [[] for _ in range(self._count)]
        """Of each group: the number of a piece, and where its lines begin and end."""
        self._file = TemporaryFile()  # noqa: SIM115 - closed by __exit__
        self._lock = Lock()
        self._like: TextPiece | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._file.close()

    def add(self, task: tuple[int, Piece]) -> bool:
        """Pieces of the file with their numbers, in whatever order they come; False for one that cannot be read."""
        number, piece = task
        if not isinstance(piece, TextPiece):
            return False
        self._like = piece
        text = piece.text()
        if text is None or text.startswith(BOM):
            return False
        groups: list[list[bytes | memoryview]] = [[] for _ in range(self._count)]
        for block in whole_lines(np.frombuffer(text if text.endswith(b"\n") else text + b"\n", np.uint8), _BLOCK):
            grouped, ends = _by_group(block, self._count)
            for lines, first, last in zip(groups, [0, *ends], ends, strict=False):
                lines.append(grouped[first:last])
        packed = [b"".join(lines) for lines in groups]
        with self._lock:
            begin = self._file.seek(0, io.SEEK_END)
            self._file.writelines(packed)
        for places, part in zip(self._places, packed, strict=True):
            places.append((number, begin, begin + len(part)))
            begin += len(part)
        return True

    def pieces(self) -> Iterator[Piece]:
        """The groups, read as the pieces of the file are."""
        for places in self._places:
            if any(end > begin for _, begin, end in places) and self._like is not None:
                yield replace(self._like, text=lambda places=places: self._read(places))  # type: ignore[misc]

    def _read(self, places: list[tuple[int, int, int]]) -> bytes:
        parts: list[bytes] = []
        for _, begin, end in sorted(places):
            with self._lock:
                self._file.seek(begin)
                parts.append(self._file.read(end - begin))
        return b"".join(parts)


def _by_group(signs: Signs, groups: int, *, tidy: bool = False) -> tuple[memoryview, list[int]]:
    """The lines of a block in order of their groups, and where each group ends."""
    end = np.flatnonzero(signs == ord("\n")) + 1
    start = np.concatenate(([0], end[:-1]))
    if not tidy and np.any(signs[start] <= ord(" ")):
        text = single_blanks(signs).rstrip(b"\n")  # no line begins with a blank or is empty
        if not text:
            return memoryview(b""), [0] * groups
        return _by_group(np.frombuffer(text + b"\n", np.uint8), groups, tidy=True)
    widest = int((end - start).max())
    padded = np.concatenate((signs, np.zeros(max(widest, _STEP), np.uint8)))
    group = (_keys(padded, start) >> _HALF) % np.uint64(groups)
    order = np.argsort(group.astype(np.uint16), kind="stable")  # by radix, which NumPy has for 16 bits only
    start, length = start[order], (end - start)[order]
    ends = np.concatenate(([0], np.cumsum(length)))[np.cumsum(np.bincount(group.astype(np.int64), minlength=groups))]
    if widest * len(start) > _WIDE * len(signs):
        lines = zip(start.tolist(), (start + length).tolist(), strict=True)
        return memoryview(b"".join(signs.data[first:last] for first, last in lines)), ends.tolist()
    rows = np.ndarray(len(signs), f"V{widest}", padded, strides=(1,))[start].view(np.uint8).reshape(-1, widest)
    kind = np.min_scalar_type(widest)
    return rows[np.arange(widest, dtype=kind) < length.astype(kind)[:, None]].data, ends.tolist()


def _keys(padded: Signs, start: Ints) -> NDArray[np.uint64]:
    """A number for the first word of each line, the same for the same word; eight bytes of it at a time."""
    words = np.ndarray(len(padded) - _STEP + 1, "<u8", padded, strides=(1,))
    key, rows = np.zeros(len(start), np.uint64), np.arange(len(start))
    while len(rows):
        word = words[start[rows]]
        white = (word - _LOW) & ~word & _HIGH  # the lowest bit marks the first byte up to the blank
        key[rows] = (key[rows] ^ (word & (((white & (~white + _ONE)) >> _TO_LOWEST) - _ONE))) * _MIX
        rows = rows[white == 0]
        start = start + _STEP
    return key
