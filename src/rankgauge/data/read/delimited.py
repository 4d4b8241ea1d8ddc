"""Files with named columns: CSV and TSV, with quotes as spreadsheets write them, and Parquet."""

from __future__ import annotations

import csv
import io
import math
import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rankgauge.data.columns import Picked, frame_table, pick, rows_holding
from rankgauge.data.faults import UnreadableError
from rankgauge.data.read.bytes import PIECE, Content, Source, decoded, without_marks
from rankgauge.data.read.panics import hushed
from rankgauge.data.table import FrameTable, Lines, Pairs, Wanted
from rankgauge.errors import plural
from rankgauge.tables.notes import Note, Tally, clip, noted, quoted, share

Id = TypeVar("Id", str, bytes)
PARQUET = b"PAR1"
_EASY_ROWS, _ROWS_PER_BYTE = 10_000_000, 16
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
        rows = text_rows(without_marks(source.load().bytes.tobytes()).decode(errors="replace"), separator)
        whole = (row for row in rows if len(row[1]) == len(columns))
        return lines_of(((line, row[picked.query], row[picked.document]) for line, row in whole), pairs)

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
    used = [names[at] for at in picked.used]
    is_quoted = _has(content.bytes, _QUOTE)
    separators = _separators(content.bytes, ord(separator))
    # A lone quote where a number is wanted makes the parser of numbers panic, so quoted text is read as text first.
    schema = {n: pl.String() if is_quoted or at != picked.number else pl.Float64() for at, n in enumerate(names)}
    source = content.path or content.bytes.tobytes()
    frame = None if separators is None else scanned(source, schema, used, separator, quote='"', skip=1)
    # The parser drops surplus cells without a word. Where no row is too short, the sum of all shows whether one is too long.
    if frame is None or separators != (len(names) - 1) * (len(frame) + 1):
        return None
    if is_quoted and any((column == "").any() for column in frame if column.dtype == pl.String()):
        return None
    if picked.number is None:
        return frame
    number = frame[names[picked.number]].cast(pl.Float64, strict=False)
    if number.null_count() or (picked.is_rank and not ((number >= 0) & (number == number.floor())).all()):
        return None
    return frame.with_columns(number)


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
    pieces = range(0, len(text), PIECE)
    if not (_has(text, _QUOTE) or _has(text, _RETURN)):
        return sum(int(np.count_nonzero(text[begin : begin + PIECE] == separator)) for begin in pieces)
    count = quotes = 0
    closed = np.pad(text, 1, constant_values=_NEWLINE)
    for begin in pieces:
        around = closed[begin : begin + PIECE + 2]
        piece, after = around[1:-1], around[2:]
        quote = piece == _QUOTE
        inside = np.logical_xor.accumulate(quote) ^ quote ^ (quotes % 2 == 1)
        sign, ends = piece == separator, (around == separator) | (around == _NEWLINE) | (around == _QUOTE)
        odd = quote & ~np.where(inside, ends[2:] | (after == _RETURN), ends[:-2])
        odd |= ~inside & (piece == _RETURN) & (after != _NEWLINE)
        if odd.any():
            return None
        count += int(np.count_nonzero(sign & ~inside))
        quotes += int(np.count_nonzero(quote))
    return None if quotes % 2 or text[-1] == _RETURN else count


def lines_of(rows: Iterable[tuple[int, Id, Id]], pairs: Iterable[tuple[Id, Id]]) -> dict[tuple[Id, Id], list[int]]:
    """The first two lines of each (query, document) pair, as no message shows more, among (line, query, document)."""
    found: dict[tuple[Id, Id], list[int]] = {pair: [] for pair in pairs}
    for line, query, document in rows:
        lines = found.get((query, document))
        if lines is not None and len(lines) < 2:
            lines.append(line)
    return found


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
        lazy = scan_parquet(content, source.origin)
        names = lazy.collect_schema().names()
        picked = pick(names, wanted, source.origin)
        frame = lazy.select(list(dict.fromkeys(names[at] for at in picked.used))).collect()
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
        raise UnreadableError(noted("too-many-rows", message, origin, hint=hint))
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
        raise UnreadableError(noted("damaged", message, origin, hint=hint)) from None


NUMBER = re.compile(r"\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s*", re.ASCII)
_UNREAL = re.compile(r"\s*[-+]?(?:nan|inf|infinity)\s*", re.IGNORECASE)
LineOf = Callable[[Any], "int | None"]


def number_of(given: Any) -> float | None:
    """A number or the text of one, as float64; nan and infinity pass here and are named by the examination."""
    if isinstance(given, str):
        return float(given) if NUMBER.fullmatch(given) or _UNREAL.fullmatch(given) else None
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
        self,
        number: str,
        origin: str,
        *,
        is_rank: bool = False,
        line_of: LineOf | None = None,
        noun: str = "line",
    ) -> None:
        self.number, self.origin, self.is_rank, self.noun = number, origin, is_rank, noun
        self.line_of: LineOf = line_of or int
        self.rows = 0
        self._ids: tuple[list[str], list[str]] = ([], [])
        self._numbers = array("d")
        self._systems: list[str] = []
        self._starts, self._places, self._are_lists = array("q"), list[Any](), bytearray()
        """A place, from which row on it counts, and whether it is that of a list whose rows lie inside it."""
        self.fields, self.ids, self.numbers = Tally("wrong-fields"), Tally("bad-id"), Tally("not-a-number")
        self.foreign = Tally("not-utf8")

    def add(
        self, place: Any, query: Any, document: Any, number: Any, system: Any = "", *, is_rank: bool | None = None
    ) -> bool:
        """A row as found; it is kept if ids are ids and the number is one."""
        names, value = (id_of(query), id_of(document)), number_of(number)
        label = "" if system == "" else id_of(system)
        is_rank = self.is_rank if is_rank is None else is_rank
        if is_rank and value is not None:
            value = -value if value >= 0 and value.is_integer() else None
        if names[0] is None or names[1] is None or label is None:
            cells = zip(("query", "document", "system"), (*names, label), (query, document, system), strict=True)
            self.wrong_id(place, *next((role, given) for role, made, given in cells if made is None))
            return False
        self.rows += 1
        if value is None:
            what, pair = "rank" if is_rank else self.number, f"query {clip(names[0])}, document {clip(names[1])}"
            self._note(self.numbers, place, f"{what} {quoted(number)} of {pair}")
            return False
        self._starts.append(len(self._numbers))
        self._places.append(place)
        self._are_lists.append(False)
        self._ids[0].append(names[0])
        self._ids[1].append(names[1])
        self._numbers.append(value)
        if label or self._systems:
            self._systems += [""] * (len(self._numbers) - 1 - len(self._systems))
            self._systems.append(label)
        return True

    def add_list(self, place: Any, query: Any, documents: list[Any], numbers: Sequence[Any]) -> None:
        """The documents of one query with their scores; together where all are in order, else one by one."""
        name = id_of(query)
        plain = name is not None and set(map(type, documents)) == {str} and "" not in documents
        if not (plain and set(map(type, numbers)) <= {int, float} and _is_unicode("".join(documents))):
            for at, (document, number) in enumerate(zip(documents, numbers, strict=True)):
                self.add(below(place, at), query, document, number, is_rank=False)
            return
        self._starts.append(len(self._numbers))
        self._places.append(place)
        self._are_lists.append(True)
        self.rows += len(documents)
        self._ids[0].extend([name] * len(documents))  # type: ignore[list-item]
        self._ids[1].extend(documents)
        self._numbers.extend(map(_real, numbers))

    def wrong_id(self, place: Any, role: str, given: Any) -> None:
        self.rows += 1
        self._note(self.ids, place, f"{role} {quoted(given)}")

    def wrong_fields(self, place: Any, text: str) -> None:
        self.rows += 1
        self._note(self.fields, place, text)

    def not_utf8(self, place: Any) -> None:
        self.rows += 1
        self._note(self.foreign, place, "")

    def _note(self, tally: Tally, place: Any, text: str) -> None:
        line = self.line_of(place) if tally.is_open else None
        at = "" if line is None else f"line {line}"
        tally.add(line, ": ".join(part for part in (at, text) if part))

    def table(self, expected: str, width: int = 0, remarks: tuple[Note, ...] = ()) -> FrameTable:
        """The rows that can be used; `expected` closes each complaint."""
        data = {
            role: pl.Series(ids, dtype=pl.String) for role, ids in zip(("query", "document"), self._ids, strict=True)
        }
        data[self.number] = pl.Series(self._numbers, dtype=pl.Float64)
        if self._systems:
            self._systems += [""] * (len(self._numbers) - len(self._systems))
            data["system"] = pl.Series(self._systems, dtype=pl.String)
        frame = pl.DataFrame(data)
        what = "rank, a whole number from 0 on" if self.is_rank else self.number
        texts = [
            (self.foreign, ("is", "are"), "not UTF-8 text", "Convert the file to UTF-8."),
            (self.fields, ("does", "do"), f"not have {width} fields" if width else "not fit", expected),
            (self.ids, ("has", "have"), "no proper id", "Ids are text or whole numbers, and not empty."),
            (self.numbers, ("has", "have"), f"no number as {what}", expected),
        ]
        faults = tuple(
            tally.note(
                f"{share(tally.count, self.rows, 'line' if tally is self.foreign else self.noun)}"
                f" {verb[tally.count != 1]} {text}",
                self.origin,
                hint,
            )
            for tally, verb, text, hint in texts
            if tally.count
        )

        def lines(pairs: Pairs) -> Lines:
            found: Lines = {}
            for pair, rows in rows_holding(pairs, frame).items():
                known = (self.line_of(self._place(row)) for row in rows[:2])  # where a pair is again: no more is shown
                found[pair] = [line for line in known if line is not None]
            return found

        return FrameTable(frame, self.number, self.origin, lines, "line", faults, remarks)

    def _place(self, row: int) -> Any:
        at = bisect_right(self._starts, row) - 1
        return below(self._places[at], row - self._starts[at]) if self._are_lists[at] else self._places[at]


_SMALL, _SHORT = 1 << 20, 1 << 14
"""Bytes of a file, and of its footer, that are looked at."""
_TRUE, _FALSE, _BYTE, _DOUBLE, _TEXT, _LIST, _SET, _MAP, _STRUCT = 1, 2, 3, 7, 8, 9, 10, 11, 12
_ROW_GROUPS, _COLUMNS, _ABOUT, _VALUES, _SIZE, _FIRST, _DICTIONARY = 4, 1, 3, 5, 7, 9, 11
"""Numbers of fields: of the file; of a group of rows; of a column; of what is told about it, four times."""
_LONGEST = 63
"""Bits of a number."""
_PACKED, _COUNTED = 3, (5, 7, 8)
"""Of the header of a page: its size, and the headers of its three kinds, whose first field counts values."""


def refuse_counts(data: NDArray[np.uint8]) -> None:
    """An error of Polars where a page states more values than its column, or fewer than none."""
    footer = int.from_bytes(data[-8:-4].tobytes(), "little")
    if len(data) > _SMALL or not 0 < footer <= min(_SHORT, len(data) - 8):
        return
    whole = data.tobytes()
    try:
        for stated, values in _pages(whole, len(whole) - 8 - footer):
            if not 0 <= values <= stated:
                raise pl.exceptions.ComputeError(f"a page of a column of {stated:,} values states {values:,}")
    except (AttributeError, IndexError, KeyError, OverflowError, RecursionError, TypeError):
        return  # damaged otherwise, which Polars notices


def _pages(data: bytes, footer: int) -> Iterator[tuple[int, int]]:
    """The values of each page beside those of its column."""
    for group in _Thrift(data, footer).struct().get(_ROW_GROUPS, ()):
        for column in group[_COLUMNS]:
            about = column[_ABOUT]
            at = min(about[_FIRST], about.get(_DICTIONARY) or about[_FIRST])
            end = at + about[_SIZE]
            while 0 <= at < end:
                reader = _Thrift(data, at)
                header = reader.struct()
                yield from ((about[_VALUES], header[kind][1]) for kind in _COUNTED if kind in header)
                at = reader.at + max(0, header[_PACKED])


class _Thrift:
    """Reads structs as dicts by the numbers of their fields; IndexError where the data end."""

    def __init__(self, data: bytes, at: int) -> None:
        self.data, self.at = data, at

    def struct(self) -> dict[int, Any]:
        fields: dict[int, Any] = {}
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._whole()
            kind = head & 15
            fields[number] = kind == _TRUE if kind in {_TRUE, _FALSE} else self._value(kind)
        return fields

    def _value(self, kind: int) -> Any:
        if kind == _STRUCT:
            return self.struct()
        if kind in {_LIST, _SET}:
            head = self._byte()
            count = head >> 4 if head >> 4 < 15 else self._varint()
            return [self._value(head & 15) for _ in range(count)]
        if kind == _MAP:
            count = self._varint()
            kinds = self._byte() if count else 0
            return [(self._value(kinds >> 4), self._value(kinds & 15)) for _ in range(count)]
        if kind in {_TRUE, _FALSE, _BYTE}:
            return self._byte()
        if kind in {_DOUBLE, _TEXT}:
            size = 8 if kind == _DOUBLE else self._varint()
            self.at += size
            if self.at > len(self.data):  # as a damaged list of 10¹⁵ numbers soon is
                raise IndexError
            return None
        return self._whole()

    def _byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def _varint(self) -> int:
        found = shift = 0
        while (byte := self._byte()) > 127:
            found |= (byte & 127) << shift
            shift += 7
            if shift > _LONGEST:
                raise OverflowError
        return found | byte << shift

    def _whole(self) -> int:
        """Signed numbers take turns: 0, -1, 1, -2, …"""
        found = self._varint()
        return found >> 1 ^ -(found & 1)
