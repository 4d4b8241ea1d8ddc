"""Score matrices from text files: one row per query, one column per system, with or without names."""

from __future__ import annotations

import csv
import io
import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
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


_Row = tuple[int, tuple[str, ...], tuple[float | None, ...]]
"""The line of a row, its cells, and their numbers: nan for a gap, None for a word."""


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
    columns, body, named = _table(_split(decoded(np.frombuffer(data, np.uint8), origin), origin), origin, header)
    if ids is None:
        places = _id_columns(columns, body, rows, origin, named=named)
    elif isinstance(ids, bool):
        places = [0] if ids else []
    else:
        wanted = [ids] if isinstance(ids, str) else ids
        for name in wanted:
            if name not in columns:
                raise DataError(f"has no column {name!r}", origin, hint=did_you_mean(name, columns))
        places = [columns.index(name) for name in wanted]
    scored = [place for place in range(len(columns)) if place not in places]
    if len(scored) < 2:
        message = f"columns of scores: {len(scored)}; at least 2 are needed"
        raise DataError(message, origin, hint="Separate columns by commas, tabs, semicolons or blanks.")

    def refuse(is_fault: Callable[[float], bool], what: str, hint: str) -> None:
        found = [
            f"line {line}, {columns[place] or 'first column'}: {cells[place]!r}"
            for line, cells, numbers in body
            for place in scored
            if is_fault(numbers[place])  # type: ignore[arg-type]
        ]
        if found:
            message = f"{len(found)} of {len(body) * len(scored)} cells {what}"
            raise DataError(message, origin, _few(found), hint)

    refuse(lambda number: number is None, "are not numbers", _TEXT_HINT)
    refuse(math.isinf, "are infinite", "Correct them.")
    refuse(lambda number: abs(number) > LARGEST, f"are larger than {LARGEST:g}", "Correct them.")
    if missing == "error":
        refuse(math.isnan, "are empty", _GAP_HINT)
    values = np.array([[numbers[place] for place in scored] for _, _, numbers in body], np.float64)
    if missing != "drop":
        values = np.nan_to_num(values)
    # Names of the rows are in the first column with ids, if they differ there; else in all of these together. The
    # number of a row names it only where nothing better does.
    best = sorted(places, key=lambda place: len(places) > 1 and _key(columns[place]) in PLACE_NAMES)[:1]
    down = [cells[place] for _, cells, _ in body for place in best]
    if len(set(down)) < len(down):
        down = ["/".join(cells[place] for place in places) for _, cells, _ in body]
    across = [columns[place] for place in scored] if named else []
    kinds = ("query", "system") if rows == "queries" else ("system", "query")
    axes = {}
    for kind, found, count in zip(kinds, (down, across), values.shape, strict=True):
        names = found or [f"{kind}{number}" for number in range(1, count + 1)]
        repeated = sorted(name for name, times in Counter(names).items() if times > 1)
        if repeated:
            raise DataError(f"duplicate {kind} name", origin, _few([repr(name) for name in repeated]))
        refuse_summary(names, kind, origin)
        axes[kind] = tuple(names)
    title = without_packing(PurePath(origin).name).rsplit(".", 1)[0]
    return Matrix(title, axes["system"], axes["query"], values.T.copy() if rows == "queries" else values)


def refuse_summary(names: Sequence[str], kind: str, origin: str) -> None:
    """A last row or column of means is not one more query or system."""
    if len(names) > 1 and names[-1].strip().lower() in SUMMARIES:
        message = f"the last {kind} is called {names[-1]!r}, so it seems to sum up the others"
        raise DataError(message, origin, hint=f"Leave it out, or give it another name if it is a {kind}.")


def _split(text: str, origin: str) -> list[_Row]:
    """The rows that are not empty."""
    lines = list(io.StringIO(text, newline=""))
    first = next((line for line in lines if line.strip()), "")
    delimiter = next((mark for mark in "\t;," if mark in first), " ")
    # Leading blanks would be empty cells; of other lines the ends stay, as a quoted cell may go on below.
    whole = map(str.strip, lines) if delimiter == " " else lines
    reader = csv.reader(whole, delimiter=delimiter, skipinitialspace=True)
    try:
        # Most of a damaged file may be blank lines, of which the reader makes rows without cells.
        rows = [(reader.line_num, tuple(cell.strip() for cell in cells)) for cells in reader if cells]
    except csv.Error as error:
        raise DataError(f"line {reader.line_num} cannot be read: {error}", origin) from error
    return [(line, cells, tuple(map(_number, cells))) for line, cells in rows if any(cells)]


def _table(rows: list[_Row], origin: str, header: bool | None) -> tuple[list[str], list[_Row], bool]:  # noqa: FBT001 - private, one call
    """A name for every column, made up where the file has no header; the rows below it; and whether it has one."""
    expected = "A matrix has one row per query and one column per system."
    if not rows:
        raise DataError("is empty", origin, hint=expected)
    first = rows[0][1]
    named = _has_header(rows, origin) if header is None else header
    body = rows[1:] if named else rows
    if len(body) < 2:
        raise DataError(f"rows of scores: {len(body)}; at least 2 are needed", origin, hint=expected)
    lengths = Counter(len(cells) for _, cells, _ in body)
    width = max(lengths, key=lambda length: (lengths[length], length == len(first)))
    ragged = [f"line {line}: {len(cells)}" for line, cells, _ in body if len(cells) != width]
    if ragged:
        message = f"{len(ragged)} of {len(body)} rows do not have the {width} cells of the others"
        raise DataError(message, origin, _few(ragged), "Give every row one cell per system.")
    names = list(first) if named else [f"column {place + 1}" for place in range(width)]
    if named and len(names) == width - 1:
        names = ["", *names]  # programs that write row names leave their column without a title
    if len(names) != width:
        raise DataError(f"the header names {len(names)} columns, the rows have {width}", origin)
    return names, body, named


def _has_header(rows: list[_Row], origin: str) -> bool:
    (line, first, numbers), *others = rows
    if None in numbers[1:] or (others and len(first) == len(others[0][1]) - 1):
        return True
    if (numbers[0] is None or math.isnan(numbers[0])) and _key(first[0]) in ROW_NAMES | SYSTEM_NAMES:
        return True
    rest = [number for _, _, row in others for number in row[1:]]
    numbered = _looks_numbered(numbers, rest) or _looks_numbered(numbers[1:], rest)
    if numbered and not all(number is not None and number.is_integer() for number in rest):
        places = [f"line {line}: {', '.join(first[:4])}, …"]
        hint = "Say which: header=True or header=False (--header or --no-header)."
        raise DataError("the first line could be scores or numbers of systems", origin, places, hint)
    return False


def _id_columns(columns: list[str], body: list[_Row], rows: Rows, origin: str, *, named: bool) -> list[int]:
    """Places of the columns at the front that hold names; a column that may be either is refused."""
    keys = [_key(name) if named else None for name in columns]
    if rows == "queries" and keys[0] in SYSTEM_NAMES:
        hint = 'Transpose the matrix, or read it with rows="systems" (--rows systems).'
        raise DataError(f"the first column is called {columns[0]!r}, but rows are read as queries", origin, hint=hint)
    known = SYSTEM_NAMES | ROW_NAMES if rows == "systems" else ROW_NAMES
    numbers = list(zip(*(row for _, _, row in body), strict=True))
    is_id = [key in known or 2 * cells.count(None) > len(cells) for key, cells in zip(keys, numbers, strict=True)]
    if all(is_id):
        # No column holds numbers: the cells are at fault, as with decimal commas.
        return [0] if keys[0] in known else []
    count = is_id.index(False)
    late = next((name for name, key in zip(columns[count:], keys[count:], strict=True) if key in known), None)
    if late is not None:
        hint = f"Put it first, or use ids=[{late!r}] (--ids {late}), or ids=False (--ids none) if it is a system."
        raise DataError(f"column {late!r} has the name of an id but is among the systems", origin, hint=hint)
    inner = next((name for name, key in zip(columns[:count], keys, strict=False) if key in SYSTEM_NAMES), None)
    if rows == "queries" and inner is not None:
        message = f"has a column of queries and one of systems ({inner!r}), so it is no matrix"
        hint = (
            "A table with a row per system and query has the columns system, query and one per measure, in this order."
        )
        raise DataError(message, origin, hint=hint)
    others = [number for column in numbers[1:] for number in column]
    if count or not _looks_numbered(numbers[0], others):
        return list(range(count))
    if not named and not any(number is not None and number.is_integer() for number in {*others} - {0.0, 1.0}):
        return [0]
    places = [f"{(named and columns[0]) or 'first column'}: {', '.join(cells[0] for _, cells, _ in body[:4])}, …"]
    hint = "Say which: ids=True (--ids first) if it numbers the queries, ids=False (--ids none) if it is a system."
    raise DataError("the first column may be a system or the numbers of the queries", origin, places, hint)


def _few(places: list[str], shown: int = 3) -> list[str]:
    more = len(places) - shown
    return places[:shown] + ([f"… and {more} more"] if more > 0 else [])


def _key(name: str) -> str:
    """The name as the lists above spell it: `Query-ID` and `query id` are `query_id`."""
    return re.sub(r"[\W_]+", "_", name.strip().lower()).strip("_")


def _looks_numbered(found: Sequence[float | None], others: Sequence[float | None]) -> bool:
    """Different whole numbers, either all above every other number of the table, or three or more that only rise."""
    numbers = [number for number in found if number is not None and number.is_integer()]
    if len(numbers) < len(found) or len(set(numbers)) < max(2, len(numbers)):
        return False
    rest = [number for number in others if number is not None and not math.isnan(number)]
    return (len(numbers) > 2 and numbers == sorted(numbers)) or (bool(rest) and min(numbers) > max(rest))


def _number(cell: str) -> float | None:
    """The number of a cell: nan for a gap, None for a word."""
    if cell.lower() in GAPS:
        return math.nan
    try:
        return None if "_" in cell else float(cell)
    except ValueError:
        return None
