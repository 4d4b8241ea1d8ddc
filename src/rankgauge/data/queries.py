"""Queries: their words, and free columns to slice or weight by."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.arrays import LARGEST, Floats
from rankgauge.data.read.file import Source
from rankgauge.data.tables.columns import key
from rankgauge.data.tables.faults import similar, some_ids
from rankgauge.data.tables.table import DictTable, FileTable, FrameTable, RowTable, as_text
from rankgauge.errors import DataError, UsageError, did_you_mean, plural
from rankgauge.tables.notes import SHOWN, Note, clip, noted, quoted

if TYPE_CHECKING:
    from pathlib import Path


IDS = ("query_id", "query-id", "qid", "_id", "id", "topic", "query", "user_id", "user", "uid")
TEXTS = ("text", "query_text", "title", "query", "keywords")


class Queries:
    """What is known of queries beside the judgments.

    >>> queries = Queries({"id": ["q1", "q2"], "text": ["rambo", "rocky"], "length": ["head", "tail"]})
    >>> queries.text("q1"), queries.columns, queries.column("length")
    ('rambo', ('length',), {'q1': 'head', 'q2': 'tail'})
    """

    def __init__(self, columns: Any, *, name: str = "queries", lines: Sequence[int] | None = None) -> None:
        """`columns` is a dict of columns or a table; `lines` are the lines of the rows, for messages."""
        self.name, self._lines = name, lines
        table = columns if isinstance(columns, Mapping) else _columns_of(columns, name)
        names = list(table)
        _refuse_uneven(table, name)
        text = named_column(names, TEXTS)
        identity = named_column([name for name in names if name != text], IDS) or named_column(names, IDS) or text
        if identity is None:
            raise no_column("for the query id", names, IDS, name)
        self.ids: tuple[str, ...] = tuple(self._id(cell, row) for row, cell in enumerate(table[identity]))
        self._refuse_repeats()
        self._texts = {} if text is None else dict(zip(self.ids, table[text], strict=True))
        self.columns: tuple[str, ...] = tuple(name for name in names if name not in {identity, text})
        self._cells = {name: list(table[name]) for name in self.columns}

    def __repr__(self) -> str:
        return f"Queries({self.name}: {len(self.ids)} queries, columns {', '.join(self.columns) or 'none'})"

    def __len__(self) -> int:
        return len(self.ids)

    def __contains__(self, query: object) -> bool:
        return query in self._texts or query in self.ids

    def text(self, query: str) -> str | None:
        """The words of a query, if they are known."""
        words = self._texts.get(query)
        return None if words is None else str(words)

    def column(self, name: str) -> dict[str, str | None]:
        """A free column as text, by query; None where a cell is empty."""
        return {
            query: None if cell is None or cell == "" else str(cell)
            for query, cell in zip(self.ids, self._cells[self._known(name)], strict=True)
        }

    def weights(self, name: str) -> dict[str, float]:
        """A free column as numbers from 0 on, by query."""
        cells = self._cells[self._known(name)]
        found = {query: _weight(cell) for query, cell in zip(self.ids, cells, strict=True)}
        bad = [query for query, weight in found.items() if weight is None]
        if bad:
            cell = cells[self.ids.index(bad[0])]
            raise DataError(
                f"column {name!r} gives {plural(len(bad), 'query')} no weight, a finite number from 0 on",
                self.name,
                [f"query {clip(query)}" for query in bad[:SHOWN]],
                f"The first has {quoted(cell)}; fill the cells, or choose queries with only.",
            )
        return {query: weight for query, weight in found.items() if weight is not None}

    def _known(self, name: str) -> str:
        if name in self._cells:
            return name
        same = [known for known in self.columns if key(known) == key(name)]
        if same:
            return same[0]
        if not self.columns:
            raise UsageError(f"{self.name} has no column {name!r}: it has only ids and texts")
        raise UsageError(f"{self.name} has no column {name!r}; " + did_you_mean(name, self.columns))

    def _id(self, cell: Any, row: int) -> str:
        if isinstance(cell, str) and cell.strip():
            return cell
        if isinstance(cell, int) and not isinstance(cell, bool):
            return str(cell)
        raise DataError(
            f"{quoted(cell)} is not a query id", self.name, [self._place(row)], "Ids are text or whole numbers."
        )

    def _place(self, row: int) -> str:
        return f"line {self._lines[row]}" if self._lines else f"row {row}"

    def _refuse_repeats(self) -> None:
        first: dict[str, int] = {}
        for row, query in enumerate(self.ids):
            if query in first:
                where = f"{self._place(row)}: query {clip(query)} (first on {self._place(first[query])})"
                raise DataError("duplicate query id", self.name, [where], "Keep one row for each query.")
            first[query] = row


def _refuse_uneven(table: Mapping[str, Any], name: str) -> None:
    odd = [
        column for column, cells in table.items() if isinstance(cells, (str, bytes)) or not hasattr(cells, "__len__")
    ]
    if odd:
        raise DataError(f"column {clip(str(odd[0]))!r} is not a list of cells, one per query", name)
    sizes = {str(column): len(cells) for column, cells in table.items()}
    if len(set(sizes.values())) > 1:
        places = [f"{clip(column)}: {plural(size, 'cell')}" for column, size in sizes.items()]
        raise DataError("columns have different lengths", name, places[:SHOWN], "Give every column one cell per query.")


def read_queries(path: str | Path) -> Queries:
    """Queries from CSV, TSV, JSON, JSONL or Parquet with named columns, or text lines of an id and its words."""
    from rankgauge.data.read.records import read_records

    source = Source(path)
    # The first line of a .csv names its columns, whatever their names: an id that is not known is said then.
    names_columns = is_header if not source.name.endswith(".csv") else lambda names: len(names) > 1
    found = read_records(source, names_columns, ("id", "text"))
    return Queries(found.columns, name=source.origin, lines=found.lines)


def is_header(names: Sequence[str], ids: Sequence[str] = IDS) -> bool:
    """Whether a first line names columns: several of them, one the id."""
    return len(names) > 1 and named_column(names, ids) is not None


def aligned_weights(weights: Mapping[str, float], queries: Sequence[str], *, is_part: bool = False) -> Floats:
    """One weight per query, in this order; every query needs one, and not all may be 0, unless they are but a part."""
    absent = [query for query in queries if query not in weights]
    if absent:
        queries_without = f"{plural(len(absent), 'judged query')} without a weight ({some_ids(absent)})"
        raise UsageError(f"{queries_without}; weight every query")
    made = [_weight(weights[query]) for query in queries]
    if None in made:
        query = queries[made.index(None)]
        raise UsageError(f"weight {weights[query]!r} of query {clip(query)} is not a finite number of at least 0")
    array = np.array(made, np.float64)
    if array.max(initial=0) > LARGEST:
        at = int(array.argmax())
        raise UsageError(
            f"weight {made[at]:g} of query {clip(queries[at])} is too large; weights are at most {LARGEST:g}"
        )
    if not (is_part or array.sum() > 0):
        raise UsageError("the weights of all judged queries are 0; at least one must be above 0")
    return array


def _weight(cell: Any) -> float | None:
    try:
        number = float(cell)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) and number >= 0 else None


def named_column(names: Sequence[str], aliases: Sequence[str]) -> str | None:
    """The column that goes by one of these names, the surest first."""
    return next((name for alias in aliases for name in names if key(str(name)) == key(alias)), None)


def no_column(what: str, names: Sequence[str], wanted: Sequence[str], origin: str) -> DataError:
    columns = [f"columns: {clip(', '.join(map(str, names)), 300)}"]
    return DataError(f"no column {what}", origin, columns, f"Name one of them {', '.join(wanted)}.")


def _columns_of(data: Any, name: str) -> Mapping[str, Sequence[Any]]:
    from rankgauge.data.handed import is_frame

    if not is_frame(data):
        raise UsageError(f"cannot read {name} from {type(data).__name__}; give a dict of columns or a table")
    from rankgauge.data.tables.frames import to_frame

    return to_frame(data, name).to_dict(as_series=False)


def chosen_queries(text: str) -> list[str]:
    """Ids from a file that holds one a line, or that has a column of them; else from the text, between commas."""
    from pathlib import Path

    try:
        is_file = Path(text).exists()
    except (OSError, ValueError):  # too long or odd for a name, so a list of ids
        is_file = False
    ids = _listed(Source(text)) if is_file or text == "-" else [part.strip() for part in text.split(",")]
    ids = [query for query in dict.fromkeys(ids) if query]
    if not ids:
        raise UsageError(f"{clip(text)!r} names no queries; give ids separated by commas, or a file with one per line")
    return ids


def _listed(source: Source) -> list[str]:
    from rankgauge.data.read.records import read_records

    found = read_records(source, is_header, ("id",))
    if list(found.columns) == ["id"]:
        return [str(cell).partition("\t")[0].strip() for cell in found.columns["id"]]
    return list(Queries(found.columns, name=source.origin, lines=found.lines).ids)


def part_of(table: RowTable, wanted: Collection[str]) -> RowTable:
    """The rows of these queries, taken when they are asked for; chosen queries without judgments are remarked on."""
    rows = table.mapping()
    if rows is not None:
        kept = {query: documents for query, documents in rows.items() if query in wanted}
        remarks = _remarks(list(rows), wanted, table.origin)
        return DictTable(kept, table.number, table.origin, remarks, whole=getattr(table, "whole", False))

    def read() -> FrameTable:
        whole = table.load()
        judged = as_text(whole.rows["query"].unique(maintain_order=True)).to_list()
        remarks = _remarks(judged, wanted, table.origin)
        part = whole.rows.filter(as_text(whole.rows["query"]).is_in(list(wanted)))
        return replace(whole, rows=part, remarks=(*whole.remarks, *remarks))

    return FileTable(read, table.number, table.origin, table.unit)


def _remarks(judged: Sequence[str], wanted: Collection[str], origin: str) -> tuple[Note, ...]:
    known = set(judged)
    return about_absent([query for query in wanted if query not in known], len(wanted), judged, origin)


def about_absent(absent: Sequence[str], wanted: int, judged: Sequence[str], origin: str) -> tuple[Note, ...]:
    """Chosen queries that nobody judged; if that is all that were wanted, an error. `judged` may be some of them."""
    if not absent:
        return ()
    absent = sorted(absent)
    if len(absent) == wanted:
        near = [f"nearest: {a!r} was chosen, {b!r} is judged" for a, b in similar(absent, judged)]
        message = f"no chosen query is judged ({some_ids(absent)})"
        raise DataError(message, origin, near, "Query ids must be written the same way.")
    message = f"{plural(len(absent), 'chosen query')} without judgments, left out ({some_ids(absent)})"
    return (noted("chosen-unjudged", message, origin, len(absent), tuple(map(clip, absent[:SHOWN]))),)
