"""A file of TREC text in pieces of whole queries, so that several are worked on at once and few need memory.

A piece that is odd in any way is not read here: the reader of whole files then looks at all of it and says what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import IO

import polars as pl

from rankgauge.data.read import trec
from rankgauge.data.read.bytes import GZIP, HEAD, ZSTANDARD, Source, damages, gzip_blocks, unpack_blocks
from rankgauge.data.read.kind import detect
from rankgauge.data.read.trec import Layout
from rankgauge.data.tables.table import Pieces

Text = Callable[[], bytes | None]
_LOOK_BACK = 1 << 16
_GLANCE = 1000
"""Lines at the beginning that are looked at to see whether queries are scattered."""
_STRETCH = 1 << 12
_PACKED = 4
"""About as many bytes as one of packed text becomes."""


def pieces_of(source: Source, number: str, size: int) -> Pieces | None:
    """Pieces of about `size` bytes; None for what cannot be cut: other formats, and what can be read only once."""
    if source.is_stream or not source.path.is_file():
        return None
    with source.path.open("rb") as file:
        start, length = file.read(4), file.seek(0, 2)
    guess = length * _PACKED
    if start.startswith(GZIP):
        texts = _packed_texts(gzip_blocks(source.path, size))
    elif start == ZSTANDARD:
        texts = _packed_texts(unpack_blocks(source.path, size))
    elif not start:
        return None
    elif length <= size:
        return Pieces(iter([SmallFile(source, number, length)]), length)
    else:
        texts, guess = _plain_texts(source.path, size), length
    head = source.head()
    if detect(source.name, head).kind != "trec":
        return None
    layout = trec.layout_of(head, number)

    return Pieces((TextPiece(text, layout, number) for text in texts), guess, scattered=_is_scattered(head))


@dataclass(frozen=True)
class TextPiece:
    """A part of a file; its text is None where packed data are damaged, or a file shrinks."""

    text: Text
    layout: Layout
    number: str

    def __call__(self) -> pl.DataFrame | None:
        text = self.text()
        return None if text is None else trec.read_piece(text, self.layout, self.number)


def _is_scattered(head: bytes) -> bool:
    """Whether a query comes again after another; one that a file's beginning shows so is seldom the only one."""
    words = (line.split(None, 1) for line in head.splitlines()[:_GLANCE])
    queries = [query for query, _ in groupby(line[0] for line in words if line and not line[0].startswith(b"#"))]
    return len(set(queries)) < len(queries)


@dataclass(frozen=True)
class SmallFile:
    """A file that is one piece: even the look at its beginning is left to whoever calls."""

    source: Source
    number: str
    size: int

    def __call__(self) -> pl.DataFrame | None:
        text = self.source.path.read_bytes()
        layout = self._layout(text)
        return None if layout is None else trec.read_piece(text, layout, self.number)

    def regular(self) -> trec.Regular | None:
        text = self.source.path.read_bytes()
        layout = self._layout(text)
        return None if layout is None else trec.regular(text, layout)

    def _layout(self, text: bytes) -> Layout | None:
        head = text[:HEAD]
        return trec.layout_of(head, self.number) if detect(self.source.name, head).kind == "trec" else None


def read_together(files: Sequence[SmallFile]) -> tuple[pl.DataFrame, list[int]] | None:
    """All rows of some files of one form, and how many each has; None unless one scan is sure to read all of them right.

    A scan of many files takes two thirds of the time of a scan for each.
    """
    texts: list[trec.Regular] = []
    for file in files:
        text = file.regular()
        if text is None:
            return None
        texts.append(text)
    frame = trec.read_together(texts, files[0].number)
    return None if frame is None else (frame, [text.lines for text in texts])


def _plain_texts(path: Path, size: int) -> Iterator[Text]:
    """The cuts are found here, the text between them is read by whoever calls."""

    def text(begin: int, end: int) -> Text:
        def read() -> bytes | None:
            with path.open("rb") as file:
                file.seek(begin)
                found = file.read(end - begin)
            return found if len(found) == end - begin else None  # the file was cut short meanwhile

        return read

    with path.open("rb") as file:
        for begin, end in cuts(file, size):
            yield text(begin, end)


def _packed_texts(blocks: Iterator[bytes]) -> Iterator[Text]:
    try:
        for text in cut_blocks(blocks):
            yield lambda text=text: text  # type: ignore[misc]
    except damages():
        yield lambda: None  # damaged: the reader of whole files says how


def cuts(file: IO[bytes], size: int) -> Iterator[tuple[int, int]]:
    """Where the pieces of a file begin and end; one that a single query fills grows until the query ends."""
    whole = file.seek(0, 2)
    begin = 0
    while begin < whole:
        end, at = begin + size, None
        while end < whole and (at := _last_cut(file, begin, end)) is None:
            end += end - begin
        yield begin, at or whole
        begin = at or whole


def _last_cut(file: IO[bytes], begin: int, end: int) -> int | None:
    """The last place to cut between two others; what is near the end is looked at first."""
    back = _LOOK_BACK
    while True:
        start = max(begin, end - back)
        file.seek(start)
        at = last_change(file.read(end - start))
        if at is not None:
            return start + at
        if start == begin:
            return None
        back *= 4


def cut_blocks(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """A text that comes in blocks, cut where a query ends; one that fills several blocks is held until its end."""
    held: list[bytes] = []
    for block in blocks:
        # The line that the last block broke off is complete together with this one.
        window = b"".join([*held[-1:], block])
        held.append(block)
        at = last_change(window)
        if at is not None:
            text = b"".join(held)
            at += len(text) - len(window)
            yield text[:at]
            held = [text[at:]]
    if held:
        yield b"".join(held)


def last_change(text: bytes) -> int | None:
    """Where the last query of a text begins, unless it may have begun before the text; unfinished lines do not count."""
    end = text.rfind(b"\n")
    query = begin = None
    while end > 0:
        start = text.rfind(b"\n", 0, end) + 1
        words = text[start:end].split(None, 1)
        if start == 0:
            return None  # the first line may lack its beginning
        if words and not words[0].startswith(b"#"):
            if query is not None and words[0] != query:
                return begin
            query, begin = words[0], start
        # Blank lines are passed many at once: a file may hold millions.
        stretch = b"" if words else text[max(0, start - _STRETCH) : start]
        end = start - len(stretch) + stretch.find(b"\n") if stretch.isspace() else start - 1
    return None
