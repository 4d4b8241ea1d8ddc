"""What a user may hand over as judgments or a run, made a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, Literal

from rankgauge.data.columns import Wanted
from rankgauge.data.handed import are_questions, frame_of_rows, in_memory, is_frame, lists_objects, refusal
from rankgauge.data.tables.table import DictTable, FileTable, FrameTable, Piece, RowTable, dict_table
from rankgauge.errors import UsageError

if TYPE_CHECKING:
    from rankgauge.data.read.bytes import Source

Duplicates = Literal["error", "best"]


def table_of(data: Any, wanted: Wanted, origin: str, duplicates: Duplicates = "error") -> RowTable:
    """Dicts, a path, a Polars frame, or anything that speaks Arrow; a fault in its form is raised here."""
    if isinstance(data, (DictTable, FileTable)):
        return data
    if isinstance(data, FrameTable):
        return data.load()
    if isinstance(data, Iterator):
        data = list(data)
        data = data if are_questions(data) else frame_of_rows(data, wanted)
    data = in_memory(data, wanted)
    if isinstance(data, Mapping) and lists_objects(data):
        return settled(_questions(data, wanted, origin, data), duplicates).load()
    if isinstance(data, Mapping):
        return dict_table(data, wanted.number, origin, duplicates)
    if isinstance(data, (str, PathLike)):
        from rankgauge.data.read.bytes import Source

        path, column = split_part(data)
        named = wanted if column is None else replace(wanted, column=column)
        return file_table(Source(path), named, duplicates)
    if is_frame(data) or are_questions(data):
        return settled(memory_table(data, wanted, origin), duplicates).load()
    raise UsageError(refusal(data, wanted, origin))


def split_part(path: str | PathLike[str]) -> tuple[str, str | None]:
    """PATH:PART, where there is a file PATH but none of the whole name."""
    whole = fspath(path)
    first, sign, part = whole.rpartition(":")
    return (first, part) if sign and part and not exists(whole) and exists(first) else (whole, None)


def exists(path: str) -> bool:
    from pathlib import Path

    try:
        return Path(path).exists()
    except (OSError, ValueError):
        return False


def memory_table(data: Any, wanted: Wanted, origin: str, *, lent: bool = False) -> FrameTable:
    """A table in memory, with its faults; `lent` for the length of a call, in which nobody changes it."""
    from rankgauge.data.read.json import ASKED
    from rankgauge.data.tables.frames import frame_table, holds_lists, owned, to_frame

    if are_questions(data):
        return _questions(data, wanted, origin, data)
    frame = to_frame(data, origin)
    if holds_lists(frame, ASKED):
        return _questions(frame.to_dicts(), wanted, origin, data)
    table = frame_table(frame, wanted, origin)
    return table if lent or frame is data else owned(table, frame)


def _questions(rows: Any, wanted: Wanted, origin: str, given: Any) -> FrameTable:
    from rankgauge.data.read.json import read_objects

    return read_objects(rows, wanted, origin, given)


def file_table(source: Source, wanted: Wanted, duplicates: Duplicates = "error") -> FileTable:
    """A file, read when its rows are needed."""

    def read() -> FrameTable:
        from rankgauge.data.read.kind import read_table

        return settled(read_table(source, wanted), duplicates)

    def parts(size: int) -> Iterator[Piece] | None:
        from rankgauge.data.read.trec_parts import parts_of

        return parts_of(source, wanted.number, size)

    # Columns are named in whole tables only, and the best of several rows may be anywhere.
    can_be_cut = wanted.column is None and duplicates == "error"
    return FileTable(read, wanted.number, source.origin, parts=parts if can_be_cut else None)


def settled(table: FrameTable, duplicates: Duplicates) -> FrameTable:
    """One system only, and one row for each document of a query if only the best row counts."""
    from rankgauge.data.tables.frames import keep_best, only_system

    table = only_system(table)
    return keep_best(table) if duplicates == "best" else table
