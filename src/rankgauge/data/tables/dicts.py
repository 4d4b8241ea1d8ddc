"""Dicts as users write them: {query: {document: number}} or {query: [documents in order]}."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from rankgauge.data.tables.table import DictTable
from rankgauge.errors import DataError, plural
from rankgauge.tables.notes import Note, Tally, clip, noted


def dict_table(data: Mapping[Any, Any], number: str, origin: str, duplicates: str = "error") -> DictTable:
    """Ids that are not text become text; a list of documents becomes scores −1, −2, … or judged values of 1."""
    if all(isinstance(rows, dict) for rows in data.values()) and _is_text(data):
        return DictTable(data, number, origin)
    repeated = Tally("duplicate-documents")
    made: dict[str, dict[str, Any]] = {}
    for query, rows in data.items():
        name = _id(query, "query", origin)
        if name in made:
            message = f"two queries have the same id {clip(name)!r} as text"
            noted("duplicate-queries", message, origin, hint="Make every id a text (str).").refuse()
        made[name] = _documents(name, rows, number, origin, repeated)
    listed = number == "value" and any(not isinstance(rows, Mapping) for rows in data.values())
    remarks = (listed_without_values(origin),) if listed else ()
    whole = all(isinstance(query, int) for query in data)
    if not repeated.count:
        return DictTable(made, number, origin, remarks, whole=whole)
    found = repeated.note(
        f"{plural(repeated.count, 'document')} repeated within a query",
        origin,
        'Keep one each, or read with duplicates="best".',
    )
    if duplicates == "error":
        found.refuse()
    return DictTable(made, number, origin, (*remarks, kept_best(found)), whole=whole)


def listed_without_values(origin: str) -> Note:
    return noted("no-values", "documents are listed without values; every one counts as 1", origin, line=None)


def kept_best(found: Note) -> Note:
    """The note about rows that duplicates="best" dropped."""
    message = f"{found.text}; the best of each was kept"
    return noted(found.kind, message, found.origin, found.count, found.places, found.line)


def _is_text(data: Mapping[Any, Any]) -> bool:
    """Looks at the queries and at the first and last document of each: types are seldom mixed within one query."""
    return all(
        isinstance(query, str)
        and (not rows or (isinstance(next(iter(rows)), str) and isinstance(next(reversed(rows)), str)))
        for query, rows in data.items()
    )


def _documents(query: str, rows: Any, number: str, origin: str, repeated: Tally) -> dict[str, Any]:
    if isinstance(rows, Mapping):
        pairs = rows.items()
    elif isinstance(rows, Sequence) and rows and all(isinstance(row, tuple) and len(row) == 2 for row in rows):
        pairs = rows  # type: ignore[assignment]
    elif isinstance(rows, Sequence | AbstractSet) and not isinstance(rows, (str, bytes)) and number == "value":
        pairs = ((document, 1) for document in rows)  # type: ignore[assignment]
    elif isinstance(rows, Sequence) and not isinstance(rows, (str, bytes)):
        pairs = ((document, -rank) for rank, document in enumerate(rows, start=1))  # type: ignore[assignment]
    else:
        raise DataError(
            f"query {clip(query)} holds {clip(repr(rows))}, not documents with their {number}s",
            origin,
            hint="Write {query: {document: number}}, or {query: [documents"
            + (" in order]}." if number == "score" else "]} where each counts as 1."),
        )
    found: dict[str, Any] = {}
    for document, value in pairs:
        name = _id(document, "document", origin)
        if name in found:
            repeated.add(None, f"query {clip(query)}, document {clip(name)}")
            if not _is_better(value, found[name]):
                continue
        found[name] = value
    return found


def _is_better(value: Any, other: Any) -> bool:
    try:
        return bool(value > other)
    except TypeError:  # no numbers: taken over, so that the examination of numbers names it
        return True


def _id(given: Any, role: str, origin: str) -> str:
    if isinstance(given, str):
        return given
    if given is None or isinstance(given, (float, bool, list, tuple, Mapping)):
        raise DataError(f"{given!r} is not a {role} id", origin, hint="Ids are text or whole numbers.")
    return str(given)
