"""Judgments: query, document, judged value."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from typing import TYPE_CHECKING, Any

from rankgauge.data.columns import Wanted
from rankgauge.data.files import Source
from rankgauge.data.matching_dicts import JudgedDicts
from rankgauge.data.selection import part_of
from rankgauge.data.sources import Duplicates, file_table, table_of
from rankgauge.data.tables import Table
from rankgauge.errors import UsageError

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.data.matching_frames import JudgedFrame


class Judgments:
    """What people (or clicks, or sales) said of documents; values are kept as read, negative or fractional.

    >>> Judgments({"q1": {"d1": 2, "d2": 0}})
    Judgments(judgments)
    """

    def __init__(self, table: Any, *, name: str = "judgments", duplicates: Duplicates = "error") -> None:
        self.name = name
        self.table: Table = table_of(table, Wanted("value"), name, duplicates)
        self.chosen: frozenset[str] | None = None
        """The queries that count, if not all do."""
        self._ready: dict[str, JudgedDicts | JudgedFrame] = {}

    def __repr__(self) -> str:
        return f"Judgments({self.name})"

    def ready(self, *, as_dicts: bool) -> JudgedDicts | JudgedFrame:
        """The judgments prepared for matching, once: as dicts if they are dicts and the run is too, else as a frame."""
        rows = self.table.mapping() if as_dicts else None
        kind = "frame" if rows is None else "dicts"
        if kind not in self._ready:
            if rows is not None:
                self._ready[kind] = JudgedDicts(rows, self.table)
            else:
                from rankgauge.data.matching_frames import JudgedFrame

                self._ready[kind] = JudgedFrame(self.table.load())
        return self._ready[kind]

    @property
    def queries(self) -> list[str]:
        """Query ids in order of appearance."""
        return list(self.ready(as_dicts=True).names)

    def only(self, queries: Iterable[str]) -> Judgments:
        """The judgments of some queries; what runs return for the others then plays no part."""
        if isinstance(queries, str):
            raise UsageError(f"only={queries!r} is one text; give a list of query ids")
        wanted = frozenset(map(str, queries))
        part = Judgments(part_of(self.table, wanted), name=self.name)
        part.chosen = wanted
        return part

    def to_polars(self) -> pl.DataFrame:
        """Columns query, document, value."""
        return self.table.frame()


def read_judgments(
    path: str | PathLike[str], *, column: str | None = None, duplicates: Duplicates = "error"
) -> Judgments:
    """Judgments from a file of any known kind, or standard input ('-'); it is read when first needed.

    `column` names the column of judged values where its name says it not; `duplicates="best"` keeps the best of the
    rows that repeat a document within a query.
    """
    source = Source(path)
    return Judgments(file_table(source, Wanted("value", column), duplicates), name=source.origin)
