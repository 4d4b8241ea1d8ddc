"""The one place where users' tables are examined. Each check gives a finding that says what, where and what to do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Protocol

import numpy as np

from rankgauge.arrays import LARGEST
from rankgauge.errors import DataError, plural
from rankgauge.tables.notes import SHOWN, Note, clip, noted, share

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.arrays import Reals

PairOf = Callable[[int], tuple[str, str]]
"""Row number to (query, document)."""
_WHAT = {"value": "judgments", "score": "documents"}
_COMPARED = 200
_ALIKE = 0.8
FEW = 3
"""From this many queries on, a run of which no document is judged has other ids rather than bad luck."""
KEEP_ONE = 'Keep one row each, or read with duplicates="best" (on the command line --duplicates best).'


class Rows(Protocol):
    """What a fault says of a table: what its numbers are, where it is from, and where its rows are in there."""

    @property
    def number(self) -> str: ...
    @property
    def origin(self) -> str: ...
    @property
    def unit(self) -> str: ...
    def find_lines(self, pairs: Iterable[tuple[str, str]], /) -> Mapping[tuple[str, str], Sequence[int]]: ...
    def frame(self) -> pl.DataFrame: ...


class UnreadableError(DataError):
    """A fault that leaves nothing of a table; where faults are collected, `note` is what counts."""

    def __init__(self, note: Note) -> None:
        super().__init__(note.text, note.origin, note.shown(), note.hint)
        self.note = note


def refuse(finding: Note | None) -> None:
    if finding is not None:
        finding.refuse()


def not_finite(numbers: Reals, table: Rows, names: PairOf) -> Note | None:
    """Every number is finite; nan and infinity have no place in an order, and judged values must have a sum."""
    # The sum is finite unless a number is not, so the common case costs one pass and no array.
    is_judged = table.number == "value"
    with np.errstate(over="ignore", invalid="ignore"):
        is_small = not (is_judged and len(numbers)) or (numbers.max() <= LARGEST and numbers.min() >= -LARGEST)
        if np.isfinite(np.sum(numbers)) and is_small:
            return None
    rows = np.flatnonzero(~np.isfinite(numbers))
    kind, what = "not-finite", f"{table.number} that is not a finite number"
    hint = f"Give every document a finite {table.number}, or leave its row out."
    if not len(rows) and is_judged:
        rows = np.flatnonzero(np.abs(numbers) > LARGEST)
        kind, what = "too-large", "value too large to add up"
        hint = f"Give judged values between {-LARGEST:g} and {LARGEST:g}."
    if not len(rows):
        return None
    first = rows[:SHOWN].tolist()
    places, line = row_places(table, [names(row) for row in first], [str(numbers[row]) for row in first])
    message = f"{share(len(rows), len(numbers), 'row')} {'has' if len(rows) == 1 else 'have'} a {what}"
    return noted(kind, message, table.origin, len(rows), places, line, hint)


def row_places(
    table: Rows, pairs: Sequence[tuple[str, str]], numbers: Sequence[str]
) -> tuple[tuple[str, ...], int | None]:
    """Rows in words, each with its line where the table has lines; and the first line."""
    lines = table.find_lines(pairs)
    places = tuple(
        f"{_at(table, lines.get(pair))}{table.number} {number} of {_pair(pair)}"
        for pair, number in zip(pairs, numbers, strict=True)
    )
    return places, _first(lines.get(pairs[0]))


def duplicates(pairs: Sequence[tuple[str, str]], count: int, rows: int, table: Rows) -> Note | None:
    """A document may appear once per query. `pairs` are the first repeated ones, `count` how many rows repeat."""
    if not count:
        return None
    shown = list(pairs[:SHOWN])
    found = table.find_lines(shown)
    places = []
    for pair in shown:
        lines = found.get(pair, [])
        first = f" (first on {table.unit} {lines[0]})" if len(lines) > 1 else ""
        places.append(f"{_at(table, lines[1:])}{_pair(pair)}{first}")
    return noted(
        "duplicate-documents",
        f"{share(count, rows, 'row')} repeat{'s' * (count == 1)} a document within a query",
        table.origin,
        count,
        tuple(places),
        _first(found.get(shown[0], [])[1:]),
        KEEP_ONE,
    )


def no_rows(rows: int, table: Rows) -> Note | None:
    if rows:
        return None
    hints = {"line": "The file is empty, or holds a header or comments only."}
    hint = hints.get(table.unit, "Give at least one query with one document.")
    return noted("empty", f"contains no {_WHAT[table.number]}", table.origin, hint=hint)


def no_query_in_common(
    judged: Sequence[str], run: Sequence[str], origin: str, judgments: str, count: int | None = None
) -> Note:
    """A run of another collection, or with ids written another way: show which ids are similar.

    With a `count`, `run` are only some of that many queries.
    """
    whose = "its only query is not" if (count or len(run)) == 1 else f"none of its {count or len(run):,} queries is"
    message = f"{whose} judged in {judgments}"
    places = _beside(run, judged)
    hint = "Query ids must be written the same way in both files."
    return noted("no-query-in-common", message, origin, len(places), places, hint=hint)


def no_document_in_common(judged: Rows, run: Rows, answered: int) -> Note | None:
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


def same_list(judged: Rows, run: Rows) -> Note | None:
    """One list of the same records taken as relevant and as retrieved documents: every ranking would be perfect."""
    field, given = getattr(judged, "lists", None) or (None, None)
    if field is None or (other := getattr(run, "lists", None)) is None or other[0] != field:
        return None
    is_file = isinstance(given, PathLike)
    if not (given is other[1] or (is_file and isinstance(other[1], PathLike) and given == other[1])):
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


def similar(some: Sequence[str], others: Sequence[str], wanted: int = 1) -> list[tuple[str, str]]:
    """Ids that may mean the same: (one of these, the nearest of those).

    Their numbers are equal but for leading zeros, and their words are equal, nearly, or there on one side only:
    q7 and Q07, 12 and doc-12, 7 and 7.0, but not topic-1 and topic-2, which are two topics.
    """
    pool: dict[tuple[str, ...], list[tuple[str, str]]] = {}
    for name in others[: 10 * _COMPARED]:
        numbers, words = _numbers_and_words(name)
        pool.setdefault(numbers, []).append((words, name))
    near: list[tuple[str, str]] = []
    for name in some[:_COMPARED]:
        numbers, words = _numbers_and_words(name)
        close = [
            (_nearness(words, other), known) for other, known in pool.get(numbers, ()) if numbers or (words and other)
        ]
        best = max(close, default=(0.0, ""), key=lambda one: one[0])
        if best[0] >= _ALIKE:
            near.append((clip(name), clip(best[1])))
        if len(near) == wanted:
            break
    return near


def _numbers_and_words(name: str) -> tuple[tuple[str, ...], str]:
    bare = re.sub(r"\.0+$", "", name.strip())
    return tuple(part.lstrip("0") for part in re.findall(r"\d+", bare)), re.sub(r"[\W\d_]+", "", bare).casefold()


def _nearness(words: str, other: str) -> float:
    from difflib import SequenceMatcher

    if not words or not other:
        return 0.9
    return 1.0 if words == other else SequenceMatcher(None, words, other).ratio()


def some_ids(names: Sequence[str]) -> str:
    """The first few ids as they are shown in a message."""
    return ", ".join(map(clip, names[:SHOWN])) + (" …" if len(names) > SHOWN else "")


def _pair(pair: tuple[str, str]) -> str:
    return f"query {clip(pair[0])}, document {clip(pair[1])}"


def _at(table: Rows, lines: Sequence[int] | None) -> str:
    return f"{table.unit} {lines[0]}: " if lines else ""


def _first(lines: Sequence[int] | None) -> int | None:
    return lines[0] if lines else None
