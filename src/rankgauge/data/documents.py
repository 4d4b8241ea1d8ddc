"""Titles of documents, for people who look at rankings."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from rankgauge.data.read.file import Source
from rankgauge.data.tables.columns import key
from rankgauge.errors import DataError
from rankgauge.tables.notes import Note, clip

IDS = ("doc_id", "docid", "docno", "document", "corpus-id", "corpus_id", "item_id", "item", "_id", "id")
TITLES = ("title", "name", "text", "headline", "url")


def document_titles(documents: Any) -> Mapping[str, str] | None:
    """Document → title, from a mapping or a file with a column of ids and one of titles."""
    if documents is None:
        return None
    if isinstance(documents, Mapping):
        return {str(document): str(title) for document, title in documents.items()}
    from rankgauge.data.read.records import read_records

    source = Source(os.fspath(documents))
    found = read_records(source, _is_header, ("id", "title"))
    if isinstance(found, Note):
        found.refuse()
    names = list(found.columns)
    identity, title = _named(names, IDS), _named(names, TITLES)
    if identity is None or title is None:
        lacking = "document ids" if identity is None else "titles"
        wanted = ", ".join(IDS if identity is None else TITLES)
        where = [f"columns: {clip(', '.join(names), 300)}"]
        raise DataError(f"no column of {lacking}", source.origin, where, f"Name one of them {wanted}.")
    pairs = zip(found.columns[identity], found.columns[title], strict=True)
    return {str(document): "" if text is None else str(text) for document, text in pairs}


def _is_header(names: Sequence[str]) -> bool:
    return len(names) > 1 and _named(names, IDS) is not None


def _named(names: Sequence[str], aliases: Sequence[str]) -> str | None:
    return next((name for alias in aliases for name in names if key(str(name)) == key(alias)), None)
