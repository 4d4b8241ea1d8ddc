"""Items: what a catalog holds, and what is known of each, as categories or a vector. Titles of documents, for readers."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence, Sized
from os import PathLike
from typing import Any

import numpy as np

from rankgauge.arrays import Floats
from rankgauge.data.handed import is_frame
from rankgauge.data.queries import is_header, named_column, no_column
from rankgauge.data.read.file import Source
from rankgauge.data.tables.columns import NAMES
from rankgauge.errors import DataError, UsageError, did_you_mean
from rankgauge.tables.notes import clip, quoted

DOCUMENTS = (*NAMES["document"], "corpus_id", "_id", "id")
TITLES = ("title", "name", "text", "headline", "url")
SEPARATOR = "|"
"""Between the categories of an item, as MovieLens writes genres."""
_FEATURES = "Give each item categories, as in Drama|Comedy, or a list of numbers."


def items_of(given: Any, column: str | None = None) -> dict[str, Any]:
    """Item → its features, None where there are none: from a mapping, ids alone, or a table or file and its `column`."""
    found = _items(given, column)
    if not found:
        raise UsageError("items is empty; give at least one, or leave it out")
    return found


def _items(given: Any, column: str | None) -> dict[str, Any]:
    if isinstance(given, Mapping) and column is None:
        return {_id(item): features for item, features in given.items()}
    if isinstance(given, (str, PathLike)) or is_frame(given):
        origin, table = _table(given)
        identity = named_column(list(table), DOCUMENTS)
        if identity is None:
            raise no_column("for the item", list(table), DOCUMENTS, origin)
        if column is not None and column not in table:
            raise DataError(f"no column {clip(column)!r}", origin, hint=clip(did_you_mean(column, table), 300))
        cells = [None] * len(table[identity]) if column is None else table[column]
        return {_id(item): features for item, features in zip(table[identity], cells, strict=True)}
    if isinstance(given, Iterable) and not isinstance(given, (Mapping, bytes)):
        return dict.fromkeys(map(_id, given))
    raise UsageError(f"cannot read items from {type(given).__name__}; give {{item: features}}, ids, a table or a path")


def unit_vectors(features: Mapping[str, Any]) -> tuple[dict[str, int], Floats]:
    """The row of each item that has features, and the rows, each of length 1: its vector, or 1 for each category it has."""
    known = {item: given for item, given in features.items() if _is_there(given)}
    if all(isinstance(given, str) or _are_words(given) for given in known.values()):
        rows = _indicators([_categories(given) for given in known.values()])
    else:
        rows = _stacked(known)
    length = np.sqrt(np.square(rows).sum(axis=1))
    kept = length > 0
    items = [item for item, is_kept in zip(known, kept.tolist(), strict=True) if is_kept]
    return {item: at for at, item in enumerate(items)}, rows[kept] / length[kept, np.newaxis]


def document_titles(documents: Any) -> Mapping[str, str] | None:
    """Document → title, from a mapping or a file with a column of ids and one of titles."""
    if documents is None:
        return None
    if isinstance(documents, Mapping):
        return {str(document): str(title) for document, title in documents.items()}
    origin, table = _table(os.fspath(documents), ("id", "title"))
    names = list(table)
    identity, title = named_column(names, DOCUMENTS), named_column(names, TITLES)
    if identity is None or title is None:
        lacking, wanted = ("document ids", DOCUMENTS) if identity is None else ("titles", TITLES)
        raise no_column(f"of {lacking}", names, wanted, origin)
    pairs = zip(table[identity], table[title], strict=True)
    return {str(document): "" if text is None else str(text) for document, text in pairs}


def _id(item: Any) -> str:
    if isinstance(item, (str, int, np.integer)) and not isinstance(item, bool) and item != "":
        return str(item)
    raise DataError(f"{quoted(item)} is not an item id", "items", hint="Ids are text or whole numbers.")


def _table(given: Any, bare: tuple[str, ...] = ("id",)) -> tuple[str, dict[str, list[Any]]]:
    if is_frame(given):
        from rankgauge.data.tables.frames import to_frame

        return "items", to_frame(given, "items").to_dict(as_series=False)
    from rankgauge.data.read.records import read_records

    source = Source(given)
    is_csv = source.name.endswith(".csv")
    found = read_records(source, lambda names: (is_csv and len(names) > 1) or is_header(names, DOCUMENTS), bare)
    return source.origin, found.columns


def _is_there(given: Any) -> bool:
    if given is None or (isinstance(given, float) and np.isnan(given)):
        return False
    if isinstance(given, Mapping) or not isinstance(given, Sized):
        raise DataError(f"{quoted(given)} is neither categories nor a vector", "items", hint=_FEATURES)
    return len(given) > 0


def _are_words(given: Any) -> bool:
    return all(isinstance(part, str) for part in given)


def _categories(given: Any) -> list[str]:
    return [part.strip() for part in (given.split(SEPARATOR) if isinstance(given, str) else given) if part.strip()]


def _indicators(listed: Sequence[Sequence[str]]) -> Floats:
    places = {name: at for at, name in enumerate(dict.fromkeys(name for names in listed for name in names))}
    rows = np.zeros((len(listed), len(places)))
    for row, names in enumerate(listed):
        rows[row, [places[name] for name in names]] = 1.0
    return rows


def _stacked(known: Mapping[str, Any]) -> Floats:
    sizes = {len(vector) for vector in known.values()}
    if len(sizes) > 1:
        raise DataError(f"items have vectors of different lengths ({', '.join(map(str, sorted(sizes)[:3]))})")
    try:
        rows = np.array([np.asarray(vector, np.float64) for vector in known.values()])
    except (TypeError, ValueError):
        raise DataError("features are neither categories nor vectors of numbers", "items", hint=_FEATURES) from None
    odd = np.flatnonzero(~np.isfinite(rows).all(axis=1))
    if odd.size:
        raise DataError(f"the vector of item {clip(list(known)[odd[0]])} is not finite", "items")
    return rows
