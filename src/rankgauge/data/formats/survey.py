"""One fast look over the bytes of a text: is it as regular as a direct scan needs?

A direct scan splits at single separators, so doubled blanks would shift its columns without any error. Looking for
them in pieces that fit the cache costs about a tenth of reading the file.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Text = NDArray[np.uint8]
_PIECE = 1 << 18
"""Small enough for the cache, large enough that threads seldom wait for Python's lock."""
_LINE_END, _BLANK, _REMARK = 10, 32, 35


def regular_lines(text: Text, separators: int) -> int | None:
    """How many lines a text has, if each can be cut at so many single separators; else None.

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


def _has_remark(piece: Text, is_mark: NDArray[np.bool_], *, opens: bool) -> bool:
    """A line begins with #."""
    return bool((opens and is_mark[0]) or np.any(is_mark[1:] & (piece[:-1] == _LINE_END)))
