"""TREC text: judgments of four fields, runs of six, or of three as MS MARCO writes them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rankgauge.data.files import Content, text_lines
from rankgauge.data.survey import survey
from rankgauge.errors import DataError

Text = NDArray[np.uint8]
_NUMBER = re.compile(rb"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$")
_REMARK = re.compile(rb"(?m)^(\S+ \S+ \S+ -?\d+ \S+ \S+) .+$")
"""Words behind the tag of a run, which trec_eval ignores; a rank in its place says that no id has a blank in it."""
_BLOCK = 1 << 26
_SHOWN = 3


@dataclass(frozen=True)
class Layout:
    """The fields of a line; `number` is the field that carries the grade or the score."""

    what: str
    fields: tuple[str, ...]
    number: str

    @property
    def schema(self) -> dict[str, pl.DataType]:
        return {name: pl.Float64() if name == self.number else pl.String() for name in self.fields}


JUDGMENTS = Layout("judgments", ("query", "iteration", "document", "value"), "value")
RUN = Layout("a run", ("query", "iteration", "document", "rank", "score", "tag"), "score")
RANKED = Layout("a run of ranks", ("query", "document", "rank"), "rank")


def read(content: Content, layout: Layout, origin: str) -> pl.DataFrame:
    """Columns query, document and the number; a DataError names the lines that do not fit."""
    text = content.bytes
    facts = survey(text)
    if facts.is_binary:
        raise DataError("this is a binary file, not text", origin)
    if facts.is_regular(len(layout.fields)):
        frame = _scan(content.path or text.tobytes(), layout, facts.separator)
    else:
        frame = _normalised(text, layout)
    if frame is None or sum(frame.null_count().row(0)):
        raise diagnose(text, layout, origin)
    return frame


def _scan(source: str | bytes, layout: Layout, separator: str) -> pl.DataFrame | None:
    try:
        lazy = pl.scan_csv(
            source,
            separator=separator,
            has_header=False,
            quote_char=None,
            schema=layout.schema,
            glob=False,
            raise_if_empty=False,
        )
        return lazy.select("query", "document", layout.number).collect()
    except pl.exceptions.PolarsError:
        return None


def _normalised(text: Text, layout: Layout) -> pl.DataFrame | None:
    """Blanks made single, block by block, then the same parser. None when a line has another number of fields."""
    parts = []
    for block in _blocks(text):
        lines = normalise(block) if layout is not RUN else _REMARK.sub(rb"\1", normalise(block))
        facts = survey(np.frombuffer(lines, np.uint8))
        if facts.lines and not facts.is_regular(len(layout.fields)):
            return None
        part = _scan(lines, layout, " ")
        if part is None:
            return None
        parts.append(part)
    return pl.concat(parts) if parts else pl.DataFrame(schema=layout.schema)


def _blocks(text: Text) -> Iterator[Text]:
    """Pieces that end at a line end."""
    begin = 0
    while begin < len(text):
        end = min(begin + _BLOCK, len(text))
        while end < len(text) and text[end - 1] != 10:
            end += 1
        yield text[begin:end]
        begin = end


def normalise(text: Text) -> bytes:
    """One blank between words, none at the ends of lines, no empty lines, no comments, no byte-order mark."""
    if text[:3].tobytes() == b"\xef\xbb\xbf":
        text = text[3:]
    white = (text == 32) | ((text >= 9) & (text <= 13))
    keep = ~white
    keep |= text == 10
    keep[1:] |= ~white[:-1]  # the first blank after a word stays
    out = text[keep]
    out[(out == 32) | ((out >= 9) & (out <= 13) & (out != 10))] = 32
    lines = out.tobytes().replace(b" \n", b"\n")
    while b"\n\n" in lines:
        lines = lines.replace(b"\n\n", b"\n")
    lines = lines.lstrip()
    if lines.startswith(b"#") or b"\n#" in lines:
        lines = re.sub(rb"(?m)^#.*\n?", b"", lines)
    return lines.rstrip(b" ")


@dataclass
class Faults:
    """Faults of one kind: how many, and where the first few are."""

    count: int = 0
    places: list[str] = field(default_factory=list)

    def add(self, place: str) -> None:
        self.count += 1
        if self.count <= _SHOWN:
            self.places.append(place)

    def shown(self) -> list[str]:
        rest = self.count - len(self.places)
        return [*self.places, f"… and {rest:,} more"] if rest else self.places


def diagnose(text: Text, layout: Layout, origin: str) -> DataError:
    """Walk the lines one by one and say which do not fit, and why."""
    width, number = len(layout.fields), layout.fields.index(layout.number)
    short, unreadable, foreign = Faults(), Faults(), Faults()
    lines = 0
    for at, line in text_lines(text):
        words = line.removeprefix(b"\xef\xbb\xbf").split()
        if not words or words[0].startswith(b"#"):
            continue
        lines += 1
        try:
            shown = line.decode().strip()
        except UnicodeDecodeError:
            foreign.add(f"line {at}")
            continue
        if layout is RUN and _REMARK.match(b" ".join(words)):
            words = words[:width]
        if len(words) != width:
            short.add(f"line {at}: {_clip(shown)}  ({len(words)} field{'s' * (len(words) != 1)})")
        elif not _NUMBER.match(words[number]):
            document = words[layout.fields.index("document")].decode()
            unreadable.add(
                f"line {at}: {layout.number} {words[number].decode()!r} of query {words[0].decode()}, document {document}"
            )
    expected = f"{layout.what} has {width} fields a line: {' '.join(layout.fields)}"
    if foreign.count:
        return DataError(
            f"{foreign.count:,} of {lines:,} lines are not UTF-8 text",
            origin,
            foreign.shown(),
            "Convert the file to UTF-8.",
        )
    if short.count:
        return DataError(
            f"{short.count:,} of {lines:,} lines do not have {width} fields",
            origin,
            short.shown(),
            f"TREC text of {expected}.",
        )
    if unreadable.count:
        return DataError(
            f"{unreadable.count:,} of {lines:,} lines have no number as {layout.number}",
            origin,
            unreadable.shown(),
            f"TREC text of {expected}.",
        )
    return DataError("the text cannot be read as TREC lines", origin, hint=f"TREC text of {expected}.")


def find_lines(text: Text, layout: Layout, pairs: set[tuple[str, str]]) -> dict[tuple[str, str], list[int]]:
    """The lines on which these (query, document) pairs stand."""
    found: dict[tuple[str, str], list[int]] = {pair: [] for pair in pairs}
    at_document = layout.fields.index("document")
    for at, line in text_lines(text):
        words = line.removeprefix(b"\xef\xbb\xbf").split()
        if len(words) == len(layout.fields):
            pair = (words[0].decode(), words[at_document].decode())
            if pair in found:
                found[pair].append(at)
    return found


def _clip(text: str, width: int = 60) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"
