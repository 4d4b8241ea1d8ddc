"""Score matrices from text files: one row per query, one column per system, with or without names."""

from __future__ import annotations

import csv
import io
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import PurePath
from typing import Literal

import numpy as np

from rankgauge.arrays import Floats
from rankgauge.data.read.file import PACKED, without_marks
from rankgauge.errors import DataError, UsageError, did_you_mean
from rankgauge.frozen import dataclass

Rows = Literal["queries", "systems"]
Missing = Literal["error", "drop", "zero"]
ROW_NAMES = frozenset((
    "", "id", "no", "nr", "num", "number", "index", "row", "rownames", "unnamed_0", "query", "query_id", "queryid",
    "query_number", "qid", "topic", "topic_id", "topicid", "topic_number", "tid", "title", "user", "user_id", "request",
))  # fmt: skip
SYSTEM_NAMES = frozenset(("system", "system_id", "run", "run_id", "runid", "model", "engine", "method"))
GAPS = frozenset(("", "na", "n/a", "nan", "null", "none", "-", "?"))


@dataclass(frozen=True, eq=False)
class ScoreMatrix:
    """Scores that were made elsewhere; `values` is systems × queries, nan where the file had a gap."""

    name: str
    systems: tuple[str, ...]
    queries: tuple[str, ...]
    values: Floats
    id_columns: tuple[str, ...]


@dataclass(frozen=True)
class _Row:
    line: int
    cells: tuple[str, ...]


@dataclass(frozen=True)
class _Table:
    """A file's cells: `columns` has a name for every column, made up where the file has no header."""

    origin: str
    columns: tuple[str, ...]
    named: bool
    rows: tuple[_Row, ...]

    def column(self, place: int) -> MatrixColumn:
        return MatrixColumn(self.columns[place] if self.named else None, tuple(row.cells[place] for row in self.rows))


def read_score_matrix(
    data: bytes,
    origin: str,
    *,
    ids: bool | Sequence[str] | None = None,
    header: bool | None = None,
    rows: Rows = "queries",
    missing: Missing = "error",
) -> ScoreMatrix:
    """Read a matrix from CSV, TSV or blank-separated text.

    `ids` are the columns that hold names instead of scores: True the first, False none, or their names; unset, they are
    recognized by name (`topic`, `query`, `qid`, …) or by their text, and an ambiguous column is refused. `header` says
    whether the first line holds names; unset, it is recognized. `missing="drop"` reads empty cells as nan, which leaves
    the query out for all systems, `"zero"` as 0.
    """
    for what, word, known in (("rows", rows, ("queries", "systems")), ("missing", missing, ("error", "drop", "zero"))):
        if word not in known:
            raise UsageError(f"unknown value {word!r} of {what}\n{did_you_mean(word, known)}")
    try:
        text = without_marks(data).decode()
    except UnicodeDecodeError:
        raise DataError("is not UTF-8 text", origin, hint="Save it as plain CSV or TSV.") from None
    table = _table(_split(io.StringIO(text, newline=""), origin), origin, header=header)
    places = _id_places(table, rows, ids=ids)
    values = _numbers(table, places, missing)
    row_names, column_names = _names(table, places, values.shape, rows)
    systems, queries = (column_names, row_names) if rows == "queries" else (row_names, column_names)
    return ScoreMatrix(
        name=_stem(origin),
        systems=systems,
        queries=queries,
        values=values.T.copy() if rows == "queries" else values,
        id_columns=tuple(table.columns[place] for place in places),
    )


def _stem(origin: str) -> str:
    name = PurePath(origin).name
    return next((name.removesuffix(end) for end in PACKED if name.endswith(end)), name).rsplit(".", 1)[0]


def _split(lines: Iterable[str], origin: str) -> list[_Row]:
    text = list(lines)
    first = next((line for line in text if line.strip()), "")
    delimiter = next((mark for mark in "\t;," if mark in first), " ")
    stripped = [line.strip("\r\n " if delimiter != " " else None) for line in text]
    reader = csv.reader(stripped, delimiter=delimiter, skipinitialspace=True)
    try:
        return [
            _Row(reader.line_num, tuple(cell.strip() for cell in cells))
            for cells in reader
            if any(cell.strip() for cell in cells)
        ]
    except csv.Error as error:
        raise DataError(f"line {reader.line_num} cannot be read: {error}", origin) from error


def _table(rows: list[_Row], origin: str, *, header: bool | None) -> _Table:
    if not rows:
        raise DataError("is empty", origin, hint="A matrix has one row per query and one column per system.")
    named = _has_header(rows, origin) if header is None else header
    body = tuple(rows[1:] if named else rows)
    if len(body) < 2:
        raise DataError(
            f"rows of scores: {len(body)}; at least 2 are needed",
            origin,
            hint="A matrix has one row per query and one column per system.",
        )
    lengths = Counter(len(row.cells) for row in body)
    width = max(lengths, key=lambda length: (lengths[length], length == len(rows[0].cells)))
    ragged = [f"line {row.line}: {len(row.cells)}" for row in body if len(row.cells) != width]
    if ragged:
        raise DataError(
            f"{len(ragged)} of {len(body)} rows do not have the {width} cells of the others",
            origin,
            _few(ragged),
            "Give every row one cell per system.",
        )
    names = rows[0].cells if named else tuple(f"column {place + 1}" for place in range(width))
    if named and len(names) == width - 1:
        # Programs that write row names leave their column without a title.
        names = ("", *names)
    if len(names) != width:
        raise DataError(f"the header names {len(names)} columns, the rows have {width}", origin)
    return _Table(origin, names, named, body)


def _has_header(rows: list[_Row], origin: str) -> bool:
    first, *others = rows
    if any(not is_number(cell) and not is_missing(cell) for cell in first.cells[1:]):
        return True
    if others and len(first.cells) == len(others[0].cells) - 1:
        return True
    if not is_number(first.cells[0]) and MatrixColumn(first.cells[0], ()).has_id_name():
        return True
    rest = [cell for row in others for cell in row.cells[1:]]
    numbered = looks_numbered(first.cells, rest) or looks_numbered(first.cells[1:], rest)
    if numbered and not all_whole(rest):
        raise DataError(
            "the first line could be scores or numbers of systems",
            origin,
            [f"line {first.line}: {', '.join(first.cells[:4])}, …"],
            "Say which: header=True or header=False (--header or --no-header).",
        )
    return False


def _id_places(table: _Table, rows: Rows, *, ids: bool | Sequence[str] | None) -> tuple[int, ...]:
    if ids is False:
        return ()
    if ids is True:
        return (0,)
    if ids is not None:
        wanted = (ids,) if isinstance(ids, str) else tuple(ids)
        for name in wanted:
            if name not in table.columns:
                raise DataError(f"has no column {name!r}", table.origin, hint=did_you_mean(name, table.columns))
        return tuple(table.columns.index(name) for name in wanted)
    columns = [table.column(place) for place in range(len(table.columns))]
    if rows == "queries" and table.named and columns[0].key in SYSTEM_NAMES:
        raise DataError(
            f"the first column is called {table.columns[0]!r}, but rows are read as queries",
            table.origin,
            hint='Transpose the matrix, or read it with rows="systems" (--rows systems).',
        )
    return leading_ids(columns, table.origin, SYSTEM_NAMES | ROW_NAMES if rows == "systems" else ROW_NAMES)


def _numbers(table: _Table, ids: tuple[int, ...], missing: Missing) -> Floats:
    places = [place for place in range(len(table.columns)) if place not in ids]
    if len(places) < 2:
        raise DataError(
            f"columns of scores: {len(places)}; at least 2 are needed",
            table.origin,
            hint="Separate columns by commas, tabs, semicolons or blanks.",
        )
    _refuse(table, places, lambda cell: not is_missing(cell) and not is_number(cell), "are not numbers", _TEXT_HINT)
    _refuse(table, places, lambda cell: is_number(cell) and math.isinf(float(cell)), "are infinite", "Correct them.")
    if missing == "error":
        _refuse(
            table,
            places,
            is_missing,
            "are empty",
            'Fill them, or read with missing="drop" or missing="zero" (--missing drop, --missing zero).',
        )
    gap = math.nan if missing == "drop" else 0.0
    return np.array(
        [[gap if is_missing(row.cells[place]) else float(row.cells[place]) for place in places] for row in table.rows]
    )


_TEXT_HINT = "Scores are written with a decimal point. If the first column holds query ids, use ids=True (--ids first)."


def _refuse(table: _Table, places: list[int], fault: Callable[[str], bool], what: str, hint: str) -> None:
    found = [
        f"line {row.line}, {table.columns[place] or 'first column'}: {row.cells[place]!r}"
        for row in table.rows
        for place in places
        if fault(row.cells[place])
    ]
    if found:
        cells = len(table.rows) * len(places)
        raise DataError(f"{len(found)} of {cells} cells {what}", table.origin, _few(found), hint)


def _names(
    table: _Table, ids: tuple[int, ...], shape: tuple[int, ...], rows: Rows
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    scored = [place for place in range(len(table.columns)) if place not in ids]
    down, across = ("query", "system") if rows == "queries" else ("system", "query")
    if ids:
        first_names = tuple(row.cells[ids[0]] for row in table.rows)
        full_names = tuple("/".join(row.cells[place] for place in ids) for row in table.rows)
        row_names = first_names if len(set(first_names)) == len(first_names) else full_names
    else:
        row_names = tuple(f"{down}{number}" for number in range(1, shape[0] + 1))
    if table.named:
        column_names = tuple(table.columns[place] for place in scored)
    else:
        column_names = tuple(f"{across}{number}" for number in range(1, shape[1] + 1))
    for kind, names in ((down, row_names), (across, column_names)):
        repeated = sorted(name for name, count in Counter(names).items() if count > 1)
        if repeated:
            raise DataError(f"duplicate {kind} name", table.origin, _few([repr(name) for name in repeated]))
    return row_names, column_names


def _few(places: list[str], shown: int = 3) -> list[str]:
    more = len(places) - shown
    return places[:shown] + ([f"… and {more} more"] if more > 0 else [])


@dataclass(frozen=True)
class MatrixColumn:
    name: str | None
    cells: tuple[str, ...]

    @property
    def key(self) -> str | None:
        """The name as the lists above spell it: `Query-ID` and `query id` are `query_id`."""
        return None if self.name is None else re.sub(r"[\W_]+", "_", self.name.strip().lower()).strip("_")

    def has_id_name(self) -> bool:
        return self.key in ROW_NAMES | SYSTEM_NAMES

    def is_text(self) -> bool:
        words = sum(not is_number(cell) and not is_missing(cell) for cell in self.cells)
        return 2 * words > len(self.cells)


def leading_ids(columns: Sequence[MatrixColumn], origin: str, names: frozenset[str]) -> tuple[int, ...]:
    """Places of the columns at the front that hold names; a column that may be either is refused."""
    count = 0
    while count < len(columns) and (columns[count].key in names or columns[count].is_text()):
        count += 1
    if count == len(columns):
        # No column holds numbers: the cells are at fault, as with decimal commas.
        return (0,) if columns[0].key in names else ()
    for column in columns[count:]:
        if column.key in names:
            raise DataError(
                f"column {column.name!r} has the name of an id but is among the systems",
                origin,
                hint=f"Put it first, or use ids=[{column.name!r}] (--ids {column.name}), or ids=False (--ids none) if it is a system.",
            )
    if count:
        return tuple(range(count))
    first, others = columns[0], [cell for column in columns[1:] for cell in column.cells]
    if not looks_numbered(first.cells, others):
        return ()
    if first.name is None and not any(_is_whole(cell) for cell in others if float_or_none(cell) not in {0.0, 1.0}):
        return (0,)
    raise DataError(
        "the first column may be a system or the numbers of the queries",
        origin,
        [f"{first.name or 'first column'}: {', '.join(first.cells[:4])}, …"],
        "Say which: ids=True (--ids first) if it numbers the queries, ids=False (--ids none) if it is a system.",
    )


def looks_numbered(cells: Sequence[str], others: Sequence[str]) -> bool:
    """Different whole numbers, either all above every other number of the table, or three or more that only rise."""
    if not all_whole(cells):
        return False
    numbers = [float(cell) for cell in cells]
    if len(set(numbers)) < max(2, len(numbers)):
        return False
    rest = [number for number in map(float_or_none, others) if number is not None]
    return (len(numbers) > 2 and numbers == sorted(numbers)) or (bool(rest) and min(numbers) > max(rest))


def all_whole(cells: Sequence[str]) -> bool:
    return all(_is_whole(cell) for cell in cells)


def is_missing(cell: str) -> bool:
    return cell.lower() in GAPS


def is_number(cell: str) -> bool:
    return float_or_none(cell) is not None


def float_or_none(cell: str) -> float | None:
    if is_missing(cell) or "_" in cell:
        return None
    try:
        return float(cell)
    except ValueError:
        return None


def _is_whole(cell: str) -> bool:
    number = float_or_none(cell)
    return number is not None and number.is_integer()
