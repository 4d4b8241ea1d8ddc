"""Golden questions: records that name a query and list its relevant or retrieved documents, as RAG tools write them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rankgauge.data.tables.columns import NAMES, key
from rankgauge.data.tables.table import Wanted
from rankgauge.tables.notes import Note, clip, noted

_DOCUMENT = tuple(map(key, NAMES["document"]))
ASKED = (*map(key, NAMES["query"]), "questionid", "id", "question", "userinput")
"""Names of a query in a record that holds its documents, the surest first."""
_LISTS = {
    "value": (
        *("expectedids", "expected", "relevantids", "relevant", "goldids", "gold", "groundtruth", "referenceids"),
        *("relevantdocs", "relevantdocids", "relevantdocuments", "expecteddocids", "groundtruthids"),
        *("referencecontextids", "referencecontexts"),
        *("relevantcontexts", "relevantchunks", "expectedcontexts", "expectedchunks", "groundtruthcontexts"),
        *("expectedid", "relevantid", "goldid", "relevantdocid", "expecteddocid"),
    ),
    "score": (
        *("retrievedids", "retrieved", "results", "hits", "retrieveddocids", "returned"),
        *("retrieveddocs", "retrieveddocuments", "retrievedcontextids", "retrievedcontexts", "retrievedchunks"),
        *("contexts", "chunks", "matches", "sources", "sourcedocuments", "documents", "docs"),
    ),
}
"""Usual names of the fields with relevant and with retrieved documents."""
NO_LIST = "no-list"
"""Kind of the fault that records list documents, and nothing says in which field."""


def query_of(names: Iterable[str], cells: Iterable[Any], named: str | None = None) -> Any:
    """The query of a record: in the field that the user named, or in the surest of the usual ones."""
    known = {key(str(name)): cell for name, cell in zip(names, cells, strict=True)}
    asked = ASKED if named is None else (key(named),)
    return next((known[name] for name in asked if known.get(name) is not None), None)


def holder(names: Sequence[str], cells: Sequence[Any], wanted: Wanted) -> int | None:
    """The field with the documents: the one named, one with a usual name, or the only list."""
    if wanted.column is not None:
        return next((at for at, name in enumerate(names) if name == wanted.column), None)
    keys = list(map(key, names))
    usual = [keys.index(name) for name in _LISTS[wanted.number] if name in keys]
    # A text is the id of a document where the name says so; else it may be the answer in words.
    kept = [at for at in usual if keys[at].endswith("id") or not isinstance(cells[at], (str, int, float))]
    kept = [at for at in kept if not (_is_object(cells[at]) and any(isinstance(cell, list) for _, cell in cells[at]))]
    if kept:
        return kept[0]
    other = _LISTS["score" if wanted.number == "value" else "value"]
    inside = [at for at, cell in enumerate(cells) if isinstance(cell, list) and not _is_object(cell)]
    return inside[0] if len(inside) == 1 and keys[inside[0]] not in other else None


def is_known(name: str, wanted: Wanted) -> bool:
    """Whether a field is the one that was named or has a usual name, rather than being the only list."""
    return name == wanted.column if wanted.column is not None else key(name) in _LISTS[wanted.number]


def part_of(tree: Sequence[tuple[str, Any]], wanted: Wanted) -> Any:
    """The {query: documents} that a file keeps beside other things, under the name given or a usual one; else None."""
    at = next((at for at, (name, _) in enumerate(tree) if name == wanted.column), None)
    if wanted.column is None:
        lists = [_is_object(cell) and all(isinstance(rows, list) for _, rows in cell) for _, cell in tree]
        keys = [key(name) if is_list else "" for (name, _), is_list in zip(tree, lists, strict=True)]
        at = next((keys.index(name) for name in _LISTS[wanted.number] if name in keys), None)
    return None if at is None or len(tree) == 1 else tree[at][1]


def _is_object(cell: Any) -> bool:
    return isinstance(cell, list) and bool(cell) and isinstance(cell[0], tuple)


def inner(record: Iterable[tuple[str, Any]], above: str = "") -> Iterator[tuple[str, Any]]:
    """What lies in objects within a record, under the path that leads there: `output.retrieved_ids`."""
    for name, cell in record:
        if _is_object(cell):
            yield from inner(cell, f"{above}{name}.")
        elif above:
            yield f"{above}{name}", cell


def opened(record: Sequence[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """A record with the fields of its objects in their place."""
    return [*((name, cell) for name, cell in record if not _is_object(cell)), *inner(record)]


def no_list(record: Sequence[tuple[str, Any]], wanted: Wanted, origin: str) -> Note | None:
    """That a query has lists, and none of them is known to be the one that is wanted."""
    lists = [name for name, cell in opened(record) if isinstance(cell, list)]
    if not lists or not set(ASKED).intersection(key(name) for name, _ in record):
        return None
    option, kind = ("column", "relevant") if wanted.number == "value" else ("part", "retrieved")
    asked = wanted.column
    text = f"no field {clip(asked)!r}" if asked else f"no field is known to list the {kind} documents"
    other = _LISTS["score" if wanted.number == "value" else "value"]
    likely = [name for name in lists if key(name.rpartition(".")[2]) not in other]
    fields = clip(", ".join(likely or [name for name, _ in record]), 200)
    example = clip(likely[0]) if likely else "FIELD"
    one_of = "one of " if len(likely) > 1 else ""
    said = f"Name {one_of}{fields}," if likely else f"The fields are {fields}. Name one,"
    return noted(NO_LIST, text, origin, hint=f"{said} as in FILE:{example} or {option}={example!r}.")


def answered_twice(query: Any, line: int | None, origin: str) -> Note:
    """That two records list what was retrieved for one query, which no ranking is."""
    text = f"query {clip(str(query))} has more than one list of retrieved documents"
    hint = "Give every record an id of its own, or name the field that holds it, as in --columns query=FIELD."
    return noted("repeated-query", text, origin, places=() if line is None else (f"line {line}",), line=line, hint=hint)


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
