"""Small tables, whole: named columns in any format, bare columns of text, and matrices of scores."""

from __future__ import annotations

import io
import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rankgauge.arrays import LARGEST, Floats
from rankgauge.data.read.bytes import Source, decoded
from rankgauge.data.read.delimited import PARQUET, cells, scan_parquet, sound_parquet, text_rows
from rankgauge.data.read.trec import binary
from rankgauge.errors import DataError, did_you_mean, plural
from rankgauge.tables.notes import clip, noted

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
_SHAPE_HINT = "A matrix has one row per query and one column per system."
_TEXT_HINT = "Scores are written with a decimal point. If the first column holds query ids, use ids=True (--ids first)."
_GAP_HINT = 'Fill them, or read with missing="drop" or missing="zero" (--missing drop, --missing zero).'


def read_columns(
    source: Source, is_header: Callable[[Sequence[str]], bool], bare: tuple[str, ...]
) -> tuple[dict[str, list[Any]], list[int] | None]:
    """Named columns of plain Python values, and the line of each row, if it has one.

    Where the first line of a text does not satisfy `is_header`, it has the `bare` columns, the last taking what remains.
    """
    content, origin = source.load(), source.origin
    head = content.head()
    if head.startswith(PARQUET):
        with sound_parquet(origin):
            return scan_parquet(content, origin).collect().to_dict(as_series=False), None
    if b"\0" in head:
        raise binary(origin, head).error()
    text = decoded(content.bytes, origin)
    if text.lstrip().startswith(("{", "[")):
        from rankgauge.data.read.json import records_of

        records, places = records_of(text, origin)
        named = dict.fromkeys(name for record in records for name in record)
        return {name: [record.get(name) for record in records] for name in named}, places
    lines = {at: line for at, line in enumerate(text.splitlines(), start=1) if line.strip()}
    if not lines:
        raise noted("empty", "the file is empty", origin).error()
    first = next(iter(lines.values()))
    separator = next((sign for sign in "\t,;" if is_header(cells(first, sign))), None)
    if separator is None:  # `id TAB text`, or `id text`, or ids alone
        sign = "\t" if any("\t" in line for line in lines.values()) else None
        parts = [line.strip().split(sign, len(bare) - 1) for line in lines.values()]
        columns = {name: [part[n].strip() if n < len(part) else None for part in parts] for n, name in enumerate(bare)}
        return columns, list(lines)
    (_, names), *rows = text_rows(text, separator, origin)
    refuse_repeated(names, origin)
    for at, row in rows:
        if len(row) != len(names):
            place = f"line {at}: {clip((separator.strip() or ' ').join(row))}  ({plural(len(row), 'field')})"
            hint = f"The first line names {clip(', '.join(names), 200)}."
            message = f"a line does not have {len(names)} fields"
            raise noted("wrong-fields", message, origin, 1, (place,), at, hint).error()
    return {name: [row[n] for _, row in rows] for n, name in enumerate(names)}, [at for at, _ in rows]


def refuse_repeated(names: Sequence[str], origin: str) -> None:
    """Nobody knows which of two columns of one name is meant; spreadsheets leave several without any."""
    twice = next((name for at, name in enumerate(names) if name and name in names[:at]), None)
    if twice is not None:
        message = f"two columns have the same name ({clip(twice)})"
        raise noted("repeated-column", message, origin, hint="Rename one of them.").error()


_Row = tuple[int, list[str], list[float | None]]
"""The line of a row, its cells, and their numbers: nan for a gap, None for a word."""


def read_matrix(
    data: NDArray[np.uint8],
    origin: str,
    *,
    ids: bool | Sequence[str] | None = None,
    header: bool | None = None,
    rows: Rows = "queries",
    missing: Missing = "error",
) -> tuple[Floats, dict[str, list[str] | None]]:
    """A matrix from CSV, TSV or blank-separated text, with the names of its axes `system` and `query`, if it has them.

    `rankgauge.read_scores` says what the options do. A column of ids that are not named is recognized by its name or by
    its text, and one that may hold either is refused; gaps that stay are nan.
    """
    columns, body, named = _table(data, origin, header)
    if ids is None:
        places = _id_columns(columns, body, rows, origin, named=named)
    elif isinstance(ids, bool):
        places = [0] if ids else []
    else:
        for name in ids:
            if name not in columns:
                raise DataError(f"has no column {name!r}", origin, hint=did_you_mean(name, columns))
        places = [columns.index(name) for name in ids]
    scored = [place for place in range(len(columns)) if place not in places]
    if len(scored) < 2:
        message = f"columns of scores: {len(scored)}; at least 2 are needed"
        raise DataError(message, origin, hint="Separate columns by commas, tabs, semicolons or blanks.")
    grid = np.array([[numbers[place] for place in scored] for _, _, numbers in body], object)
    values = grid.astype(np.float64)  # words become nan as gaps do
    for odd, what, hint in (
        (np.equal(grid, np.array(None)), "are not numbers", _TEXT_HINT),
        (np.isinf(values), "are infinite", "Correct them."),
        (np.abs(values) > LARGEST, f"are larger than {LARGEST:g}", "Correct them."),
        (np.isnan(values) & (missing == "error"), "are empty", _GAP_HINT),
    ):
        at = [(body[row], scored[column]) for row, column in np.argwhere(odd)]
        if at:
            shown = [f"line {row[0]}, {columns[place] or 'first column'}: {row[1][place]!r}" for row, place in at]
            raise DataError(f"{len(at)} of {odd.size} cells {what}", origin, _few(shown), hint)
    # Names of the rows are in the first column with ids, if they differ there; else in all of these together. The
    # number of a row names it only where nothing better does.
    best = sorted(places, key=lambda place: len(places) > 1 and _key(columns[place]) in PLACE_NAMES)[:1]
    down = [row[place] for _, row, _ in body for place in best]
    if len(set(down)) < len(down):
        down = ["/".join(row[place] for place in places) for _, row, _ in body]
    across = [columns[place] for place in scored] if named else []
    names: dict[str, list[str] | None] = {}
    for kind, found in zip(
        ("query", "system") if rows == "queries" else ("system", "query"), (down, across), strict=True
    ):
        repeated = sorted(name for name, times in Counter(found).items() if times > 1)
        if repeated:
            raise DataError(f"duplicate {kind} name", origin, _few(list(map(repr, repeated))))
        refuse_summary(found, kind, origin)
        names[kind] = found or None
    return np.nan_to_num(values) if missing == "zero" else values, names


def refuse_summary(names: Sequence[str], kind: str, origin: str) -> None:
    """A last row or column of means is not one more query or system."""
    if len(names) > 1 and names[-1].strip().lower() in SUMMARIES:
        message = f"the last {kind} is called {names[-1]!r}, so it seems to sum up the others"
        raise DataError(message, origin, hint=f"Leave it out, or give it another name if it is a {kind}.")


def _table(data: NDArray[np.uint8], origin: str, header: bool | None) -> tuple[list[str], list[_Row], bool]:  # noqa: FBT001 - private, one call
    """A name for every column, made up where the file has no header; the rows below it; and whether it has one."""
    text = decoded(data, origin)
    lines = list(io.StringIO(text, newline=""))
    first = next((line for line in lines if line.strip()), "")
    separator = next((mark for mark in "\t;," if mark in first), " ")
    if separator == " ":  # leading blanks would be empty cells
        text = "\n".join(map(str.strip, lines))
    cut = text_rows(text, separator, origin, is_exact=False)
    stripped = [(line, [cell.strip() for cell in row]) for line, row in cut]
    body = [(line, row, list(map(_number, row))) for line, row in stripped if any(row)]
    if not body:
        raise DataError("is empty", origin, hint=_SHAPE_HINT)
    names, named = body[0][1], _has_header(body, origin) if header is None else header
    body = body[named:]
    if len(body) < 2:
        raise DataError(f"rows of scores: {len(body)}; at least 2 are needed", origin, hint=_SHAPE_HINT)
    lengths = Counter(len(row) for _, row, _ in body)
    width = max(lengths, key=lambda length: (lengths[length], length == len(names)))
    ragged = [f"line {line}: {len(row)}" for line, row, _ in body if len(row) != width]
    if ragged:
        message = f"{len(ragged)} of {len(body)} rows do not have the {width} cells of the others"
        raise DataError(message, origin, _few(ragged), "Give every row one cell per system.")
    if not named:
        names = [f"column {place + 1}" for place in range(width)]
    elif len(names) == width - 1:
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
