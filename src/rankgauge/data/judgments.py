"""Judgments: query, document, judged value."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankgauge.data.matching_dicts import JudgedDicts
from rankgauge.data.sources import table_of
from rankgauge.data.tables import Table

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.data.matching_frames import JudgedFrame


class Judgments:
    """What people (or clicks, or sales) said of documents; values are kept as read, negative or fractional.

    >>> Judgments({"q1": {"d1": 2, "d2": 0}})
    Judgments(judgments)
    """

    def __init__(self, table: Any, *, name: str = "judgments") -> None:
        self.name = name
        self.table: Table = table_of(table, "value", name)
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

                self._ready[kind] = JudgedFrame(self.table.frame(), self.table)
        return self._ready[kind]

    @property
    def queries(self) -> list[str]:
        """Query ids in order of appearance."""
        return list(self.ready(as_dicts=True).names)

    def to_polars(self) -> pl.DataFrame:
        """Columns query, document, value."""
        return self.table.frame()


def read_judgments(path: str | Path) -> Judgments:
    """Judgments from a file; it is read when first needed."""
    return Judgments(Path(path), name=str(path))
