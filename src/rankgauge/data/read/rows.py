"""Rows taken one by one, where a file must be walked: what can be used, and what is wrong with the rest."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any

import polars as pl

from rankgauge.data.tables.frames import rows_holding
from rankgauge.data.tables.table import FrameTable, Lines, Pairs
from rankgauge.tables.notes import Note, Tally, clip, quoted, share

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


class RowBook:
    """Collects rows with the place each came from; a place becomes a line number when a message needs it."""

    def __init__(
        self, number: str, origin: str, *, is_rank: bool = False, line_of: LineOf | None = None, noun: str = "line"
    ) -> None:
        self.number, self.origin, self.is_rank, self.noun = number, origin, is_rank, noun
        self.line_of: LineOf = line_of or int
        self.rows = 0
        self.columns: tuple[list[str], list[str], list[float], list[Any], list[str]] = ([], [], [], [], [])
        self.fields, self.ids, self.numbers = Tally("wrong-fields"), Tally("bad-id"), Tally("not-a-number")
        self.foreign = Tally("not-utf8")

    def add(self, place: Any, query: Any, document: Any, number: Any, system: Any = "") -> None:
        """A row as found; it is kept if ids are ids and the number is one."""
        self.rows += 1
        names, value = (id_of(query), id_of(document)), self._value(number)
        label = "" if system == "" else id_of(system)
        if names[0] is None or names[1] is None or label is None:
            cells = zip(("query", "document", "system"), (*names, label), (query, document, system), strict=True)
            role, given = next((role, given) for role, made, given in cells if made is None)
            self.note(self.ids, place, f"{role} {quoted(given)}")
        elif value is None:
            what, pair = "rank" if self.is_rank else self.number, f"query {clip(names[0])}, document {clip(names[1])}"
            self.note(self.numbers, place, f"{what} {quoted(number)} of {pair}")
        else:
            queries, documents, numbers, places, systems = self.columns
            queries.append(names[0])
            documents.append(names[1])
            numbers.append(value)
            places.append(place)
            systems.append(label)

    def add_all(self, query: Any, pairs: Sequence[tuple[str, Any]], places: list[Any]) -> None:
        """The documents of one query with their numbers; together where all are in order, else one by one."""
        documents, numbers = [document for document, _ in pairs], [number for _, number in pairs]
        plain = not self.is_rank and {type(number) for number in numbers} <= {int, float} and "" not in documents
        if not (plain and id_of(query) == query and _is_unicode("".join(documents))):
            for place, document, number in zip(places, documents, numbers, strict=True):
                self.add(place, query, document, number)
            return
        self.rows += len(documents)
        queries, names, values, kept, systems = self.columns
        queries += [query] * len(documents)
        names += documents
        values += [_real(number) for number in numbers]
        kept += places
        systems += [""] * len(documents)

    def wrong_fields(self, place: Any, text: str) -> None:
        self.rows += 1
        self.note(self.fields, place, text)

    def not_utf8(self, place: Any) -> None:
        self.rows += 1
        self.note(self.foreign, place, "")

    def note(self, tally: Tally, place: Any, text: str) -> None:
        line = self.line_of(place) if tally.is_open else None
        at = "" if line is None else f"line {line}"
        tally.add(line, ": ".join(part for part in (at, text) if part))

    def table(self, expected: str, width: int = 0, remarks: tuple[Note, ...] = ()) -> FrameTable:
        """The rows that can be used; `expected` closes each complaint."""
        query, document, value, places, system = self.columns
        data = {
            "query": pl.Series(query, dtype=pl.String),
            "document": pl.Series(document, dtype=pl.String),
            self.number: pl.Series(value, dtype=pl.Float64),
        }
        if any(system):
            data["system"] = pl.Series(system, dtype=pl.String)
        frame = pl.DataFrame(data)
        faults = tuple(self._faults(expected, width))
        return FrameTable(frame, self.number, self.origin, self._finder(frame, places), "line", faults, remarks)

    def _value(self, given: Any) -> float | None:
        number = number_of(given)
        if not self.is_rank or number is None:
            return number
        return -number if number >= 0 and number.is_integer() else None

    def _faults(self, expected: str, width: int) -> list[Note]:
        what = "rank, a whole number from 0 on" if self.is_rank else self.number
        texts = [
            (self.foreign, ("is", "are"), "not UTF-8 text", "Convert the file to UTF-8."),
            (self.fields, ("does", "do"), f"not have {width} fields" if width else "not fit", expected),
            (self.ids, ("has", "have"), "no proper id", "Ids are text or whole numbers, and not empty."),
            (self.numbers, ("has", "have"), f"no number as {what}", expected),
        ]
        return [
            tally.note(
                f"{share(tally.count, self.rows, 'line' if tally is self.foreign else self.noun)}"
                f" {verb[tally.count != 1]} {text}",
                self.origin,
                hint,
            )
            for tally, verb, text, hint in texts
            if tally.count
        ]

    def _finder(self, frame: pl.DataFrame, places: list[Any]) -> Callable[[Pairs], Lines]:
        def lines(rows: list[int]) -> list[int]:
            return [line for line in (self.line_of(places[row]) for row in rows) if line is not None]

        return lambda pairs: {pair: lines(rows) for pair, rows in rows_holding(pairs, frame).items()}
