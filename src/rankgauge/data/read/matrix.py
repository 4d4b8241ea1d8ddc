"""Score matrices from text files: one row per query, one column per system, with or without names."""

from __future__ import annotations

import csv
import io
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Literal

import numpy as np

from rankgauge.arrays import LARGEST, Floats
from rankgauge.data.read.bytes import decoded, without_packing
from rankgauge.errors import DataError, did_you_mean

Rows = Literal["queries", "systems"]
Missing = Literal["error", "drop", "zero"]
PLACE_NAMES = frozenset(("", "no", "nr", "num", "number", "index", "row", "rownames", "unnamed_0"))
"""Names of columns that may only count rows, as an index that pandas wrote."""
ROW_NAMES = PLACE_NAMES | {
    "id", "query", "query_id", "queryid", "query_number", "qid", "topic", "topic_id", "topicid", "topic_number", "tid",
    "title", "user", "user_id", "request",
}  # fmt: skip
SYSTEM_NAMES = frozenset(("system", "system_id", "run", "run_id", "runid", "model", "engine", "method"))
SUMMARIES = frozenset(("all", "amean", "mean", "average", "avg", "total", "sum", "overall", "summary"))
"""What programs call a last line that sums up the others."""
GAPS = frozenset(("", "na", "n/a", "nan", "null", "none", "-", "?"))
_TEXT_HINT = "Scores are written with a decimal point. If the first column holds query ids, use ids=True (--ids first)."
_GAP_HINT = 'Fill them, or read with missing="drop" or missing="zero" (--missing drop, --missing zero).'


@dataclass(frozen=True, eq=False)
class Matrix:
    """Scores that were made elsewhere; `values` is systems × queries, nan where the file had a gap."""

    name: str
    systems: tuple[str, ...]
    queries: tuple[str, ...]
    values: Floats


@dataclass(frozen=True)
class _Table:
    """A file's cells: `columns` has a name for every column, made up where the file has no header."""

    origin: str
    columns: tuple[str, ...]
    named: bool
    rows: tuple[_Row, ...]

    def refuse(self, places: list[int], is_fault: Callable[[str], bool], what: str, hint: str) -> None:
        found = [
            f"line {line}, {self.columns[place] or 'first column'}: {cells[place]!r}"
            for line, cells in self.rows
            for place in places
            if is_fault(cells[place])
        ]
        if found:
            message = f"{len(found)} of {len(self.rows) * len(places)} cells {what}"
            raise DataError(message, self.origin, _few(found), hint)


_Row = tuple[int, tuple[str, ...]]
"""The line of a row, and its cells."""


def read_matrix(
    data: bytes,
    origin: str,
    *,
    ids: bool | Sequence[str] | None = None,
    header: bool | None = None,
    rows: Rows = "queries",
    missing: Missing = "error",
) -> Matrix:
    """Read a matrix from CSV, TSV or blank-separated text.

    `ids` are the columns that hold names instead of scores: True the first, False none, or their names; unset, they are
    recognized by name (`topic`, `query`, `qid`, …) or by their text, and an ambiguous column is refused. `header` says
    whether the first line holds names; unset, it is recognized. `missing="drop"` reads empty cells as nan, which leaves
    the query out for all systems, `"zero"` as 0.
    """
    table = _table(decoded(np.frombuffer(data, np.uint8), origin), origin, header=header)
    if ids is None:
        named = _id_columns(table, rows)
    elif isinstance(ids, bool):
        named = (0,) if ids else ()
    else:
        wanted = (ids,) if isinstance(ids, str) else tuple(ids)
        for name in wanted:
            if name not in table.columns:
                raise DataError(f"has no column {name!r}", table.origin, hint=did_you_mean(name, table.columns))
        named = tuple(table.columns.index(name) for name in wanted)
    scored = [place for place in range(len(table.columns)) if place not in named]
    values = _numbers(table, scored, missing)
    across = tuple(table.columns[place] for place in scored) if table.named else None
    names = [_row_names(table, named), across]
    kinds = ("query", "system") if rows == "queries" else ("system", "query")
    axes = {kind: _checked(given, kind, n, origin) for kind, given, n in zip(kinds, names, values.shape, strict=True)}
    title = without_packing(PurePath(origin).name).rsplit(".", 1)[0]
    return Matrix(title, axes["system"], axes["query"], values.T.copy() if rows == "queries" else values)


def refuse_summary(names: Sequence[str], kind: str, origin: str) -> None:
    """A last row or column of means is not one more query or system."""
    if len(names) > 1 and names[-1].strip().lower() in SUMMARIES:
        raise DataError(
            f"the last {kind} is called {names[-1]!r}, so it seems to sum up the others",
            origin,
            hint=f"Leave it out, or give it another name if it is a {kind}.",
        )


def _table(text: str, origin: str, *, header: bool | None) -> _Table:
    rows = _split(list(io.StringIO(text, newline="")), origin)
    expected = "A matrix has one row per query and one column per system."
    if not rows:
        raise DataError("is empty", origin, hint=expected)
    first = rows[0][1]
    named = _has_header(rows, origin) if header is None else header
    body = tuple(rows[1:] if named else rows)
    if len(body) < 2:
        raise DataError(f"rows of scores: {len(body)}; at least 2 are needed", origin, hint=expected)
    lengths = Counter(len(cells) for _, cells in body)
    width = max(lengths, key=lambda length: (lengths[length], length == len(first)))
    ragged = [f"line {line}: {len(cells)}" for line, cells in body if len(cells) != width]
    if ragged:
        message = f"{len(ragged)} of {len(body)} rows do not have the {width} cells of the others"
        raise DataError(message, origin, _few(ragged), "Give every row one cell per system.")
    names = first if named else tuple(f"column {place + 1}" for place in range(width))
    if named and len(names) == width - 1:
        names = ("", *names)  # programs that write row names leave their column without a title
    if len(names) != width:
        raise DataError(f"the header names {len(names)} columns, the rows have {width}", origin)
    return _Table(origin, names, named, body)


def _split(lines: Sequence[str], origin: str) -> list[_Row]:
    first = next((line for line in lines if line.strip()), "")
    delimiter = next((mark for mark in "\t;," if mark in first), " ")
    # Leading blanks would be empty cells; of other lines the ends stay, as a quoted cell may go on below.
    reader = csv.reader(
        map(str.strip, lines) if delimiter == " " else lines, delimiter=delimiter, skipinitialspace=True
    )
    try:
        # Most of a damaged file may be blank lines, of which the reader makes rows without cells.
        rows = [(reader.line_num, tuple(cell.strip() for cell in cells)) for cells in reader if cells]
    except csv.Error as error:
        raise DataError(f"line {reader.line_num} cannot be read: {error}", origin) from error
    return [(line, cells) for line, cells in rows if any(cells)]


def _has_header(rows: list[_Row], origin: str) -> bool:
    (line, first), *others = rows
    if any(map(_is_word, first[1:])) or (others and len(first) == len(others[0][1]) - 1):
        return True
    if _float(first[0]) is None and _key(first[0]) in ROW_NAMES | SYSTEM_NAMES:
        return True
    rest = [cell for _, cells in others for cell in cells[1:]]
    numbered = _looks_numbered(first, rest) or _looks_numbered(first[1:], rest)
    if numbered and not all(map(_is_whole, rest)):
        raise DataError(
            "the first line could be scores or numbers of systems",
            origin,
            [f"line {line}: {', '.join(first[:4])}, …"],
            "Say which: header=True or header=False (--header or --no-header).",
        )
    return False


def _id_columns(table: _Table, rows: Rows) -> tuple[int, ...]:
    """Places of the columns at the front that hold names; a column that may be either is refused."""
    if rows == "queries" and table.named and _key(table.columns[0]) in SYSTEM_NAMES:
        raise DataError(
            f"the first column is called {table.columns[0]!r}, but rows are read as queries",
            table.origin,
            hint='Transpose the matrix, or read it with rows="systems" (--rows systems).',
        )
    known = SYSTEM_NAMES | ROW_NAMES if rows == "systems" else ROW_NAMES
    columns = list(zip(*(cells for _, cells in table.rows), strict=True))
    has_name = [table.named and _key(name) in known for name in table.columns]
    is_id = [
        named or 2 * sum(map(_is_word, cells)) > len(cells) for named, cells in zip(has_name, columns, strict=True)
    ]
    if all(is_id):
        # No column holds numbers: the cells are at fault, as with decimal commas.
        return (0,) if has_name[0] else ()
    count = is_id.index(False)
    if any(has_name[count:]):
        name = table.columns[has_name.index(True, count)]
        raise DataError(
            f"column {name!r} has the name of an id but is among the systems",
            table.origin,
            hint=f"Put it first, or use ids=[{name!r}] (--ids {name}), or ids=False (--ids none) if it is a system.",
        )
    for name in table.columns[1:count]:
        if rows == "queries" and table.named and _key(name) in SYSTEM_NAMES:
            raise DataError(
                f"has a column of queries and one of systems ({name!r}), so it is no matrix",
                table.origin,
                hint="A table with a row per system and query has the columns system, query and one per measure, in this order.",
            )
    if count:
        return tuple(range(count))
    first, others = columns[0], [cell for column in columns[1:] for cell in column]
    if not _looks_numbered(first, others):
        return ()
    if not table.named and not any(_is_whole(cell) for cell in others if _float(cell) not in {0.0, 1.0}):
        return (0,)
    raise DataError(
        "the first column may be a system or the numbers of the queries",
        table.origin,
        [f"{(table.named and table.columns[0]) or 'first column'}: {', '.join(first[:4])}, …"],
        "Say which: ids=True (--ids first) if it numbers the queries, ids=False (--ids none) if it is a system.",
    )


def _numbers(table: _Table, scored: list[int], missing: Missing) -> Floats:
    if len(scored) < 2:
        message = f"columns of scores: {len(scored)}; at least 2 are needed"
        raise DataError(message, table.origin, hint="Separate columns by commas, tabs, semicolons or blanks.")
    table.refuse(scored, _is_word, "are not numbers", _TEXT_HINT)
    table.refuse(scored, lambda cell: math.isinf(_float(cell) or 0), "are infinite", "Correct them.")
    table.refuse(scored, lambda cell: abs(_float(cell) or 0) > LARGEST, f"are larger than {LARGEST:g}", "Correct them.")
    if missing == "error":
        table.refuse(scored, _is_missing, "are empty", _GAP_HINT)
    gap = math.nan if missing == "drop" else 0.0
    return np.array(
        [[gap if _is_missing(cells[place]) else float(cells[place]) for place in scored] for _, cells in table.rows]
    )


def _row_names(table: _Table, ids: tuple[int, ...]) -> tuple[str, ...] | None:
    """Those of the first column with ids, if they differ; else those of all together."""
    if not ids:
        return None
    # The number of a row names it only where nothing better does.
    best = min(ids, key=lambda place: len(ids) > 1 and _key(table.columns[place]) in PLACE_NAMES)
    names = tuple(cells[best] for _, cells in table.rows)
    if len(set(names)) == len(names):
        return names
    return tuple("/".join(cells[place] for place in ids) for _, cells in table.rows)


def _checked(given: tuple[str, ...] | None, kind: str, count: int, origin: str) -> tuple[str, ...]:
    """The names of one axis, numbered where the file has none."""
    names = given or tuple(f"{kind}{number}" for number in range(1, count + 1))
    repeated = sorted(name for name, times in Counter(names).items() if times > 1)
    if repeated:
        raise DataError(f"duplicate {kind} name", origin, _few([repr(name) for name in repeated]))
    refuse_summary(names, kind, origin)
    return names


def _few(places: list[str], shown: int = 3) -> list[str]:
    more = len(places) - shown
    return places[:shown] + ([f"… and {more} more"] if more > 0 else [])


def _key(name: str) -> str:
    """The name as the lists above spell it: `Query-ID` and `query id` are `query_id`."""
    return re.sub(r"[\W_]+", "_", name.strip().lower()).strip("_")


def _looks_numbered(cells: Sequence[str], others: Iterable[str]) -> bool:
    """Different whole numbers, either all above every other number of the table, or three or more that only rise."""
    if not all(map(_is_whole, cells)):
        return False
    numbers = [float(cell) for cell in cells]
    if len(set(numbers)) < max(2, len(numbers)):
        return False
    rest = [number for number in map(_float, others) if number is not None]
    return (len(numbers) > 2 and numbers == sorted(numbers)) or (bool(rest) and min(numbers) > max(rest))


def _is_missing(cell: str) -> bool:
    return cell.lower() in GAPS


def _is_word(cell: str) -> bool:
    return not _is_missing(cell) and _float(cell) is None


def _float(cell: str) -> float | None:
    if _is_missing(cell) or "_" in cell:
        return None
    try:
        return float(cell)
    except ValueError:
        return None


def _is_whole(cell: str) -> bool:
    number = _float(cell)
    return number is not None and number.is_integer()
