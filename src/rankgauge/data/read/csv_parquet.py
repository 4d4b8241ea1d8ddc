"""Files with named columns: CSV and TSV, with quotes as spreadsheets write them, and Parquet."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rankgauge.data.read.file import Content, Source, decoded, without_marks
from rankgauge.data.read.panics import hushed
from rankgauge.data.read.parquet_pages import refuse_counts
from rankgauge.data.read.rows import RowBook
from rankgauge.data.tables.columns import Picked, pick
from rankgauge.data.tables.faults import UnreadableError
from rankgauge.data.tables.frames import frame_table
from rankgauge.data.tables.table import FrameTable, Lines, Pairs, Wanted
from rankgauge.errors import plural
from rankgauge.tables.notes import clip, noted

PARQUET = b"PAR1"
_PIECE = 1 << 18
_NEWLINE, _RETURN, _QUOTE = 10, 13, 34
_DAMAGED = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)
"""What a damaged file makes of the parser; a panic of its Rust code is no Exception of Python."""

_ZONE = re.compile(r"unable to parse time zone: '([^']*)'")


def read_delimited(source: Source, content: Content, wanted: Wanted, separator: str) -> FrameTable:
    """One scan where all is well; otherwise row by row, to say where it is not."""
    if b"\r" in content.head() and b"\n" not in content.head():  # all of it would be the header
        message, hint = "lines end with a carriage return alone", "Convert the line ends to newlines."
        raise UnreadableError(noted("line-ends", message, source.origin, 1, ("line 1",), line=1, hint=hint))
    columns, leading = header(content.head(), separator)
    picked = pick(columns, wanted, source.origin)
    frame = None if leading else _scan(content, columns, picked, separator)
    if frame is None:
        return _walk(content, columns, picked, wanted, separator, source.origin)
    number = pl.lit(1.0) if picked.number is None else -pl.nth(2) if picked.is_rank else pl.nth(2)
    selected = [pl.nth(0).alias("query"), pl.nth(1).alias("document"), number.alias(wanted.number)]
    if picked.system is not None:
        selected.append(pl.nth(3).alias("system"))

    def find(pairs: Pairs) -> Lines:
        found: Lines = {pair: [] for pair in pairs}
        text = without_marks(source.load().bytes.tobytes()).decode(errors="replace")
        for line, row in text_rows(text, separator):
            lines = found.get((row[picked.query], row[picked.document])) if len(row) == len(columns) else None
            if lines is not None and len(lines) < 2:  # no message shows more
                lines.append(line)
        return found

    rows = frame.select(selected)
    return FrameTable(rows, wanted.number, source.origin, find, remarks=picked.remarks, nouns=picked.nouns)


def header(head: bytes, separator: str) -> tuple[list[str], bool]:
    """The column names, and whether blank lines lead."""
    lines = without_marks(head).decode(errors="replace").splitlines()
    at = next((number for number, line in enumerate(lines) if line.strip()), 0)
    return (cells(lines[at], separator) if lines else []), at > 0


def cells(line: str, separator: str) -> list[str]:
    """The cells of one line; quotes keep separators."""
    try:
        return next(csv.reader([line], delimiter=separator), [])
    except csv.Error:
        return []


def _scan(content: Content, columns: list[str], picked: Picked, separator: str) -> pl.DataFrame | None:
    """The columns that matter; None if a row has too many or too few cells, an empty cell, a broken number or quote."""
    names = [f"c{at}" for at in range(len(columns))]
    separators, is_quoted = _separators(content.bytes, separator)
    if separators is None:
        return None
    # A lone quote where a number is wanted makes the parser of numbers panic, so quoted text is read as text first.
    schema = {n: pl.String() if is_quoted or at != picked.number else pl.Float64() for at, n in enumerate(names)}
    used = [names[at] for at in picked.used]
    try:
        lazy = pl.scan_csv(
            content.path or content.bytes.tobytes(),
            separator=separator,
            has_header=False,
            skip_rows=1,
            schema=schema,
            glob=False,
            raise_if_empty=False,
        )
        # The last column is read too: a row that is too short has none.
        frame = lazy.select(list(dict.fromkeys([*used, names[-1]]))).collect()
        if is_quoted and picked.number is not None:
            frame = frame.with_columns(pl.col(names[picked.number]).cast(pl.Float64))
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError):
        return None
    # The parser drops surplus cells without a word. Where no row is too short, the sum of all shows whether one is too long.
    if sum(frame.null_count().row(0)) or separators != (len(names) - 1) * (len(frame) + 1):
        return None
    if is_quoted and any((column == "").any() for column in frame.select(used) if column.dtype == pl.String()):
        return None
    if picked.is_rank and picked.number is not None:
        rank = frame[names[picked.number]]
        if not ((rank >= 0) & (rank == rank.floor())).all():
            return None
    return frame.select(used)


def _separators(text: NDArray[np.uint8], separator: str) -> tuple[int | None, bool]:
    """How many separators are outside quotes, and whether there are quotes at all.

    None unless every quote opens or closes a whole cell or is doubled inside one, and every carriage return ends a line
    together with a newline: what Polars reads otherwise is not what the file says.
    """
    count, is_quoted, inside, before = 0, False, False, _NEWLINE
    mask = np.empty(min(_PIECE, len(text)), np.bool_)
    for begin in range(0, len(text), _PIECE):
        piece = text[begin : begin + _PIECE]
        found = mask[: len(piece)]
        has_return = np.equal(piece, _RETURN, out=found).any()
        if (
            not np.equal(piece, _QUOTE, out=found).any()
            and not inside
            and before not in {_QUOTE, _RETURN}
            and not has_return
        ):
            count += int(np.count_nonzero(np.equal(piece, ord(separator), out=found)))
            before = int(piece[-1])
            continue
        quote = piece == _QUOTE
        is_quoted = is_quoted or bool(quote.any())
        outside = np.logical_xor.accumulate(np.concatenate(([not inside], quote)))
        outside, inside = outside[:-1], not outside[-1]
        last = np.concatenate((np.array([before], np.uint8), piece[:-1]))
        sign = piece == ord(separator)
        ends = sign | (piece == _NEWLINE)
        opens = np.concatenate(([before in {ord(separator), _NEWLINE}], ends[:-1]))
        odd = quote & ~opens & (last != _QUOTE)
        odd |= (last == _QUOTE) & ~(ends | quote | (piece == _RETURN))
        odd |= (last == _RETURN) & (piece != _NEWLINE)
        if np.any(odd & outside):
            return None, True
        count += int(np.count_nonzero(sign & outside))
        before = int(piece[-1])
    return (None if inside or before == _RETURN else count), is_quoted


def _walk(
    content: Content, columns: list[str], picked: Picked, wanted: Wanted, separator: str, origin: str
) -> FrameTable:
    book = RowBook(wanted.number, origin, is_rank=picked.is_rank)
    width, at = len(columns), 0
    rows = text_rows(decoded(content.bytes, origin), separator)
    try:
        next(rows, None)
        for at, row in rows:
            if len(row) != width:
                shown = clip((separator.strip() or " ").join(row))
                book.wrong_fields(at, f"{shown}  ({plural(len(row), 'field')})")
                continue
            system = row[picked.system] or None if picked.system is not None else ""
            number = 1 if picked.number is None else row[picked.number]
            book.add(at, row[picked.query], row[picked.document], number, system)
    except csv.Error as problem:
        raise broken_quotes(problem, origin, at) from None
    expected = f"The first line names {width} columns: {clip(', '.join(columns), 200)}."
    return replace(book.table(expected, width, picked.remarks), nouns=picked.nouns)


def broken_quotes(problem: csv.Error, origin: str, line: int) -> UnreadableError:
    """Text that cannot be cut into cells, after the last line that could."""
    hint = "A quote is opened and not closed, or is inside a cell without being doubled."
    message = f"cannot be read after line {line} ({problem})"
    return UnreadableError(noted("broken-quotes", message, origin, line=line, hint=hint))


def text_rows(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Rows that are not blank, with the line each begins on."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    line = 1
    for row in reader:
        if row:
            yield line, row
        line = reader.line_num + 1


def read_parquet(source: Source, content: Content, wanted: Wanted) -> FrameTable:
    """The columns that matter, and no others."""
    with sound_parquet(source.origin):
        lazy = scan_parquet(content)
        names = lazy.collect_schema().names()
        picked = pick(names, wanted, source.origin)
        frame = lazy.select(list(dict.fromkeys(names[at] for at in picked.used))).collect()
        # Inside: a cast to text panics where a time zone is unknown.
        return frame_table(frame, wanted, source.origin)


def parquet_columns(content: Content) -> list[str]:
    """The names of the columns; none if the file is damaged."""
    try:
        with hushed():
            return scan_parquet(content).collect_schema().names()
    except _DAMAGED:
        return []


def scan_parquet(content: Content) -> pl.LazyFrame:
    refuse_counts(content.bytes)
    return pl.scan_parquet(content.path or io.BytesIO(content.bytes.tobytes()), glob=False, hive_partitioning=False)


@contextmanager
def sound_parquet(origin: str) -> Iterator[None]:
    """What the parser finds wrong with a file as an error that names it."""
    try:
        with hushed():
            yield
    except _DAMAGED as problem:
        first = (str(problem).splitlines() or [""])[0]
        if isinstance(problem, pl.exceptions.DuplicateError) or "more than one occurrence" in first:
            message, hint = f"two columns have the same name ({first})", "Rename one of them."
        elif zone := _ZONE.search(first):
            message, hint = f"a column has the unknown time zone {clip(zone[1])!r}", "Leave the column out, or cast it."
        else:
            message, hint = f"this Parquet file is damaged ({first})", "Write the file again."
        raise UnreadableError(noted("damaged", message, origin, hint=hint)) from None
