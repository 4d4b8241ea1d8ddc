"""A run: query, document, score of one system."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from rankgauge.data.columns import Wanted
from rankgauge.data.tables.table import FileTable, FrameTable, RowTable, dict_table, is_of_numbers
from rankgauge.errors import UsageError
from rankgauge.signature import checked

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.arrays import Floats
    from rankgauge.data.sources import Duplicates


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
        self.aligned = False
        """Whether these were bare predictions, and so have no ids that could break ties."""
        self.table: RowTable
        if is_of_numbers(table) and duplicates == "error":
            self.table = dict_table(table, "score", name)
        else:
            self.table = self._examined(table, Wanted("score", score, query, document), duplicates)

    def _examined(self, table: Any, wanted: Wanted, duplicates: Duplicates) -> RowTable:
        from rankgauge.data import handed, sources

        table, name = handed.in_memory(table, wanted), self.name
        if handed.is_vector(table):
            vector, table = table, FileTable(lambda: _failed_column(name), "score", name)
            self.column = lambda: _column(vector, name)
        return sources.table_of(table, wanted, name, duplicates)

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


def _failed_column(name: str) -> FrameTable:
    raise UsageError(f"{name} is a column of predictions; evaluate it beside judgments that have as many rows")


def _column(given: Any, name: str) -> Floats:
    from rankgauge.data.vectors import column_of

    return column_of(given, name)
