"""Files with named columns: CSV and TSV, with quotes as spreadsheets write them, and Parquet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

import polars as pl

from rankgauge.data.read.file import Content, Source, decoded, without_marks
from rankgauge.data.read.rows import RowBook
from rankgauge.data.tables.columns import Picked, Wanted, pick
from rankgauge.data.tables.frames import failed, frame_table
from rankgauge.data.tables.table import FrameTable, Lines, Pairs
from rankgauge.errors import plural
from rankgauge.tables.notes import Note, clip, noted

PARQUET = b"PAR1"
FAULTS = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)
"""What a damaged file makes of the parser; a panic of its Rust code is no Exception of Python."""


def read_delimited(source: Source, content: Content, wanted: Wanted, separator: str) -> FrameTable:
    """One scan where all is well; otherwise row by row, to say where it is not."""
    columns, leading = header(content.head(), separator)
    picked = pick(columns, wanted, source.origin)
    if isinstance(picked, Note):
        return failed(wanted.number, picked)
    frame = None if leading else _scan(content, columns, picked, separator)
    if frame is None:
        return _walk(content, columns, picked, wanted, separator, source.origin)
    number = pl.lit(1.0) if picked.number is None else -pl.nth(2) if picked.is_rank else pl.nth(2)
    selected = [pl.nth(0).alias("query"), pl.nth(1).alias("document"), number.alias(wanted.number)]
    if picked.system is not None:
        selected.append(pl.nth(3).alias("system"))

    def find(pairs: Pairs) -> Lines:
        found: Lines = {pair: [] for pair in pairs}
        text = decoded(source.load().bytes)
        for line, row in text_rows(text if isinstance(text, str) else "", separator):
            if len(row) == len(columns) and (row[picked.query], row[picked.document]) in found:
                found[row[picked.query], row[picked.document]].append(line)
        return found

    return FrameTable(frame.select(selected), wanted.number, source.origin, find, remarks=picked.remarks)


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
    """The columns that matter; None if a row has too many or too few fields, an empty cell, a broken number or quote."""
    names = [f"c{at}" for at in range(len(columns))]
    # A lone quote where a number is wanted makes the parser of numbers panic, so quoted text is read as text first.
    direct = not (content.bytes == ord('"')).any()
    if not direct and not _well_quoted(content, separator):
        return None
    schema = {name: pl.Float64() if direct and at == picked.number else pl.String() for at, name in enumerate(names)}
    used = [names[at] for at in picked.used]
    # The last column is read too: only then does the parser notice surplus fields, and an empty one shows missing ones.
    read = list(dict.fromkeys([*used, names[-1]]))
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
        frame = lazy.select(read).collect()
        if not direct and picked.number is not None:
            frame = frame.with_columns(pl.col(names[picked.number]).cast(pl.Float64))
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
        return None
    if sum(frame.null_count().row(0)):
        return None
    if picked.is_rank and picked.number is not None:
        rank = frame[names[picked.number]]
        if not ((rank >= 0) & (rank == rank.floor())).all():
            return None
    return frame.select(used)


def _well_quoted(content: Content, separator: str) -> bool:
    """Whether a strict reader finds no fault: Polars reads on after a broken quote, and what it reads is not the file."""
    text = decoded(content.bytes)
    try:
        return isinstance(text, str) and all(True for _ in text_rows(text, separator))
    except csv.Error:
        return False


def _walk(
    content: Content, columns: list[str], picked: Picked, wanted: Wanted, separator: str, origin: str
) -> FrameTable:
    text = decoded(content.bytes)
    if isinstance(text, int):
        return failed(wanted.number, not_utf8(text, origin))
    book = RowBook(wanted.number, origin, is_rank=picked.is_rank)
    width, at = len(columns), 0
    rows = text_rows(text, separator)
    try:
        next(rows, None)
        for at, row in rows:
            if len(row) != width:
                book.wrong_fields(at, f"{clip(separator.join(row))}  ({plural(len(row), 'field')})")
                continue
            system = row[picked.system] or None if picked.system is not None else ""
            number = 1 if picked.number is None else row[picked.number]
            book.add(at, row[picked.query], row[picked.document], number, system)
    except csv.Error as problem:
        hint = "A quote is opened and not closed, or is inside a cell without being doubled."
        finding = noted("broken-quotes", f"cannot be read after line {at} ({problem})", origin, line=at, hint=hint)
        return failed(wanted.number, finding)
    return book.table(f"The first line names {width} columns: {clip(', '.join(columns), 200)}.", width, picked.remarks)


def text_rows(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Rows that are not blank, with the line each begins on."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    line = 1
    for row in reader:
        if row:
            yield line, row
        line = reader.line_num + 1


def not_utf8(line: int, origin: str) -> Note:
    place = f"line {line}"
    return noted("not-utf8", "this is not UTF-8 text", origin, 1, (place,), line, "Convert the file to UTF-8.")


def read_parquet(source: Source, content: Content, wanted: Wanted) -> FrameTable:
    """The columns that matter, and no others."""
    try:
        lazy = scan(content)
        names = lazy.collect_schema().names()
        picked = pick(names, wanted, source.origin)
        if isinstance(picked, Note):
            return failed(wanted.number, picked, "row")
        frame = lazy.select(list(dict.fromkeys(names[at] for at in picked.used))).collect()
    except FAULTS as problem:
        return failed(wanted.number, damaged(problem, source.origin))
    return frame_table(frame, wanted, source.origin)


def columns(content: Content) -> list[str]:
    """The names of the columns; none if the file is damaged."""
    try:
        return scan(content).collect_schema().names()
    except FAULTS:
        return []


def scan(content: Content) -> pl.LazyFrame:
    return pl.scan_parquet(content.path or io.BytesIO(content.bytes.tobytes()), glob=False, hive_partitioning=False)


def damaged(problem: BaseException, origin: str) -> Note:
    first = (str(problem).splitlines() or [""])[0]
    return noted("damaged", f"this Parquet file is damaged ({first})", origin, hint="Write the file again.")
