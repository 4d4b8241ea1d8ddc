"""Judgments: query, document, judged value."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

from rankgauge.data import faults
from rankgauge.data.columns import Wanted
from rankgauge.data.tables.table import RowTable, dict_table, flatten, is_of_numbers
from rankgauge.errors import UsageError
from rankgauge.signature import checked

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.data.sources import Duplicates


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
        if is_of_numbers(table) and duplicates == "error":
            self.table = dict_table(table, "value", name)
        else:
            from rankgauge.data.sources import table_of

            self.table = table_of(table, Wanted("value", value, query, document), name, duplicates)
        self.chosen: frozenset[str] | None = None
        """The queries that count, if not all do."""
        self.prepared: dict[str, Any] = {}
        """What matching makes of the judgments, kept for the next run (see data/matching.py)."""

    def __repr__(self) -> str:
        return f"Judgments({self.name})"

    @property
    def queries(self) -> list[str]:
        """Query ids in order of appearance."""
        rows = self.table.mapping()
        if rows is None:
            frame = self.table.frame()
            found, count = frame["query"].unique(maintain_order=True).to_list(), len(frame)
        else:  # a value that is not a number is refused, as everywhere
            found, count = list(rows), len(flatten(rows, self.table.number, self.table.origin)[1])
        faults.refuse(faults.no_rows(count, self.table))
        return found

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
    path: str | PathLike[str],
    *,
    column: str | None = None,
    query: str | None = None,
    document: str | None = None,
    group_sizes: Any = None,
    duplicates: Duplicates = "error",
    complete: bool = False,
) -> Judgments:
    """Judgments from a file of any known kind, or standard input ('-'); it is read when first needed."""
    from rankgauge.data.read.bytes import Source
    from rankgauge.data.sources import file_table

    source = Source(path)
    if group_sizes is not None:
        return Judgments(path, name=source.origin, group_sizes=group_sizes, complete=complete)
    table = file_table(source, Wanted("value", column, query, document), duplicates)
    return Judgments(table, name=source.origin, complete=complete)
