"""check(): every error and oddity in a set of judgments and runs, reported at once.

Each step looks at whole columns: a table of millions of rows takes seconds and little more memory than its rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.data import faults as checks
from rankgauge.data.columns import Wanted
from rankgauge.data.door import is_frame, is_vector, memory_table, rows_of
from rankgauge.data.judgments import Judgments, Run, holds_runs, ordered_by, runs_of
from rankgauge.data.read.bytes import Source, system_name
from rankgauge.data.rows import FileTable, FrameTable, RowTable
from rankgauge.data.table import by_query
from rankgauge.errors import DataError, RankgaugeError, plural
from rankgauge.kernels.order import Order, leading
from rankgauge.tables.notes import SHOWN, Note, clip, noted, share
from rankgauge.tables.shown import Shown
from rankgauge.tables.table import Column, Table, number, visible

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.arrays import Flags, Floats, Ints

Tables = Iterator[tuple[str, FrameTable]]
_SHORT = 10
"""Documents of a list that is not short, and ranks in which unjudged documents are counted."""


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
        """Findings in words; of a kind that many files share, only the first few are listed."""
        lines = [self._headline()]
        for level, found in (("error", self.errors), ("note", self.notes)):
            kinds, listed = Counter(finding.kind for finding in found), Counter[str]()
            for finding in found:
                listed[finding.kind] += 1
                if listed[finding.kind] <= SHOWN:
                    lines += [f"{level}: {finding.origin}: {finding.text}", *(f"    {at}" for at in finding.shown())]
                    lines += [f"    {line}" for line in (finding.hint or "").splitlines()]
                elif listed[finding.kind] == kinds[finding.kind]:
                    lines.append(f"{level}: {finding.kind} in {plural(kinds[finding.kind] - SHOWN, 'more file')}")
        return "\n".join(map(visible, lines))

    def _headline(self) -> str:
        return f"{plural(len(self.errors), 'error')}, {plural(len(self.notes), 'note')}"


def check(judgments: Any, *runs: Any) -> Checkup:
    """Report every error and oddity in judgments and runs, without stopping at the first."""
    book = _Book()
    judged = book.judgments(judgments)
    examined = [found for given in runs for found in book.runs(given, judged)]
    seen: dict[str, str] = {}
    for name, lists in examined:
        if name in seen:
            text = f"two runs are called {name!r}: {seen[name]} and {lists.table.origin}"
            book.errors.append(noted("same-name", text, lists.table.origin, hint="Rename one, as in NAME=PATH."))
        seen[name] = lists.table.origin
        if judged is not None and len(judged.table.rows) and len(lists.table.rows):
            book.compare(judged, lists)
    return Checkup(tuple(book.errors), tuple(book.notes))


class _Lists:
    """The rows of each query together, in the order in which queries and rows come."""

    def __init__(self, table: FrameTable) -> None:
        self.table = table
        names, self.start, self.row = by_query(table.rows["query"])
        """`row` is the row at each place, where rows of other queries come between those of one."""
        self.queries = list(names)
        self.size: Ints = np.diff(self.start)
        self.number: Floats = self.of(table.rows[table.number].to_numpy())
        """Scores or judged values."""

    def of(self, column: Any) -> Any:
        """A column of the table in this order."""
        return column if self.row is None else column[self.row]

    def any(self, steps: Flags) -> Flags:
        """In which lists one of these is true, of which there is one for each pair of rows next to each other."""
        steps = steps & ~np.isin(np.arange(1, len(self.number)), self.start)
        found = np.zeros(len(self.size), np.bool_)
        found[np.searchsorted(self.start, np.flatnonzero(steps), "right") - 1] = True
        return found

    def names(self, which: Flags) -> list[str]:
        return [self.queries[at] for at in np.flatnonzero(which)]


class _Book:
    """Errors and notes as they are found; a table goes on without its faulty rows."""

    def __init__(self) -> None:
        self.errors: list[Note] = []
        self.notes: list[Note] = []
        self.sources: dict[str, Source] = {}

    def judgments(self, given: Any) -> _Lists | None:
        for _, table in self._caught(self._tables(given, Wanted("value"), "judgments"), given):
            lists = _Lists(self._sound(table))
            if len(lists.table.rows):
                self.notes += _about_judgments(lists)
            return lists
        return None

    def runs(self, given: Any, judged: _Lists | None) -> list[tuple[str, _Lists]]:
        found = []
        for name, table in self._caught(self._tables(given, Wanted("score"), None, judged), given):
            lists = _Lists(self._sound(table))
            if len(lists.table.rows):
                self.notes += _about_run(lists, self._ranks(given, lists.table))
            found.append((name, lists))
        return found

    def compare(self, judged: _Lists, run: _Lists) -> None:
        """Queries that only one of the two has, and documents nobody judged."""
        table, item = run.table, run.table.nouns[1]
        known, answered = set(judged.queries), set(run.queries)
        if known.isdisjoint(answered):
            lost = checks.no_query_in_common(judged.queries, run.queries, table.origin, judged.table.origin)
            self.errors.append(lost)
            return
        same = checks.same_list(judged.table, table)
        self.errors += [] if same is None else [same]
        top = _top(run, np.array([query in known for query in run.queries]))
        hits = len(top.join(judged.table.data, on=["query", "document"], how="semi"))
        strangers = None if hits else checks.no_document_in_common(judged.table, table, len(known & answered))
        self.errors += [] if strangers is None else [strangers]
        missing = [query for query in judged.queries if query not in answered]
        foreign = [query for query in run.queries if query not in known]
        near = checks.nearest_ids(foreign, missing)
        notes = [
            _names(table, missing, len(known), "missing-queries", "judged but missing from the run", near),
            _names(table, foreign, len(answered), "unjudged-queries", "of the run without judgments", near),
        ]
        unjudged = 0 if strangers is not None else len(top) - hits
        if unjudged:
            text = f"{unjudged / len(top):.1%} of the {item}s in the top {_SHORT} are unjudged ({unjudged:,} of {len(top):,})"
            notes.append(noted("unjudged-documents", text, table.origin, unjudged))
        if not (hits or strangers) and not len(
            table.data.join(judged.table.data, on=["query", "document"], how="semi")
        ):
            text = f"none of its {item}s is judged: are {item} ids written the same way in both?"
            places = checks.nearest_ids(*map(checks.first_documents, (table.data, judged.table.data)))
            notes.append(noted("no-judged-documents", text, table.origin, len(table.data), places))
        self.notes += [note for note in notes if note is not None]

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

        self.errors += table.faults
        self.notes += table.remarks
        frame = table.rows
        numbers, pairs = frame[table.number].to_numpy(), [frame[name] for name in ("query", "document")]
        broken = checks.not_finite(numbers, table, lambda row: (str(pairs[0][row]), str(pairs[1][row])))
        if not np.isfinite(numbers).all():
            frame = frame.filter(pl.col(table.number).is_finite())
        finite = replace(table, rows=frame, faults=(), remarks=())
        again, doubled = _again(frame), None
        if len(again):
            each = again.group_by("query", "document", maintain_order=True)
            best = each.agg(pl.col("row").first(), pl.col(table.number).max())
            first = [(str(query), str(document)) for query, document, _, _ in best.head(SHOWN).rows()]
            doubled = checks.duplicates(first, len(again) - len(best), len(frame), finite)
            kept, values = np.ones(len(frame), np.bool_), frame[table.number].to_numpy().copy()
            kept[again["row"]] = False
            kept[best["row"]] = True
            values[best["row"]] = best[table.number]
            finite = replace(finite, rows=frame.with_columns(pl.Series(table.number, values)).filter(pl.Series(kept)))
        empty = None if table.faults or broken else checks.no_rows(len(numbers), table)
        self.errors += [found for found in (broken, doubled, empty) if found is not None]
        return finite

    def _tables(self, given: Any, wanted: Wanted, name: str | None, judged: _Lists | None = None) -> Tables:
        """Every table that is meant, with its system's name and with its faults in it rather than raised."""
        if isinstance(given, (Judgments, Run)) and not (judged is not None and _is_column(given)):
            yield name or given.name, _open(given.table)
        elif isinstance(given, (list, tuple)) and wanted.number == "score" and not _is_column(given):
            for item in given:
                yield from self._tables(item, wanted, name, judged)
        elif isinstance(given, Mapping) and wanted.number == "score" and holds_runs(given):
            for system, item in given.items():
                yield from self._tables(item, wanted, str(system), judged)
        elif isinstance(given, (str, PathLike)):
            yield from self._in_file(given, wanted, name, judged)
        elif judged is not None and _is_column(given):
            for run in ordered_by(judged.table, runs_of(given, name)):
                yield run.name, _open(run.table)
        elif is_frame(given):
            yield from _by_system(memory_table(given, wanted, name or "run"), name or "run", name)
        else:
            yield name or "run", _open(rows_of(given, wanted, name or "run"))

    def _source(self, path: str | PathLike[str]) -> Source:
        """One for each path: what is read from a pipe is kept."""
        return self.sources.setdefault(fspath(path), Source(path))

    def _in_file(self, path: str | PathLike[str], wanted: Wanted, name: str | None, judged: _Lists | None) -> Tables:
        from rankgauge.data.read.kind import form_of, read_table
        from rankgauge.data.read.letor import parse

        source, usual = self._source(path), name or system_name(path)
        kind = form_of(source).kind if wanted.number == "score" else ""
        if kind == "column" and judged is not None:
            from rankgauge.data.vectors import file_column

            run = Run(FileTable(lambda: read_table(source, wanted), "score", source.origin), name=usual)
            run.column = lambda: file_column(source)
            yield usual, _open(ordered_by(judged.table, [run])[0].table)
        elif kind == "letor":
            letor = parse(source, source.load())
            if letor.table.faults:
                yield usual, replace(letor.table, number="score", rows=letor.run("").rows)
                return
            for feature in letor.limited().features:
                made = letor.run(feature)
                label = f"feature-{feature}" if name is None else f"{name}:feature-{feature}"
                yield label, replace(made, origin=f"{made.origin}:{feature}")
        else:
            yield from _by_system(read_table(source, wanted), usual, name)

    def _ranks(self, given: Any, table: FrameTable) -> Floats | None:
        """The rank column of a file whose order is by score, if it has one and every row of it could be used."""
        if not isinstance(given, (str, PathLike)):
            return None
        from rankgauge.data.read.kind import rank_column

        ranks = rank_column(self._source(given))
        return ranks.to_numpy() if ranks is not None and len(ranks) == len(table.rows) else None


def _is_column(given: Any) -> bool:
    """Numbers alone, which score the judged rows in order."""
    return given.column is not None if isinstance(given, Run) else is_vector(given)


def _by_system(table: FrameTable, usual: str, name: str | None) -> Tables:
    from rankgauge.data.frames import split

    if "system" not in table.rows.columns:
        yield usual, table
        return
    for at, (system, part) in enumerate(split(table).items()):
        label = system if name is None else f"{name}:{system}"
        yield label, part if at == 0 else replace(part, faults=(), remarks=())


def _open(table: RowTable) -> FrameTable:
    return table.read() if isinstance(table, FileTable) else table.load()


def _again(frame: pl.DataFrame) -> pl.DataFrame:
    """The rows of pairs that come more than once, with their numbers from 0 in a column `row`.

    Few tables have any. Equal pairs have equal hashes, so only rows whose hash comes again are compared as they are.
    """
    import polars as pl

    hashes = frame["query"].hash(1).to_numpy() * np.uint64(0x9E3779B97F4A7C15) + frame["document"].hash(2).to_numpy()
    ordered = np.sort(hashes)
    twice = np.unique(ordered[1:][ordered[1:] == ordered[:-1]])
    if not len(twice):
        return frame.clear().with_row_index("row")
    near = twice[np.minimum(np.searchsorted(twice, hashes), len(twice) - 1)] == hashes
    some = frame.with_row_index("row").filter(pl.Series(near))
    return some.filter(pl.struct("query", "document").is_duplicated())


def _about_judgments(lists: _Lists) -> list[Note]:
    """Negative and fractional values, queries in which nothing or everything is relevant, padded ids."""
    table, value = lists.table, lists.table.rows[lists.table.number].to_numpy()
    best = np.maximum.reduceat(lists.number, lists.start[:-1])
    rows, item = f"of {plural(len(value), 'judged value')}", table.nouns[1]
    barren = f"without a relevant {item} (no value above 0)"
    notes = [
        _rows(table, value < 0, "negative-values", rows + " below 0; graded measures count them as 0"),
        _rows(table, value != np.floor(value), "fractional-values", rows + " not whole; kept unchanged"),
        _names(table, lists.names(best <= 0), len(best), "no-relevant-documents", barren),
    ]
    if value.min() > 0:
        text = f"every judged {item} is relevant; measures that need {item}s judged not relevant say little"
        notes.append(noted("only-relevant", text, table.origin, len(value)))
    return [note for note in [*notes, _padded(table)] if note is not None]


def _about_run(lists: _Lists, rank: Floats | None) -> list[Note]:
    """Ties, lists that are short, constant or upside down, padded ids."""
    table, item, rows = lists.table, lists.table.nouns[1], len(lists.number)
    order = Order(lists.start, lists.number)
    ordered = lists.number if order.row is None else lists.number[order.row]
    tied = np.zeros(rows, np.bool_) if order.tied is None else order.tied
    notes = [_rising(lists, rank)]
    count = int(np.count_nonzero(tied | np.append(tied[1:], False)))
    if count:
        text = f"{share(count, rows, 'row')} ({count / rows:.1%}) tied in score with another; ties are ordered by {item} id unless the policy changes this"
        notes.append(noted("ties", text, table.origin, count))
    with np.errstate(over="ignore"):
        single = ordered.astype(np.float32)
    constant = (lists.size > 1) & ~lists.any(~tied[1:])
    coarse = lists.any((single[1:] == single[:-1]) & ~tied[1:])
    double_only = "with scores that differ in double precision only; trec_eval 9 treats them as ties"
    for which, kind, text in (
        (constant, "constant-scores", f"with the same score for all {item}s, so not ranked"),
        (coarse, "single-precision", double_only),
        (lists.size < _SHORT, "short-lists", f"with fewer than {_SHORT} {item}s"),
    ):
        notes.append(_names(table, lists.names(which), len(lists.size), kind, text))
    return [note for note in [*notes, _padded(table)] if note is not None]


def _rising(lists: _Lists, rank: Floats | None) -> Note | None:
    """Scores that grow down the list: distances, or ranks that belong to another order."""
    score = lists.number
    if rank is not None:
        rank = lists.of(rank)
        if lists.any(rank[1:] < rank[:-1]).any():
            score = score[np.lexsort((rank, np.repeat(np.arange(len(lists.size)), lists.size)))]
    up, down = lists.any(score[1:] > score[:-1]), lists.any(score[1:] < score[:-1])
    longer = int(np.count_nonzero(lists.size > 1))
    upside = sorted(lists.names(up & ~down))
    if longer and 2 * len(upside) > longer:
        what = "rise with rank" if rank is not None else "rise from row to row"
        text = f"with scores that {what}; the highest score counts as the best"
        hint = "Are these distances? Then negate them."
        return _names(lists.table, upside, longer, "rising-scores", text, hint=hint)
    if rank is None:
        return None
    text = "whose ranks and scores disagree; the scores count"
    return _names(lists.table, sorted(lists.names(up)), longer, "ranks-disagree", text)


def _top(run: _Lists, judged: Flags) -> pl.DataFrame:
    """The documents at the first ranks of the lists whose query is judged, of equal scores the greater id first."""
    import polars as pl

    few = leading(run.start, run.number, _SHORT)
    place = np.arange(len(run.number)) if few is None else few
    place = place[judged[np.searchsorted(run.start, place, "right") - 1]]
    rows = run.table.data[place if run.row is None else run.row[place]]
    key = rows["document"].rank("dense", descending=True).to_numpy()
    order = Order(np.searchsorted(place, run.start), run.number[place])
    rank, _, _ = order.ranks(np.arange(len(rows)), lambda some: key[some])
    return rows.filter(pl.Series(rank <= _SHORT))


def _rows(table: FrameTable, which: Flags, kind: str, text: str) -> Note | None:
    """Rows that meet a condition, with the first few named."""
    rows = np.flatnonzero(which)
    if not len(rows):
        return None
    first = table.data[rows[:SHOWN]].select("query", "document", table.number).rows()
    places, line = checks.row_places(table, [(row[0], row[1]) for row in first], [f"{row[2]:g}" for row in first])
    return noted(kind, f"{len(rows):,} {text}", table.origin, len(rows), places, line)


def _names(
    table: FrameTable,
    names: Sequence[str],
    whole: int,
    kind: str,
    text: str,
    more: tuple[str, ...] = (),
    hint: str | None = None,
) -> Note | None:
    """Queries of which something is to be said."""
    if not names:
        return None
    message = f"{share(len(names), whole, table.nouns[0])} {text} ({checks.some_ids(names)})"
    return noted(kind, message, table.origin, len(names), more, hint=hint, examples=tuple(map(clip, names[:SHOWN])))


def _padded(table: FrameTable) -> Note | None:
    """Ids that begin or end with a blank, which no eye sees and no join forgives."""
    odd: list[str] = []
    for role in ("query", "document"):
        ids = table.data[role]
        some = ids.filter(ids.str.contains(r"^[\s\x1c-\x1f]|[\s\x1c-\x1f]$")).unique(maintain_order=True).to_list()
        odd += [name for name in some if name != name.strip()]
    if not odd:
        return None
    text = f"{plural(len(odd), 'id')} with blanks at the beginning or end; they count as part of the id"
    return noted("padded-ids", text, table.origin, len(odd), tuple(repr(clip(name)) for name in odd[:SHOWN]))
