"""Files in pieces of whole queries, by several threads: the hits are those of each file matched whole.

Reading and matching leave Python's lock alone most of the time, and a piece of a few megabytes stays in the cache, so
this is faster than one thread on whole files, and needs memory for a few pieces only.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.arrays import Ints
from rankgauge.data.match.segments import ScatteredError
from rankgauge.data.match.threads import Shares, in_turn
from rankgauge.data.read.trec_pieces import SmallFile, read_together
from rankgauge.data.read.trec_regroup import Regrouped
from rankgauge.data.tables.table import FileTable, FrameTable, Piece, Pieces, RowTable
from rankgauge.errors import DataError
from rankgauge.kernels.hits import Hits, joined, no_hits

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.data.match.frames import JudgedFrame

Part = tuple[Hits, list[str]] | None
"""Hits of a piece and the queries in it that nobody judged; None where the table has to be looked at as a whole."""
Task = tuple[int, Piece | None]
"""The number of a table and a piece of it; no piece where the table is not cut."""


def match_in_pieces(
    tables: Sequence[RowTable], judgments: Callable[[], JudgedFrame], how: dict[str, Any], shares: Shares
) -> Generator[Part]:
    """What each table comes to, in their order."""
    with ThreadPoolExecutor(shares.workers) as pool:
        # The judgments are read while the first pieces are.
        judged = pool.submit(judgments)
        matcher = _Matcher(judged.result, how)
        given_up: dict[int, bool] = {}
        batches = _batches(_tasks(tables, shares.size, given_up), shares.size)
        try:
            for at, parts in groupby(matcher.in_turn(pool, batches, shares.workers + 2), itemgetter(0)):
                gathered = _Gathered()
                for _, part in parts:
                    if at not in given_up and not gathered.add(part):
                        given_up[at] = part is not None
                if given_up.get(at):
                    yield matcher.regrouped(pool, tables[at], shares)
                else:
                    yield None if at in given_up else gathered.part()
        finally:
            pool.shutdown(cancel_futures=True)


class _Matcher:
    """Holds pieces against the judgments."""

    def __init__(self, judged: Callable[[], JudgedFrame], how: dict[str, Any]) -> None:
        self._judged, self._how = judged, how

    def in_turn(self, pool: Executor, batches: Iterator[list[Task]], ahead: int) -> Iterator[tuple[int, Part]]:
        def work(batch: list[Task]) -> list[tuple[int, Part]]:
            pieces = [piece for _, piece in batch]
            parts = self._together(pieces) or [self._alone(None if piece is None else piece()) for piece in pieces]
            return list(zip((at for at, _ in batch), parts, strict=True))

        for found in in_turn(pool, work, batches, ahead):
            yield from found

    def regrouped(self, pool: Executor, table: RowTable, shares: Shares) -> Part:
        """A file whose queries are scattered: its lines are written down by query, and then read as other files are."""
        pieces, gathered, ahead = _pieces_of(table, shares.size), _Gathered(), shares.workers + 2
        if pieces is None:
            return None
        try:
            with Regrouped(pieces.length // shares.size) as lines:
                if not all(in_turn(pool, lines.add, enumerate(pieces), ahead)):
                    return None
                for part in in_turn(pool, lambda piece: self._alone(piece()), lines.pieces(), ahead):
                    if not gathered.add(part):
                        return None
        except OSError:
            return None  # there is no room on the disk: memory is all there is
        found = gathered.part()
        return None if found is None else (found[0], _in_order(found[1], _pieces_of(table, shares.size)))

    def _alone(self, frame: pl.DataFrame | None) -> Part:
        if frame is None:
            return None
        judged = self._judged()
        if not len(frame):
            return no_hits(len(judged.names)), []
        try:
            return judged.match(FrameTable(frame, "score", "a piece"), **self._how)
        except DataError:
            return None  # the fault is reported with its place in the whole file

    def _together(self, pieces: Sequence[Piece | None]) -> Sequence[Part] | None:
        files = [piece for piece in pieces if isinstance(piece, SmallFile)]
        found = read_together(files) if len(files) == len(pieces) > 1 else None
        if found is None:
            return None
        try:
            return self._judged().match_each(FrameTable(found[0], "score", "some files"), found[1], **self._how)
        except (DataError, ScatteredError):
            return None  # which of them it is shows when each is looked at alone


def _tasks(tables: Sequence[RowTable], size: int, given_up: dict[int, bool]) -> Iterator[Task]:
    """The pieces of one table after the other. Those that are given up (True where queries are scattered) are passed over."""
    for at, table in enumerate(tables):
        pieces = _pieces_of(table, size)
        if pieces is not None and pieces.scattered:
            given_up[at] = True
        first = None if pieces is None or at in given_up else next(iter(pieces), None)  # packed data may hold nothing
        yield at, first
        if first is None or pieces is None:
            continue
        for piece in pieces:
            if at in given_up:
                break
            yield at, piece


def _pieces_of(table: RowTable, size: int) -> Pieces | None:
    try:
        return table.pieces(size) if isinstance(table, FileTable) and table.pieces else None
    except DataError:
        return None  # reported when the table's turn comes


def _batches(tasks: Iterator[Task], size: int) -> Iterator[list[Task]]:
    """Small files that follow each other together, as many as fill a piece; everything else by itself."""
    batch: list[Task] = []
    room = size
    for task in tasks:
        length = getattr(task[1], "size", size)
        if batch and length > room:
            yield batch
            batch, room = [], size
        batch.append(task)
        room -= length
    if batch:
        yield batch


def _in_order(names: list[str], pieces: Pieces | None) -> list[str]:
    """Queries in the order in which a file has them; where they are scattered, all of them come early."""
    wanted, found = set(names), dict[str, None]()
    for piece in pieces or ():
        if len(found) == len(wanted):
            break
        rows = piece()
        if rows is not None:
            found.update(dict.fromkeys(name for name in rows["query"].unique(maintain_order=True) if name in wanted))
    return list(found)


class _Gathered:
    """The parts of one table so far."""

    def __init__(self) -> None:
        self._hits: list[Hits] = []
        self._foreign: dict[str, None] = {}
        self._retrieved: Ints | None = None

    def add(self, part: Part) -> bool:
        """False if the part does not fit: it is odd, or has rows of a query that came before."""
        if part is None:
            return False
        hits, foreign = part
        if self._retrieved is None:
            self._retrieved = hits.retrieved.copy()
        elif np.any((self._retrieved > 0) & (hits.retrieved > 0)) or any(name in self._foreign for name in foreign):
            return False
        else:
            self._retrieved += hits.retrieved
        self._foreign.update(dict.fromkeys(foreign))
        self._hits.append(replace(hits, retrieved=self._retrieved))  # one for all, however many queries there are
        return True

    def part(self) -> Part:
        """All of them as one; None where there are only remarks, which is a fault."""
        if self._retrieved is None or not (self._foreign or self._retrieved.any()):
            return None
        return joined(self._hits, self._retrieved), list(self._foreign)
