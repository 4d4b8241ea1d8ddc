"""The one door: whatever a user hands over becomes rows, of judgments or of one run, or several runs by name."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, Literal

from rankgauge.data.table import NAMES, RowTable, Wanted, dict_table, key
from rankgauge.errors import UsageError, plural
from rankgauge.tables.notes import quoted

if TYPE_CHECKING:
    from rankgauge.data.read.bytes import Source

Duplicates = Literal["error", "best"]


def rows_of(
    data: Any, wanted: Wanted, origin: str, duplicates: Duplicates = "error", *, with_faults: bool = False
) -> RowTable:
    """Dicts, a path, a Polars frame, or anything that speaks Arrow; faults are raised here, or stay in the table."""
    if isinstance(data, RowTable):
        return data
    if isinstance(data, Iterator):
        data = list(data)
        data = data if are_questions(data) else frame_of_rows(data, wanted)
    data = in_memory(data, wanted)
    if isinstance(data, Mapping) and not are_questions(data):
        return dict_table(data, wanted.number, origin, duplicates)
    if isinstance(data, (str, PathLike)):
        from rankgauge.data.read.bytes import Source

        path, part = split_part(data)
        return file_table(Source(path), wanted, duplicates, part)
    if is_frame(data) or are_questions(data):
        from rankgauge.data.columns import settled

        table = settled(memory_table(data, wanted, origin), duplicates)
        return table if with_faults else table.load()
    raise UsageError(refusal(data, wanted, origin))


def split_part(path: str | PathLike[str]) -> tuple[str, str | None]:
    """PATH:PART, where there is a file PATH but none of the whole name."""
    whole = fspath(path)
    first, sign, part = whole.rpartition(":")
    return (first, part) if sign and part and not exists(whole) and exists(first) else (whole, None)


def exists(path: str) -> bool:
    return os.path.exists(path)  # noqa: PTH110 - Path.exists raises where a name is too long


def memory_table(data: Any, wanted: Wanted, origin: str, *, lent: bool = False) -> RowTable:
    """A table in memory, with its faults; `lent` for the length of a call, in which nobody changes it."""
    import polars as pl

    from rankgauge.data.columns import frame_table, is_header, to_frame
    from rankgauge.data.read.json import ASKED, read_objects

    if not is_frame(data):
        return read_objects(data, wanted, origin, data)
    frame = to_frame(data, origin)
    plain = [name for name, kind in frame.schema.items() if not isinstance(kind, pl.List)]
    if len(plain) < frame.width and not is_header(plain) and any(key(name) in ASKED for name in plain):
        return read_objects(frame.to_dicts(), wanted, origin, data)  # each row a query, with its documents in a list
    table = frame_table(frame, wanted, origin)
    if lent or frame is data:
        return table
    # The numbers of a pandas frame may change under our hands. What was cast, as ranks are, is new already.
    shared = (column for column in table.rows if column.dtype.is_numeric() and column.dtype in frame.dtypes)
    own = [pl.Series(column.name, column.to_numpy().copy()) for column in shared]
    return table._replace(rows=table.rows.with_columns(own))


def file_table(source: Source, wanted: Wanted, duplicates: Duplicates = "error", part: str | None = None) -> RowTable:
    """A file, read when its rows are needed. The `part` of one that holds several runs is a system or a column."""
    from rankgauge.data.columns import settled, split
    from rankgauge.data.read.kind import parts_of, rank_column, read_table

    def read() -> RowTable:
        named = wanted if part is None else wanted._replace(column=part)
        found = split(read_table(source, wanted)).get(part) if part and wanted.number == "score" else None
        return settled(found or read_table(source, named), duplicates)

    # Columns are named in whole tables only, and the best of several rows may be anywhere.
    can_be_cut = wanted.column is part is None and duplicates == "error"
    parts = partial(parts_of, source, wanted.number) if can_be_cut else None
    return RowTable(
        wanted.number, source.origin, read, parts=parts, ranks=None if part else partial(rank_column, source)
    )


def in_memory(data: Any, wanted: Wanted) -> Any:
    """Rows one by one as a frame, what pandas keeps in an index as columns, what an iterator gives as a list."""
    if isinstance(data, (Iterator, set, frozenset)):
        data = list(data)
    if are_rows(data):
        return frame_of_rows(data, wanted)
    if type(data).__module__.partition(".")[0] != "pandas" or not hasattr(data, "reset_index"):
        return data
    known = {key(name) for role in ("query", "document") for name in NAMES[role]}
    names = [name for name in data.index.names if isinstance(name, str) and key(name) in known]
    if hasattr(data, "columns"):
        return data.reset_index() if names and not set(names) & set(data.columns) else data
    if len(names) == 2:
        return data.reset_index()
    # A series of lists.
    return data.to_dict() if len(data) > 0 and isinstance(data.iloc[0], (list, tuple, set)) else data


def are_rows(data: Any) -> bool:
    """Rows as iterators of qrels and scored documents give them: tuples, or dicts with named columns."""
    return isinstance(data, (list, tuple)) and bool(data) and _is_row(data[0])


def _is_row(row: Any) -> bool:
    if isinstance(row, Mapping):
        from rankgauge.data.columns import is_header

        return is_header(map(str, row)) and not any(isinstance(cell, (Mapping, list)) for cell in row.values())
    return isinstance(row, tuple) and len(row) > 1 and not any(isinstance(cell, (Mapping, PathLike)) for cell in row)


def frame_of_rows(data: Iterable[Any], wanted: Wanted) -> Any:
    """A frame of such rows; a tuple without names holds query, document and number."""
    import polars as pl

    rows, names = list(data), None
    are_tuples = bool(rows) and isinstance(rows[0], tuple)
    odd = [row for row in rows if not _is_row(row) or isinstance(row, tuple) != are_tuples]
    if odd:
        raise UsageError(f"{quoted(odd[0])} is not a row of query, document and {wanted.number}")
    if are_tuples:
        names = list(getattr(rows[0], "_fields", ("query", "document", wanted.number)[: len(rows[0])]))
        at = next((at for at, row in enumerate(rows) if len(row) != len(names)), None)
        if at is not None:
            cells = f"{plural(len(rows[at]), 'cell')}, not {len(names)} ({', '.join(names)})"
            raise UsageError(f"row {at} {quoted(rows[at])} has {cells}")
    try:
        return pl.DataFrame(rows, names, orient="row" if are_tuples else None, infer_schema_length=None)
    except UnicodeEncodeError as problem:
        raise UsageError(f"{quoted(problem.object)} has half a character (a lone surrogate)") from None
    except (TypeError, OverflowError, pl.exceptions.PolarsError) as problem:
        raise UsageError(f"the rows do not fit together ({str(problem).splitlines()[0]})") from None


def are_questions(data: Any) -> bool:
    """Whether these are records in memory, each with a query and its documents, or {query: [{"id": …, "score": …}, …]}."""
    rows = next((rows for rows in data.values() if rows is not None), None) if isinstance(data, Mapping) else data
    if not (isinstance(rows, (list, tuple)) and rows and isinstance(rows[0], Mapping)):
        return False
    if isinstance(data, Mapping):
        return True
    from rankgauge.data.read.json import asked

    has_lists = any(isinstance(cell, (list, tuple)) for row in data for cell in row.values())
    return has_lists and isinstance(asked(data[0].keys(), data[0].values())[1], (str, int))


def is_spark(data: Any) -> bool:
    """Whether this is a Spark table, found out without importing pyspark."""
    return type(data).__module__.startswith("pyspark.") and hasattr(data, "sparkSession")


def is_frame(data: Any) -> bool:
    return hasattr(data, "__arrow_c_stream__") or hasattr(data, "collect_schema")


def is_vector(data: Any) -> bool:
    """A column of numbers in memory: an array, also one column of a matrix, a series, or a list of fractions."""
    if isinstance(data, (list, tuple)):
        return bool(data) and all(isinstance(cell, float) for cell in data)
    dimensions = getattr(data, "ndim", None) if hasattr(data, "__array__") else None
    is_column = dimensions == 2 and not is_frame(data) and 1 in data.shape
    return dimensions == 1 or is_column or type(data).__name__ == "Series"


def refusal(data: Any, wanted: Wanted, origin: str) -> str:
    """What to write instead of something that does not say what its parts are."""
    is_array = hasattr(data, "__array__") and hasattr(data, "shape")
    if is_array and wanted.number == "score":
        rows = "dict(zip(queries, array.tolist())) where each row lists the documents of a query"
        return f"an array of shape {data.shape} is not a column of predictions; give array.ravel(), or {rows}"
    if is_array and len(data.shape) == 2:
        rows, columns = data.shape
        return (
            f"an array of shape {data.shape} does not say what its rows are; give "
            f"Judgments(array.ravel(), group_sizes=[{columns}] * {rows}) where each row holds the labels of a query, "
            "or list(map(tuple, array.tolist())) where rows are query, document and value"
        )
    if is_array:
        return "labels alone do not say which query each belongs to; give Judgments(labels, group_sizes=…)"
    if isinstance(data, (list, tuple)) and data and isinstance(data[0], (list, tuple)):
        return (
            "lists alone do not say which query each belongs to; give dict(zip(queries, lists)), "
            f"or tuples where each is a row of query, document and {wanted.number}"
        )
    if isinstance(data, (list, tuple)) and data and isinstance(data[0], (int, float)):
        made = "Judgments(labels, group_sizes=…)" if wanted.number == "value" else "numpy.array(predictions)"
        return f"a list of numbers does not say whether they are ids or {wanted.number}s; give {made}"
    return (
        f"cannot read {origin} from {type(data).__name__}; "
        "give a path, a dict of dicts, rows of (query, document, number), or a Polars, pandas or Arrow table."
    )
