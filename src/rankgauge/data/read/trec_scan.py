"""A fast look over the bytes of a TREC text: is it regular enough for a direct scan, and if not, made so.

Masks over pieces that fit the cache: a byte costs about a nanosecond, and NumPy lets other threads run meanwhile.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from rankgauge.arrays import Flags
from rankgauge.data.read.file import BOM

Text = NDArray[np.uint8]
Mask = Flags
_PIECE = 1 << 18
"""Small enough for the cache, large enough that threads seldom wait for Python's lock."""
_LINE_END, _BLANK, _REMARK = 10, 32, 35
_COMMENTS = re.compile(rb"(?m)^#.*\n?")


def single_blanks(text: Text) -> bytes:
    """One blank between words, none at the ends of lines, no empty lines, no comments, no byte-order mark."""
    if text[:3].tobytes() == BOM:
        text = text[3:]
    squeeze = _Squeeze()
    return b"".join(_without_comments(squeeze(piece)) for piece in whole_lines(text, _PIECE)).rstrip(b" ")


def whole_lines(text: Text, size: int) -> Iterator[Text]:
    """Pieces of about this size that end at a line end."""
    begin = 0
    while begin < len(text):
        end = begin + size
        while end < len(text) and text[end - 1] != _LINE_END:
            rest = np.flatnonzero(text[end : end + 4096] == _LINE_END)
            end += int(rest[0]) + 1 if len(rest) else 4096
        yield text[begin:end]
        begin = end


class _Squeeze:
    """Of each run of blanks one remains: a line end if there is one among them, else a blank.

    Arrays of this size are costly to allocate, so one set of them serves all pieces.
    """

    def __init__(self) -> None:
        self._masks: Mask = np.empty((4, 0), np.bool_)

    def __call__(self, piece: Text) -> bytes:
        if self._masks.shape[1] < len(piece):
            self._masks = np.empty((4, len(piece)), np.bool_)
        line_end, white, kept, spare = self._masks[:, : len(piece)]
        np.equal(piece, _LINE_END, out=line_end)
        shifted = np.subtract(piece, np.uint8(9), out=spare.view(np.uint8))
        np.less_equal(shifted, np.uint8(4), out=white)  # tab to carriage return; smaller bytes have wrapped around
        is_plain = np.array_equal(white, line_end)
        white |= np.equal(piece, _BLANK, out=spare)
        # The first byte follows a line end, so a blank there follows one.
        kept[0] = white[0]
        np.logical_and(white[1:], white[:-1], out=kept[1:])
        late = np.logical_and(line_end, kept, out=spare)
        np.logical_not(kept, out=kept)
        if late.any():
            # The first of the run marks the line end that comes later in it.
            first = np.flatnonzero(white & kept)
            run = np.searchsorted(first, np.flatnonzero(late), "right") - 1
            line_end[first[run[run >= 0]]] = True
            is_plain = False
        if not is_plain:
            piece = _rewritten(piece, white, line_end, spare)
        return piece[kept].tobytes()


def _rewritten(piece: Text, white: Mask, line_end: Mask, spare: Mask) -> Text:
    """Line ends where they are marked, blanks where the text is white otherwise."""
    inner = np.logical_xor(white, line_end, out=spare)  # every line end is white
    out = np.multiply(piece, np.logical_not(white, out=white).view(np.uint8))
    out += np.multiply(inner.view(np.uint8), _BLANK, out=spare.view(np.uint8))
    out += np.multiply(line_end.view(np.uint8), _LINE_END, out=spare.view(np.uint8))
    return out


def _without_comments(lines: bytes) -> bytes:
    return _COMMENTS.sub(b"", lines) if b"#" in lines else lines


def regular_lines(text: Text, separators: int) -> int | None:
    """How many lines a text has, if each can be cut at this many single separators; else None.

    Every byte up to the blank is counted as one. Where another sign than the separator is among them, some line has too
    few fields, and whoever cuts the lines must refuse that: then each has exactly as many as it should.
    """
    lines = white_bytes = 0
    before = _LINE_END
    # Arrays of this size are costly to allocate, so the same two serve all pieces.
    masks = np.empty((2, min(_PIECE, len(text))), np.bool_)
    for begin in range(0, len(text), _PIECE):
        piece = text[begin : begin + _PIECE]
        white, sign = masks[:, : len(piece)]
        np.less_equal(piece, _BLANK, out=white)
        if (before <= _BLANK and white[0]) or np.logical_and(white[1:], white[:-1], out=sign[1:]).any():
            return None  # two separators meet, or a line begins or ends with one
        if np.equal(piece, _REMARK, out=sign).any() and _has_remark(piece, sign, opens=before == _LINE_END):
            return None
        white_bytes += int(np.count_nonzero(white))
        lines += int(np.count_nonzero(np.equal(piece, _LINE_END, out=sign)))
        before = int(piece[-1])
    inside = white_bytes - lines
    lines += before != _LINE_END
    return lines if inside == separators * lines and (before > _BLANK or before == _LINE_END) else None


def counted(text: Text) -> tuple[int, int]:
    """Lines and blanks of a text without ragged blanks, which needs no further look."""
    lines = blanks = 0
    mask = np.empty(min(_PIECE, len(text)), np.bool_)
    for begin in range(0, len(text), _PIECE):
        piece = text[begin : begin + _PIECE]
        lines += int(np.count_nonzero(np.equal(piece, _LINE_END, out=mask[: len(piece)])))
        blanks += int(np.count_nonzero(np.equal(piece, _BLANK, out=mask[: len(piece)])))
    return lines + bool(len(text) and text[-1] != _LINE_END), blanks


def is_binary(text: Text) -> bool:
    """Whether a byte is 0."""
    return any(not text[begin : begin + _PIECE].all() for begin in range(0, len(text), _PIECE))


def _has_remark(piece: Text, is_mark: Flags, *, opens: bool) -> bool:
    """A line begins with #."""
    return bool((opens and is_mark[0]) or np.any(is_mark[1:] & (piece[:-1] == _LINE_END)))
