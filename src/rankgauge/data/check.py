"""check(): every error and oddity in a set of judgments and runs, reported at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any

from rankgauge.data.handed import is_frame, is_vector
from rankgauge.data.judgments import Judgments
from rankgauge.data.read.file import Source, system_name
from rankgauge.data.run import Run
from rankgauge.data.runs import holds_runs, ordered_by, runs_of
from rankgauge.data.sources import memory_table, table_of
from rankgauge.data.tables import faults as checks
from rankgauge.data.tables.table import FileTable, FrameTable, RowTable, Wanted
from rankgauge.errors import DataError, RankgaugeError, plural
from rankgauge.tables.notes import SHOWN, Note, noted
from rankgauge.tables.shown import Shown
from rankgauge.tables.table import Column, Table, number, visible

Tables = Iterator[tuple[str, FrameTable]]


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

    def table(self) -> Table:
        """One row per finding, errors first."""
        columns = (Column("level"), Column("kind"), Column("file"), number("line"), number("count"), Column("message"))
        rows = tuple(
            (level, found.kind, found.origin, found.line, found.count, found.text)
            for level, group in (("error", self.errors), ("note", self.notes))
            for found in group
        )
        return Table(columns, rows, self._headline())

    def __str__(self) -> str:
        lines = [self._headline(), *_listed("error", self.errors), *_listed("note", self.notes)]
        return "\n".join(map(visible, lines))

    def _headline(self) -> str:
        return f"{plural(len(self.errors), 'error')}, {plural(len(self.notes), 'note')}"


def _listed(level: str, found: Sequence[Note]) -> list[str]:
    """Findings in words; of a kind that many files share, only the first few are listed."""
    kinds = Counter(finding.kind for finding in found)
    listed: Counter[str] = Counter()
    lines: list[str] = []
    for finding in found:
        listed[finding.kind] += 1
        if listed[finding.kind] <= SHOWN:
            lines += [f"{level}: {finding.origin}: {finding.text}", *(f"    {place}" for place in finding.shown())]
            lines += [f"    {line}" for line in (finding.hint or "").splitlines()]
        elif listed[finding.kind] == kinds[finding.kind]:
            lines.append(f"{level}: {finding.kind} in {plural(kinds[finding.kind] - SHOWN, 'more file')}")
    return lines


def check(judgments: Any, *runs: Any) -> Checkup:
    """Report every error and oddity in judgments and runs, without stopping at the first.

    Each argument is what `evaluate` takes.

    >>> found = check({"q1": {"d1": 1}, "q2": {"d1": 0}}, {"q1": {"d1": 0.5}})
    >>> [note.kind for note in found.notes]
    ['no-relevant-documents', 'short-lists', 'missing-queries']
    """
    book = _Book()
    judged = book.judgments(judgments)
    examined = [found for given in runs for found in book.runs(given, judged)]
    seen: dict[str, str] = {}
    for name, table in examined:
        if name in seen:
            text = f"two runs are called {name!r}: {seen[name]} and {table.origin}"
            book.errors.append(noted("same-name", text, table.origin, hint="Rename one, as in NAME=PATH."))
        seen[name] = table.origin
        if judged is not None and len(judged.rows) and len(table.rows):
            book.compare(judged, table)
    return Checkup(tuple(book.errors), tuple(book.notes))


class _Book:
    """Errors and notes as they are found; a table goes on without its faulty rows."""

    def __init__(self) -> None:
        self.errors: list[Note] = []
        self.notes: list[Note] = []

    def judgments(self, given: Any) -> FrameTable | None:
        from rankgauge.data.oddities import about_judgments

        if isinstance(given, Judgments):
            given = given.table
        for _, table in self._caught(_tables(given, Wanted("value"), "judgments"), given):
            sound = self._sound(table)
            if len(sound.rows):
                self.notes += about_judgments(sound)
            return sound
        return None

    def runs(self, given: Any, judged: FrameTable | None) -> list[tuple[str, FrameTable]]:
        from rankgauge.data.oddities import about_run

        found = []
        for name, table in self._caught(_tables(given, Wanted("score"), None, judged), given):
            sound = self._sound(table)
            if len(sound.rows):
                self.notes += about_run(sound, _ranks(given, sound))
            found.append((name, sound))
        return found

    def compare(self, judged: FrameTable, run: FrameTable) -> None:
        from rankgauge.data.oddities import about_both

        names = [table.data["query"].unique(maintain_order=True).to_list() for table in (judged, run)]
        if set(names[0]).isdisjoint(names[1]):
            self.errors.append(checks.no_query_in_common(names[0], names[1], run.origin, judged.origin))
            return
        same = checks.same_list(judged, run)
        self.errors += [] if same is None else [same]
        strangers = checks.no_document_in_common(judged, run, len(set(names[0]).intersection(names[1])))
        self.errors += [] if strangers is None else [strangers]
        self.notes += about_both(judged, names[0], run, names[1], are_strangers=strangers is not None)

    def _caught(self, tables: Tables, given: Any) -> Tables:
        """Tables until one cannot be had at all, which is noted."""
        try:
            yield from tables
        except checks.UnreadableError as fault:
            self.errors.append(fault.note)
        except DataError as error:
            self.errors.append(Note.of(error))
        except RankgaugeError as error:
            origin = str(given) if isinstance(given, (str, PathLike)) else type(given).__name__
            self.errors.append(noted("wrong-use", str(error), origin))

    def _sound(self, table: FrameTable) -> FrameTable:
        """The table without the rows that are faulty in any way; each kind of fault is noted."""
        import polars as pl

        from rankgauge.data.tables.frames import keep_best, repeated

        self.errors += table.faults
        self.notes += table.remarks
        frame = table.rows
        pairs = [frame[name] for name in ("query", "document")]
        broken = checks.not_finite(
            frame[table.number].to_numpy(), table, lambda row: (str(pairs[0][row]), str(pairs[1][row]))
        )
        finite = replace(table, rows=frame.filter(pl.col(table.number).is_finite()), faults=(), remarks=())
        first, count = repeated(finite)
        doubled = checks.duplicates(first, count, len(finite.rows), finite)
        empty = None if table.faults or broken else checks.no_rows(len(frame), table)
        self.errors += [found for found in (broken, doubled, empty) if found is not None]
        return finite if doubled is None else replace(keep_best(finite), remarks=())


def _tables(given: Any, wanted: Wanted, name: str | None, judged: FrameTable | None = None) -> Tables:
    """Every table that is meant, with its system's name and with its faults in it rather than raised."""
    if judged is not None and _are_predictions(given):
        for run in ordered_by(judged, runs_of(given, name)):
            yield run.name, _open(run.table)
    elif isinstance(given, Run):
        yield given.name, _open(given.table)
    elif isinstance(given, (list, tuple)) and wanted.number == "score":
        for item in given:
            yield from _tables(item, wanted, name, judged)
    elif isinstance(given, Mapping) and wanted.number == "score" and holds_runs(given):
        for system, item in given.items():
            yield from _tables(item, wanted, str(system), judged)
    elif isinstance(given, (str, PathLike)):
        yield from _in_file(Source(given), wanted, name)
    elif is_frame(given):
        yield from _by_system(memory_table(given, wanted, name or "run"), name or "run", name)
    else:
        yield name or "run", _open(table_of(given, wanted, name or "run"))


def _are_predictions(given: Any) -> bool:
    """Numbers alone, which score the judged rows in order."""
    from rankgauge.data.read.by_kind import form_of

    if isinstance(given, (str, PathLike)):
        return form_of(Source(given)).kind == "column"
    return given.column is not None if isinstance(given, Run) else is_vector(given)


def _in_file(source: Source, wanted: Wanted, name: str | None) -> Tables:
    from rankgauge.data.read.by_kind import form_of, read_table

    if wanted.number == "score" and form_of(source).kind == "letor":
        yield from _features(source, name)
        return
    yield from _by_system(read_table(source, wanted), system_name(source.path), name)


def _features(source: Source, name: str | None) -> Tables:
    from rankgauge.data.read.letor import parse

    letor = parse(source, source.load())
    if letor.table.faults:
        yield name or system_name(source.path), replace(letor.table, number="score", rows=letor.run("").rows)
        return
    for feature in letor.limited().features:
        made = letor.run(feature)
        label = f"feature-{feature}" if name is None else f"{name}:feature-{feature}"
        yield label, replace(made, origin=f"{made.origin}:{feature}")


def _by_system(table: FrameTable, usual: str, name: str | None) -> Tables:
    from rankgauge.data.tables.frames import split

    if "system" not in table.rows.columns:
        yield name or usual, table
        return
    for at, (system, part) in enumerate(split(table).items()):
        label = system if name is None else f"{name}:{system}"
        yield label, part if at == 0 else replace(part, faults=(), remarks=())


def _open(table: RowTable) -> FrameTable:
    return table.read() if isinstance(table, FileTable) else table.load()


def _ranks(given: Any, table: FrameTable) -> Any:
    """The rank column of a file whose order is by score, if it has one and every row of it could be used."""
    if not isinstance(given, (str, PathLike)) or Source(given).is_stream:
        return None
    from rankgauge.data.read.by_kind import rank_column

    ranks = rank_column(Source(given))
    return ranks if ranks is not None and len(ranks) == len(table.rows) else None
