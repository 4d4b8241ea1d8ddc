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

from rankgauge.arrays import Floats
from rankgauge.data.read.bytes import decoded, without_packing
from rankgauge.errors import DataError, UsageError, did_you_mean

Rows = Literal["queries", "systems"]
Missing = Literal["error", "drop", "zero"]
ROW_NAMES = frozenset((
    "", "id", "no", "nr", "num", "number", "index", "row", "rownames", "unnamed_0", "query", "query_id", "queryid",
    "query_number", "qid", "topic", "topic_id", "topicid", "topic_number", "tid", "title", "user", "user_id", "request",
))  # fmt: skip
SYSTEM_NAMES = frozenset(("system", "system_id", "run", "run_id", "runid", "model", "engine", "method"))
PLACE_NAMES = frozenset(("", "no", "nr", "num", "number", "index", "row", "rownames", "unnamed_0"))
"""Of ROW_NAMES, those of columns that may only count rows, as an index that pandas wrote."""
SUMMARIES = frozenset(("all", "amean", "mean", "average", "avg", "total", "sum", "overall", "summary"))
"""What programs call a last line that sums up the others."""
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
class _Table:
    """A file's cells: `columns` has a name for every column, made up where the file has no header."""

    origin: str
    columns: tuple[str, ...]
    named: bool
    rows: tuple[_Row, ...]


_Row = tuple[int, tuple[str, ...]]
"""The line of a row, and its cells."""


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
    text = io.StringIO(decoded(np.frombuffer(data, np.uint8), origin), newline="")
    table = _table(_split(text, origin), origin, header=header)
    ids_at = _id_places(table, rows, ids=ids)
    scored = [place for place in range(len(table.columns)) if place not in ids_at]
    values = _numbers(table, scored, missing)
    names = _names(table, ids_at, scored, ("query", "system") if rows == "queries" else ("system", "query"))
    return ScoreMatrix(
        name=without_packing(PurePath(origin).name).rsplit(".", 1)[0],
        systems=names["system"],
        queries=names["query"],
        values=values.T.copy() if rows == "queries" else values,
        id_columns=tuple(table.columns[place] for place in ids_at),
    )


def _split(lines: Iterable[str], origin: str) -> list[_Row]:
    text = list(lines)
    first = next((line for line in text if line.strip()), "")
    delimiter = next((mark for mark in "\t;," if mark in first), " ")
    stripped = (line.strip("\r\n " if delimiter != " " else None) for line in text)
    reader = csv.reader(stripped, delimiter=delimiter, skipinitialspace=True)
    try:
        # Most of a damaged file may be blank lines, of which the reader makes rows without cells.
        rows = [(reader.line_num, tuple(cell.strip() for cell in cells)) for cells in reader if cells]
    except csv.Error as error:
        raise DataError(f"line {reader.line_num} cannot be read: {error}", origin) from error
    return [(line, cells) for line, cells in rows if any(cells)]


def _table(rows: list[_Row], origin: str, *, header: bool | None) -> _Table:
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
        # Programs that write row names leave their column without a title.
        names = ("", *names)
    if len(names) != width:
        raise DataError(f"the header names {len(names)} columns, the rows have {width}", origin)
    return _Table(origin, names, named, body)


def _has_header(rows: list[_Row], origin: str) -> bool:
    (line, first), *others = rows
    if any(map(_is_word, first[1:])):
        return True
    if others and len(first) == len(others[0][1]) - 1:
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
    if rows == "queries" and table.named and _key(table.columns[0]) in SYSTEM_NAMES:
        raise DataError(
            f"the first column is called {table.columns[0]!r}, but rows are read as queries",
            table.origin,
            hint='Transpose the matrix, or read it with rows="systems" (--rows systems).',
        )
    return _leading_ids(table, SYSTEM_NAMES | ROW_NAMES if rows == "systems" else ROW_NAMES)


def _numbers(table: _Table, scored: list[int], missing: Missing) -> Floats:
    if len(scored) < 2:
        message = f"columns of scores: {len(scored)}; at least 2 are needed"
        raise DataError(message, table.origin, hint="Separate columns by commas, tabs, semicolons or blanks.")
    _refuse(table, scored, _is_word, "are not numbers", _TEXT_HINT)
    _refuse(table, scored, lambda cell: math.isinf(_float(cell) or 0), "are infinite", "Correct them.")
    if missing == "error":
        _refuse(table, scored, _is_missing, "are empty", _GAP_HINT)
    gap = math.nan if missing == "drop" else 0.0
    return np.array(
        [[gap if _is_missing(cells[place]) else float(cells[place]) for place in scored] for _, cells in table.rows]
    )


_TEXT_HINT = "Scores are written with a decimal point. If the first column holds query ids, use ids=True (--ids first)."
_GAP_HINT = 'Fill them, or read with missing="drop" or missing="zero" (--missing drop, --missing zero).'


def _refuse(table: _Table, places: list[int], fault: Callable[[str], bool], what: str, hint: str) -> None:
    found = [
        f"line {line}, {table.columns[place] or 'first column'}: {cells[place]!r}"
        for line, cells in table.rows
        for place in places
        if fault(cells[place])
    ]
    if found:
        cells = len(table.rows) * len(places)
        raise DataError(f"{len(found)} of {cells} cells {what}", table.origin, _few(found), hint)


def _names(
    table: _Table, ids: tuple[int, ...], scored: list[int], kinds: tuple[str, str]
) -> dict[str, tuple[str, ...]]:
    """The names of rows and of columns by what they are, numbered where the file has none."""
    down = tuple("/".join(cells[place] for place in ids) for _, cells in table.rows) if ids else None
    # The number of a row names it only where nothing better does.
    by_name = sorted(ids, key=lambda place: len(ids) > 1 and _key(table.columns[place]) in PLACE_NAMES)
    for place in by_name[:1]:
        first = tuple(cells[place] for _, cells in table.rows)
        down = first if len(set(first)) == len(first) else down
    across = tuple(table.columns[place] for place in scored) if table.named else None
    found = {}
    for kind, names, count in zip(kinds, (down, across), (len(table.rows), len(scored)), strict=True):
        found[kind] = names or tuple(f"{kind}{number}" for number in range(1, count + 1))
        repeated = sorted(name for name, times in Counter(found[kind]).items() if times > 1)
        if repeated:
            raise DataError(f"duplicate {kind} name", table.origin, _few([repr(name) for name in repeated]))
        refuse_summary(found[kind], kind, table.origin)
    return found


def refuse_summary(names: Sequence[str], kind: str, origin: str) -> None:
    """A last row or column of means is not one more query or system."""
    if len(names) > 1 and names[-1].strip().lower() in SUMMARIES:
        raise DataError(
            f"the last {kind} is called {names[-1]!r}, so it seems to sum up the others",
            origin,
            hint=f"Leave it out, or give it another name if it is a {kind}.",
        )


def _few(places: list[str], shown: int = 3) -> list[str]:
    more = len(places) - shown
    return places[:shown] + ([f"… and {more} more"] if more > 0 else [])


def _key(name: str) -> str:
    """The name as the lists above spell it: `Query-ID` and `query id` are `query_id`."""
    return re.sub(r"[\W_]+", "_", name.strip().lower()).strip("_")


def _leading_ids(table: _Table, names: frozenset[str]) -> tuple[int, ...]:
    """Places of the columns at the front that hold names; a column that may be either is refused."""
    columns = list(zip(*(cells for _, cells in table.rows), strict=True))
    has_name = [table.named and _key(name) in names for name in table.columns]
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


def _looks_numbered(cells: Sequence[str], others: Sequence[str]) -> bool:
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
