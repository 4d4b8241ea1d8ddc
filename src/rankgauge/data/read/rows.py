"""Rows taken one by one, where a file must be walked: what can be used, and what is wrong with the rest."""

from __future__ import annotations

import math
import re
from array import array
from bisect import bisect_right
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
        is_rank: bool | None = False,
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
        self._start(place, is_list=False)
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
        self._start(place, is_list=True)
        self.rows += len(documents)
        self._ids[0].extend([name] * len(documents))  # type: ignore[list-item]
        self._ids[1].extend(documents)
        self._numbers.extend(map(_real, numbers))

    def _start(self, place: Any, *, is_list: bool) -> None:
        self._starts.append(len(self._numbers))
        self._places.append(place)
        self._are_lists.append(is_list)

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
