"""Bytes changed at random: single ones, lines, cells, numbers, and words that readers stumble over."""

from __future__ import annotations

import re

import numpy as np

WORDS = (
    *(b"\r", b"\n", b"\r\n", b"\xef\xbb\xbf", b"\x00", b"\x01", b"\x1b[2J", b"\xff\xfe", b'"', b"'", b";", b",", b"\t"),
    *(b" ", b"#", b"{", b"}", b"[", b"]", b":", b"\\", b"\\ud800", b"\xe2\x80\xa8", b"\xc3\xa9", b"0", b"-1", b"1e308"),
    *(b"1.8e308", b"nan", b"inf", b"1_0", b"0,5", b"0x10", b"9" * 400, b"99999999999999999999", b"1e-400", b"null"),
    *(b"qid:", b"1:2", b"7:1e400"),
    *(b"query", b"document", b"score", b"value", b"system", b"true", b"\xed\xa0\x80", b"\x85", b"\xc2\xa0"),
)


def mutated(text: bytes, draw: np.random.Generator) -> bytes:
    """One change most of the time, up to four."""
    for _ in range(min(4, int(draw.geometric(0.6)))):
        text = CHANGES[draw.integers(len(CHANGES))](text, draw)
    return text


def _place(text: bytes, draw: np.random.Generator) -> int:
    return int(draw.integers(len(text) + 1))


def _flip(text: bytes, draw: np.random.Generator) -> bytes:
    at = _place(text, draw)
    return text[:at] + bytes([int(draw.integers(256))]) + text[at + 1 :]


def _insert(text: bytes, draw: np.random.Generator) -> bytes:
    at = _place(text, draw)
    return text[:at] + WORDS[draw.integers(len(WORDS))] + text[at:]


def _replace_word(text: bytes, draw: np.random.Generator) -> bytes:
    words = text.split(b" ") if b" " in text else text.split(b",")
    words[draw.integers(len(words))] = WORDS[draw.integers(len(WORDS))]
    return (b" " if b" " in text else b",").join(words)


def _number(text: bytes, draw: np.random.Generator) -> bytes:
    """Another number in place of one: most readers take it."""
    found = list(re.finditer(rb"-?\d+(?:\.\d+)?", text))
    if not found:
        return text
    one = found[draw.integers(len(found))]
    new = b"%d" % draw.integers(-1, 12) if draw.random() < 0.5 else repr(float(draw.normal())).encode()
    return text[: one.start()] + new + text[one.end() :]


def _cut(text: bytes, draw: np.random.Generator) -> bytes:
    begin, end = sorted((_place(text, draw), _place(text, draw)))
    return text[:begin] + text[end:]


def _repeat(text: bytes, draw: np.random.Generator) -> bytes:
    begin, end = sorted((_place(text, draw), _place(text, draw)))
    return text[:end] + text[begin:end] + text[end:]


def _line(text: bytes, draw: np.random.Generator) -> bytes:
    lines = text.split(b"\n")
    first, second = draw.integers(len(lines), size=2)
    lines[first], lines[second] = lines[second], lines[first]
    return b"\n".join(lines)


def _truncate(text: bytes, draw: np.random.Generator) -> bytes:
    return text[: _place(text, draw)]


def _mark(text: bytes, draw: np.random.Generator) -> bytes:
    return b"\xef\xbb\xbf" * int(draw.integers(1, 4)) + text


def _blanks(text: bytes, draw: np.random.Generator) -> bytes:
    return b"\n" * int(draw.integers(1, 50)) + text + b"\n" * int(draw.integers(50))


CHANGES = (_flip, _insert, _insert, _replace_word, _replace_word, _number, _number, _number)
CHANGES += (_cut, _repeat, _line, _line, _truncate, _mark, _blanks)
