"""A run: query, document, score of one system."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankgauge.data.files import system_name
from rankgauge.data.sources import table_of
from rankgauge.data.tables import Table

if TYPE_CHECKING:
    import polars as pl


class Run:
    """What a system returned; documents are ordered by score, whatever order the rows have.

    >>> Run({"q1": {"d1": 0.9, "d2": 0.4}}, name="bm25")
    Run(bm25)
    """

    def __init__(self, table: Any, *, name: str = "run") -> None:
        self.name = name
        self.table: Table = table_of(table, "score", name)

    def __repr__(self) -> str:
        return f"Run({self.name})"

    def to_polars(self) -> pl.DataFrame:
        """Columns query, document, score."""
        return self.table.frame()


def read_run(path: str | Path, *, name: str | None = None) -> Run:
    """A run from a file; it is read when first needed. The system is named after the file unless `name` says otherwise."""
    return Run(Path(path), name=name or system_name(path))
