"""A file of TREC text in parts of whole queries, so that several are worked on at once and few need memory.

A part that is odd in any way is not read here: the reader of whole files then looks at all of it and says what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

from rankgauge.data.read import trec
from rankgauge.data.read.bytes import GZIP, ZSTANDARD, Source, damages, gzip_blocks, unpack_blocks
from rankgauge.data.read.kind import detect
from rankgauge.data.table import Piece

_GLANCE = 1000
"""Lines at the beginning that are looked at to see whether queries are scattered."""
_STRETCH = 1 << 12


def parts_of(source: Source, number: str, size: int) -> Iterator[Piece] | None:
    """Parts of about `size` bytes; None for what cannot be cut: other formats, scattered queries, what can be read only once."""
    if source.is_stream or not source.path.is_file():
        return None
    with source.path.open("rb") as file:
        start = file.read(4)
    if start.startswith(GZIP):
        texts = _packed_texts(gzip_blocks(source.path, size))
    elif start == ZSTANDARD:
        texts = _packed_texts(unpack_blocks(source.path, size))
    else:
        texts = _plain_texts(source.path, size)
    try:
        head = source.head()
    except damages():
        return None
    if not start or detect(source.name, head).kind != "trec" or _is_scattered(head):
        return None
    layout = trec.layout_of(head, number)

    def read(text: Callable[[], bytes | None]) -> Any:
        found = text()
        return None if found is None else trec.read_piece(found, layout, number)

    return (partial(read, text) for text in texts)


def _is_scattered(head: bytes) -> bool:
    """Whether a query comes again after another; one that a file's beginning shows so is seldom the only one."""
    words = (line.split(None, 1) for line in head.splitlines()[:_GLANCE])
    queries = [query for query, _ in groupby(line[0] for line in words if line and not line[0].startswith(b"#"))]
    return len(set(queries)) < len(queries)


def _plain_texts(path: Path, size: int) -> Iterator[Callable[[], bytes | None]]:
    """The cuts are found here, the text between them is read by whoever calls."""

    def read(begin: int, end: int) -> bytes | None:
        with path.open("rb") as file:
            file.seek(begin)
            found = file.read(end - begin)
        return found if len(found) == end - begin else None  # the file was cut short meanwhile

    with path.open("rb") as file:
        whole, begin = file.seek(0, 2), 0
        while begin < whole:
            at, query = file.seek(min(begin + size, whole)), None
            at += len(file.readline())  # the rest of a line
            for line in file:
                words = line.split(None, 1)
                if words and not words[0].startswith(b"#"):
                    if query is not None and words[0] != query:
                        break
                    query = words[0]
                at += len(line)
            yield partial(read, begin, at)
            begin = at


def _packed_texts(blocks: Iterator[bytes]) -> Iterator[Callable[[], bytes | None]]:
    try:
        for text in cut_blocks(blocks):
            yield lambda text=text: text  # type: ignore[misc]
    except damages():
        yield lambda: None  # damaged: the reader of whole files says how


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
