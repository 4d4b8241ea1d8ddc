"""Match: judgments and the order of a run meet here, once, and become hits."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from itertools import chain, groupby, islice, repeat
from operator import itemgetter, ne
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from rankgauge.data import faults
from rankgauge.data.judgments import Judgments, Run, table_of
from rankgauge.data.policy import Policy
from rankgauge.data.table import Column, Piece, RowTable, Table, Texts, places_of
from rankgauge.errors import DataError, UsageError
from rankgauge.kernels.hits import Hits, Pool, pool_of_segments
from rankgauge.kernels.order import FILLING, Order, leading, side_by_side
from rankgauge.tables.notes import Note

if TYPE_CHECKING:
    from concurrent.futures import Future

    from numpy.typing import NDArray

    from rankgauge.arrays import Flags, Floats, Ints

Item = TypeVar("Item")
Result = TypeVar("Result")

_PART = 1 << 18
"""Rows that are matched at once: few enough for the cache, enough to be worth the calls."""
_NARROW = 1 << 14
"""In lists of up to so many rows, 32 bits of a hash seldom repeat by chance."""
_PLACES = 8
"""For each judged document, so that of the others one in eight or fewer is compared in vain."""
_SHORT, _FEW = 32, 8
"""Lists of up to so many documents, of queries with up to so few judged ones, are compared side by side."""


class Match(NamedTuple):
    """A run seen through judgments: hits by query code, the pool, and the names behind the codes."""

    hits: Hits
    pool: Pool
    queries: Sequence[str]
    foreign: list[str]
    """Queries of the run that nobody judged; they play no part."""
    remarks: tuple[Note, ...] = ()
    """What the reader of the run has to say."""


class _Part(NamedTuple):
    """What a part of a run comes to: the codes of its judged queries and their lengths, the other queries, the hits."""

    code: Ints
    size: Ints
    foreign: list[str]
    hits: Hits


class Judged:
    """Judgments made ready for runs: their queries by code, the pool, and what finds their documents in a run."""

    def __init__(self, table: Table) -> None:
        if repeated := repeated_rows(table):
            raise repeated.error()
        self.table, self.queries = table, table.queries
        self.pool: Pool = pool_of_segments(table.start, table.number)

    def match(self, run: Table, policy: Policy, deepest: int | None = None) -> Match:
        """The hits of a run; of those beyond rank `deepest` some may be missing."""
        code = self.codes(run.queries)

        def part(one: tuple[int, Callable[[], Table]]) -> _Part:
            some = one[1]()
            return self.part(some, code[one[0] : one[0] + len(some.queries)], policy, deepest)

        parts = run.parts(_PART)
        found = [part(parts[0])] if len(parts) == 1 else list(_in_turn(part, parts, _cores()))
        return self.joined(found, run.given.remarks, deepest)

    def part(self, run: Table, code: Ints, policy: Policy, deepest: int | None) -> _Part:
        """What some queries of a run, which have these codes, come to."""
        run = taking_part(run, policy)
        if policy.repeated not in {"count", "first"} and (repeated := repeated_rows(run)):
            raise repeated.error()
        known, size, score = code < len(self.queries), run.size, compared(run, policy)
        foreign = [] if known.all() else [run.queries[at] for at in np.flatnonzero(~known).tolist()]
        if deepest is not None and (rows := leading(run.start, score, deepest)) is not None:
            run, score = run.keep(rows), score[rows]
        found, value, judged = self._find(run, code)
        start, of = run.start, code
        has_hit = np.zeros(len(code), np.bool_)
        has_hit[np.searchsorted(start, found, "right") - 1] = True
        if 4 * np.count_nonzero(has_hit) < len(code):  # most users buy nothing of what they are shown
            rows = np.flatnonzero(np.repeat(has_hit, run.size))
            start, of = np.concatenate(([0], np.cumsum(run.size[has_hit]))), code[has_hit]
            run, score, found = run.keep(rows), score[rows], np.searchsorted(rows, found)
        rank, first, last = Order(start, score).ranks(found, _tie_key(run, policy.ties))
        query = of[np.searchsorted(start, found, "right") - 1]
        counted = np.where(score[found] > 0, value, 0.0) if policy.floor == "zero" else value
        judged_value = None if counted is value else value
        hits = Hits(query, rank, counted, first, last, size, judged_value, run.rows_of(found))
        place = query * (rank.max(initial=0) + 1) + rank
        if not np.all(place[1:] > place[:-1]):
            by = np.argsort(place, kind="stable")  # made for what is nearly in order, as here where only ties are not
            hits, judged = hits.keep(by), None if judged is None else judged[by]
        if policy.repeated == "first" and judged is not None:
            is_first = np.zeros(len(judged), np.bool_)
            is_first[np.unique(judged, return_index=True)[1]] = True
            value = hits.value if hits.judged is None else hits.judged
            hits = replace(hits, value=np.where(is_first, hits.value, 0.0), judged=value)
        return _Part(code[known], size[known], foreign, hits)

    def joined(self, parts: Sequence[_Part], remarks: tuple[Note, ...], deepest: int | None) -> Match:
        """All parts of a run as one; no query is in two of them."""
        retrieved, found = np.zeros(len(self.queries), np.int64), [part.hits for part in parts]
        for part in parts:
            retrieved[part.code] = part.size

        def column(name: str) -> Any:
            return np.concatenate([getattr(hits, name) for hits in found])

        query, rank, value, row = map(column, ("query", "rank", "value", "row"))
        is_settled = all(part.first is part.rank is part.last for part in found)
        first, last = (rank, rank) if is_settled else (column("first"), column("last"))
        judged = None if found[0].judged is None else column("judged")
        hits = Hits(query, rank, value, first, last, retrieved, judged, row)
        if np.any(query[1:] < query[:-1]):  # each part is sorted
            hits = hits.keep(np.argsort(query, kind="stable"))
        foreign = [name for part in parts for name in part.foreign]
        return Match(hits.within(deepest), self.pool, self.queries, foreign, remarks)

    def codes(self, queries: Sequence[str]) -> Ints:
        """The code of each query; the one behind the last for a query that nobody judged."""
        own = self.queries
        if isinstance(queries, Column) and isinstance(own, Column) and queries.ids.dtype == own.ids.dtype:
            if queries.ids.equals(own.ids):
                return np.arange(len(own))
            if queries.ids.dtype.is_integer():
                return places_of(queries.ids.to_numpy(), own.ids.to_numpy())
        elif type(queries) is type(own) and queries == own:
            return np.arange(len(own))
        return np.fromiter(map(self._code.get, queries, repeat(len(own))), np.int64, len(queries))

    @cached_property
    def _code(self) -> dict[str, int]:
        return {query: code for code, query in enumerate(self.queries)}

    def _find(self, run: Table, code: Ints) -> tuple[Ints, Floats, Ints | None]:
        """Which rows are judged, their judged values, and their judged rows where documents may repeat."""
        own, other, size = self.table.ids, run.ids, run.size
        if isinstance(own, Texts) and isinstance(other, Texts):
            # The dicts themselves find their documents, so that NumPy is all that a call on dicts loads.
            lists, documents = [*own.lists, {}], iter(other.every)
            look = (lists[at].get for at in code.tolist())
            values = map(map, look, map(islice, repeat(documents), size.tolist()), repeat(repeat(np.nan)))
            value = np.fromiter(chain.from_iterable(values), np.float64, len(other.every))
            hit = np.flatnonzero(~np.isnan(value))
            return hit, value[hit], None
        mine, theirs = own.column, other.column
        if not (mine.is_whole and theirs.is_whole):
            mine, theirs = mine.as_texts, theirs.as_texts
        if mine.is_whole and _are_short(size, _SHORT) and _are_short(self.table.size, _FEW):
            hit, judged = self._side_by_side(mine, theirs, code, size)
        else:
            buckets = self._by_number if mine.is_whole else self._by_text
            hit, judged = buckets.find(code, size, theirs)
        return hit, self.table.number[judged], judged

    @cached_property
    def _by_text(self) -> _Buckets:
        return _Buckets(self.table.start, self.table.ids.column.as_texts)

    @cached_property
    def _by_number(self) -> _Buckets:
        return _Buckets(self.table.start, self.table.ids.column)

    def _side_by_side(self, mine: Column, theirs: Column, code: Ints, size: Ints) -> tuple[Ints, Ints]:
        """Short lists of whole numbers: the first of all lists, then their second …, each with one judged document after
        the other, as long rows of numbers are what processors compare fastest.
        """
        start, length = self.table.start, np.append(self.table.size, 0)[code]
        across = np.ascontiguousarray(side_by_side(size, theirs.numbers, 0).T)
        found = np.zeros(across.shape, np.int8)
        for at in range(int(length.max(initial=0))):
            same = across == mine.numbers[np.minimum(start[code] + at, len(mine.numbers) - 1)]
            if length.min() <= at:
                same &= length > at
            found |= same.view(np.int8) * np.int8(at + 1)
        flat: NDArray[np.int8] = np.ascontiguousarray(found.T)
        flat = flat.ravel() if flat.size == size.sum() else flat[np.arange(len(across)) < size[:, None]]
        hit = np.flatnonzero(flat != 0)
        return hit, start[np.repeat(code, size)[hit]] + flat[hit] - 1


class _Buckets:
    """Judged documents by query and hash. Every query has a few places for each of its documents; a place names the
    last whose hash points there, and each document the one before. So a row is compared with one or two, by their ids.
    """

    def __init__(self, start: Ints, column: Column) -> None:
        self._column, size = column, np.diff(start)
        self._width = np.append(_PLACES * size, 1)  # of the code behind the last: one place, empty
        self._begin = _PLACES * start
        place = self._places(np.arange(len(size)), size, column.hashes)
        number = np.arange(1, start[-1] + 1, dtype=np.int32)
        # Documents are counted from 1; 0 is none.
        self._named, self._before = np.zeros(self._begin[-1] + 1, np.int32), np.zeros(start[-1] + 1, np.int32)
        self._named[place] = number
        by = self._named[place]
        rest = np.flatnonzero(by != number)
        by = by[rest]
        while len(rest):
            self._before[by] = rest + 1
            by = self._before[by]
            lost = by != rest + 1
            rest, by = rest[lost], by[lost]

    def find(self, code: Ints, size: Ints, ids: Column) -> tuple[Ints, Ints]:
        """Which rows are judged, and their judged rows. `code` and `size` are those of their lists."""
        hashes = ids.hashes
        other = self._named[self._places(code, size, hashes)]
        row = np.flatnonzero(other)
        other = other[row]
        found, judged = [row[:0]], [other[:0]]
        while len(row):
            same = self._column.hashes[other - 1] == hashes[row]
            found.append(row[same])
            judged.append(other[same] - 1)
            other = self._before[other]
            more = np.flatnonzero(other)
            row, other = row[more], other[more]
        row, other = np.concatenate(found), np.concatenate(judged)
        if not ids.is_whole:  # different texts may share a hash
            same = (ids.at(row) == self._column.at(other)).to_numpy()
            row, other = row[same], other[same]
        by = np.argsort(row)
        return row[by], other[by]

    def _places(self, code: Ints, size: Ints, hashes: NDArray[np.uint64]) -> Ints:
        """One of the query's places, by the upper half of the hash."""
        share = np.repeat(self._width[code], size)
        share *= (hashes >> np.uint64(32)).view(np.int64)
        share >>= 32
        share += np.repeat(self._begin[code], size)
        return share


def taking_part(run: Table, policy: Policy) -> Table:
    """The rows of a run that count: all, or those whose document has another id than its query."""
    if policy.own_id != "drop":
        return run
    ids = run.ids.texts(np.arange(len(run.number)))
    query = chain.from_iterable(map(repeat, run.queries, run.size.tolist()))
    return run.keep(np.flatnonzero(np.fromiter(map(ne, ids, query), np.bool_, len(ids))))


def compared(run: Table, policy: Policy) -> Floats:
    """The scores in the precision that compares them."""
    if policy.precision != "single":
        return run.number
    with np.errstate(over="ignore"):
        return run.number.astype(np.float32).astype(np.float64)


def ranks_of_all(run: Table, policy: Policy) -> tuple[Ints, Ints, Ints]:
    """The rank of every row of a run with texts or whole numbers as ids, and the first and last rank of its tie."""
    return Order(run.start, compared(run, policy)).ranks(np.arange(len(run.number)), _tie_key(run, policy.ties))


def prepared(judgments: Judgments) -> Judged:
    """The judgments ready for matching; they are made so once."""
    if "judged" not in judgments.prepared:
        judgments.prepared["judged"] = Judged(table_of(judgments.table))
    found: Judged = judgments.prepared["judged"]
    return found


def match_runs(
    judgments: Judgments, runs: Sequence[Run], policy: Policy, deepest: int | None = None, memory: int | None = None
) -> Iterator[Match]:
    """One match for each run, in their order; files are read ahead part by part, within the memory given.

    Ranks are by score descending and, inside ties, as the policy says. `deepest` is the last rank that matters, if not
    all do: hits that cannot be there or above are left out.
    """
    judged = prepared(judgments)
    found: Iterable[Match | None] = repeat(None)
    if any(run.table.parts for run in runs):
        found = _match_files(judged, runs, policy, deepest, memory)
    for run, ready in zip(runs, found, strict=False):
        match = ready
        if match is None:
            table = table_of(run.table)
            if judged.table.given.lists and (fault := faults.same_list(judged.table.given, table.given)):
                raise fault.error()
            match = judged.match(table, policy, deepest)
        foreign = match.foreign
        if foreign and not match.hits.retrieved.any():
            origin = judgments.table.origin
            raise faults.no_query_in_common(match.queries, foreign, run.table.origin, origin).error()
        chosen = foreign if judgments.chosen is None else [query for query in foreign if query in judgments.chosen]
        yield match._replace(foreign=chosen)


def _match_files(
    judged: Judged, runs: Sequence[Run], policy: Policy, deepest: int | None, memory: int | None
) -> Iterator[Match | None]:
    """None for a file in which anything is odd, or a query has rows in two parts: read whole, it says what and where."""
    workers, size = _shares(memory, _cores())  # what the judgments take is not there for the runs
    odd: set[int] = set()

    def pieces() -> Iterator[tuple[int, Piece | None]]:
        for at, run in enumerate(runs):
            parts = run.table.parts(size) if run.table.parts else None
            yield at, next(parts, None) if parts else None
            for part in parts or ():
                if at in odd:
                    break
                yield at, part

    def work(one: tuple[int, Piece | None]) -> tuple[int, _Part | None]:
        at, read = one
        frame = None if read is None else read()
        with suppress(DataError):
            if frame is not None and len(frame):
                part = table_of(RowTable("score", "a part", frame))
                return at, judged.part(part, judged.codes(part.queries), policy, deepest)
            if frame is not None:
                return at, None
        odd.add(at)
        return at, None

    for at, found in groupby(_in_turn(work, pieces(), workers), itemgetter(0)):
        parts = [part for _, part in found if part is not None]
        code = np.concatenate([np.empty(0, np.int64), *(part.code for part in parts)])
        names = [name for part in parts for name in part.foreign]
        is_split = len(np.unique(code)) < len(code) or len(set(names)) < len(names)
        yield None if at in odd or is_split or not (len(code) or names) else judged.joined(parts, (), deepest)


_LARGE, _SMALL = 8 << 20, 1 << 19
_COST = 9
"""Bytes of memory that working on a byte of text takes: the text, its columns, and what is made of them."""
_IMPORTS = 90 << 20


def _shares(memory: int | None, workers: int) -> tuple[int, int]:
    """How many parts of a text are worked on at once, and how large they are.

    Small parts are worked on as fast as large ones, down to some megabytes; below that fewer workers share.
    """
    if memory is None:
        return workers + 1, _LARGE  # one waits for the parser or for Python's lock most of the time
    from pathlib import Path

    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):  # a system that does not say
        pages = _IMPORTS // 4096
    free = max(0, memory - pages * 4096)
    while workers > 1 and free < workers * _COST * _SMALL * 2:
        workers -= 1
    return workers, min(_LARGE, max(_SMALL, free // (workers * _COST)))


def _in_turn(work: Callable[[Item], Result], items: Iterable[Item], workers: int) -> Generator[Result]:
    """Results in the order of the items, with a few at work ahead; what was not begun when nobody asks on is dropped.

    NumPy and Polars leave Python's lock alone while they work.
    """
    from concurrent.futures import ThreadPoolExecutor

    waiting: deque[Future[Result]] = deque()
    with ThreadPoolExecutor(workers) as pool:
        try:
            for item in items:
                waiting.append(pool.submit(work, item))
                if len(waiting) > workers + 2:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)


def _cores() -> int:
    from polars import thread_pool_size  # what POLARS_MAX_THREADS says

    return thread_pool_size()


def _tie_key(run: Table, ties: str | None) -> Callable[[Ints], Ints] | None:
    """What breaks ties: greater ids first, as trec_eval does, unless the rule says otherwise."""
    if ties in {"order", "mean-rank"} or (ties == "mean" and run.given.aligned):
        return None
    if ties == "reverse":
        return np.negative
    return run.ids.falling if ties != "document-asc" else lambda rows: -run.ids.falling(rows)


def _are_short(size: Ints, most: int) -> bool:
    """Whether lists of these lengths make a matrix of at most `most` columns that is not mostly filling."""
    width = int(size.max(initial=0))
    return 0 < width <= most and width * len(size) <= FILLING * int(size.sum())


def repeated_rows(table: Table) -> Note | None:
    """A document comes once for each query; a dict cannot repeat one."""
    if isinstance(table.ids, Texts):
        return None
    found = _may_repeat(table)
    if not found.any():
        return None
    every = table.given.frame().select("query", "document")
    rows = every[np.sort(table.rows_of(np.flatnonzero(np.repeat(found, table.size))))]
    repeated = rows.filter(rows.is_duplicated())
    pairs = repeated.unique(maintain_order=True).rows()
    return faults.duplicates(pairs, len(repeated) - len(pairs), len(every), table.given)


def _may_repeat(table: Table) -> Flags:
    """Marks the lists in which most bits of a hash repeat, half of them in short lists; only ids can confirm it."""
    size, hashes = table.size, table.ids.column.hashes
    width = int(size.max(initial=0))
    if not _are_short(size, _NARROW):
        bits = np.uint64(len(size).bit_length())
        place = np.repeat(np.arange(len(size), dtype=np.uint64), size) << (np.uint64(64) - bits)
        ordered = np.sort(place | hashes >> bits)
        again = ordered[1:][ordered[1:] == ordered[:-1]] >> (np.uint64(64) - bits)
        return np.bincount(again.astype(np.int64), minlength=len(size)) > 0
    # The filling differs from place to place; where it equals a hash, the ids are looked at in vain.
    lists = side_by_side(size, hashes.astype(np.uint32), np.arange(width, dtype=np.uint32))
    if width <= _SHORT:
        across = np.ascontiguousarray(lists.T)
        if not any(np.any(across[by:] == across[:-by]) for by in range(1, width)):
            return np.zeros(len(size), np.bool_)
    lists.sort(axis=1)
    found: Flags = np.any(lists[:, 1:] == lists[:, :-1], axis=1)
    return found


def bytes_of(memory: str | int) -> int:
    """A number of bytes, or a text such as '300MB' or '1.5 GiB'.

    >>> bytes_of("300MB"), bytes_of("0.5GiB")
    (300000000, 536870912)
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?) ?(?:([KMGT])(I?))?B?", str(memory).strip(), re.IGNORECASE)
    if found is None:
        raise UsageError(f"memory={memory!r} is not a memory size; write it as 300MB or 2GB")
    number, unit, binary = found.groups()
    return int(min(float(number), 1e18) * (1024 if binary else 1000) ** " KMGT".index((unit or " ").upper()))
