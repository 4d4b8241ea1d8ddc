"""The one place where users' tables are examined. Each check gives a finding that says what, where and what to do."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from rankgauge.arrays import LARGEST
from rankgauge.errors import plural
from rankgauge.tables.notes import SHOWN, Note, clip, noted, share

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.arrays import Reals
    from rankgauge.data.table import RowTable

_COMPARED = 200
_ALIKE = 0.8
FEW = 3
"""From this many queries on, a run of which no document is judged has other ids rather than bad luck."""


def not_finite(numbers: Reals, table: RowTable, names: Callable[[int], tuple[str, str]]) -> Note | None:
    """Every number is finite; nan and infinity have no place in an order, and judged values must have a sum.

    `names` gives the query and document of a row.
    """
    kind, what = "not-finite", f"{table.number} that is not a finite number"
    hint = f"Give every document a finite {table.number}, or leave its row out."
    rows = np.flatnonzero(~np.isfinite(numbers))
    if not len(rows) and table.number == "value":
        kind, what = "too-large", "value too large to add up"
        hint = f"Give judged values between {-LARGEST:g} and {LARGEST:g}."
        rows = np.flatnonzero(np.abs(numbers) > LARGEST)
    if not len(rows):
        return None
    message = f"{share(len(rows), len(numbers), 'row')} {'has' if len(rows) == 1 else 'have'} a {what}"
    first = rows[:SHOWN].tolist()
    return of_rows(kind, message, table, len(rows), [(*names(row), str(numbers[row])) for row in first], hint)


def of_rows(
    kind: str, message: str, table: RowTable, count: int, first: Sequence[tuple[str, str, str]], hint: str | None = None
) -> Note:
    """Something about rows; of the `first`, query, document and number are shown, with the line where there are lines."""
    found = table.find_lines([row[:2] for row in first])
    lines = [found.get(row[:2], []) for row in first]
    words = [f"{table.number} {number} of {_pair((query, document))}" for query, document, number in first]
    places = tuple(_place(table, at, text) for at, text in zip(lines, words, strict=True))
    return noted(kind, message, table.origin, count, places, next(iter(lines[0]), None), hint)


def duplicates(pairs: Sequence[tuple[str, str]], count: int, rows: int, table: RowTable) -> Note | None:
    """A document may appear once per query. `pairs` are the first repeated ones, `count` how many rows repeat."""
    if not count:
        return None
    found = table.find_lines(pairs[:SHOWN])
    lines = [found.get(pair, []) for pair in pairs[:SHOWN]]
    places = tuple(
        _place(table, at[1:], _pair(pair)) + (f" (first on {table.unit} {at[0]})" if len(at) > 1 else "")
        for pair, at in zip(pairs, lines, strict=False)
    )
    message = f"{share(count, rows, 'row')} repeat{'s' * (count == 1)} a document within a query"
    hint = 'Keep one row each, or read with duplicates="best" (on the command line --duplicates best).'
    return noted("duplicate-documents", message, table.origin, count, places, next(iter(lines[0][1:]), None), hint)


def _place(table: RowTable, lines: Sequence[int], words: str) -> str:
    return f"{table.unit} {lines[0]}: {words}" if lines else words


def _pair(pair: tuple[str, str]) -> str:
    return f"query {clip(pair[0])}, document {clip(pair[1])}"


def no_rows(table: RowTable) -> Note:
    in_file = "The file is empty, or holds a header or comments only."
    hint = in_file if table.unit == "line" else "Give at least one query with one document."
    what = "judgments" if table.number == "value" else "documents"
    return noted("empty", f"contains no {what}", table.origin, hint=hint)


def no_query_in_common(
    judged: Sequence[str], run: Sequence[str], origin: str, judgments: str, count: int | None = None
) -> Note:
    """A run of another collection, or with ids written another way: show which ids are similar.

    With a `count`, `run` are only some of that many queries.
    """
    whose = "its only query is not" if (count or len(run)) == 1 else f"none of its {count or len(run):,} queries is"
    places = _beside(run, judged)
    hint = "Query ids must be written the same way in both files."
    return noted("no-query-in-common", f"{whose} judged in {judgments}", origin, len(places), places, hint=hint)


def no_document_in_common(judged: RowTable, run: RowTable, answered: int) -> Note | None:
    """A run whose documents are written another way, or belong to another collection; None for a handful of queries."""
    if answered < FEW:
        return None
    known, returned = judged.frame(), run.frame()
    if len(returned.join(known, on=["query", "document"], how="semi")):
        return None
    places = _beside(first_documents(returned), first_documents(known))
    message = f"none of its documents is judged, in {plural(answered, 'query')} that both have"
    hint = (
        "Document ids must be written the same way in both. If that is so, say that documents without a judgment\n"
        'count as not relevant: Policy(unjudged="zero"), or --unjudged zero.'
    )
    return noted("no-judged-documents", message, run.origin, len(places), places, hint=hint)


def same_list(judged: RowTable, run: RowTable) -> Note | None:
    """One list of the same records taken as relevant and as retrieved documents: every ranking would be perfect."""
    (field, given), (other, where) = judged.lists or (None, None), run.lists or (None, None)
    is_file = isinstance(given, PathLike)
    is_same = given is where or (is_file and isinstance(where, PathLike) and given == where)
    if field is None or field != other or not is_same:
        return None
    message = f"the list {clip(field)!r} is taken both as the relevant and as the retrieved documents"
    calls = 'Judgments(records, value="expected_ids") and Run(records, score="retrieved_ids")'
    if is_file:
        calls = f"{run.origin}:expected_ids {run.origin}:retrieved_ids"
    return noted("same-list", message, run.origin, hint=f"Name two fields, as in {calls}; or give another run.")


def first_documents(frame: pl.DataFrame) -> list[str]:
    """Enough documents to see how ids are written."""
    return frame["document"].unique(maintain_order=True).head(10 * _COMPARED).to_list()


def _beside(run: Sequence[str], judged: Sequence[str]) -> tuple[str, ...]:
    return f"run: {some_ids(run)}   judgments: {some_ids(judged)}", *nearest_ids(run, judged)


def nearest_ids(run: Sequence[str], judged: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"nearest: {a!r} in the run, {b!r} in the judgments" for a, b in similar(run, judged))


def similar(some: Sequence[str], others: Sequence[str]) -> list[tuple[str, str]]:
    """Ids that may mean the same, if there are: one of these, and the nearest of those.

    Their numbers are equal but for leading zeros, and their words are equal, nearly, or there on one side only:
    q7 and Q07, 12 and doc-12, 7 and 7.0, but not topic-1 and topic-2, which are two topics.
    """
    from difflib import SequenceMatcher

    pool: dict[tuple[str, ...], list[tuple[str, str]]] = {}
    for known in others[: 10 * _COMPARED]:
        numbers, words = _numbers_and_words(known)
        pool.setdefault(numbers, []).append((words, known))
    for name in some[:_COMPARED]:
        numbers, words = _numbers_and_words(name)
        close: list[tuple[float, str]] = []
        for other, known in pool.get(numbers, ()):
            if words and other:
                close.append((1.0 if words == other else SequenceMatcher(None, words, other).ratio(), known))
            elif numbers:
                close.append((0.9, known))
        best = max(close, default=(0.0, ""), key=lambda one: one[0])
        if best[0] >= _ALIKE:
            return [(clip(name), clip(best[1]))]
    return []


def _numbers_and_words(name: str) -> tuple[tuple[str, ...], str]:
    bare = re.sub(r"\.0+$", "", name.strip())
    return tuple(part.lstrip("0") for part in re.findall(r"\d+", bare)), re.sub(r"[\W\d_]+", "", bare).casefold()


def some_ids(names: Sequence[str]) -> str:
    """The first few ids as they are shown in a message."""
    return ", ".join(map(clip, names[:SHOWN])) + (" …" if len(names) > SHOWN else "")
