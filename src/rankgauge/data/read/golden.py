"""Golden questions: records that name a query and list its relevant or retrieved documents, as RAG tools write them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rankgauge.data.tables.columns import NAMES, Wanted, key
from rankgauge.tables.notes import Note, clip, noted

_DOCUMENT = tuple(map(key, NAMES["document"]))
ASKED = (*map(key, NAMES["query"]), "questionid", "id", "question", "userinput")
"""Names of a query in a record that holds its documents, the surest first."""
_LISTS = {
    "value": (
        *("expectedids", "expected", "relevantids", "relevant", "goldids", "gold", "groundtruth", "referenceids"),
        *("relevantdocs", "relevantdocids", "relevantdocuments", "expecteddocids", "groundtruthids"),
        *("referencecontextids", "referencecontexts"),
        *("expectedid", "relevantid", "goldid", "relevantdocid", "expecteddocid"),
    ),
    "score": (
        *("retrievedids", "retrieved", "results", "hits", "retrieveddocids", "returned"),
        *("retrieveddocs", "retrieveddocuments", "retrievedcontextids", "retrievedcontexts"),
    ),
}
"""Usual names of the fields with relevant and with retrieved documents."""
NO_LIST = "no-list"
"""Kind of the fault that records list documents, and nothing says in which field."""


def query_of(names: Iterable[str], cells: Iterable[Any]) -> Any:
    known = {key(str(name)): cell for name, cell in zip(names, cells, strict=True)}
    return next((known[name] for name in ASKED if known.get(name) is not None), None)


def are_questions(data: Any) -> bool:
    """Whether these are records in memory, each with a query and its documents, rather than one run after the other."""
    if not (isinstance(data, (list, tuple)) and data and isinstance(data[0], Mapping)):
        return False
    query = query_of(data[0].keys(), data[0].values())
    return isinstance(query, (str, int)) and any(
        isinstance(cell, (list, tuple)) for row in data for cell in row.values()
    )


def lists_objects(data: Mapping[Any, Any]) -> bool:
    """{query: [{"id": …, "score": …}, …]}, in memory."""
    first = next((rows for rows in data.values() if rows is not None), None)
    return isinstance(first, (list, tuple)) and bool(first) and isinstance(first[0], Mapping)


def holder(names: Sequence[str], cells: Sequence[Any], wanted: Wanted) -> int | None:
    """The field with the documents: the one named, one with a usual name, or the only list."""
    if wanted.column is not None:
        return next((at for at, name in enumerate(names) if name == wanted.column), None)
    keys = list(map(key, names))
    usual = [keys.index(name) for name in _LISTS[wanted.number] if name in keys]
    # A text is the id of a document where the name says so; else it may be the answer in words.
    kept = [at for at in usual if keys[at].endswith("id") or not isinstance(cells[at], (str, int, float))]
    if kept:
        return kept[0]
    other = _LISTS["score" if wanted.number == "value" else "value"]
    inside = [at for at, cell in enumerate(cells) if isinstance(cell, list)]
    return inside[0] if len(inside) == 1 and keys[inside[0]] not in other else None


def no_list(record: Sequence[tuple[str, Any]], wanted: Wanted, origin: str) -> Note | None:
    """That a query has lists, and none of them is known to be the one that is wanted."""
    lists = [name for name, cell in record if isinstance(cell, list)]
    if not lists or not set(ASKED).intersection(key(name) for name, _ in record):
        return None
    option, kind = ("column", "relevant") if wanted.number == "value" else ("part", "retrieved")
    asked = wanted.column
    text = f"no field {clip(asked)!r}" if asked else f"no field is known to list the {kind} documents"
    hint = f"Name one of {clip(', '.join(lists), 200)}, as in FILE:{clip(lists[0])} or {option}={clip(lists[0])!r}."
    return noted(NO_LIST, text, origin, hint=hint)


def lacking(document: Sequence[tuple[str, Any]], number: str, at: int) -> list[tuple[str, Any]]:
    """What an object in such a list leaves unsaid: its id, which is called `id` or lies in its metadata, and its number.

    Without a score the order of the list counts; without a value, a document that is listed is relevant.
    """
    known = {key(name): cell for name, cell in document}
    inside = known.get("metadata")
    deeper = {key(name): cell for name, cell in inside} if isinstance(inside, list) else {}
    more: list[tuple[str, Any]] = []
    if not known.keys() & set(_DOCUMENT):
        found = [cells[name] for cells in (known, deeper) for name in (*_DOCUMENT, "id") if cells.get(name) is not None]
        more += [("document", found[0])] if found else []
    numbers = ("score", "rank") if number == "score" else ("value", "score", "rank")
    if not known.keys() & {key(name) for role in numbers for name in NAMES[role]}:
        more.append((number, -(at + 1) if number == "score" else 1))
    return more
