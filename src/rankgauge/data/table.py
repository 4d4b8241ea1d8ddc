"""What was handed over, as it came, and as a Table, with the rows of each query together: all that matches, explains or
shows reads that.

Rows come as dicts, in a Polars frame, or in a file not yet read. Only those who need a frame import Polars.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from functools import cached_property, partial
from itertools import chain, compress, islice, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rankgauge.errors import DataError, plural
from rankgauge.tables.notes import NOUNS, SHOWN, Note, Tally, clip, noted, quoted, some

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

    from rankgauge.arrays import Floats, Ints

Pairs = Iterable[tuple[str, str]]
Lines = dict[tuple[str, str], list[int]]
Piece = Callable[[], "pl.DataFrame | None"]
"""Reads a part of a file when called; None where it is odd, so that only a look at the whole can say what is wrong."""

_ODD = np.uint64(0x9E3779B97F4A7C15)
_LONG, _SAMPLE = 1 << 14, 1 << 10
_WIDE = 4
"""Whole numbers are looked up in a table of their range if it has at most so many places for each of them."""


PEOPLE, THINGS = ("user_id", "user", "uid"), ("item_id", "item", "movie_id", "product_id", "iid")
NAMES = {
    "query": ("query_id", "query-id", "qid", "query", "topic", *PEOPLE),
    "document": ("doc_id", "corpus-id", "docno", "docid", "document", *THINGS),
    "value": ("grade", "relevance", "rel", "label", "rating", "value", "clicks", "relevant", "y_true"),
    "score": ("score", "prediction", "pred", "y_pred", "y_score"),
    "rank": ("rank",),
    "system": ("system",),
}
"""The names of each role, the surest first: of `qid` and `query`, the latter is mostly the words of the query."""


class Wanted(NamedTuple):
    """What a reader looks for: judged `value`s or the `score`s of a run, by alias or in columns named outright."""

    number: str
    column: str | None = None
    query: str | None = None
    document: str | None = None


def key(name: str) -> str:
    """`doc_id`, `doc-id`, `docId` and `DocID` are one name."""
    return "".join(character for character in name.casefold() if character not in "-_ ")


class RowTable(NamedTuple):
    """Rows of query, document and number, as they were handed over; `number` is the name of the third column."""

    number: str
    origin: str
    rows: Any
    """A frame of these columns, cast; {query: {document: number}}, ids being text; or what reads a file whenever asked.

    Ids that came to a frame as whole numbers stay so: two such tables are matched several times faster than texts are.
    """
    lines: Callable[[Pairs], Lines] | None = None
    """Where pairs of query and document are in a file or a frame."""
    faults: tuple[Note, ...] = ()
    """What speaks of rows that cannot be used, and so are not in the frame."""
    unit: str = "line"
    """What a place is counted in: 'line' of a file, or 'row' (from 0) of a table in memory."""
    remarks: tuple[Note, ...] = ()
    """What the reader has to say; a file not yet read has nothing to say yet."""
    whole: bool = False
    """Whether the queries came as whole numbers, and are to leave as such."""
    nouns: tuple[str, str] = NOUNS
    """What the columns say that these are: queries and documents, or users and items."""
    aligned: bool = False
    """Whether these were bare predictions, and so have no ids that could break ties."""
    lists: tuple[str, Any] | None = None
    """The field of records that lists these documents, and where the records are: their file, or the object handed over."""
    parts: Callable[[int], Iterator[Piece] | None] | None = None
    """Cuts a file into parts of whole queries, of about this many bytes; None where it cannot be cut."""
    ranks: Callable[[], pl.Series | None] | None = None
    """Reads the ranks that a file states beside its scores; they order nothing."""
    look: Callable[[], RowTable] | None = None
    """Looks at the documents of dicts, if nobody has yet: all ids are text then, or the one that is none is named."""

    @property
    def are_dicts(self) -> bool:
        return isinstance(self.rows, Mapping)

    def read(self) -> RowTable:
        """What a file holds, with its faults."""
        made: RowTable = self.rows() if callable(self.rows) else self
        return made

    def load(self) -> RowTable:
        """The rows in a frame, if nothing is wrong with them."""
        if callable(self.rows) or self.look:
            return (self.look or self.rows)().load()
        if self.faults:
            raise self.faults[0].error()
        if not self.are_dicts:
            return self
        import polars as pl

        table = table_of_frame(self)
        query = pl.Series(table.queries, dtype=pl.String).gather(np.repeat(np.arange(len(table.queries)), table.size))
        columns = {"query": query, "document": table.ids.column.ids, self.number: table.number}
        return self._replace(rows=pl.DataFrame(columns))

    def frame(self) -> pl.DataFrame:
        """The rows with all ids as text."""
        rows: pl.DataFrame = self.load().rows
        return rows.with_columns(as_text(rows[role]) for role in ("query", "document"))

    def find_lines(self, pairs: Pairs) -> Lines:
        lines = self.read().lines
        return lines(pairs) if lines else {}


class Table(NamedTuple):
    """Judgments, or one run: `queries[q]` has the rows `start[q]` to `start[q + 1]`, in the order given.

    No query has two stretches; numbers are finite. `place` holds the row of each in `given`, or where they begin there.
    """

    given: RowTable
    """What the rows were taken from: it knows names, nouns, and the lines of a file."""
    queries: Sequence[str]
    start: Ints
    ids: Texts | Column
    number: Floats
    place: Ints | int = 0

    @property
    def size(self) -> Ints:
        """The rows of each query."""
        return np.diff(self.start)

    def parts(self, rows: int) -> list[tuple[int, Callable[[], Table]]]:
        """Some neighboring queries each, with about so many rows: the first, and what gives the rows. A part fits the cache."""
        if isinstance(self.ids, Texts) or len(self.number) <= rows:
            return [(0, lambda: self)]
        cuts = np.searchsorted(self.start, np.arange(0, len(self.number), rows))
        ends = np.unique(np.append(cuts, len(self.queries))).tolist()
        return [(first, partial(self.part, first, last)) for first, last in pairwise(ends)]

    def part(self, first: int, last: int) -> Table:
        """The queries from `first` to the one before `last`."""
        begin, end = self.start[[first, last]].tolist()
        start, ids, number = self.start[first : last + 1] - begin, self.ids[begin:end], self.number[begin:end]
        place = self.place + begin if isinstance(self.place, int) else self.place[begin:end]
        return Table(self.given, self.queries[first:last], start, ids, number, place)

    def keep(self, rows: Ints) -> Table:
        """Some rows, in their order; a query may be left without any."""
        start, number = np.searchsorted(rows, self.start), self.number[rows]
        return self._replace(start=start, ids=self.ids.take(rows), number=number, place=self.rows_of(rows))

    def rows_of(self, rows: Ints) -> Ints:
        """Where these rows are in what was handed over."""
        return rows + self.place if isinstance(self.place, int) else self.place[rows]

    def names(self, row: int) -> tuple[str, str]:
        """The query and document of a row."""
        at = int(np.searchsorted(self.start, row, "right")) - 1
        return self.queries[at], self.ids.texts(np.array([row]))[0]


def table_of_frame(given: RowTable) -> Table:
    """The rows by query, as they are."""
    if given.are_dicts:
        lists = given.rows.values()
        size = np.fromiter(map(len, lists), np.int64, len(lists))
        try:
            number = np.fromiter(chain.from_iterable(map(dict.values, lists)), np.float64, int(size.sum()))
        except (TypeError, ValueError, OverflowError):
            sound = given.look() if given.look else given
            number = np.fromiter(_numbers(sound), np.float64, int(size.sum()))
        start = np.concatenate(([0], np.cumsum(size)))
        return Table(given, list(given.rows), start, Texts(list(lists), look=given.look), number)
    loaded = given.load()
    number = loaded.rows[loaded.number].to_numpy()
    queries, start, order = by_query(loaded.rows["query"])
    number = number if order is None else number[order]
    return Table(loaded, queries, start, Column(loaded.rows["document"], order), number, 0 if order is None else order)


def _numbers(given: RowTable) -> Iterator[float]:
    """Each number of dicts, or a clear error at one that is none."""
    for query, documents in given.rows.items():
        for document, value in documents.items():
            try:
                yield float(value)
            except (TypeError, ValueError, OverflowError):
                what = f"{given.number} {quoted(value)} of query {clip(query)}, document {clip(document)}"
                hint = f"Give every document a finite {given.number}."
                raise noted("not-a-number", f"{what} is not a number", given.origin, hint=hint).error() from None


def by_query(query: pl.Series) -> tuple[Column, Ints, Ints | None]:
    """The queries in order of appearance, where their rows begin, and the order that brings these together if need be."""
    is_scattered = len(query) > _LONG and len(query.head(_SAMPLE).rle()) > _SAMPLE // 2
    if not is_scattered:
        stretches = query.rle().struct.unnest()
        ids, size = stretches["value"], stretches["len"]
        if ids.n_unique() == len(ids):
            return Column(ids), np.concatenate(([0], np.cumsum(size, dtype=np.int64))), None
    ids = query.unique(maintain_order=True)
    if query.dtype.is_integer():
        code: NDArray[Any] = places_of(query.to_numpy(), ids.to_numpy())
    else:
        import polars as pl

        code = query.cast(pl.Enum(ids)).to_physical().to_numpy()
    # NumPy sorts 16 bits by radix.
    order = np.argsort(code.astype(np.uint16), kind="stable")
    if len(ids) > 1 << 16:
        order = order[np.argsort((code >> 16).astype(np.uint16)[order], kind="stable")]
    return Column(ids), np.concatenate(([0], np.cumsum(np.bincount(code, minlength=len(ids))))), order


def places_of(numbers: Ints, among: Ints) -> Ints:
    """The place of each of the numbers among distinct ones; as many as there are where it is not there."""
    least, most = (int(among.min()), int(among.max())) if len(among) else (0, 0)
    if most - least > _WIDE * (len(among) + len(numbers)):
        order = np.argsort(among)
        at = np.searchsorted(among, numbers, sorter=order)
        place = np.append(order, len(among))[at]
        return np.where(np.append(among, 0)[place] == numbers, place, len(among))
    table = np.full(most - least + 2, len(among), np.int64)
    table[among - least] = np.arange(len(among))
    inside = (numbers >= least) & (numbers <= most)
    return table[np.where(inside, numbers - least, most - least + 1)]


class Texts:
    """Documents of dicts as they came: `lists` holds {document: number} of each query, if all are meant.

    Where not every id was looked at, those are that are read; if one is odd, `look` says why, or makes all of them text.
    """

    def __init__(
        self,
        lists: Sequence[Mapping[str, Any]],
        every: list[str] | None = None,
        look: Callable[[], RowTable] | None = None,
    ) -> None:
        self.lists, self._look = lists, look
        if every is not None:
            self.every = every

    @cached_property
    def every(self) -> list[str]:
        """All documents, one query after the other."""
        found = list(chain.from_iterable(self.lists))
        if self._look and not are_plain(found):
            found = list(chain.from_iterable(self._look().rows.values()))
        return found

    def texts(self, rows: Ints) -> list[str]:
        every = self.every
        return [every[row] for row in rows.tolist()]

    def take(self, rows: Ints) -> Texts:
        start = np.cumsum([0, *map(len, self.lists)])
        within = np.searchsorted(rows, start)
        size = np.diff(within)
        if len(rows) == size.sum() and np.array_equal(
            rows, np.arange(len(rows)) + np.repeat(start[:-1] - within[:-1], size)
        ):  # the first of each list: no look at the others
            found = list(chain.from_iterable(map(islice, self.lists, size.tolist())))
        else:
            is_taken = np.zeros(rows.max(initial=-1) + 1, np.bool_)
            is_taken[rows] = True
            every = self.every if "every" in vars(self) else chain.from_iterable(self.lists)
            found = list(compress(every, is_taken.tobytes()))
        return Texts((), self.texts(rows) if self._look and not are_plain(found) else found)

    def __getitem__(self, rows: slice) -> Texts:
        return Texts((), self.every[rows])

    def falling(self, rows: Ints) -> Ints:
        """A number for each of these rows: the smaller, the later its id in byte order, which is Python's order of texts."""
        ids = self.texts(rows)
        key = np.empty(len(ids), np.int64)
        key[sorted(range(len(ids)), key=ids.__getitem__, reverse=True)] = np.arange(len(ids))
        return key

    @cached_property
    def column(self) -> Column:
        import polars as pl

        return Column(pl.Series(self.every, dtype=pl.String))


class Column(Sequence[str]):
    """Ids of frames and files, texts or whole numbers, as they came: of 200,000 users texts would take a seventh of an
    evaluation, and are made when somebody asks.

    `rows` says which of `ids` are meant, in which order; None: all of them. Texts are costly to rearrange.
    """

    def __init__(self, ids: pl.Series, rows: Ints | None = None) -> None:
        self.ids, self.rows = ids, rows

    def __len__(self) -> int:
        return len(self.ids if self.rows is None else self.rows)

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return Column(self.ids[at]) if self.rows is None else Column(self.ids, self.rows[at])
        return self._every[at] if "_every" in vars(self) else str(self.ids[at if self.rows is None else self.rows[at]])

    def __iter__(self) -> Iterator[str]:
        return iter(self._every)

    @cached_property
    def _every(self) -> list[str]:
        return as_text(self.at(slice(None))).to_list()

    def at(self, rows: Ints | slice) -> pl.Series:
        return self.ids[rows if self.rows is None else self.rows[rows]]

    def texts(self, rows: Ints) -> list[str]:
        return as_text(self.at(rows)).to_list()

    def take(self, rows: Ints) -> Column:
        taken = Column(self.ids, rows if self.rows is None else self.rows[rows])
        if "hashes" in vars(self):
            taken.hashes = self.hashes[rows]
        return taken

    def falling(self, rows: Ints) -> Ints:
        return as_text(self.at(rows)).rank("dense", descending=True).to_numpy()

    @property
    def column(self) -> Column:
        return self

    @property
    def is_whole(self) -> bool:
        return self.ids.dtype.is_integer()

    @cached_property
    def numbers(self) -> Ints:
        """The ids themselves, where they are whole numbers."""
        number: Ints = self.ids.to_numpy()
        return number if self.rows is None else number[self.rows]

    @cached_property
    def hashes(self) -> NDArray[np.uint64]:
        """One for each row, the same for the same id; whole numbers times an odd one have hashes of their own."""
        if self.is_whole:
            return self.numbers.view(np.uint64) * _ODD
        hashes: NDArray[np.uint64] = self.ids.hash().to_numpy()
        return hashes if self.rows is None else hashes[self.rows]

    @cached_property
    def as_texts(self) -> Column:
        return Column(as_text(self.ids), self.rows) if self.is_whole else self


def as_text(ids: pl.Series) -> pl.Series:
    import polars as pl

    return ids if ids.dtype == pl.String else ids.cast(pl.String)


def is_of_numbers(data: Any) -> bool:
    """{query: {document: number}}, as far as its beginning shows; then nothing else has to be found out about it."""
    first = next(iter(data.values()), None) if isinstance(data, dict) else None
    return isinstance(first, dict) and isinstance(next(iter(first.values()), None), (int, float))


def dict_table(
    data: Mapping[Any, Any], number: str, origin: str, duplicates: str = "error", *, is_read: bool = False
) -> RowTable:
    """Ids that are not text become text; a list of documents becomes scores −1, −2, … or judged values of 1.

    The ids of a run need not be looked at if only the first few of each list `is_read`.
    """
    if is_read and duplicates == "error" and _are_texts(data, origin, 1):
        look = partial(dict_table, data, number, origin)
        return RowTable(number, origin, data, unit="row", look=look)
    made, remarks, whole = data, [], False
    if not _are_texts(data, origin):
        repeated = Tally("duplicate-documents")
        made, whole = {}, all(isinstance(query, int) for query in data)
        for query, rows in data.items():
            if rows is None and number == "score":  # the system failed, and the query counts as missing
                continue
            name = _id(query, "query", origin)
            if name in made:
                message = f"two queries have the same id {clip(name)!r} as text"
                raise noted("duplicate-queries", message, origin, hint="Make every id a text (str).").error()
            made[name] = _documents(name, rows, number, origin, repeated)
        if number == "value" and any(not isinstance(rows, Mapping) for rows in data.values()):
            remarks.append(listed_without_values(origin))
        if repeated.count:
            message = f"{plural(repeated.count, 'document')} repeated within a query"
            found = repeated.note(message, origin, 'Keep one each, or read with duplicates="best".')
            if duplicates == "error":
                raise found.error()
            remarks.append(kept_best(found))
    if number == "value" and not all(made.values()):  # a file cannot hold such a query
        bare = [query for query, rows in made.items() if not rows]
        text = f"{plural(len(bare), 'query')} without a judgment, left out ({some(bare)})"
        remarks.append(noted("queries-without-judgments", text, origin, len(bare), tuple(bare[:SHOWN]), line=None))
        made = {query: rows for query, rows in made.items() if rows}
    return RowTable(number, origin, made, unit="row", remarks=tuple(remarks), whole=whole)


def listed_without_values(origin: str) -> Note:
    return noted("no-values", "documents are listed without values; every one counts as 1", origin, line=None)


def kept_best(found: Note) -> Note:
    """The note about rows that duplicates="best" dropped."""
    message = f"{found.text}; the best of each was kept"
    return noted(found.kind, message, found.origin, found.count, found.places, found.line)


def _are_texts(data: Mapping[Any, Any], origin: str, first: int | None = None) -> bool:
    """Whether these are dicts with texts as ids; the ids of the `first` few documents of each query, or of all."""
    for query, documents in data.items():
        if not (isinstance(query, str) and isinstance(documents, dict)):
            return False
        if not (are_plain(documents if first is None else islice(documents, first)) and query.isascii()):
            if not all(isinstance(document, str) for document in documents):
                return False
            for role, ids in (("query", [query]), ("document", documents)):
                for given in ids:
                    _id(given, role, origin)
    return True


def are_plain(ids: Iterable[Any]) -> bool:
    """Whether these are texts of plain characters, as nearly all ids are; joining them is the fastest look at every one."""
    try:
        return "".join(ids).isascii()
    except TypeError:
        return False


def _documents(query: str, rows: Any, number: str, origin: str, repeated: Tally) -> dict[str, Any]:
    """{document: number} of one query, however its documents are listed."""
    rows = rows.tolist() if hasattr(rows, "tolist") else list(rows) if isinstance(rows, Iterator) else rows
    is_list, is_text = isinstance(rows, Sequence), isinstance(rows, (str, bytes))
    pairs: Iterable[tuple[Any, Any]]
    if isinstance(rows, Mapping):
        pairs = rows.items()
    elif is_list and rows and all(isinstance(row, (tuple, list)) and len(row) == 2 for row in rows):
        pairs = rows
    elif number == "value" and (is_list or isinstance(rows, AbstractSet)) and not is_text:
        pairs = ((document, 1) for document in rows)
    elif is_list and not is_text:
        pairs = ((document, -rank) for rank, document in enumerate(rows, start=1))
    else:
        message = f"query {clip(query)} holds {quoted(rows)}, not documents with their {number}s"
        listed = " in order]}." if number == "score" else "]} where each counts as 1."
        raise DataError(message, origin, hint="Write {query: {document: number}}, or {query: [documents" + listed)
    found: dict[str, Any] = {}
    for document, value in pairs:
        name = _id(document, "document", origin)
        if name in found:
            repeated.add(None, f"query {clip(query)}, document {clip(name)}")
            with suppress(TypeError):  # where they are no numbers, the last is kept, to be named when they are examined
                value = max(found[name], value)  # noqa: PLW2901
        found[name] = value
    return found


def _id(given: Any, role: str, origin: str) -> str:
    if isinstance(given, str):
        if not given.isascii() and any("\ud800" <= character <= "\udfff" for character in given):
            message = f"{role} {quoted(given)} has half a character (a lone surrogate)"
            raise noted("bad-id", message, origin, hint="Write the whole character.").error()
        return given
    if given is None or isinstance(given, (float, bool, list, tuple, Mapping)):
        raise DataError(f"{given!r} is not a {role} id", origin, hint="Ids are text or whole numbers.")
    return str(given)
