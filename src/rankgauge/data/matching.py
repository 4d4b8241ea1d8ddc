"""Judgments × run → Hits: the one place where the two meet, whatever they are made of.

Large files are matched in pieces by several threads; the bits are those of a run matched whole. Reading and matching
leave Python's lock alone most of the time, and a piece of a few megabytes stays in the cache, so this is faster than
one thread on whole files, and needs memory for a few pieces only.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.arrays import Ints
from rankgauge.data.judgments import Judgments
from rankgauge.data.match.dicts import JudgedDicts
from rankgauge.data.policy import Policy, is_unusual
from rankgauge.data.run import Run
from rankgauge.data.tables import faults
from rankgauge.data.tables.table import FileTable, FrameTable, Piece, RowTable
from rankgauge.errors import DataError, UsageError
from rankgauge.frozen import dataclass
from rankgauge.kernels.hits import Hits, Pool, joined
from rankgauge.tables.notes import Note

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

    from rankgauge.data.match.frames import JudgedFrame


Part = tuple[Hits, list[str]] | None
"""Hits of a piece and the queries in it that nobody judged; None where the run has to be looked at as a whole."""
Task = tuple[int, Piece | None]
"""The number of a run and a piece of it; no piece where the run is not cut."""
Work = Callable[[Sequence[Piece | None]], list[Part]]


@dataclass(frozen=True)
class Match:
    """A run seen through judgments: hits by query code, the pool, and the names behind the codes."""

    hits: Hits
    pool: Pool
    queries: list[str]
    foreign: list[str]
    """Queries of the run that nobody judged; they play no part."""
    remarks: tuple[Note, ...] = ()
    """What the reader of the run has to say."""


def prepared(judgments: Judgments, *, as_dicts: bool) -> JudgedDicts | JudgedFrame:
    """The judgments prepared for matching, once: as dicts if they are dicts and the run is too, else as a frame."""
    rows = judgments.table.mapping() if as_dicts else None
    kind = "frame" if rows is None else "dicts"
    if kind not in judgments.prepared:
        if rows is not None:
            judgments.prepared[kind] = JudgedDicts(rows, judgments.table)
        else:
            from rankgauge.data.match.frames import JudgedFrame

            judgments.prepared[kind] = JudgedFrame(judgments.table.load())
    found: JudgedDicts | JudgedFrame = judgments.prepared[kind]
    return found


def _match(judgments: Judgments, run: Run, policy: Policy, deepest: int | None = None) -> Match:
    """A whole run."""
    return _as_whole(match_part(judgments, run, policy, deepest), judgments, run)


def _as_whole(matched: Match, judgments: Judgments, run: Run) -> Match:
    """A run that shares no query with the judgments is refused; only the whole run shows it."""
    foreign = matched.foreign
    if foreign and not matched.hits.retrieved.any():
        faults.no_query_in_common(matched.queries, foreign, run.table.origin, judgments.table.origin).refuse()
    if judgments.chosen is not None:
        foreign = [query for query in foreign if query in judgments.chosen]
    return replace(matched, foreign=foreign)


def match_part(judgments: Judgments, run: Run | None, policy: Policy, deepest: int | None = None) -> Match:
    """A part of a run, which may share no query with the judgments; None for a part without documents.

    Ranks are by score descending and, inside ties, by document id descending in byte order or as given.
    `deepest` is the last rank that matters, if not all do: hits that cannot be there or above are left out.
    """
    if run is None:
        judged = prepared(judgments, as_dicts=False)
        return Match(_nothing(len(judged.names)), judged.pool, judged.names, [])
    how = _order(policy, deepest)
    rows = run.table.mapping()
    judged = prepared(judgments, as_dicts=rows is not None)
    if isinstance(judged, JudgedDicts) and rows is not None:
        table: RowTable = run.table
        hits, foreign = judged.match(rows, table, **how)
    else:
        table = run.table.load()
        hits, foreign = judged.match(table, **how)  # type: ignore[arg-type]
    return Match(hits.within(deepest), judged.pool, judged.names, foreign, table.remarks)


def _order(policy: Policy, deepest: int | None) -> dict[str, Any]:
    """What a policy says about the order of documents."""
    given_order = policy.ties in {"order", "mean-rank"}
    return {"single": policy.precision == "single", "given_order": given_order, "deepest": deepest}


def match_runs(
    judgments: Judgments, runs: Sequence[Run], policy: Policy, deepest: int | None = None, memory: int | None = None
) -> Iterator[Match]:
    """One match per run, in their order; files are read ahead, within the memory given.

    A run whose queries are scattered over its file is read whole, whatever the memory.
    """
    if is_unusual(policy):
        yield from (_match_unusually(judgments, run, policy) for run in runs)
        return
    if not any(isinstance(run.table, FileTable) and run.table.pieces for run in runs):
        yield from (_match(judgments, run, policy, deepest) for run in runs)
        return
    from concurrent.futures import ThreadPoolExecutor

    from polars import thread_pool_size

    from rankgauge.data.match.threads import shares_of

    if memory is not None:
        prepared(judgments, as_dicts=False)  # what they take is not there for the runs
    shares = shares_of(memory, thread_pool_size())
    with ThreadPoolExecutor(shares.workers) as pool:
        # The judgments are read while the first pieces are.
        judged = pool.submit(prepared, judgments, as_dicts=False)
        whole: set[int] = set()
        batches = _batches(_tasks(runs, shares.size, whole), shares.size)
        parts = _in_turn(pool, batches, _matching(judged, _order(policy, deepest)), shares.workers + 2)
        try:
            for at, found in groupby(parts, itemgetter(0)):
                gathered = _Gathered()
                for _, part in found:
                    if at not in whole and not gathered.add(part):
                        whole.add(at)
                if at in whole or gathered.is_empty:
                    yield _match(judgments, runs[at], policy, deepest)
                else:
                    yield _as_whole(gathered.match(judged.result(), deepest), judgments, runs[at])
        finally:
            pool.shutdown(cancel_futures=True)


def bytes_of(memory: str | int) -> int:
    """A number of bytes, or a text such as '300MB' or '1.5 GiB'.

    >>> bytes_of("300MB"), bytes_of("0.5GiB")
    (300000000, 536870912)
    """
    size = r"(\d+(?:\.\d+)?) ?(?:([KMGT])(I?))?B?"
    found = None if isinstance(memory, bool) else re.fullmatch(size, str(memory).strip(), re.IGNORECASE)
    if found is None:
        raise UsageError(f"memory={memory!r} is not a memory size; write it as 300MB or 2GB")
    number, unit, binary = found.groups()
    return int(min(float(number), 1e18) * (1024 if binary else 1000) ** " KMGT".index((unit or " ").upper()))


def _match_unusually(judgments: Judgments, run: Run, policy: Policy) -> Match:
    """The slow way, for what only some tools do."""
    from rankgauge.data.match.frames import match_unusual

    judged = prepared(judgments, as_dicts=run.table.mapping() is not None)
    table = run.table.load()
    hits, foreign = match_unusual(judgments.to_polars(), judged.names, table, policy)
    return _as_whole(Match(hits, judged.pool, judged.names, foreign, table.remarks), judgments, run)


def _matching(judged: Future[Any], how: dict[str, Any]) -> Work:
    from rankgauge.data.match.segments import ScatteredError
    from rankgauge.data.read.trec_pieces import SmallFile, read_together

    def alone(piece: Piece | None) -> Part:
        frame = None if piece is None else piece()
        if frame is None:
            return None
        ready = judged.result()
        if not len(frame):
            return _nothing(len(ready.names)), []
        try:
            return ready.match(FrameTable(frame, "score", "a piece"), **how)
        except DataError:
            return None  # the fault is reported with its place in the whole file

    def together(pieces: Sequence[Piece | None]) -> list[Part] | None:
        files = [piece for piece in pieces if isinstance(piece, SmallFile)]
        found = read_together(files) if len(files) == len(pieces) > 1 else None
        if found is None:
            return None
        try:
            return judged.result().match_each(FrameTable(found[0], "score", "some files"), found[1], **how)
        except (DataError, ScatteredError):
            return None  # which of them it is shows when each is looked at alone

    def matched(pieces: Sequence[Piece | None]) -> list[Part]:
        return together(pieces) or [alone(piece) for piece in pieces]

    return matched


def _tasks(runs: Sequence[Run], size: int, whole: set[int]) -> Iterator[Task]:
    """The pieces of one run after the other; those of a run that has to be read whole are passed over."""
    for at, run in enumerate(runs):
        for piece in _pieces(run, size):
            yield at, piece
            if at in whole:
                break


def _pieces(run: Run, size: int) -> Iterator[Piece | None]:
    try:
        pieces = run.table.pieces(size) if isinstance(run.table, FileTable) and run.table.pieces else None
    except DataError:
        pieces = None  # reported when the run's turn comes
    first = None if pieces is None else next(pieces, None)  # packed data may hold nothing
    yield first
    if first is not None and pieces is not None:
        yield from pieces


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


def _in_turn(pool: Executor, batches: Iterator[list[Task]], work: Work, ahead: int) -> Iterator[tuple[int, Part]]:
    """Results in the order of the tasks, with a few batches at work ahead."""
    waiting: deque[tuple[list[Task], Future[list[Part]]]] = deque()

    def oldest() -> Iterator[tuple[int, Part]]:
        batch, future = waiting.popleft()
        return zip((at for at, _ in batch), future.result(), strict=True)

    for batch in batches:
        waiting.append((batch, pool.submit(work, [piece for _, piece in batch])))
        if len(waiting) > ahead:
            yield from oldest()
    while waiting:
        yield from oldest()


class _Gathered:
    """The parts of one run so far."""

    def __init__(self) -> None:
        self.parts: list[Hits] = []
        self.foreign: dict[str, None] = {}
        self.retrieved: Ints | None = None

    def add(self, part: Part) -> bool:
        """False if the part does not fit: it is odd, or has rows of a query that came before."""
        if part is None:
            return False
        hits, foreign = part
        if self.retrieved is None:
            self.retrieved = hits.retrieved
        elif np.any((self.retrieved > 0) & (hits.retrieved > 0)) or any(name in self.foreign for name in foreign):
            return False
        else:
            self.retrieved = self.retrieved + hits.retrieved
        self.foreign.update(dict.fromkeys(foreign))
        self.parts.append(hits)
        return True

    @property
    def is_empty(self) -> bool:
        """Nothing but remarks, which is a fault."""
        return not self.foreign and (self.retrieved is None or not self.retrieved.any())

    def match(self, judged: Any, deepest: int | None) -> Match:
        hits = joined(self.parts, self.retrieved)  # type: ignore[arg-type]
        return Match(hits.within(deepest), judged.pool, judged.names, list(self.foreign))


def _nothing(queries: int) -> Hits:
    none = np.empty(0, np.int64)
    return Hits(none, none, np.empty(0), none, none, np.zeros(queries, np.int64))
