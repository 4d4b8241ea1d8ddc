"""check(): every error and oddity in a set of judgments and runs, reported at once.

Each step looks at whole columns: a table of millions of rows takes seconds and little more memory than its rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np
import polars as pl

from rankgauge.arrays import Flags
from rankgauge.data import faults
from rankgauge.data.columns import keep_best
from rankgauge.data.door import in_memory, rows_of
from rankgauge.data.judgments import Judgments, Run, ordered_by, parted, runs_in
from rankgauge.data.match import Judged, repeated_rows
from rankgauge.data.policy import DEFAULT
from rankgauge.data.table import RowTable, Table, Wanted, table_of_frame
from rankgauge.errors import DataError, RankgaugeError, plural
from rankgauge.kernels.order import Order
from rankgauge.tables import Shown
from rankgauge.tables import table as printed
from rankgauge.tables.notes import SHOWN, Note, clip, noted, share, visible

_SHORT = 10
"""Documents of a list that is not short, and ranks in which unjudged documents are counted."""
_PADDED = r"^[\s\x1c-\x1f]|[\s\x1c-\x1f]$"


@dataclass(frozen=True)
class Checkup(Shown):
    """Errors stop an evaluation; notes are worth knowing before one trusts its numbers."""

    errors: tuple[Note, ...]
    notes: tuple[Note, ...]

    @property
    def is_sound(self) -> bool:
        return not self.errors

    def to_dict(self) -> dict[str, Any]:
        def data(note: Note) -> dict[str, Any]:
            return {"file": note.origin, "line": note.line, "message": note.text, "hint": note.hint, **note.to_dict()}

        return {"errors": [*map(data, self.errors)], "notes": [*map(data, self.notes)]}

    def table(self) -> printed.Table:
        """One row per finding, errors first."""
        names = [printed.Column(name) for name in ("level", "kind", "file", "line", "count", "message")]
        names[3:5] = map(printed.number, ("line", "count"))
        rows = [(level, one.kind, one.origin, one.line, one.count, one.text) for level, one in self._found()]
        return printed.Table(tuple(names), tuple(rows), self._headline())

    def __str__(self) -> str:
        """Findings in words; of a kind that many files share, only the first few are listed."""
        lines, listed = [self._headline()], Counter[tuple[str, str]]()
        count = Counter((level, found.kind) for level, found in self._found())
        for level, found in self._found():
            kind = level, found.kind
            listed[kind] += 1
            if listed[kind] <= SHOWN:
                lines += [f"{level}: {found.origin}: {found.text}", *(f"    {at}" for at in found.shown())]
                lines += [f"    {line}" for line in (found.hint or "").splitlines()]
            elif listed[kind] == count[kind]:
                lines.append(f"{level}: {found.kind} in {plural(count[kind] - SHOWN, 'more file')}")
        return "\n".join(map(visible, lines))

    def _found(self) -> list[tuple[str, Note]]:
        return [("error", found) for found in self.errors] + [("note", found) for found in self.notes]

    def _headline(self) -> str:
        return f"{plural(len(self.errors), 'error')}, {plural(len(self.notes), 'note')}"


def check(judgments: Any, *runs: Any) -> Checkup:
    """Report every error and oddity in judgments and runs, without stopping at the first."""
    book, wanted = _Book(), Wanted("value")
    judged: Table | None = None
    known: Judged | None = None
    with book.noting(judgments):
        is_made = isinstance(judgments, Judgments)
        given = judgments.table if is_made else rows_of(judgments, wanted, "judgments", with_faults=True)
        judged = book.sound(_open(given))
        if len(judged.number):
            book.about_judgments(judged)
            known = Judged(judged)
    examined = []
    for handed in runs:
        for run, given in book.runs(handed, judged):
            examined.append((run.name, table := book.sound(given)))
            if len(table.number):
                book.about_run(table, run.table.ranks)
    seen: dict[str, str] = {}
    for name, table in examined:
        origin = table.given.origin
        if name in seen:
            text = f"two runs are called {name!r}: {seen[name]} and {origin}"
            book.errors.append(noted("same-name", text, origin, hint="Rename one, as in NAME=PATH."))
        seen[name] = origin
        if known is not None and len(table.number):
            book.compare(known, table)
    return Checkup(tuple(book.errors), tuple(book.notes))


class _Book:
    """Errors and notes as they are found; a table goes on without its faulty rows."""

    def __init__(self) -> None:
        self.errors: list[Note] = []
        self.notes: list[Note] = []

    @contextmanager
    def noting(self, given: Any) -> Iterator[None]:
        """Notes what cannot be had of what was given."""
        try:
            yield
        except DataError as error:
            self.errors.append(error.note or Note.of(error))
        except RankgaugeError as error:
            origin = str(given) if isinstance(given, (str, PathLike)) else type(given).__name__
            self.errors.append(noted("wrong-use", str(error), origin))

    def runs(self, given: Any, judged: Table | None, name: str | None = None) -> Iterator[tuple[Run, RowTable]]:
        """Every run that is meant, with its table, in which faults are kept rather than raised."""
        with self.noting(given):
            data = in_memory(given, Wanted("score"))
            if (several := parted(data, name)) is not None:
                for system, item in several:
                    yield from self.runs(item, judged, system)
                return
            runs = runs_in(data, name)
            for at, run in enumerate(runs if judged is None else ordered_by(judged.given, runs)):
                table = _open(run.table)
                if len(runs) > 1:  # what is said of their file or table is said once
                    table = table._replace(origin=f"{table.origin}:{run.name.removeprefix(f'{name}:')}")
                yield run, table._replace(faults=(), remarks=()) if at else table

    def sound(self, given: RowTable) -> Table:
        """The lists of a table without the rows that are faulty in any way; each kind of fault is noted."""
        self.errors += given.faults
        self.notes += given.remarks
        rows = given._replace(faults=()).frame().select("query", "document", given.number)
        broken = faults.not_finite(rows[given.number].to_numpy(), given, lambda row: rows.row(row)[:2])
        kept = given.rows.filter(pl.col(given.number).is_finite()) if broken else given.rows
        finite = given._replace(rows=kept, faults=(), remarks=())
        table = table_of_frame(finite)
        doubled = repeated_rows(table)
        if doubled:
            table = table_of_frame(keep_best(finite)._replace(remarks=()))
        empty = None if len(rows) or given.faults or broken else faults.no_rows(given)
        self.errors += [found for found in (broken, doubled, empty) if found]
        return table

    def about_judgments(self, table: Table) -> None:
        """Negative and fractional values, queries in which nothing or everything is relevant, padded ids."""
        value, item, origin = table.number, table.given.nouns[1], table.given.origin
        for which, kind, text in (
            (value < 0, "negative-values", "below 0; graded measures count them as 0"),
            (value != np.floor(value), "fractional-values", "not whole; kept unchanged"),
        ):
            if rows := np.sort(table.rows_of(np.flatnonzero(which))).tolist():
                first = table.given.frame()[rows[:SHOWN]].select("query", "document", table.given.number).rows()
                shown = [(query, document, f"{number:g}") for query, document, number in first]
                message = f"{share(len(rows), len(value), 'judged value')} {text}"
                self.notes.append(faults.of_rows(kind, message, table.given, len(rows), shown))
        barren = _names(table, np.maximum.reduceat(value, table.start[:-1]) <= 0)
        text = f"without a relevant {item} (no value above 0)"
        self._queries(table, barren, len(table.size), "no-relevant-documents", text)
        if value.min() > 0:
            text = f"every judged {item} is relevant; measures that need {item}s judged not relevant say little"
            self.notes.append(noted("only-relevant", text, origin, len(value)))
        self._padded(table)

    def about_run(self, table: Table, ranks: Callable[[], pl.Series | None] | None) -> None:
        """Ties, lists that are short, constant or upside down, padded ids."""
        rows, item, order = len(table.number), table.given.nouns[1], Order(table.start, table.number)
        stated = ranks() if ranks else None
        if stated is not None and len(stated) != rows:
            stated = None  # some rows cannot be used
        by_rank = None if stated is None else Order(table.start, -stated.to_numpy()[table.rows_of(np.arange(rows))]).row
        # Scores that grow down the list are distances, or the ranks belong to another order.
        score = table.number if by_rank is None else table.number[by_rank]
        up, down = _any(table, score[1:] > score[:-1]), _any(table, score[1:] < score[:-1])
        longer, upside = int(np.count_nonzero(table.size > 1)), sorted(_names(table, up & ~down))
        if longer and 2 * len(upside) > longer:
            what = "rise from row to row" if stated is None else "rise with rank"
            text = f"with scores that {what}; the highest score counts as the best"
            hint = "Are these distances? Then negate them."
            self._queries(table, upside, longer, "rising-scores", text, hint=hint)
        elif stated is not None:
            text = "whose ranks and scores disagree; the scores count"
            self._queries(table, sorted(_names(table, up)), longer, "ranks-disagree", text)
        ordered = table.number if order.row is None else table.number[order.row]
        tied = np.zeros(rows, np.bool_) if order.tied is None else order.tied
        if count := int(np.count_nonzero(tied | np.append(tied[1:], False))):
            text = f"{share(count, rows, 'row')} ({count / rows:.1%}) tied in score with another; ties are ordered by {item} id unless the policy changes this"
            self.notes.append(noted("ties", text, table.given.origin, count))
        with np.errstate(over="ignore"):
            single = ordered.astype(np.float32)
        constant = (table.size > 1) & ~_any(table, ~tied[1:])
        coarse = _any(table, (single[1:] == single[:-1]) & ~tied[1:])
        double_only = "with scores that differ in double precision only; trec_eval 9 treats them as ties"
        for which, kind, text in (
            (constant, "constant-scores", f"with the same score for all {item}s, so not ranked"),
            (coarse, "single-precision", double_only),
            (table.size < _SHORT, "short-lists", f"with fewer than {_SHORT} {item}s"),
        ):
            self._queries(table, _names(table, which), len(table.size), kind, text)
        self._padded(table)

    def compare(self, judged: Judged, run: Table) -> None:
        """Queries that only one of the two has, and documents nobody judged."""
        given, ours, item = run.given, judged.table.given, run.given.nouns[1]
        match = judged.match(run, DEFAULT)
        retrieved, rank = match.hits.retrieved, match.hits.rank
        answered = int(np.count_nonzero(retrieved))
        if not answered:
            self.errors.append(faults.no_query_in_common(judged.queries, run.queries, given.origin, ours.origin))
            return
        strangers = None if len(rank) else faults.no_document_in_common(ours, given, answered)
        self.errors += [found for found in (faults.same_list(ours, given), strangers) if found]
        missing = _names(judged.table, retrieved == 0)
        near = faults.nearest_ids(match.foreign, missing)
        judged_only, run_only = "judged but missing from the run", "of the run without judgments"
        self._queries(run, missing, len(retrieved), "missing-queries", judged_only, places=near)
        self._queries(run, match.foreign, len(run.queries), "unjudged-queries", run_only, places=near)
        top = int(np.minimum(retrieved, _SHORT).sum())
        unjudged = top - int(np.count_nonzero(rank <= _SHORT))
        if unjudged and not strangers:
            text = f"{unjudged / top:.1%} of the {item}s in the top {_SHORT} are unjudged ({unjudged:,} of {top:,})"
            self.notes.append(noted("unjudged-documents", text, given.origin, unjudged))
        if not (len(rank) or strangers):
            text = f"none of its {item}s is judged: are {item} ids written the same way in both?"
            places = faults.nearest_ids(*(faults.first_documents(one.frame()) for one in (given, ours)))
            self.notes.append(noted("no-judged-documents", text, given.origin, len(run.number), places))

    def _queries(self, table: Table, names: Sequence[str], whole: int, kind: str, text: str, **more: Any) -> None:
        """Queries of which something is to be said."""
        if names:
            message = f"{share(len(names), whole, table.given.nouns[0])} {text} ({faults.some_ids(names)})"
            examples = tuple(map(clip, names[:SHOWN]))
            self.notes.append(noted(kind, message, table.given.origin, len(names), examples=examples, **more))

    def _padded(self, table: Table) -> None:
        """Ids that begin or end with a blank, which no eye sees and no join forgives."""
        columns = table.given.frame().select("query", "document").get_columns()
        odd = [name for ids in columns for name in ids.filter(ids.str.contains(_PADDED)).unique(maintain_order=True)]
        if odd:
            text = f"{plural(len(odd), 'id')} with blanks at the beginning or end; they count as part of the id"
            places = tuple(repr(clip(name)) for name in odd[:SHOWN])
            self.notes.append(noted("padded-ids", text, table.given.origin, len(odd), places))


def _open(table: RowTable) -> RowTable:
    return table.load() if table.are_dicts else table.read()


def _any(table: Table, steps: Flags) -> Flags:
    """In which lists one of these is true, of which there is one for each pair of rows next to each other."""
    marked = np.append(False, steps)
    marked[table.start[:-1]] = False
    found: Flags = np.logical_or.reduceat(marked, table.start[:-1])
    return found


def _names(table: Table, which: Flags) -> list[str]:
    return [table.queries[at] for at in np.flatnonzero(which).tolist()]
