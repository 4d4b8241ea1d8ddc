"""Table: what was handed over, with the rows of each query together. All that matches, explains or shows reads this."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain, compress, pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from rankgauge.data import faults
from rankgauge.data.rows import DictTable, RowTable, dict_table, flatten

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

    from rankgauge.arrays import Floats, Ints

_ODD = np.uint64(0x9E3779B97F4A7C15)
_LONG, _SAMPLE = 1 << 14, 1 << 10
_WIDE = 4
"""Whole numbers are looked up in a table of their range if it has at most so many places for each of them."""


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """Judgments, or one run: `queries[q]` has the rows `start[q]` to `start[q + 1]`, in the order given.

    No query has two stretches; numbers are finite. `place` holds the row of each in `given`; None: they follow each
    other from row `first` on.
    """

    given: RowTable
    """What the rows were taken from: it knows names, nouns, and the lines of a file."""
    queries: Sequence[str]
    start: Ints
    ids: Texts | Column
    number: Floats
    place: Ints | None = None
    first: int = 0

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
        lists, rows = slice(first, last), slice(int(self.start[first]), int(self.start[last]))
        start, ids, number = self.start[first : last + 1] - rows.start, self.ids.part(lists, rows), self.number[rows]
        place = None if self.place is None else self.place[rows]
        return Table(self.given, self.queries[lists], start, ids, number, place, self.first + rows.start)

    def keep(self, rows: Ints) -> Table:
        """Some rows, in their order; a query may be left without any."""
        place = self.rows_of(rows)
        start, ids = np.searchsorted(rows, self.start), self.ids.take(rows)
        return replace(self, start=start, ids=ids, number=self.number[rows], place=place)

    def rows_of(self, rows: Ints) -> Ints:
        """Where these rows are in what was handed over."""
        return rows + self.first if self.place is None else self.place[rows]

    def names(self, row: int) -> tuple[str, str]:
        """The query and document of a row."""
        at = int(np.searchsorted(self.start, row, "right")) - 1
        return self.queries[at], self.ids.texts(np.array([row]))[0]


def table_of(given: RowTable) -> Table:
    """The rows by query, after a look at their numbers."""
    is_run_of_dicts = isinstance(given, DictTable) and given.number == "score"
    made = _of_dicts(given) if isinstance(given, DictTable) else table_of_frame(given)
    if not is_run_of_dicts:  # which may say that nothing was retrieved
        faults.refuse(faults.no_rows(len(made.number), made.given))
    faults.refuse(faults.not_finite(made.number, made.given, made.names))
    return made


def _of_dicts(given: DictTable) -> Table:
    size, number = flatten(given.data, given.number, given.origin)
    start = np.concatenate(([0], np.cumsum(size)))
    return Table(given, list(given.data), start, Texts(list(given.data.values())), number)


def table_of_frame(given: RowTable) -> Table:
    """The rows of a frame by query, as they are."""
    loaded = given.load()
    number = loaded.rows[loaded.number].to_numpy()
    queries, start, order = by_query(loaded.rows["query"])
    number = number if order is None else number[order]
    return Table(loaded, queries, start, Column(loaded.rows["document"], order), number, order)


def as_text(table: Table) -> Table:
    """A table of dicts whose documents were not all text, as its first and last ones promised."""
    given: Any = table.given
    made = dict_table(given.data, given.number, given.origin, every=True)
    return _of_dicts(replace(made, remarks=given.remarks, whole=given.whole))


def by_query(query: pl.Series) -> tuple[Names, Ints, Ints | None]:
    """The queries in order of appearance, where their rows begin, and the order that brings these together if need be."""
    is_scattered = len(query) > _LONG and len(query.head(_SAMPLE).rle()) > _SAMPLE // 2
    if not is_scattered:
        ids, size = _stretches(query)
        if not _repeats(ids):
            return Names(ids), np.concatenate(([0], np.cumsum(size))), None
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
    return Names(ids), np.concatenate(([0], np.cumsum(np.bincount(code, minlength=len(ids))))), order


def _stretches(query: pl.Series) -> tuple[pl.Series, Ints]:
    """The query of each run of equal neighbors, and its length."""
    if query.dtype.is_integer():
        number = query.to_numpy()
        at = np.flatnonzero(np.concatenate((np.ones(min(len(number), 1), np.bool_), number[1:] != number[:-1])))
        return query[at], np.diff(at, append=len(number))
    found = query.rle().struct.unnest()
    return found["value"], found["len"].to_numpy().astype(np.int64)


def _repeats(ids: pl.Series) -> bool:
    if ids.dtype.is_integer() and bool(np.all(ids.to_numpy()[1:] > ids.to_numpy()[:-1])):
        return False
    return ids.n_unique() < len(ids)


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


class Names(Sequence[str]):
    """Queries of a frame as texts, made when somebody asks: of 200,000 users they would take a seventh of an evaluation."""

    def __init__(self, ids: pl.Series) -> None:
        self.ids = ids

    @cached_property
    def _texts(self) -> list[str]:
        return _as_text(self.ids).to_list()

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return Names(self.ids[at])
        return self._texts[at] if "_texts" in self.__dict__ else str(self.ids[at])

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)


class Texts:
    """Documents of dicts as they came: `lists` holds {document: number} of each query, `every` all documents if known."""

    def __init__(self, lists: Sequence[Mapping[str, Any]], every: list[str] | None = None) -> None:
        self.lists, self._every = lists, every

    @property
    def every(self) -> list[str]:
        if self._every is None:
            self._every = list(chain.from_iterable(self.lists))
        return self._every

    def rising(self, rows: Ints) -> list[str]:
        """The documents of rows in rising order, without a list of all."""
        wanted = np.zeros(int(rows[-1]) + 1 if len(rows) else 0, np.uint8)
        wanted[rows] = 1
        return list(compress(self._every or chain.from_iterable(self.lists), wanted.tobytes()))

    def texts(self, rows: Ints) -> list[str]:
        every = self.every
        return [every[row] for row in rows.tolist()]

    def take(self, rows: Ints) -> Texts:
        return Texts((), self.rising(rows))

    def part(self, lists: slice, rows: slice) -> Texts:
        return Texts(self.lists[lists], None if self._every is None else self._every[rows])

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


class Column:
    """Documents of frames and files: texts or whole numbers, as they came.

    `rows` says which of `ids` are meant, in which order; None: all of them. Texts are costly to rearrange.
    """

    def __init__(self, ids: pl.Series, rows: Ints | None = None) -> None:
        self.ids, self.rows = ids, rows

    def at(self, rows: Ints) -> pl.Series:
        return self.ids[rows if self.rows is None else self.rows[rows]]

    def texts(self, rows: Ints) -> list[str]:
        return _as_text(self.at(rows)).to_list()

    def take(self, rows: Ints) -> Column:
        return Column(self.ids, rows if self.rows is None else self.rows[rows])

    def part(self, _: slice, rows: slice) -> Column:
        return Column(self.ids[rows]) if self.rows is None else Column(self.ids, self.rows[rows])

    def falling(self, rows: Ints) -> Ints:
        return _as_text(self.at(rows)).rank("dense", descending=True).to_numpy()

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
        return Column(_as_text(self.ids), self.rows)


Ids: TypeAlias = Texts | Column


def _as_text(ids: pl.Series) -> pl.Series:
    import polars as pl

    return ids if ids.dtype == pl.String else ids.cast(pl.String)
