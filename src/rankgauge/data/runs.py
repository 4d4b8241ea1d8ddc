"""Runs from files, and whatever else a user hands over as one run or several."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

from rankgauge.data import handed, sources
from rankgauge.data.columns import Wanted
from rankgauge.data.run import Run
from rankgauge.data.sources import Duplicates
from rankgauge.data.tables.table import FileTable, FrameTable, RowTable
from rankgauge.errors import DataError, UsageError, plural

if TYPE_CHECKING:
    from rankgauge.arrays import Floats
    from rankgauge.data.read.bytes import Source

_SCORE = Wanted("score")
Names = Literal["file", "tag"]
"""What a system is called by: its file, or the tag that a TREC run has in its last column."""


def read_run(
    path: str | PathLike[str],
    *,
    name: str | None = None,
    part: str | None = None,
    query: str | None = None,
    document: str | None = None,
    score: str | None = None,
    duplicates: Duplicates = "error",
    names: Names = "file",
) -> Run:
    """A run from a file of any known kind, or standard input ('-'); it is read when first needed."""
    from rankgauge.data.read.bytes import Source, system_name

    source, wanted = Source(path), Wanted("score", score, query, document)
    name = name if name is not None or part is not None or names == "file" else _tag(source)
    if part is None:
        return Run(sources.file_table(source, wanted, duplicates), name=name or system_name(path))

    def read() -> FrameTable:
        from rankgauge.data.read.kind import read_table
        from rankgauge.data.tables.frames import one_of

        table = read_table(source, wanted)
        if "system" in table.rows.columns and part in table.rows["system"]:
            return sources.settled(one_of(table, part), duplicates)
        return sources.settled(read_table(source, replace(wanted, column=part)), duplicates)

    return Run(FileTable(read, "score", source.origin), name=name or part)


def read_runs(
    path: str | PathLike[str],
    *,
    name: str | None = None,
    duplicates: Duplicates = "error",
    names: Names = "file",
) -> list[Run]:
    """All runs of a file; `rankgauge.read_runs` says what they are called."""
    from rankgauge.data.read.bytes import Source, system_name
    from rankgauge.data.read.kind import form_of, may_hold_several, read_table

    source = Source(path)
    form = form_of(source)
    name = name if name is not None or names == "file" else _tag(source)
    if form.kind == "column":
        from rankgauge.data.vectors import column_of

        run = Run(sources.file_table(source, _SCORE, duplicates), name=name or system_name(path))
        run.column = lambda: column_of(path, run.name)
        return [run]
    if form.kind == "letor":
        from rankgauge.data.read.letor import parse_file

        letor = parse_file(source)
        made = {feature: letor.table_of(feature) for feature in letor.features}
        return [Run(table, name=_name(f"feature-{feature}", name, made)) for feature, table in made.items()]
    if may_hold_several(source, form):
        table = read_table(source, _SCORE)
        if "system" in table.rows.columns and not table.faults:
            return _of_systems(table, name, duplicates)
    return [Run(sources.file_table(source, _SCORE, duplicates), name=name or system_name(path))]


def _tag(source: Source) -> str:
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
    if not isinstance(data, (Run, str, PathLike)):
        data = handed.in_memory(data, _SCORE)
    if handed.is_vector(data):
        data = Run(data, name=name or "run")
    if isinstance(data, Run):
        return [data if name is None else data.named(name)]
    if isinstance(data, (str, PathLike)):
        path, part = sources.split_part(data)
        return read_runs(data, name=name) if part is None else [read_run(path, name=name, part=part)]
    questions = handed.are_questions(data)
    if isinstance(data, (list, tuple)) and not questions:
        if data and (
            isinstance(data[0], int) or (isinstance(data[0], list) and isinstance(next(iter(data[0]), ""), int))
        ):
            raise UsageError(handed.refusal(data, _SCORE, name or "run"))
        return [run for item in data for run in runs_of(item)]
    if isinstance(data, Mapping) and holds_runs(data):
        return [run for system, item in data.items() for run in runs_of(item, str(system))]
    if handed.is_frame(data) or questions:
        table = sources.memory_table(data, _SCORE, name or "run", lent=True).load()
        return _of_systems(table, name, "error") if "system" in table.rows.columns else [Run(table, name=name or "run")]
    return [Run(data, name=name or "run")]


def holds_runs(data: Mapping[Any, Any]) -> bool:
    """Whether this maps systems to runs, rather than queries to documents."""
    first = _first(data)
    if isinstance(first, Mapping):
        return isinstance(_first(first), (Mapping, list, tuple))
    if isinstance(first, Iterator) or handed.is_vector(first):
        # Of whole numbers, an array may be predictions or a list of documents: the names decide.
        are_numbers = getattr(getattr(first, "dtype", None), "kind", "f") == "f" and not isinstance(first, Iterator)
        return are_numbers or isinstance(next(iter(data)), str)
    if isinstance(first, (list, tuple)) and first and isinstance(first[0], tuple) and len(first[0]) < 3:
        return False  # {query: [(document, score), …]}
    return (
        isinstance(first, (Run, str, PathLike))
        or handed.is_frame(first)
        or handed.are_rows(first)
        or handed.are_questions(first)
    )


def _first(data: Mapping[Any, Any]) -> Any:
    """The first value that there is; a query that failed has none."""
    return next((value for value in data.values() if value is not None), None)


def _of_systems(table: FrameTable, name: str | None, duplicates: Duplicates) -> list[Run]:
    from rankgauge.data.tables.frames import split

    parts = split(table)
    return [Run(sources.settled(part, duplicates), name=_name(system, name, parts)) for system, part in parts.items()]


def _name(system: str, given: str | None, among: Collection[str]) -> str:
    if given is None:
        return system
    return given if len(among) == 1 else f"{given}:{system}"


def ordered_by(judged: RowTable, runs: Sequence[Run]) -> list[Run]:
    """Runs that are bare columns of predictions become scores of the judged rows, one by one."""
    return [run if run.column is None else _scored(judged, run, run.column) for run in runs]


def _scored(judged: RowTable, run: Run, column: Callable[[], Floats]) -> Run:
    rows, scores = judged.frame(), column()
    if len(rows) != len(scores):
        raise DataError(
            f"{plural(len(scores), 'prediction')} for {plural(len(rows), 'judged row')} in {judged.origin}",
            run.table.origin,
            hint="Give one prediction for each row of the judgments, in the same order; "
            "lists of documents go into a dict, {query: list}.",
        )
    import polars as pl

    frame = rows.select("query", "document").with_columns(score=pl.Series(scores.astype(float)))
    scored = Run(FrameTable(frame, "score", run.name, unit="row"), name=run.name)
    scored.aligned = True
    return scored
