"""What a user may hand over as judgments or a run, made a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from typing import Any, Literal, get_args

from rankgauge.data.read.file import Source
from rankgauge.data.tables.columns import Wanted, is_header
from rankgauge.data.tables.table import DictTable, FileTable, FrameTable, Pieces, RowTable, dict_table
from rankgauge.errors import UsageError, did_you_mean
from rankgauge.tables.notes import clip

Duplicates = Literal["error", "best"]


def table_of(data: Any, wanted: Wanted, origin: str, duplicates: Duplicates = "error") -> RowTable:
    """Dicts, a path, a Polars frame, or anything that speaks Arrow; a fault in its form is raised here."""
    check_duplicates_rule(duplicates)
    if isinstance(data, (DictTable, FileTable)):
        return data
    if isinstance(data, FrameTable):
        return data.load()
    if are_rows(data):
        data = frame_of_rows(data, wanted)
    if isinstance(data, Mapping):
        return dict_table(data, wanted.number, origin, duplicates)
    if isinstance(data, (str, PathLike)):
        return file_table(Source(data), wanted, duplicates)
    if is_frame(data):
        return settled(memory_table(data, wanted, origin), duplicates).load()
    raise UsageError(
        f"cannot read {origin} from {type(data).__name__}; "
        "give a path, a dict of dicts, rows of (query, document, number), or a Polars, pandas or Arrow table."
    )


def are_rows(data: Any) -> bool:
    """Rows one by one, as iterators of qrels and scored documents give them: tuples, or dicts with named columns."""
    if isinstance(data, Iterator):
        return True
    first = data[0] if isinstance(data, (list, tuple)) and data else None
    return _is_row(first)


def _is_row(row: Any) -> bool:
    if isinstance(row, Mapping):
        return is_header(map(str, row)) and not any(isinstance(cell, (Mapping, list)) for cell in row.values())
    return isinstance(row, tuple) and len(row) > 1 and not any(isinstance(cell, (Mapping, PathLike)) for cell in row)


def frame_of_rows(data: Iterable[Any], wanted: Wanted) -> Any:
    """A frame of such rows; a tuple without names holds query, document and number."""
    import polars as pl

    rows = list(data)
    if not all(map(_is_row, rows)):
        odd = next(row for row in rows if not _is_row(row))
        raise UsageError(f"{clip(repr(odd))} is not a row of query, document and {wanted.number}")
    if rows and isinstance(rows[0], tuple):
        names = getattr(rows[0], "_fields", ("query", "document", wanted.number)[: len(rows[0])])
        columns = list(zip(*rows, strict=False))
        rows = {name: list(column) for name, column in zip(names, columns, strict=False)}  # type: ignore[assignment]
    try:
        return pl.DataFrame(rows, infer_schema_length=None)
    except (TypeError, OverflowError, pl.exceptions.PolarsError) as problem:
        raise UsageError(f"the rows do not fit together ({str(problem).splitlines()[0]})") from None


def is_frame(data: Any) -> bool:
    return hasattr(data, "__arrow_c_stream__") or hasattr(data, "collect_schema")


def is_vector(data: Any) -> bool:
    """A column of numbers in memory: an array or a series."""
    return (getattr(data, "ndim", None) == 1 and hasattr(data, "__array__")) or type(data).__name__ == "Series"


def is_spark(data: Any) -> bool:
    """Whether this is a Spark table, found out without importing pyspark."""
    return type(data).__module__.startswith("pyspark.") and hasattr(data, "sparkSession")


def memory_table(data: Any, wanted: Wanted, origin: str) -> FrameTable:
    """A table in memory, with its faults."""
    from rankgauge.data.tables.frames import frame_table, owned, to_frame

    frame = to_frame(data, origin)
    table = frame_table(frame, wanted, origin)
    return table if frame is data else owned(table)


def file_table(source: Source, wanted: Wanted, duplicates: Duplicates = "error") -> FileTable:
    """A file, read when its rows are needed."""

    def read() -> FrameTable:
        from rankgauge.data.read.by_kind import read_table

        return settled(read_table(source, wanted), duplicates)

    def pieces(size: int) -> Pieces | None:
        from rankgauge.data.read.trec_pieces import pieces_of

        return pieces_of(source, wanted.number, size)

    # Columns are named in whole tables only, and the best of several rows may be anywhere.
    can_be_cut = wanted.column is None and duplicates == "error"
    return FileTable(read, wanted.number, source.origin, pieces=pieces if can_be_cut else None)


def check_duplicates_rule(rule: str) -> None:
    if rule not in get_args(Duplicates):
        raise UsageError(f"unknown duplicates rule {rule!r}; " + did_you_mean(str(rule), get_args(Duplicates)))


def settled(table: FrameTable, duplicates: Duplicates) -> FrameTable:
    """One system only, and one row for each document of a query if only the best row counts."""
    from rankgauge.data.tables.frames import keep_best, only_system

    table = only_system(table)
    return keep_best(table) if duplicates == "best" else table
