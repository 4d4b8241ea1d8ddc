"""TREC text line by line: for files in which something is wrong, and to find the line of a row."""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from rankgauge.data.read.file import text_lines
from rankgauge.data.read.rows import RowBook
from rankgauge.data.tables.columns import looks_like
from rankgauge.data.tables.frames import failed
from rankgauge.data.tables.table import FrameTable, Lines
from rankgauge.errors import plural
from rankgauge.frozen import dataclass
from rankgauge.tables.notes import Note, Tally, clip

Text = NDArray[np.uint8]


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
    def expected(self) -> str:
        return f"TREC text of {self.what} has {len(self.fields)} fields per line: {' '.join(self.fields)}."

    def fits(self, words: list[bytes]) -> bool:
        if len(words) <= len(self.fields) or self.rank is None:
            return len(words) == len(self.fields)
        return words[self.rank].removeprefix(b"-").isdigit()


JUDGMENTS = Layout("judgments", ("query", "iteration", "document", "value"), "value")
RUN = Layout("a run", ("query", "iteration", "document", "rank", "score", "tag"), "score", rank=3)
RANKED = Layout("a run of ranks", ("query", "document", "rank"), "rank")


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
        if len(words) > len(layout.fields):
            surplus.add(at, f"line {at}: {clip(shown)}")
        book.add(at, query, document, found)
    swapped = _swapped(widths, layout, origin)
    if swapped is not None:
        return failed(number, swapped)
    remarks: tuple[Note, ...] = ()
    if surplus.count:
        message = f"{plural(surplus.count, 'line')} with words after the tag; they are ignored"
        remarks = (surplus.note(message, origin),)
    return book.table(layout.expected, len(layout.fields), remarks)


def _swapped(widths: Counter[int], layout: Layout, origin: str) -> Note | None:
    """Whether nearly all lines have the width of the other kind of file."""
    others = {JUDGMENTS.what: {6: "a run", 3: "a run"}, RUN.what: {4: "judgments"}}.get(layout.what, {})
    width, count = max(widths.items(), key=lambda item: item[1], default=(0, 0))
    if width in others and count > 0.9 * widths.total():
        wanted = "judgments" if layout is JUDGMENTS else "a run"
        return looks_like(wanted, others[width], f"{width} fields per line", origin)
    return None


def find_lines(text: Text, layout: Layout, pairs: set[tuple[str, str]]) -> Lines:
    """The lines of these (query, document) pairs."""
    found: Lines = {pair: [] for pair in pairs}
    at_document = layout.fields.index("document")
    for at, line in text_lines(text):
        words = line.split()
        if layout.fits(words) and not words[0].startswith(b"#"):
            pair = (words[0].decode(errors="replace"), words[at_document].decode(errors="replace"))
            if pair in found:
                found[pair].append(at)
    return found
