"""Where the rows of judgments and runs live: plain dicts, a Polars frame, or a file not yet read.

Every table can be loaded as a frame, may be a mapping, and knows the lines of a (query, document) pair.
Polars is imported only by those who need a frame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from rankgauge.frozen import dataclass
from rankgauge.tables.notes import Note, clip, noted

if TYPE_CHECKING:
    import polars as pl

Rows = Mapping[str, Mapping[str, float]]
Pairs = Iterable[tuple[str, str]]
Lines = dict[tuple[str, str], list[int]]
Piece = Callable[[], "pl.DataFrame | None"]
"""Reads a part of a file when called; None where it is odd, so that only a look at the whole can say what is wrong."""


class RowTable(Protocol):
    """Rows of (query, document, number); `number` is the name of the third column."""

    @property
    def number(self) -> str: ...

    @property
    def origin(self) -> str: ...

    @property
    def unit(self) -> str:
        """What a place is counted in: 'line' of a file, or 'row' (from 0) of a table in memory."""

    @property
    def remarks(self) -> tuple[Note, ...]:
        """What the reader has to say; a file not yet read has nothing to say yet."""

    def load(self) -> FrameTable: ...

    def frame(self) -> pl.DataFrame: ...

    def mapping(self) -> Rows | None: ...

    def find_lines(self, pairs: Pairs) -> Lines: ...


@dataclass(frozen=True)
class FrameTable:
    """Columns query, document and the number, cast; `rows` holds the sound rows, `faults` speak of the others.

    Ids that came as whole numbers stay so in `rows`: two such tables are matched several times faster than texts are.
    """

    rows: pl.DataFrame
    number: str
    origin: str
    lines: Callable[[Pairs], Lines] | None = None
    unit: str = "line"
    faults: tuple[Note, ...] = ()
    remarks: tuple[Note, ...] = ()
    whole: bool = False
    """Whether the queries came as whole numbers, and are to leave as such."""

    @cached_property
    def data(self) -> pl.DataFrame:
        """The rows with all ids as text."""
        return self.rows.with_columns(as_text(self.rows[role]) for role in ("query", "document"))

    def load(self) -> FrameTable:
        """This table, if nothing is wrong with it."""
        if self.faults:
            self.faults[0].refuse()
        return self

    def frame(self) -> pl.DataFrame:
        return self.load().data

    def mapping(self) -> None:
        return None

    def find_lines(self, pairs: Pairs) -> Lines:
        return self.lines(pairs) if self.lines else {}


@dataclass(frozen=True)
class FileTable:
    """A file that is read when its rows are needed, and again when they are needed again."""

    read: Callable[[], FrameTable]
    number: str
    origin: str
    unit: str = "line"
    remarks: tuple[Note, ...] = ()
    pieces: Callable[[int], Iterator[Piece] | None] | None = None
    """Cuts the file into pieces of whole queries, of about this many bytes; None where it cannot be cut."""

    def load(self) -> FrameTable:
        return self.read().load()

    def frame(self) -> pl.DataFrame:
        return self.load().data

    def mapping(self) -> None:
        return None

    def find_lines(self, pairs: Pairs) -> Lines:
        return self.read().find_lines(pairs)


@dataclass(frozen=True)
class DictTable:
    """{query: {document: number}}, all ids text."""

    data: Rows
    number: str
    origin: str
    remarks: tuple[Note, ...] = ()
    unit: str = "row"
    whole: bool = False
    """Whether the queries came as whole numbers, and are to leave as such."""

    def mapping(self) -> Rows:
        return self.data

    def load(self) -> FrameTable:
        return FrameTable(
            self.frame(), self.number, self.origin, unit=self.unit, remarks=self.remarks, whole=self.whole
        )

    def frame(self) -> pl.DataFrame:
        import polars as pl

        size, number = flatten(self.data, self.number, self.origin)
        try:
            queries = pl.Series("query", list(self.data), pl.String)
            documents = pl.Series("document", list(chain.from_iterable(self.data.values())), pl.String)
        except (TypeError, UnicodeEncodeError):
            mixed_ids(self.origin).refuse()
        return pl.DataFrame(
            {
                "query": queries.gather(np.repeat(np.arange(len(size)), size)),
                "document": documents,
                self.number: number,
            }
        )

    def find_lines(self, pairs: Pairs) -> Lines:  # noqa: ARG002 - dicts have no lines
        return {}


def as_text(ids: pl.Series) -> pl.Series:
    import polars as pl

    return ids if ids.dtype == pl.String else ids.cast(pl.String)


def flatten(
    rows: Rows, number: str, origin: str
) -> tuple[np.ndarray[Any, np.dtype[np.int64]], np.ndarray[Any, np.dtype[np.float64]]]:
    """How many documents each query has, and all numbers one after the other."""
    size = np.fromiter(map(len, rows.values()), np.int64, len(rows))
    try:
        numbers = np.fromiter(chain.from_iterable(map(dict.values, rows.values())), np.float64, int(size.sum()))  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        numbers = np.fromiter(_checked(rows, number, origin), np.float64, int(size.sum()))
    return size, numbers


def mixed_ids(origin: str) -> Note:
    return noted(
        "mixed-ids", "ids of several types, or ids that are not text", origin, hint="Make every id a text (str)."
    )


def _checked(rows: Rows, number: str, origin: str) -> Iterable[float]:
    """Each number; or, for mappings that are not dicts and for values that are not numbers, the slow way with a clear error."""
    for query, documents in rows.items():
        for document, value in documents.items():
            try:
                yield float(value)
            except (TypeError, ValueError, OverflowError):
                message = f"{number} {clip(repr(value))} of query {clip(str(query))}, document {clip(str(document))} is not a number"
                noted("not-a-number", message, origin, hint=f"Give every document a finite {number}.").refuse()
