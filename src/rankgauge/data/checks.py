"""The one place where users' tables are examined. Each check says what, where and what to do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankgauge.data.tables import Table
from rankgauge.errors import DataError, PolicyError

_SHOWN = 3

Names = Callable[[int], tuple[str, str]]
"""Row number to (query, document)."""


def finite(numbers: NDArray[np.floating[Any]], table: Table, names: Names) -> None:
    """Every number is finite; nan and infinity have no place in an order."""
    # The sum is finite unless a number is not, so the common case costs one pass and no array.
    if np.isfinite(np.sum(numbers)):
        return
    rows = np.flatnonzero(~np.isfinite(numbers))
    if not len(rows):
        return
    pairs = [names(int(row)) for row in rows[:_SHOWN]]
    places = [
        f"{where}{table.number} {numbers[row]} of query {query}, document {document}"
        for row, (query, document), where in zip(rows, pairs, _lines(table, pairs), strict=False)
    ]
    raise DataError(
        f"{len(rows):,} of {len(numbers):,} rows have a {table.number} that is not a finite number",
        table.origin,
        _with_rest(places, len(rows)),
        f"Give every document a finite {table.number}, or leave its row out.",
    )


def no_duplicates(pairs: Sequence[tuple[str, str]], count: int, rows: int, table: Table) -> None:
    """A document stands once in a query. `pairs` are the first repeated ones, `count` how many rows repeat."""
    if not count:
        return
    shown = list(pairs[:_SHOWN])
    found = table.find_lines(shown)
    places = []
    for pair in shown:
        lines = found.get(pair, [])
        where = f"line {lines[1]}: " if len(lines) > 1 else ""
        first = f" (first on line {lines[0]})" if len(lines) > 1 else ""
        places.append(f"{where}query {pair[0]}, document {pair[1]}{first}")
    raise DataError(
        f"{count:,} of {rows:,} rows repeat{'s' * (count == 1)} a document within a query",
        table.origin,
        _with_rest(places, count),
        'Keep one row each, or read with duplicates="best".',
    )


def some_rows(rows: int, table: Table) -> None:
    if not rows:
        what = "judgments" if table.number == "value" else "documents"
        raise DataError(f"no {what} in it", table.origin, hint="The file is empty, or holds comments only.")


def some_query_in_common(judged: Sequence[str], run: Sequence[str], origin: str, judgments: str) -> None:
    """A run of another collection, or of ids written another way: say which ids look alike."""
    near = [(query, close[0]) for query in run[:200] if (close := get_close_matches(query, judged, 1, 0.5))]
    places = [f"run: {', '.join(run[:_SHOWN])}   judgments: {', '.join(judged[:_SHOWN])}"]
    places += [f"nearest: {query!r} in the run, {other!r} in the judgments" for query, other in near[:1]]
    raise DataError(
        f"none of its {len(run):,} queries is judged in {judgments}", origin, places, "Query ids must be spelled alike."
    )


def no_missing(missing: Sequence[str], system: str) -> None:
    """Under missing="error" a run answers every judged query."""
    if missing:
        shown = ", ".join(missing[:_SHOWN]) + (" …" if len(missing) > _SHOWN else "")
        raise PolicyError(f'{system} lacks {len(missing):,} judged queries ({shown}), and missing="error" forbids it.')


def _lines(table: Table, pairs: Sequence[tuple[str, str]]) -> list[str]:
    found = table.find_lines(pairs)
    return [f"line {found[pair][0]}: " if found.get(pair) else "" for pair in pairs]


def _with_rest(places: list[str], count: int) -> list[str]:
    return [*places, f"… and {count - len(places):,} more"] if count > len(places) else places
