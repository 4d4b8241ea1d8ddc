"""TREC text: judgments of four fields, runs of six, or of three as MS MARCO writes them.

A regular file goes straight to the parser, one with ragged blanks through a normalizer; a file in which something is
wrong is walked line by line, and only then. Long runs are read in parts of whole queries: a part that is odd in any way
is not read, and the reader of whole files then says what is wrong.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rankgauge.data.columns import looks_like
from rankgauge.data.read.bytes import (
    BOM,
    PIECE,
    UTF16,
    Content,
    Source,
    damages,
    marked_line,
    text_lines,
    without_marks,
)
from rankgauge.data.read.delimited import RowBook, lines_of, scanned
from rankgauge.data.table import Lines, Pairs, RowTable
from rankgauge.errors import plural
from rankgauge.tables.notes import Note, Tally, clip, noted

Text = NDArray[np.uint8]
_BLOCK = 1 << 23
_GLANCE, _GLANCED = 1 << 14, 1000
"""Bytes and lines at the beginning that say how words are separated, and whether queries are scattered."""
_LINE_END, _BLANK, _REMARK = 10, 32, 35
_BLANKS = bytes.maketrans(b"\t\v\f\r", b"    ")
_COMMENTS = re.compile(rb"(?m)^#.*\n?")
_TIMES = 1e8, 1e13
"""No grade is that large; seconds and milliseconds since 1970 are."""


@dataclass(frozen=True)
class Layout:
    """The fields of a line, and those of them that are read: of the last of these a number is made."""

    what: str
    fields: tuple[str, ...]
    used: tuple[str, ...]

    def fits(self, words: list[bytes]) -> bool:
        """Further words may follow the tag of a run, as in trec_eval: a rank in its place says that no id has a blank."""
        if len(words) <= len(self.fields) or self is not RUN:
            return len(words) == len(self.fields)
        return words[self.fields.index("rank")].removeprefix(b"-").isdigit()


_RUN = ("query", "iteration", "document", "rank", "score", "tag")
JUDGMENTS = Layout("judgments", ("query", "iteration", "document", "value"), ("query", "document", "value"))
RUN = Layout("a run", _RUN, ("query", "document", "score"))
RANKED = Layout("a run of ranks", ("query", "document", "rank"), ("query", "document", "rank"))


def layout_of(head: bytes, number: str) -> Layout:
    """Four fields for judgments; for runs three or six, as most of the first lines have."""
    if number == "value":
        return JUDGMENTS
    lines = (line.split() for line in without_marks(head)[:_GLANCE].splitlines()[:100])
    widths = Counter(len(words) for words in lines if words and not words[0].startswith(b"#"))
    return RANKED if widths[len(RANKED.fields)] > widths.total() / 2 else RUN


def read(source: Source, content: Content, number: str) -> RowTable:
    """Columns query, document and the number; faults name the lines that do not fit."""
    text, origin = content.bytes, source.origin
    layout = layout_of(content.head(), number)
    frame = _rows(text, layout, number, content.path)
    if frame is None and is_binary(text):
        raise binary(origin, text.tobytes()).error()
    if frame is None:
        return walk(text, layout, number, origin)
    if number == "value" and len(frame) and frame["value"].is_between(*_TIMES).all():
        # Ratings as MovieLens writes them have four columns, too, and would be other documents with other values.
        message = "the values are as large as times; TREC text of judgments is: query iteration document value"
        hint = "If these are user, item, rating and time, say so in a first line: user_id item_id rating time, with tabs between."
        raise noted("times", message, origin, hint=hint).error()

    def find(pairs: Pairs) -> Lines:
        # The file is opened again to find a line, so that unpacked text need not be kept for the rare fault.
        coded = {(query.encode(), document.encode()): (query, document) for query, document in pairs}
        at = layout.fields.index("document")
        split = ((line, words.split(None, at + 1)) for line, words in text_lines(source.load().bytes))
        found = lines_of(((line, words[0], words[at]) for line, words in split if len(words) > at), coded)
        return {coded[pair]: lines for pair, lines in found.items()}

    return RowTable(number, origin, frame, find)


def read_piece(read: Callable[[], bytes | None], layout: Layout, number: str) -> pl.DataFrame | None:
    """A part of a file that ends at a line end; None if something is wrong with it."""
    text = read()
    if text is None or text.startswith(BOM):  # the parser would take a mark off any piece
        return None
    signs = np.frombuffer(text, np.uint8)
    return _rows(signs, layout, number, text) if marked_line(signs) is None else None


def parts_of_plain(path: Path, size: int) -> Iterator[Callable[[], bytes | None]]:
    """A file in parts of about this size, cut where a query ends; the text is read by whoever calls."""

    def text(begin: int, end: int) -> bytes | None:
        with path.open("rb") as file:
            file.seek(begin)
            found = file.read(end - begin)
        return found if len(found) == end - begin else None  # the file was cut short meanwhile

    with path.open("rb") as file:
        whole, begin = file.seek(0, 2), 0
        while begin < whole:
            end = file.seek(min(begin + size, whole)) + len(file.readline())  # the rest of a line
            change = _change(file)
            end = whole if change is None else end + change
            yield partial(text, begin, end)
            begin = end


def parts_of_blocks(blocks: Iterable[bytes]) -> Iterator[Callable[[], bytes | None]]:
    """A text that comes in blocks, cut where a query ends; one that fills several blocks is held until its end."""
    held = b""
    try:
        for block in blocks:
            held += block
            begin = held.find(b"\n", max(0, len(held) - len(block) // 8 - _GLANCE)) + 1
            change = _change(io.BytesIO(held[begin : held.rfind(b"\n") + 1]))
            if change is not None:
                yield partial(bytes, held[: begin + change])
                held = held[begin + change :]
    except damages():
        yield lambda: None  # the reader of whole files says how
    yield partial(bytes, held)


def _change(lines: Iterable[bytes]) -> int | None:
    """How many bytes of these lines are before another query; None where there is but one."""
    size, query = 0, None
    for line in lines:
        words = line.split(None, 1)
        if words and not words[0].startswith(b"#"):
            if query not in {None, words[0]}:
                return size
            query = words[0]
        size += len(line)
    return None


def are_scattered(head: bytes) -> bool:
    """Whether a query comes again after another; one that a file's beginning shows so is seldom the only one."""
    words = (line.split(None, 1) for line in head.splitlines()[:_GLANCED])
    queries = [query for query, _ in groupby(line[0] for line in words if line and not line[0].startswith(b"#"))]
    return len(set(queries)) < len(queries)


def _rows(text: Text, layout: Layout, number: str, direct: str | bytes | None) -> pl.DataFrame | None:
    """Columns query, document and the number; `direct` is the same text where the parser may take it unchanged."""
    frame = None
    if is_regular(text, len(layout.fields) - 1):
        has_tab = b"\t" in text[:_GLANCE].tobytes().partition(b"\n")[0]
        frame = _scan(direct or text.tobytes(), layout, "\t" if has_tab else " ")
    if frame is None and not is_binary(text):
        frame = _normalized(text, layout)
    if frame is None or layout is not RANKED:
        return frame
    rank = frame["rank"]  # becomes a number that falls as scores do
    is_sound = ((rank >= 0) & (rank == rank.floor())).all()
    return frame.select("query", "document", (-pl.col("rank")).alias(number)) if is_sound else None


def ranks(content: Content) -> pl.Series | None:
    """The column of ranks, which plays no part in the order; None if it cannot be read throughout."""
    frame = _rows(content.bytes, replace(RUN, used=("rank",)), "", content.path)
    return None if frame is None else frame["rank"]


def binary(origin: str, head: bytes) -> Note:
    if head.startswith(UTF16):
        return noted("not-utf8", "this is UTF-16 text", origin, hint="Convert the file to UTF-8.")
    hint = "Give text, Parquet, or text in .gz or .zst."
    before, nul, _ = head.partition(b"\0")
    line = 1 + before.count(b"\n") if nul else None  # of text with one byte damaged this is what one looks for
    places = () if line is None else (f"line {line} has a byte that is 0",)
    return noted("binary", "this is a binary file, not text", origin, 1, places, line, hint)


def _scan(source: str | bytes, layout: Layout, separator: str) -> pl.DataFrame | None:
    schema = {name: pl.Float64() if name == layout.used[-1] else pl.String() for name in layout.fields}
    return scanned(source, schema, layout.used, separator)


def _normalized(text: Text, layout: Layout) -> pl.DataFrame | None:
    """Blanks made single, block by block, then the same parser. None when a line has another number of fields."""
    text = text[len(BOM) :] if text[: len(BOM)].tobytes() == BOM else text
    parts: list[pl.DataFrame] = []
    for block in whole_lines(text, _BLOCK):
        plain = single_blanks(block)
        if plain.startswith(BOM) or not is_regular(np.frombuffer(plain, np.uint8), len(layout.fields) - 1):
            return None  # a mark that is not at the beginning of the file belongs to an id
        part = _scan(plain, layout, " ")
        if part is None:
            return None
        parts.append(part)
    return pl.concat(parts) if parts else None


def walk(text: Text, layout: Layout, number: str, origin: str) -> RowTable:
    """What can be used, and which lines do not fit and why."""
    book = RowBook(number, origin, is_rank=layout is RANKED)
    surplus, widths = Tally("extra-fields"), Counter[int]()
    at_document, at_number = layout.fields.index("document"), layout.fields.index(layout.used[-1])
    for at, line in text_lines(text):
        words = line.split()
        if not words or words[0].startswith(b"#"):
            continue
        widths[len(words)] += 1
        try:
            shown = line.decode().strip()
        except UnicodeDecodeError:
            book.wrong(at, kind="not-utf8")
            continue
        is_longer = len(words) > len(layout.fields)
        if not layout.fits(words):
            book.wrong(at, f"{clip(shown)}  ({plural(len(words), 'field')})")
        elif is_longer and b"\r" in line.strip():  # else all further rows would be ignored
            book.wrong(at, f"{clip(shown)}  (lines end with a carriage return alone)")
        else:
            if is_longer:
                surplus.add(at, f"line {at}: {clip(shown)}")
            book.add(at, words[0].decode(), words[at_document].decode(), words[at_number].decode())
    [(width, count)] = widths.most_common(1) or [(0, 0)]
    other = {(JUDGMENTS, 6): "a run", (JUDGMENTS, 3): "a run", (RUN, 4): "judgments"}.get((layout, width))
    if other is not None and count > 0.9 * widths.total():  # nearly all lines are those of the other kind of file
        raise looks_like("judgments" if layout is JUDGMENTS else "a run", other, f"{width} fields per line", origin)
    message = f"{plural(surplus.count, 'line')} with words after the tag; they are ignored"
    remarks = (surplus.note(message, origin),) if surplus.count else ()
    expected = f"TREC text of {layout.what} has {len(layout.fields)} fields per line: {' '.join(layout.fields)}."
    return book.table(expected, len(layout.fields), remarks)


def single_blanks(text: Text) -> bytes:
    """One blank between words, none at the ends of lines, no empty lines, no comments.

    These masks and those of `is_regular` are made for pieces that fit the cache: a byte costs about a nanosecond, and
    NumPy lets other threads run meanwhile.
    """
    parts = []
    for piece in whole_lines(text, PIECE):
        signs = np.frombuffer(b"\n" + piece.tobytes().translate(_BLANKS) + b"\n", np.uint8)
        blank, line_end = signs == _BLANK, signs == _LINE_END
        signs = signs[:-1][~(blank[:-1] & (blank | line_end)[1:])]  # the last of some blanks is kept, if a word follows
        blank, line_end = signs == _BLANK, signs == _LINE_END
        lines = signs[1:][~(line_end[:-1] & (blank | line_end)[1:])].tobytes()
        parts.append(_COMMENTS.sub(b"", lines) if b"#" in lines else lines)
    return b"".join(parts)


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


def is_regular(text: Text, separators: int) -> bool:
    """Whether every line can be cut at this many single separators.

    Every byte up to the blank is counted as one. Where another sign than the separator is among them, some line has too
    few fields, and whoever cuts the lines must refuse that: then each has exactly as many as it should.
    """
    if not len(text):
        return True
    if text[0] <= _BLANK or text[0] == _REMARK or (text[-1] <= _BLANK and text[-1] != _LINE_END):
        return False
    lines, inside = int(text[-1] != _LINE_END), 0
    for begin in range(0, len(text), PIECE):
        piece = text[begin : begin + PIECE + 1]  # the last byte is the first of the next
        white, line_end = piece <= _BLANK, piece == _LINE_END
        if (white[1:] & white[:-1]).any() or (line_end[:-1] & (piece[1:] == _REMARK)).any():
            return False  # two separators meet, or a line begins or ends with one
        ends = np.count_nonzero(line_end[:PIECE])
        inside += int(np.count_nonzero(white[:PIECE]) - ends)
        lines += int(ends)
    return inside == separators * lines


def is_binary(text: Text) -> bool:
    """Whether a byte is 0."""
    return bool(text.min(initial=1) == 0)
