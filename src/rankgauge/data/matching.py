"""Judgments × run → Hits: the one place where the two meet, whatever they are made of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rankgauge.data.judgments import Judgments
from rankgauge.data.match.dicts import JudgedDicts
from rankgauge.data.policy import Policy, is_unusual
from rankgauge.data.run import Run
from rankgauge.data.tables import faults
from rankgauge.data.tables.table import FileTable, FrameTable, RowTable
from rankgauge.errors import UsageError
from rankgauge.kernels.hits import Hits, Pool, no_hits, stacked
from rankgauge.tables.notes import Note

if TYPE_CHECKING:
    from rankgauge.data.match.frames import JudgedFrame


@dataclass(frozen=True)
class Match:
    """A run seen through judgments: hits by query code, the pool, and the names behind the codes."""

    hits: Hits
    pool: Pool
    queries: Sequence[str]
    foreign: list[str]
    """Queries of the run that nobody judged; they play no part."""
    remarks: tuple[Note, ...] = ()
    """What the reader of the run has to say."""


def as_one(matches: Sequence[Match]) -> Match:
    """Runs seen through the same judgments, as if they were one run with all their queries."""
    runs, first = len(matches), matches[0]
    names = first.queries if runs == 1 else list(first.queries) * runs
    return Match(stacked([matched.hits for matched in matches]), first.pool.stacked(runs), names, [])


def prepared(judgments: Judgments, *, as_dicts: bool, beside: RowTable | None = None) -> JudgedDicts | JudgedFrame:
    """The judgments prepared for matching, once: as dicts if they are dicts and the run is too, else as a frame.

    `beside` is the run that they are prepared for.
    """
    rows = judgments.table.mapping() if as_dicts else None
    if rows is None:
        return _as_frame(judgments, beside)
    if "dicts" not in judgments.prepared:
        judgments.prepared["dicts"] = JudgedDicts(rows, judgments.table)
    found: JudgedDicts = judgments.prepared["dicts"]
    return found


def _as_frame(judgments: Judgments, beside: RowTable | None = None) -> JudgedFrame:
    if "frame" not in judgments.prepared:
        from rankgauge.data.match.frames import JudgedFrame

        # What is wrong with the judgments is said before what is wrong with the run.
        if not isinstance(beside, FrameTable) or beside.faults or beside.lists is not None:
            beside = None
        judgments.prepared["frame"] = JudgedFrame(judgments.table.load(), beside)
    found: JudgedFrame = judgments.prepared["frame"]
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
        frame = _as_frame(judgments)
        return Match(no_hits(len(frame.names)), frame.pool, frame.names, [])
    how = _order(policy, deepest)
    rows = run.table.mapping()
    judged = prepared(judgments, as_dicts=rows is not None, beside=run.table)
    if isinstance(judged, JudgedDicts) and rows is not None:
        table: RowTable = run.table
        hits, foreign = judged.match(rows, table, **how)
    else:
        table = run.table.load()
        faults.refuse(faults.same_list(judged.table, table))
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

    A file in which anything is wrong is read whole, so that the fault can be told with its place.
    """
    if is_unusual(policy):
        yield from (_match_unusually(judgments, run, policy) for run in runs)
        return
    if not any(isinstance(run.table, FileTable) and run.table.pieces for run in runs):
        yield from (_match(judgments, run, policy, deepest) for run in runs)
        return
    from contextlib import closing

    from polars import thread_pool_size

    from rankgauge.data.match.pieces import match_in_pieces
    from rankgauge.data.match.threads import shares_of

    if memory is not None:
        _as_frame(judgments)  # what they take is not there for the runs
    shares, tables = shares_of(memory, thread_pool_size()), [run.table for run in runs]
    matched = match_in_pieces(tables, lambda: _as_frame(judgments), _order(policy, deepest), shares)
    with closing(matched) as parts:
        for run, part in zip(runs, parts, strict=True):
            if part is None:
                yield _match(judgments, run, policy, deepest)
            else:
                judged = _as_frame(judgments)
                found = Match(part[0].within(deepest), judged.pool, judged.names, part[1])
                yield _as_whole(found, judgments, run)


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
    faults.refuse(faults.same_list(judged.table, table))
    hits, foreign = match_unusual(judgments.to_polars(), judged.names, table, policy)
    return _as_whole(Match(hits, judged.pool, judged.names, foreign, table.remarks), judgments, run)
