"""Where the rows of judgments and runs live: plain dicts, a Polars frame, or a file not yet read.

Every table can be loaded as a frame, may be a mapping, and knows the lines of a (query, document) pair.
Polars is imported only by those who need a frame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.errors import DataError, plural
from rankgauge.tables.notes import NOUNS, SHOWN, Note, Tally, clip, noted, quoted, some

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.arrays import Floats, Ints

Rows = Mapping[str, Mapping[str, float]]
Pairs = Iterable[tuple[str, str]]
Lines = dict[tuple[str, str], list[int]]
Piece = Callable[[], "pl.DataFrame | None"]
"""Reads a part of a file when called; None where it is odd, so that only a look at the whole can say what is wrong."""


class RowTable:
    """Rows of (query, document, number); `number` is the name of the third column."""

    number: str
    origin: str
    unit: str
    """What a place is counted in: 'line' of a file, or 'row' (from 0) of a table in memory."""
    remarks: tuple[Note, ...]
    """What the reader has to say; a file not yet read has nothing to say yet."""
    nouns: tuple[str, str] = NOUNS
    """What the columns say that these are: queries and documents, or users and items."""
    aligned: bool = False
    """Whether these were bare predictions, and so have no ids that could break ties."""

    def load(self) -> FrameTable:
        raise NotImplementedError

    def frame(self) -> pl.DataFrame:
        return self.load().data

    def mapping(self) -> Rows | None:
        return None

    def find_lines(self, pairs: Pairs) -> Lines:  # noqa: ARG002 - dicts have no lines
        return {}


@dataclass(frozen=True, eq=False, repr=False)
class FrameTable(RowTable):
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
    nouns: tuple[str, str] = NOUNS
    lists: tuple[str, Any] | None = None
    """The field of records that lists these documents, and where the records are: their file, or the object handed over."""
    aligned: bool = False

    @cached_property
    def data(self) -> pl.DataFrame:
        """The rows with all ids as text."""
        return self.rows.with_columns(as_text(self.rows[role]) for role in ("query", "document"))

    def load(self) -> FrameTable:
        """This table, if nothing is wrong with it."""
        if self.faults:
            self.faults[0].refuse()
        return self

    def find_lines(self, pairs: Pairs) -> Lines:
        return self.lines(pairs) if self.lines else {}


@dataclass(frozen=True, eq=False, repr=False)
class FileTable(RowTable):
    """A file that is read when its rows are needed, and again when they are needed again."""

    read: Callable[[], FrameTable]
    number: str
    origin: str
    unit: str = "line"
    remarks: tuple[Note, ...] = ()
    parts: Callable[[int], Iterator[Piece] | None] | None = None
    """Cuts the file into parts of whole queries, of about this many bytes; None where it cannot be cut."""

    def load(self) -> FrameTable:
        return self.read().load()

    def find_lines(self, pairs: Pairs) -> Lines:
        return self.read().find_lines(pairs)


@dataclass(frozen=True, eq=False, repr=False)
class DictTable(RowTable):
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
        import polars as pl

        size, number = flatten(self.data, self.number, self.origin)
        try:
            queries = pl.Series("query", list(self.data), pl.String)
            documents = pl.Series("document", list(chain.from_iterable(self.data.values())), pl.String)
        except (TypeError, UnicodeEncodeError):
            mixed_ids(self.origin).refuse()
        query = queries.gather(np.repeat(np.arange(len(size)), size))
        rows = pl.DataFrame({"query": query, "document": documents, self.number: number})
        return FrameTable(rows, self.number, self.origin, unit=self.unit, remarks=self.remarks, whole=self.whole)


def is_of_numbers(data: Any) -> bool:
    """{query: {document: number}}, as far as its beginning shows; then nothing else has to be found out about it."""
    first = next(iter(data.values()), None) if isinstance(data, dict) else None
    return isinstance(first, dict) and isinstance(next(iter(first.values()), None), (int, float))


def is_spark(data: Any) -> bool:
    """Whether this is a Spark table, found out without importing pyspark."""
    return type(data).__module__.startswith("pyspark.") and hasattr(data, "sparkSession")


def as_text(ids: pl.Series) -> pl.Series:
    import polars as pl

    return ids if ids.dtype == pl.String else ids.cast(pl.String)


def flatten(rows: Rows, number: str, origin: str) -> tuple[Ints, Floats]:
    """How many documents each query has, and all numbers one after the other."""
    size = np.fromiter(map(len, rows.values()), np.int64, len(rows))
    try:
        numbers = np.fromiter(chain.from_iterable(map(dict.values, rows.values())), np.float64, int(size.sum()))  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        numbers = np.fromiter(_checked(rows, number, origin), np.float64, int(size.sum()))
    return size, numbers


def mixed_ids(origin: str) -> Note:
    message = "ids of several types, or ids that are not text"
    return noted("mixed-ids", message, origin, hint="Make every id a text (str).")


def _checked(rows: Rows, number: str, origin: str) -> Iterable[float]:
    """Each number; or, for mappings that are not dicts and for values that are not numbers, the slow way with a clear error."""
    for query, documents in rows.items():
        for document, value in documents.items():
            try:
                yield float(value)
            except (TypeError, ValueError, OverflowError):
                message = f"{number} {quoted(value)} of query {clip(str(query))}, document {clip(str(document))} is not a number"
                noted("not-a-number", message, origin, hint=f"Give every document a finite {number}.").refuse()


def dict_table(
    data: Mapping[Any, Any], number: str, origin: str, duplicates: str = "error", *, every: bool = False
) -> DictTable:
    """Ids that are not text become text; a list of documents becomes scores −1, −2, … or judged values of 1.

    `every` id is looked at if the first and last ones are known not to speak for all.
    """
    if not every and _is_text(data):
        _refuse_halves(data, origin)
        return _judged(DictTable(data, number, origin))
    repeated = Tally("duplicate-documents")
    made: dict[str, dict[str, Any]] = {}
    for query, rows in data.items():
        if rows is None and number == "score":  # the system failed, and the query counts as missing
            continue
        name = _id(query, "query", origin)
        if name in made:
            message = f"two queries have the same id {clip(name)!r} as text"
            noted("duplicate-queries", message, origin, hint="Make every id a text (str).").refuse()
        made[name] = _documents(name, rows, number, origin, repeated)
    listed = number == "value" and any(not isinstance(rows, Mapping) for rows in data.values())
    remarks = (listed_without_values(origin),) if listed else ()
    whole = all(isinstance(query, int) for query in data)
    if not repeated.count:
        return _judged(DictTable(made, number, origin, remarks, whole=whole))
    message = f"{plural(repeated.count, 'document')} repeated within a query"
    found = repeated.note(message, origin, 'Keep one each, or read with duplicates="best".')
    if duplicates == "error":
        found.refuse()
    return _judged(DictTable(made, number, origin, (*remarks, kept_best(found)), whole=whole))


def _judged(table: DictTable) -> DictTable:
    """Judgments without the queries that have none, as in a file, which cannot hold such a query."""
    if table.number == "score" or all(table.data.values()):
        return table
    bare = [query for query, rows in table.data.items() if not rows]
    text = f"{plural(len(bare), 'query')} without a judgment, left out ({some(bare)})"
    note = noted("queries-without-judgments", text, table.origin, len(bare), tuple(bare[:SHOWN]), line=None)
    kept = {query: rows for query, rows in table.data.items() if rows}
    return replace(table, data=kept, remarks=(*table.remarks, note))


def listed_without_values(origin: str) -> Note:
    return noted("no-values", "documents are listed without values; every one counts as 1", origin, line=None)


def kept_best(found: Note) -> Note:
    """The note about rows that duplicates="best" dropped."""
    message = f"{found.text}; the best of each was kept"
    return noted(found.kind, message, found.origin, found.count, found.places, found.line)


def _refuse_halves(data: Mapping[str, Mapping[str, Any]], origin: str) -> None:
    """Half a character cannot be printed or written: it is refused where it comes in, as in files. Ids are seldom not ASCII."""
    for query, documents in data.items():
        try:
            if not (query.isascii() and "".join(documents).isascii()):
                for role, names in (("query", (query,)), ("document", documents)):
                    for name in names:
                        _id(name, role, origin)
        except TypeError:  # a number among texts, which becomes text later
            continue


def _is_text(data: Mapping[Any, Any]) -> bool:
    """Looks at the queries and at the first and last document of each: types are seldom mixed within one query."""
    for query, rows in data.items():
        if not (isinstance(query, str) and isinstance(rows, dict)):
            return False
        if rows and not (isinstance(next(iter(rows)), str) and isinstance(next(reversed(rows)), str)):
            return False
    return True


def _documents(query: str, rows: Any, number: str, origin: str, repeated: Tally) -> dict[str, Any]:
    if hasattr(rows, "tolist") or isinstance(rows, Iterator):  # an array, a series, a generator
        rows = rows.tolist() if hasattr(rows, "tolist") else list(rows)
    if isinstance(rows, Mapping):
        pairs = rows.items()
    elif isinstance(rows, Sequence) and rows and all(isinstance(row, (tuple, list)) and len(row) == 2 for row in rows):
        pairs = rows  # type: ignore[assignment]
    elif isinstance(rows, Sequence | AbstractSet) and not isinstance(rows, (str, bytes)) and number == "value":
        pairs = ((document, 1) for document in rows)  # type: ignore[assignment]
    elif isinstance(rows, Sequence) and not isinstance(rows, (str, bytes)):
        pairs = ((document, -rank) for rank, document in enumerate(rows, start=1))  # type: ignore[assignment]
    else:
        raise DataError(
            f"query {clip(query)} holds {quoted(rows)}, not documents with their {number}s",
            origin,
            hint="Write {query: {document: number}}, or {query: [documents"
            + (" in order]}." if number == "score" else "]} where each counts as 1."),
        )
    found: dict[str, Any] = {}
    for document, value in pairs:
        name = _id(document, "document", origin)
        if name in found:
            repeated.add(None, f"query {clip(query)}, document {clip(name)}")
            if not _is_better(value, found[name]):
                continue
        found[name] = value
    return found


def _is_better(value: Any, other: Any) -> bool:
    try:
        return bool(value > other)
    except TypeError:  # no numbers: taken over, so that the examination of numbers names it
        return True


def _id(given: Any, role: str, origin: str) -> str:
    if isinstance(given, str):
        if not given.isascii() and any("\ud800" <= character <= "\udfff" for character in given):
            message = f"{role} {quoted(given)} has half a character (a lone surrogate)"
            noted("bad-id", message, origin, hint="Write the whole character.").refuse()
        return given
    if given is None or isinstance(given, (float, bool, list, tuple, Mapping)):
        raise DataError(f"{given!r} is not a {role} id", origin, hint="Ids are text or whole numbers.")
    return str(given)
