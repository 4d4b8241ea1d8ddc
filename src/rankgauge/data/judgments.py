"""Judgments, and the runs of systems: rows of query, document and number behind one small face."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rankgauge.arrays import LARGEST
from rankgauge.data import door, faults
from rankgauge.data.table import RowTable, Table, Wanted, dict_table, is_of_numbers, table_of_frame
from rankgauge.errors import DataError, UsageError, plural
from rankgauge.signature import checked

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.arrays import Floats
    from rankgauge.data.read.bytes import Source


_SCORE = Wanted("score")
Names = Literal["file", "tag"]
"""What a system is called by: its file, or the tag that a TREC run has in its last column."""
File = str | PathLike[str]


def table_of(given: RowTable) -> Table:
    """The rows by query, after a look at their numbers."""
    table = table_of_frame(given)
    number, most = table.number, LARGEST if given.number == "value" else np.finfo(np.float64).max
    if not len(number) and not (given.are_dicts and given.number == "score"):  # a system may find nothing
        raise faults.no_rows(table.given).error()
    is_odd = len(number) and not (number.max() <= most and number.min() >= -most)
    if is_odd and (fault := faults.not_finite(number, table.given, table.names)):
        raise fault.error()
    return table


class Judgments:
    """What people (or clicks, or sales) said of documents; values are kept as read, negative or fractional.

    `query`, `document` and `value` name the columns of a table where their names say it not. A table without values,
    and {query: [documents]}, say what is relevant: every document counts as 1. With `group_sizes`, the number of rows
    of each query, `table` is a vector of labels; runs may then be vectors of predictions in the same order.
    `complete` says that everything relevant is judged, as where all purchases are known: what is not judged is not
    relevant, and no note asks about it.

    >>> Judgments({"q1": {"d1": 2, "d2": 0}})
    Judgments(judgments)
    """

    @checked
    def __init__(
        self,
        table: Any,
        *,
        name: str = "judgments",
        query: str | None = None,
        document: str | None = None,
        value: str | None = None,
        group_sizes: Any = None,
        duplicates: Literal["error", "best"] = "error",
        complete: bool = False,
    ) -> None:
        self.name, self.complete = name, complete
        if group_sizes is not None:
            from rankgauge.data.vectors import labels_table

            table = labels_table(table, group_sizes, name)
        self.table: RowTable
        if is_of_numbers(table):
            self.table = dict_table(table, "value", name, duplicates)
        else:
            self.table = door.rows_of(table, Wanted("value", value, query, document), name, duplicates)
        self.chosen: frozenset[str] | None = None
        """The queries that count, if not all do."""
        self.prepared: dict[str, Any] = {}
        """What matching makes of the judgments, kept for the next run."""

    def __repr__(self) -> str:
        return f"Judgments({self.name})"

    @property
    def queries(self) -> list[str]:
        """Query ids in order of appearance."""
        table = table_of_frame(self.table)
        if not len(table.number):
            raise faults.no_rows(table.given).error()
        return list(table.queries)

    @checked
    def only(self, queries: str | Iterable[str | int]) -> Judgments:
        """The judgments of some queries; what runs return for the others then plays no part."""
        if isinstance(queries, str):
            raise UsageError(f"only={queries!r} is one text; give a list of query ids")
        from rankgauge.data.about import part_of

        wanted = frozenset(map(str, queries))
        part = Judgments(part_of(self.table, wanted), name=self.name)
        part.chosen, part.complete = wanted, self.complete
        return part

    def to_polars(self) -> pl.DataFrame:
        """Columns query, document, value."""
        return self.table.frame()


def read_judgments(
    path: File, wanted: Wanted, group_sizes: Any, duplicates: door.Duplicates, *, complete: bool
) -> Judgments:
    """Judgments from a file of any known kind, which is read when first needed."""
    from rankgauge.data.read.bytes import Source

    source = Source(path)
    table = path if group_sizes is not None else door.file_table(source, wanted, duplicates)
    return Judgments(table, name=source.origin, group_sizes=group_sizes, complete=complete)


class Run:
    """What a system returned; documents are ordered by score, whatever order the rows have.

    `query`, `document` and `score` name the columns of a table where their names say it not.

    >>> Run({"q1": {"d1": 0.9, "d2": 0.4}}, name="bm25")
    Run(bm25)
    """

    @checked
    def __init__(
        self,
        table: Any,
        *,
        name: str = "run",
        query: str | None = None,
        document: str | None = None,
        score: str | None = None,
        duplicates: Literal["error", "best"] = "error",
    ) -> None:
        self.name = name
        self.column: Callable[[], Floats] | None = None
        """Bare predictions: they are the scores of the judged rows, in their order."""
        self.table: RowTable
        if is_of_numbers(table):
            self.table = dict_table(table, "score", name, duplicates, is_read=True)
            return
        wanted = Wanted("score", score, query, document)
        table = door.in_memory(table, wanted)
        if door.is_vector(table):
            from rankgauge.data.vectors import column_of

            self.column = partial(column_of, table, name)
            table = RowTable("score", name, partial(_refused_column, name))
        self.table = door.rows_of(table, wanted, name, duplicates)

    def __repr__(self) -> str:
        return f"Run({self.name})"

    def named(self, name: str) -> Run:
        """The same run under the name that a dict of runs has for it."""
        from copy import copy

        run = copy(self)
        run.name = name
        return run

    def to_polars(self) -> pl.DataFrame:
        """Columns query, document, score."""
        return self.table.frame()


def _refused_column(name: str) -> RowTable:
    raise UsageError(f"{name} is a column of predictions; evaluate it beside judgments that have as many rows")


def read_run(
    path: File,
    name: str | None,
    part: str | None,
    wanted: Wanted = _SCORE,
    duplicates: door.Duplicates = "error",
    names: Names = "file",
) -> Run:
    """A run from a file of any known kind, which is read when first needed."""
    from rankgauge.data.read.bytes import Source, system_name

    source = Source(path)
    name = name or part or _called(name, source, names) or system_name(path)
    return Run(door.file_table(source, wanted, duplicates, part), name=name)


def read_runs(path: File, name: str | None, duplicates: door.Duplicates = "error", names: Names = "file") -> list[Run]:
    """All runs of a file; `rankgauge.read_runs` says what they are called."""
    from rankgauge.data.columns import settled, split
    from rankgauge.data.read.bytes import Source, system_name
    from rankgauge.data.read.kind import form_of, may_hold_several, read_table

    source = Source(path)
    form = form_of(source)
    name = _called(name, source, names)
    tables: Mapping[str, RowTable] = {}
    if form.kind == "letor":
        from rankgauge.data.read.letor import runs_in

        tables = runs_in(source)
    elif may_hold_several(source, form):
        table = read_table(source, _SCORE)
        parts = split(table) or {system_name(path): table}
        tables = {system: settled(part, duplicates) for system, part in parts.items()}
    if tables:
        return _named(tables, name)
    run = Run(door.file_table(source, _SCORE, duplicates), name=name or system_name(path))
    if form.kind == "column":
        from rankgauge.data.vectors import file_column

        run.column = partial(file_column, source)
    return [run]


def _called(name: str | None, source: Source, names: Names) -> str | None:
    """The name given, or the tag that a TREC run has in its last column."""
    if name is not None or names == "file":
        return name
    from rankgauge.data.read.kind import tag_of

    tag = tag_of(source)
    if tag is None:
        hint = 'Only TREC runs of six columns have one; leave out --names tag (in Python, names="tag").'
        raise DataError("has no tag to name the system by", source.origin, hint=hint)
    return tag


def runs_of(data: Any, name: str | None = None) -> list[Run]:
    """What a user hands over as one or more runs: a Run, a path, a dict, a table, or a list or dict of these.

    They serve one call: a table that came as a pandas frame is not copied.
    """
    data = door.in_memory(data, _SCORE)
    several = parted(data, name)
    if several is not None:
        return [run for system, item in several for run in runs_of(item, system)]
    runs = runs_in(data, name)
    for run in runs:
        if run.table.faults:
            raise run.table.faults[0].error()
    return runs


def parted(data: Any, name: str | None) -> list[tuple[str | None, Any]] | None:
    """The items of a list or dict of runs, each with the name that is given to it; None of anything else."""
    if isinstance(data, Mapping) and holds_runs(data):
        return [(str(system), item) for system, item in data.items()]
    if not isinstance(data, (list, tuple)) or door.is_vector(data) or door.are_questions(data):
        return None
    first = data[0] if data else None
    if isinstance(first, int) or (isinstance(first, list) and isinstance(next(iter(first), ""), int)):
        raise UsageError(door.refusal(data, _SCORE, name or "run"))
    return [(None, item) for item in data]


def runs_in(data: Any, name: str | None) -> list[Run]:
    """The runs in one thing; what is wrong with their rows stays in their tables."""
    if isinstance(data, Run):
        return [data if name is None else data.named(name)]
    if isinstance(data, (str, PathLike)):
        path, part = door.split_part(data)
        return read_runs(data, name) if part is None else [read_run(path, name, part)]
    if not door.is_vector(data) and (door.is_frame(data) or door.are_questions(data)):
        from rankgauge.data.columns import settled, split

        table = door.memory_table(data, _SCORE, name or "run", lent=True)
        return _named(split(table), name) or [Run(settled(table, "error"), name=name or "run")]
    return [Run(data, name=name or "run")]


def holds_runs(data: Mapping[Any, Any]) -> bool:
    """Whether this maps systems to runs, rather than queries to documents."""
    first = _first(data)
    if isinstance(first, Mapping):
        return isinstance(_first(first), (Mapping, list, tuple))
    if isinstance(first, Iterator) or door.is_vector(first):
        # Of whole numbers, an array may be predictions or a list of documents: the names decide.
        are_numbers = getattr(getattr(first, "dtype", None), "kind", "f") == "f" and not isinstance(first, Iterator)
        return are_numbers or isinstance(next(iter(data)), str)
    if isinstance(first, (list, tuple)) and first and isinstance(first[0], tuple) and len(first[0]) < 3:
        return False  # {query: [(document, score), …]}
    is_run = isinstance(first, (Run, str, PathLike)) or door.is_frame(first)
    return is_run or door.are_rows(first) or door.are_questions(first)


def _first(data: Mapping[Any, Any]) -> Any:
    """The first value that there is; a query that failed has none."""
    return next((value for value in data.values() if value is not None), None)


def _named(tables: Mapping[str, RowTable], name: str | None) -> list[Run]:
    """The runs of one file or table under their own names, or with a name before them if there are several."""
    own = {system: system if name is None else name if len(tables) == 1 else f"{name}:{system}" for system in tables}
    return [Run(table, name=own[system]) for system, table in tables.items()]


def ordered_by(judged: RowTable, runs: Sequence[Run]) -> list[Run]:
    """Runs that are bare columns of predictions become scores of the judged rows, one by one."""
    made = []
    for run in runs:
        if run.column is None:
            made.append(run)
            continue
        rows, scores = judged.frame(), run.column()
        if len(rows) != len(scores):
            message = f"{plural(len(scores), 'prediction')} for {plural(len(rows), 'judged row')} in {judged.origin}"
            hint = (
                "Give one prediction for each row of the judgments, in the same order; "
                "lists of documents go into a dict, {query: list}."
            )
            raise DataError(message, run.table.origin, hint=hint)
        import polars as pl

        frame = rows.select("query", "document").with_columns(score=pl.Series(scores.astype(float)))
        made.append(Run(RowTable("score", run.name, frame, unit="row", aligned=True), name=run.name))
    return made
