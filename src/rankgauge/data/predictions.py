"""Learning to rank: labels and predictions as columns of numbers, with the number of rows of each query beside them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any

import numpy as np

from rankgauge.arrays import Floats
from rankgauge.data.read.file import Source
from rankgauge.data.run import Run
from rankgauge.data.tables.table import FrameTable, RowTable
from rankgauge.data.vectors import file_column, numbers
from rankgauge.errors import DataError, UsageError, plural


def labels_table(labels: Any, group_sizes: Any, origin: str) -> FrameTable:
    """Judged values in order: a vector, a file of one column, or a learning-to-rank file without query ids.

    Queries and their documents are numbered from 1 on.
    """
    sizes = _sizes(group_sizes)
    if isinstance(labels, (str, PathLike)):
        from rankgauge.data.read.by_kind import form_of
        from rankgauge.data.read.letor import parse

        source = Source(labels)
        if form_of(source).kind == "letor":
            return parse(source, source.load(), sizes).table.load()
        labels = file_column(labels)
    values = numbers(labels, "labels")
    if sum(sizes) != len(values):
        raise DataError(
            f"the group sizes add up to {sum(sizes):,}, but there are {plural(len(values), 'label')}",
            origin,
            hint="Give the number of rows of each query, in order.",
        )
    import polars as pl

    query = np.repeat(np.arange(1, len(sizes) + 1), sizes)
    document = np.concatenate([np.arange(1, size + 1) for size in sizes] or [np.empty(0, np.int64)])
    ids = {name: pl.Series(ids).cast(pl.String) for name, ids in (("query", query), ("document", document))}
    return FrameTable(pl.DataFrame({**ids, "value": values.astype(np.float64)}), "value", origin, unit="row")


def _sizes(given: Any) -> list[int]:
    column = file_column(given) if isinstance(given, (str, PathLike)) else numbers(given, "group_sizes")
    if len(column) == 0 or np.any((column < 0) | (column != np.floor(column))):
        raise UsageError("group_sizes are whole numbers, the number of rows of each query")
    return [int(size) for size in column]


def ordered_by(judged: RowTable, runs: Sequence[Run]) -> list[Run]:
    """Runs that are bare columns of predictions become scores of the judged rows, one by one."""
    return [run if run.column is None else _scored(judged, run, run.column) for run in runs]


def _scored(judged: RowTable, run: Run, column: Callable[[], Floats]) -> Run:
    rows, scores = judged.frame(), column()
    if len(rows) != len(scores):
        raise DataError(
            f"{plural(len(scores), 'prediction')} for {plural(len(rows), 'judged row')} in {judged.origin}",
            run.table.origin,
            hint="Give one prediction for each row of the judgments, in the same order.",
        )
    import polars as pl

    frame = rows.select("query", "document").with_columns(score=pl.Series(scores.astype(np.float64)))
    return Run(FrameTable(frame, "score", run.name, unit="row"), name=run.name)
