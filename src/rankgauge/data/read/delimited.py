"""Files with named columns: CSV and TSV, with quotes as spreadsheets write them, and Parquet."""

from __future__ import annotations

import csv
import io
import math
import os
import re
import sys
import threading
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any, TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rankgauge.data import read
from rankgauge.data.columns import Picked, frame_table, pick, rows_holding
from rankgauge.data.read.bytes import PIECE, Content, Source, decoded, without_marks
from rankgauge.data.table import Lines, Pairs, RowTable, Wanted
from rankgauge.errors import DataError, plural
from rankgauge.tables.notes import Note, Tally, clip, noted, quoted, share

Id = TypeVar("Id", str, bytes)
PARQUET = b"PAR1"
_EASY_ROWS, _ROWS_PER_BYTE = 10_000_000, 16
_NEWLINE, _RETURN, _QUOTE = 10, 13, 34
_DAMAGED = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)
"""What a damaged file makes of the parser; a panic of its Rust code is no Exception of Python."""
_ZONE = re.compile(r"unable to parse time zone: '([^']*)'")
_LOCK = threading.RLock()


def read_delimited(source: Source, content: Content, wanted: Wanted, separator: str) -> RowTable:
    """One scan where all is well; otherwise row by row, to say where it is not."""
    origin = source.origin
    if b"\r" in content.head() and b"\n" not in content.head():  # all of it would be the header
        message, hint = "lines end with a carriage return alone", "Convert the line ends to newlines."
        raise noted("line-ends", message, origin, 1, ("line 1",), line=1, hint=hint).error()
    columns = header(content.head(), separator)
    picked = pick(columns, wanted, origin)
    frame = _scan(content, len(columns), picked, wanted.number, separator)
    if frame is not None:

        def find(pairs: Pairs) -> Lines:
            rows = text_rows(without_marks(source.load().bytes.tobytes()).decode(errors="replace"), separator, origin)
            whole = (row for row in rows if len(row[1]) == len(columns))
            return lines_of(((line, row[picked.query], row[picked.document]) for line, row in whole), pairs)

        return RowTable(wanted.number, origin, frame, find, remarks=picked.remarks, nouns=picked.nouns)
    book = RowBook(wanted.number, origin, is_rank=picked.is_rank)
    width = len(columns)
    for at, row in islice(text_rows(decoded(content.bytes, origin), separator, origin), 1, None):
        if len(row) != width:
            book.wrong(at, f"{clip((separator.strip() or ' ').join(row))}  ({plural(len(row), 'field')})")
            continue
        system = row[picked.system] or None if picked.system is not None else ""
        number = 1 if picked.number is None else row[picked.number]
        book.add(at, row[picked.query], row[picked.document], number, system)
    expected = f"The first line names {width} columns: {clip(', '.join(columns), 200)}."
    return book.table(expected, width, picked.remarks)._replace(nouns=picked.nouns)


def header(head: bytes, separator: str) -> list[str]:
    """The column names."""
    lines = without_marks(head).decode(errors="replace").splitlines()
    return next((cells(line, separator) for line in lines if line.strip()), [])


def cells(line: str, separator: str) -> list[str]:
    """The cells of one line; quotes keep separators."""
    try:
        return next(csv.reader([line], delimiter=separator), [])
    except csv.Error:
        return []


def _scan(content: Content, width: int, picked: Picked, number: str, separator: str) -> pl.DataFrame | None:
    """The columns that matter; None if a row has too many or too few cells, an empty cell, a broken number or quote."""
    roles = picked.roles(number)
    names = [f"c{at}" for at in range(width)]
    is_quoted, separators = _has(content.bytes, _QUOTE), _separators(content.bytes, ord(separator))
    # A lone quote where a number is wanted makes the parser of numbers panic, so quoted text is read as text first.
    schema = {n: pl.String() if is_quoted or at != picked.number else pl.Float64() for at, n in enumerate(names)}
    source, used = content.path or content.bytes.tobytes(), [names[at] for at in roles.values()]
    frame = None if separators is None else scanned(source, schema, used, separator, quote='"', skip=1)
    # The parser drops surplus cells without a word. Where no row is too short, the sum of all shows whether one is too long.
    if frame is None or separators != (width - 1) * (len(frame) + 1):
        return None
    frame.columns = list(roles)
    if is_quoted and any((column == "").any() for column in frame if column.dtype == pl.String()):
        return None
    if picked.number is None:
        return frame.insert_column(2, pl.repeat(1.0, len(frame), eager=True).alias(number))
    found = frame[number].cast(pl.Float64, strict=False)
    if found.null_count() or (picked.is_rank and not ((found >= 0) & (found == found.floor())).all()):
        return None
    return frame.with_columns(-found if picked.is_rank else found)


def scanned(
    source: str | bytes,
    schema: Mapping[str, pl.DataType],
    used: Sequence[str],
    separator: str,
    quote: str | None = None,
    skip: int = 0,
) -> pl.DataFrame | None:
    """The columns that are used; None if a number cannot be read or a row has too few cells.

    The last column is read too: where all rows together have as many separators as they should, a row with too many
    cells, which the parser cuts off, means one with too few, whose last cell is missing.
    """
    try:
        lazy = pl.scan_csv(
            source,
            separator=separator,
            has_header=False,
            skip_rows=skip,
            quote_char=quote,
            schema=schema,
            glob=False,
            raise_if_empty=False,
        )
        frame = lazy.select(list(dict.fromkeys([*used, *list(schema)[-1:]]))).collect()
    except _DAMAGED:  # OSError: after blank lines, bytes that Polars takes for packed ones
        return None
    return None if sum(frame.null_count().row(0)) else frame.select(used)


def _has(text: NDArray[np.uint8], sign: int) -> bool:
    return any((text[begin : begin + PIECE] == sign).any() for begin in range(0, len(text), PIECE))


def _separators(text: NDArray[np.uint8], separator: int) -> int | None:
    """How many separators are outside quotes.

    None unless every quote opens or closes a whole cell or is doubled inside one, and every carriage return ends a line
    together with a newline: what Polars reads otherwise is not what the file says.
    """
    begins = range(0, len(text), PIECE)
    if not (_has(text, _QUOTE) or _has(text, _RETURN)):
        return sum(int(np.count_nonzero(text[begin : begin + PIECE] == separator)) for begin in begins)
    count, is_open = 0, False
    lines = np.pad(text, 1, constant_values=_NEWLINE)
    for begin in begins:
        around = lines[begin : begin + PIECE + 2]
        piece, after = around[1:-1], around[2:]
        quote, edge = piece == _QUOTE, (around == separator) | (around == _NEWLINE) | (around == _QUOTE)
        inside = np.logical_xor.accumulate(quote) ^ quote ^ is_open  # before each sign
        odd = quote & ~np.where(inside, edge[2:] | (after == _RETURN), edge[:-2])
        odd |= ~inside & (piece == _RETURN) & (after != _NEWLINE)
        if odd.any():
            return None
        count += int(np.count_nonzero((piece == separator) & ~inside))
        is_open = bool(inside[-1] ^ quote[-1])
    return None if is_open or text[-1] == _RETURN else count


def lines_of(rows: Iterable[tuple[int, Id, Id]], pairs: Iterable[tuple[Id, Id]]) -> dict[tuple[Id, Id], list[int]]:
    """The first two lines of each (query, document) pair, as no message shows more, among (line, query, document)."""
    found: dict[tuple[Id, Id], list[int]] = {pair: [] for pair in pairs}
    for line, query, document in rows:
        lines = found.get((query, document))
        if lines is not None and len(lines) < 2:
            lines.append(line)
    return found


def broken_quotes(problem: csv.Error, origin: str, line: int) -> DataError:
    """Text that cannot be cut into cells, after the last line that could."""
    hint = "A quote is opened and not closed, or is inside a cell without being doubled."
    message = f"cannot be read after line {line} ({problem})"
    return noted("broken-quotes", message, origin, line=line, hint=hint).error()


def text_rows(text: str, separator: str, origin: str, *, is_exact: bool = True) -> Iterator[tuple[int, list[str]]]:
    """Rows that are not blank, with the line each begins on; if not `is_exact`, blanks may surround cells and quotes."""
    lines = io.StringIO(text, newline="")
    reader = csv.reader(lines, delimiter=separator, strict=is_exact, skipinitialspace=not is_exact)
    line, last = 1, 0
    try:
        for row in reader:
            if row:
                yield line, row
                last = line
            line = reader.line_num + 1
    except csv.Error as problem:
        raise broken_quotes(problem, origin, last) from None


LineOf = Callable[[Any], "int | None"]
_NUMBER = re.compile(r"\s*[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?|nan|inf|infinity)\s*", re.ASCII | re.IGNORECASE)


def number_of(given: Any) -> float | None:
    """A number or the text of one, as float64; nan and infinity pass here and are named by the examination."""
    if isinstance(given, str):
        return float(given) if _NUMBER.fullmatch(given) else None
    return _real(given) if isinstance(given, (int, float)) else None


def _real(number: float) -> float:
    try:
        return float(number)
    except OverflowError:  # a whole number beyond all floats
        return math.inf


def id_of(given: Any) -> str | None:
    """An id is text, or a whole number written as text."""
    if isinstance(given, str):
        return given if given and _is_unicode(given) else None
    return str(given) if isinstance(given, int) and not isinstance(given, bool) else None


def _is_unicode(text: str) -> bool:
    """JSON can escape half a character, which no text file can hold."""
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)


def below(place: Any, at: int) -> Any:
    """The path one step further in; a line number stays unchanged."""
    return (*place, at) if isinstance(place, tuple) else place


class RowBook:
    """Collects rows with the place each came from; a place becomes a line number when a message needs it."""

    def __init__(
        self, number: str, origin: str, *, is_rank: bool = False, line_of: LineOf = int, noun: str = "line"
    ) -> None:
        self.number, self.origin, self.is_rank, self.line_of, self.noun = number, origin, is_rank, line_of, noun
        self.rows = 0
        self._queries, self._documents, self._systems = list[str](), list[str](), list[str]()
        self._numbers = array("d")
        self._starts, self._places = array("q"), list[Any]()
        """A place, from which row on it counts; in brackets that of a list whose rows lie inside it."""
        self._tallies = {kind: Tally(kind) for kind in ("not-utf8", "wrong-fields", "bad-id", "not-a-number")}

    def add(
        self, place: Any, query: Any, document: Any, number: Any, system: Any = "", *, is_rank: bool | None = None
    ) -> bool:
        """A row as found; it is kept if ids are ids and the number is one."""
        name, item, label = id_of(query), id_of(document), "" if system == "" else id_of(system)
        if name is None or item is None or label is None:
            cells = (("query", query, name), ("document", document, item), ("system", system, label))
            role, given = next((role, given) for role, given, known in cells if known is None)
            self.wrong(place, f"{role} {quoted(given)}", "bad-id")
            return False
        is_rank, value = self.is_rank if is_rank is None else is_rank, number_of(number)
        if is_rank and value is not None:
            value = -value if value >= 0 and value.is_integer() else None
        if value is None:
            what = "rank" if is_rank else self.number
            self.wrong(place, f"{what} {quoted(number)} of query {clip(name)}, document {clip(item)}", "not-a-number")
            return False
        self._begin(place)
        self._queries.append(name)
        self._documents.append(item)
        self._systems.append(label)
        self._numbers.append(value)
        return True

    def add_list(self, place: Any, query: Any, documents: list[Any], numbers: Sequence[Any]) -> None:
        """The documents of one query with their scores; together where all are in order, else one by one."""
        name = id_of(query)
        plain = set(map(type, documents)) == {str} and "" not in documents and set(map(type, numbers)) <= {int, float}
        if name is None or not plain or not _is_unicode("".join(documents)):
            for at, (document, number) in enumerate(zip(documents, numbers, strict=True)):
                self.add(below(place, at), query, document, number, is_rank=False)
            return
        self._begin([place], len(documents))
        self._queries += [name] * len(documents)
        self._documents += documents
        self._systems += [""] * len(documents)
        self._numbers.extend(map(_real, numbers))

    def _begin(self, place: Any, rows: int = 1) -> None:
        self.rows += rows
        self._starts.append(len(self._numbers))
        self._places.append(place)

    def wrong(self, place: Any, text: str = "", kind: str = "wrong-fields") -> None:
        """A row that cannot be used."""
        self.rows += 1
        tally = self._tallies[kind]
        line = self.line_of(place) if tally.is_open else None
        at = "" if line is None else f"line {line}"
        tally.add(line, ": ".join(part for part in (at, text) if part))

    def table(self, expected: str, width: int = 0, remarks: tuple[Note, ...] = ()) -> RowTable:
        """The rows that can be used; `expected` closes each complaint."""
        data = {
            "query": pl.Series(self._queries, dtype=pl.String),
            "document": pl.Series(self._documents, dtype=pl.String),
            self.number: pl.Series(self._numbers, dtype=pl.Float64),
        }
        if any(self._systems):
            data["system"] = pl.Series(self._systems, dtype=pl.String)
        frame = pl.DataFrame(data)
        fields = f"not have {width} fields" if width else "not fit"
        what = "rank, a whole number from 0 on" if self.is_rank else self.number
        texts = {
            "not-utf8": (("is", "are"), "not UTF-8 text", "Convert the file to UTF-8."),
            "wrong-fields": (("does", "do"), fields, expected),
            "bad-id": (("has", "have"), "no proper id", "Ids are text or whole numbers, and not empty."),
            "not-a-number": (("has", "have"), f"no number as {what}", expected),
        }
        faults = []
        for kind, (verb, text, hint) in texts.items():
            tally, noun = self._tallies[kind], "line" if kind == "not-utf8" else self.noun
            if tally.count:
                message = f"{share(tally.count, self.rows, noun)} {verb[tally.count != 1]} {text}"
                faults.append(tally.note(message, self.origin, hint))

        def line(row: int) -> int | None:
            at = bisect_right(self._starts, row) - 1
            place = self._places[at]
            return self.line_of(below(place[0], row - self._starts[at]) if isinstance(place, list) else place)

        def lines(pairs: Pairs) -> Lines:  # where a pair is again: no more than two are shown
            found = {pair: map(line, rows[:2]) for pair, rows in rows_holding(pairs, frame).items()}
            return {pair: [at for at in known if at is not None] for pair, known in found.items()}

        return RowTable(self.number, self.origin, frame, lines, tuple(faults), remarks=remarks)


def read_parquet(source: Source, content: Content, wanted: Wanted) -> RowTable:
    """The columns that matter, and no others."""
    with sound_parquet(source.origin):
        lazy = scan_parquet(content, source.origin)
        names = lazy.collect_schema().names()
        used = pick(names, wanted, source.origin).roles(wanted.number).values()
        frame = lazy.select(list(dict.fromkeys(names[at] for at in used))).collect()
        # Inside: a cast to text panics where a time zone is unknown.
        return frame_table(frame, wanted, source.origin)


def parquet_columns(source: Source) -> list[str]:
    """The names of the columns; none if the file is damaged."""
    try:
        with hushed():
            return scan_parquet(source.load(), source.origin).collect_schema().names()
    except _DAMAGED:
        return []


def scan_parquet(content: Content, origin: str) -> pl.LazyFrame:
    """The table, of which nothing is read yet; no file is taken that makes too many rows of its bytes."""
    refuse_counts(content.bytes)
    source = content.path or content.bytes.tobytes()
    lazy = pl.scan_parquet(source, glob=False, hive_partitioning=False)
    rows, most = lazy.select(pl.len()).collect().item(), max(_EASY_ROWS, _ROWS_PER_BYTE * len(content.bytes))
    if rows > most:
        message = f"{len(content.bytes):,} bytes become {rows:,} rows, more than {most:,}"
        hint = "No judgments or runs pack this well: each document is in a query once."
        raise noted("too-many-rows", message, origin, hint=hint).error()
    return lazy


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
        raise noted("damaged", message, origin, hint=hint).error() from None


@contextmanager
def hushed() -> Iterator[None]:
    """Where a command wants it quiet, what is printed meanwhile comes out afterwards, unless it is about a panic.

    Rust prints panics on standard error before Python hears of them. Where the system cannot hold them back, they still are.
    """
    if not (read.is_quiet and hasattr(os, "memfd_create") and sys.stderr is not None):
        yield
        return
    with _LOCK:
        usual, held = os.dup(2), os.memfd_create("standard error")
        os.dup2(held, 2)
        try:
            yield
        except pl.exceptions.PanicException:
            os.truncate(held, 0)
            raise
        finally:
            os.dup2(usual, 2)
            os.write(2, os.pread(held, os.fstat(held).st_size, 0))
            os.close(usual)
            os.close(held)


_SMALL, _SHORT = 1 << 20, 1 << 14
"""Bytes of a file, and of its footer, that are looked at."""
_TRUE, _FALSE, _BYTE, _DOUBLE, _TEXT, _LIST, _SET, _STRUCT = 1, 2, 3, 7, 8, 9, 10, 12
_WHOLE = 6
_ROW_GROUPS, _COLUMNS, _ABOUT, _VALUES, _SIZE, _FIRST, _DICTIONARY = 4, 1, 3, 5, 7, 9, 11
"""Numbers of fields: of the file; of a group of rows; of a column; of what is told about it, four times."""
_PACKED, _COUNTED = 3, (5, 7, 8)
"""Of the header of a page: its size, and the headers of its three kinds, whose first field counts values."""


def refuse_counts(data: NDArray[np.uint8]) -> None:
    """An error of Polars where a page states more values than its column, or fewer than none."""
    footer = int.from_bytes(data[-8:-4].tobytes(), "little")
    if len(data) > _SMALL or not 0 < footer <= min(_SHORT, len(data) - 8):
        return
    try:
        for stated, values in _pages(io.BytesIO(data.tobytes()), len(data) - 8 - footer):
            if not 0 <= values <= stated:
                raise pl.exceptions.ComputeError(f"a page of a column of {stated:,} values states {values:,}")
    except (AttributeError, IndexError, KeyError, OverflowError, RecursionError, TypeError):
        return  # damaged otherwise, which Polars notices


def _pages(data: io.BytesIO, footer: int) -> Iterator[tuple[int, int]]:
    """The values of each page beside those of its column."""
    data.seek(footer)
    for group in _thrift(data).get(_ROW_GROUPS, ()):
        for column in group[_COLUMNS]:
            about = column[_ABOUT]
            at = min(about[_FIRST], about.get(_DICTIONARY) or about[_FIRST])
            end = at + about[_SIZE]
            while 0 <= at < end:
                data.seek(at)
                header = _thrift(data)
                yield from ((about[_VALUES], header[kind][1]) for kind in _COUNTED if kind in header)
                at = data.tell() + max(0, header[_PACKED])


def _thrift(data: io.BytesIO, kind: int = _STRUCT) -> Any:
    """A value as Thrift packs it, a struct as a dict by the numbers of its fields; IndexError where the data end."""
    if kind == _STRUCT:
        fields: dict[int, Any] = {}
        number = 0
        while head := data.read(1)[0]:
            number = number + (head >> 4) if head >> 4 else _thrift(data, _WHOLE)
            fields[number] = None if head & 15 in {_TRUE, _FALSE} else _thrift(data, head & 15)
        return fields
    if kind in {_LIST, _SET}:
        head = data.read(1)[0]
        count = head >> 4 if head >> 4 < 15 else _varint(data)
        return [_thrift(data, head & 15) for _ in range(count)]
    if kind in {_TRUE, _FALSE, _BYTE}:
        return data.read(1)[0]
    if kind in {_DOUBLE, _TEXT}:
        size = 8 if kind == _DOUBLE else _varint(data)
        if len(data.read(size)) < size:  # as a damaged list of 10¹⁵ numbers soon is
            raise IndexError
        return None
    found = _varint(data)
    return found >> 1 ^ -(found & 1)  # signed numbers take turns: 0, -1, 1, -2, …


def _varint(data: io.BytesIO) -> int:
    found = 0
    for shift in range(0, 70, 7):  # ten bytes hold 64 bits
        byte = data.read(1)[0]
        found |= (byte & 127) << shift
        if byte < 128:
            return found
    raise OverflowError
