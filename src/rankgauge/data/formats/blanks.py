"""Ragged blanks made single, so that one fast parser can read any TREC text.

Masks over pieces that fit the cache: a byte costs about a nanosecond, and NumPy lets other threads run meanwhile.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from rankgauge.data.files import BOM

Text = NDArray[np.uint8]
Mask = NDArray[np.bool_]
_PIECE = 1 << 18
_BLANK, _LINE_END = np.uint8(32), np.uint8(10)
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
        # The first byte stands after a line end, so a blank there follows one.
        kept[0] = white[0]
        np.logical_and(white[1:], white[:-1], out=kept[1:])
        late = np.logical_and(line_end, kept, out=spare)
        np.logical_not(kept, out=kept)
        if late.any():
            # The first of the run stands for the line end that comes later in it.
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
