from __future__ import annotations

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from rankgauge.data.read import trec
from rankgauge.data.read.trec import single_blanks, whole_lines

texts = st.lists(st.sampled_from([b" ", b"\t", b"\r", b"\n", b"\n", b"\v", b"#", b"a", b"bc", b"\x01", "é".encode()]))


def as_array(text):
    return np.frombuffer(text, np.uint8)


def one_by_one(text):
    """The same by Python's own splitting."""
    lines = [b" ".join(line.split()) for line in text.split(b"\n")]
    return [line for line in lines if line and not line.startswith(b"#")]


@given(texts.map(b"".join), st.integers(1, 12))
@example(b"a \n\n \r\n b", 1)
@example(b"\n \n", 2)
@example(b" # c\n#\na", 3)
@example(b"a   ", 4)
def test_blanks_become_single_as_if_each_line_were_split(text, size):
    trec.PIECE, kept = size, trec.PIECE
    try:
        made = single_blanks(as_array(text))
    finally:
        trec.PIECE = kept
    assert [line for line in made.split(b"\n") if line] == one_by_one(text)
    assert b"  " not in made
    assert b"\n\n" not in made
    assert not made.startswith((b"\n", b" "))


@given(texts.map(b"".join), st.integers(1, 9))
def test_pieces_are_whole_lines_and_make_up_the_text(text, size):
    pieces = [piece.tobytes() for piece in whole_lines(as_array(text), size)]
    assert b"".join(pieces) == text
    assert all(piece.endswith(b"\n") for piece in pieces[:-1])


def test_a_line_may_be_longer_than_any_piece():
    text = b"x" * 10_000 + b"\n" + b"y" * 9_000
    assert [len(piece) for piece in whole_lines(as_array(text), 5)] == [10_001, 9_000]
