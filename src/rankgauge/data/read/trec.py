"""TREC text: judgments of four fields, runs of six, or of three as MS MARCO writes them.

A regular file goes straight to the parser, one with ragged blanks through a normalizer; a file in which something is
wrong is walked line by line, and only then.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rankgauge.data.columns import looks_like
from rankgauge.data.faults import UnreadableError
from rankgauge.data.read.bytes import BOM, PIECE, UTF16, Content, Source, marked_line, text_lines, without_marks
from rankgauge.data.read.delimited import RowBook
from rankgauge.data.table import FrameTable, Lines
from rankgauge.errors import plural
from rankgauge.tables.notes import Note, Tally, clip, noted

Text = NDArray[np.uint8]
_BLOCK = 1 << 23
_GLANCE = 1 << 14
_LINE_END, _BLANK, _REMARK = 10, 32, 35
_COMMENTS = re.compile(rb"(?m)^#.*\n?")
_TIMES = 1e8, 1e13
"""No grade is that large; seconds and milliseconds since 1970 are."""


@dataclass(frozen=True)
class Layout:
    """The fields of a line; `number` is the field that carries the grade, the score or the rank."""

    what: str
    fields: tuple[str, ...]
    number: str
    rank: int | None = None
    """The place of the rank, if further words may follow the last field, as trec_eval allows after the tag of a run:
    a rank in its place says that no id has a blank in it."""

    @property
    def used(self) -> tuple[str, ...]:
        return ("rank",) if self.what == "ranks" else ("query", "document", self.number)

    @property
    def expected(self) -> str:
        return f"TREC text of {self.what} has {len(self.fields)} fields per line: {' '.join(self.fields)}."

    def fits(self, words: list[bytes]) -> bool:
        if len(words) <= len(self.fields) or self.rank is None:
            return len(words) == len(self.fields)
        return words[self.rank].removeprefix(b"-").isdigit()


JUDGMENTS = Layout("judgments", ("query", "iteration", "document", "value"), "value")
RUN = Layout("a run", ("query", "iteration", "document", "rank", "score", "tag"), "score", rank=3)
RANKED = Layout("a run of ranks", ("query", "document", "rank"), "rank")


def layout_of(head: bytes, number: str) -> Layout:
    """Four fields for judgments; for runs three or six, as most of the first lines have."""
    if number == "value":
        return JUDGMENTS
    lines = (line.split() for line in without_marks(head)[:_GLANCE].splitlines()[:100])
    widths = Counter(len(words) for words in lines if words and not words[0].startswith(b"#"))
    return RANKED if widths[len(RANKED.fields)] > widths.total() / 2 else RUN


def read(source: Source, content: Content, number: str) -> FrameTable:
    """Columns query, document and the number; faults name the lines that do not fit."""
    text, origin = content.bytes, source.origin
    layout = layout_of(content.head(), number)
    frame = _rows(text, layout, number, content.path)
    if frame is None and is_binary(text):
        raise UnreadableError(binary(origin, text.tobytes()))
    if frame is None:
        return walk(text, layout, number, origin)
    if number == "value" and len(frame) and frame["value"].is_between(*_TIMES).all():
        # Ratings as MovieLens writes them have four columns, too, and would be other documents with other values.
        message = "the values are as large as times; TREC text of judgments is: query iteration document value"
        hint = "If these are user, item, rating and time, say so in a first line: user_id item_id rating time, with tabs between."
        raise UnreadableError(noted("times", message, origin, hint=hint))
    # The file is opened again to find a line, so that unpacked text need not be kept for the rare fault.
    return FrameTable(frame, number, origin, lambda pairs: find_lines(source.load().bytes, layout, list(pairs)))


def read_piece(text: bytes, layout: Layout, number: str) -> pl.DataFrame | None:
    """A part of a file that ends at a line end; None if something is wrong with it.

    The parser would take a byte-order mark off any piece; only the reader of whole files knows where the file begins.
    To look for the first byte of a mark alone, which few texts have, costs least.
    """
    signs = np.frombuffer(text, np.uint8)
    is_marked = BOM[:1] in text and (text.startswith(BOM) or marked_line(signs) is not None)
    return None if is_marked else _rows(signs, layout, number, text)


def _rows(text: Text, layout: Layout, number: str, direct: str | bytes | None) -> pl.DataFrame | None:
    """Columns query, document and the number; `direct` is the same text where the parser may take it unchanged."""
    frame = None
    if regular_lines(text, len(layout.fields) - 1) is not None:
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
    frame = _rows(content.bytes, replace(RUN, what="ranks", number="rank"), "", content.path)
    return None if frame is None else frame["rank"]


def binary(origin: str, head: bytes) -> Note:
    if head.startswith(UTF16):
        return noted("not-utf8", "this is UTF-16 text", origin, hint="Convert the file to UTF-8.")
    hint = "Give text, Parquet, or text in .gz or .zst."
    before, nul, _ = head.partition(b"\0")
    line = 1 + before.count(b"\n") if nul else None  # of text with one byte damaged this is what one looks for
    places = () if line is None else (f"line {line} has a byte that is 0",)
    return noted("binary", "this is a binary file, not text", origin, 1, places, line, hint)


def _scan(source: str | bytes | list[bytes], layout: Layout, separator: str) -> pl.DataFrame | None:
    """The columns that matter; None if a number cannot be read or a line has too few fields.

    The last field is read too: where all lines together have as many separators as they should, a line with too many
    fields, which the parser cuts off, means one with too few, whose last field is missing.
    """
    schema = {name: pl.Float64() if name == layout.number else pl.String() for name in layout.fields}
    try:
        lazy = pl.scan_csv(
            source,
            separator=separator,
            has_header=False,
            quote_char=None,
            schema=schema,
            glob=False,
            raise_if_empty=False,
        )
        frame = lazy.select(*dict.fromkeys([*layout.used, layout.fields[-1]])).collect()
    except (pl.exceptions.PolarsError, OSError):  # OSError: after blank lines, bytes that Polars takes for packed ones
        return None
    return None if any(column.null_count() for column in frame) else frame.select(layout.used)


def _normalized(text: Text, layout: Layout) -> pl.DataFrame | None:
    """Blanks made single, block by block, then the same parser. None when a line has another number of fields."""
    parts: list[pl.DataFrame] = []
    for block in whole_lines(text, _BLOCK):
        plain = single_blanks(block)
        if plain.startswith(BOM) or (parts and block[: len(BOM)].tobytes() == BOM):
            return None  # not at the beginning of the file, so it belongs to an id
        signs = np.frombuffer(plain, np.uint8)
        lines = int(np.count_nonzero(signs == _LINE_END)) + (not plain.endswith(b"\n") and bool(plain))
        if np.count_nonzero(signs == _BLANK) != (len(layout.fields) - 1) * lines:
            return None
        part = _scan(plain, layout, " ")
        if part is None:
            return None
        parts.append(part)
    return pl.concat(parts) if parts else None


def walk(text: Text, layout: Layout, number: str, origin: str) -> FrameTable:
    """What can be used, and which lines do not fit and why."""
    book = RowBook(number, origin, is_rank=layout.number == "rank")
    surplus, widths = Tally("extra-fields"), Counter[int]()
    at_document, at_number = layout.fields.index("document"), layout.fields.index(layout.number)
    for at, line in text_lines(text):
        words = line.split()
        if not words or words[0].startswith(b"#"):
            continue
        widths[len(words)] += 1
        try:
            shown = line.decode().strip()
            query, document, found = (words[n].decode() if n < len(words) else "" for n in (0, at_document, at_number))
        except UnicodeDecodeError:
            book.not_utf8(at)
            continue
        if not layout.fits(words):
            book.wrong_fields(at, f"{clip(shown)}  ({plural(len(words), 'field')})")
            continue
        if len(words) > len(layout.fields) and b"\r" in line.strip():  # else all further rows would be ignored
            book.wrong_fields(at, f"{clip(shown)}  (lines end with a carriage return alone)")
            continue
        if len(words) > len(layout.fields):
            surplus.add(at, f"line {at}: {clip(shown)}")
        book.add(at, query, document, found)
    others = {JUDGMENTS.what: {6: "a run", 3: "a run"}, RUN.what: {4: "judgments"}}.get(layout.what, {})
    width, count = max(widths.items(), key=lambda item: item[1], default=(0, 0))
    if width in others and count > 0.9 * widths.total():  # nearly all lines are those of the other kind of file
        wanted = "judgments" if layout is JUDGMENTS else "a run"
        raise looks_like(wanted, others[width], f"{width} fields per line", origin)
    remarks: tuple[Note, ...] = ()
    if surplus.count:
        message = f"{plural(surplus.count, 'line')} with words after the tag; they are ignored"
        remarks = (surplus.note(message, origin),)
    return book.table(layout.expected, len(layout.fields), remarks)


def find_lines(text: Text, layout: Layout, pairs: Sequence[tuple[str, str]]) -> Lines:
    """The first two lines of each of these (query, document) pairs of a text in which every line fits."""
    found: Lines = {pair: [] for pair in pairs}
    skipped = rb"(?:[ \t\r\v\f]+[^ \t\r\v\f\n]+)" * (layout.fields.index("document") - 1) + rb"[ \t\r\v\f]+"
    named = ((re.escape(query.encode()), re.escape(document.encode())) for query, document in pairs)
    either = b"|".join(b"(%b%b%b)" % (query, skipped, document) for query, document in named)
    begin, line = 0, 1
    for match in re.finditer(rb"(?m)^(?:\xef\xbb\xbf)*[ \t\r\v\f]*(?:%b)(?![^ \t\r\v\f\n])" % either, text.data):
        lines = found[pairs[(match.lastindex or 1) - 1]]
        if len(lines) < 2:
            between = (text[at : min(at + _BLOCK, match.start())] for at in range(begin, match.start(), _BLOCK))
            line += sum(int(np.count_nonzero(piece == ord("\n"))) for piece in between)
            begin = match.start()
            lines.append(line)
            if all(len(lines) > 1 for lines in found.values()):
                break
    return found


def single_blanks(text: Text) -> bytes:
    """One blank between words, none at the ends of lines, no empty lines, no comments, no byte-order mark.

    Of each run of blanks one remains: a line end if there is one among them, else a blank. These and the masks of
    `regular_lines` are made for pieces that fit the cache: a byte costs about a nanosecond, and NumPy lets other threads
    run meanwhile. Arrays of this size are costly to allocate, so one set of them serves all pieces.
    """
    if text[: len(BOM)].tobytes() == BOM:
        text = text[len(BOM) :]
    parts, masks = [], np.empty((4, 0), np.bool_)
    for piece in whole_lines(text, PIECE):
        if masks.shape[1] < len(piece):
            masks = np.empty((4, len(piece)), np.bool_)
        line_end, white, kept, spare = masks[:, : len(piece)]
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
        if not is_plain:  # line ends where they are marked, blanks where the text is white otherwise
            inner = np.logical_xor(white, line_end, out=spare)  # every line end is white
            out = np.multiply(piece, np.logical_not(white, out=white).view(np.uint8))
            out += np.multiply(inner.view(np.uint8), _BLANK, out=spare.view(np.uint8))
            out += np.multiply(line_end.view(np.uint8), _LINE_END, out=spare.view(np.uint8))
            piece = out  # noqa: PLW2901 - the same piece, cleaner
        lines = piece[kept].tobytes()
        parts.append(_COMMENTS.sub(b"", lines) if b"#" in lines else lines)
    return b"".join(parts).rstrip(b" ")


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


def regular_lines(text: Text, separators: int) -> int | None:
    """How many lines a text has, if each can be cut at this many single separators; else None.

    Every byte up to the blank is counted as one. Where another sign than the separator is among them, some line has too
    few fields, and whoever cuts the lines must refuse that: then each has exactly as many as it should.
    """
    lines = white_bytes = 0
    before = _LINE_END
    # Arrays of this size are costly to allocate, so the same two serve all pieces.
    masks = np.empty((2, min(PIECE, len(text))), np.bool_)
    for begin in range(0, len(text), PIECE):
        piece = text[begin : begin + PIECE]
        white, sign = masks[:, : len(piece)]
        np.less_equal(piece, _BLANK, out=white)
        if (before <= _BLANK and white[0]) or np.logical_and(white[1:], white[:-1], out=sign[1:]).any():
            return None  # two separators meet, or a line begins or ends with one
        if np.equal(piece, _REMARK, out=sign).any() and (
            (before == _LINE_END and sign[0]) or np.any(sign[1:] & (piece[:-1] == _LINE_END))
        ):
            return None
        white_bytes += int(np.count_nonzero(white))
        lines += int(np.count_nonzero(np.equal(piece, _LINE_END, out=sign)))
        before = int(piece[-1])
    inside = white_bytes - lines
    lines += before != _LINE_END
    return lines if inside == separators * lines and (before > _BLANK or before == _LINE_END) else None


def is_binary(text: Text) -> bool:
    """Whether a byte is 0."""
    return any(not text[begin : begin + PIECE].all() for begin in range(0, len(text), PIECE))
