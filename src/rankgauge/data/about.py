"""What is known of queries and of items beside judgments and runs: words, labels, weights, categories, titles."""

from __future__ import annotations

import math
import os
from collections.abc import Collection, Iterable, Mapping, Sequence, Sized
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.arrays import LARGEST, Floats
from rankgauge.data.door import is_frame
from rankgauge.data.faults import similar, some_ids
from rankgauge.data.read.bytes import Source
from rankgauge.data.table import NAMES, DictTable, FileTable, FrameTable, RowTable, as_text, key
from rankgauge.errors import DataError, UsageError, did_you_mean, plural
from rankgauge.tables.notes import SHOWN, Note, clip, noted, quoted

if TYPE_CHECKING:
    from rankgauge.data.read.json import Records

IDS = ("query_id", "query-id", "qid", "_id", "id", "topic", "query", "user_id", "user", "uid")
TEXTS = ("text", "query_text", "title", "query", "keywords")
DOCUMENTS = (*NAMES["document"], "corpus_id", "_id", "id")
TITLES = ("title", "name", "text", "headline", "url")
SEPARATOR = "|"
"""Between the categories of an item, as MovieLens writes genres."""
_FEATURES = "Give each item categories, as in Drama|Comedy, or a list of numbers."


class Queries:
    """What is known of queries beside the judgments.

    >>> queries = Queries({"id": ["q1", "q2"], "text": ["rambo", "rocky"], "length": ["head", "tail"]})
    >>> queries.text("q1"), queries.columns, queries.column("length")
    ('rambo', ('length',), {'q1': 'head', 'q2': 'tail'})
    """

    def __init__(self, columns: Any, *, name: str = "queries", lines: Sequence[int] | None = None) -> None:
        """`columns` is a dict of columns or a table; `lines` are the lines of the rows, for messages."""
        self.name, self._lines = name, lines
        if not isinstance(columns, Mapping) and not is_frame(columns):
            raise UsageError(f"cannot read {name} from {type(columns).__name__}; give a dict of columns or a table")
        table = columns if isinstance(columns, Mapping) else _frame(columns, name)
        names = list(table)
        _refuse_uneven(table, name)
        text = named_column(names, TEXTS)
        identity = named_column([name for name in names if name != text], IDS) or named_column(names, IDS) or text
        if identity is None:
            raise no_column("for the query id", names, IDS, name)
        first: dict[str, int] = {}
        for row, cell in enumerate(table[identity]):
            place = self._place(row)
            query = _id(cell, "a query", name, [place])
            if first.setdefault(query, row) != row:
                where = f"{place}: query {clip(query)} (first on {self._place(first[query])})"
                raise DataError("duplicate query id", name, [where], "Keep one row for each query.")
        self.ids: tuple[str, ...] = tuple(first)
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

    def _place(self, row: int) -> str:
        return f"line {self._lines[row]}" if self._lines else f"row {row}"


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


def read_queries(path: str | PathLike[str]) -> Queries:
    """Queries from CSV, TSV, JSON, JSONL or Parquet with named columns, or text lines of an id and its words."""
    source = Source(path)
    found = _records(source, IDS, ("id", "text"))
    return Queries(found.columns, name=source.origin, lines=found.lines)


def _records(source: Source, ids: Sequence[str], bare: tuple[str, ...]) -> Records:
    from rankgauge.data.read.json import read_records

    # The first line of a .csv names its columns, whatever their names: an id that is not known is said then.
    is_csv = source.name.endswith(".csv")
    return read_records(source, lambda names: (is_csv and len(names) > 1) or is_header(names, ids), bare)


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
    from rankgauge.data.read.json import read_records

    found = read_records(source, is_header, ("id",))
    if list(found.columns) == ["id"]:
        return [str(cell).partition("\t")[0].strip() for cell in found.columns["id"]]
    return list(Queries(found.columns, name=source.origin, lines=found.lines).ids)


def part_of(table: RowTable, wanted: Collection[str]) -> RowTable:
    """The rows of these queries, taken when they are asked for; chosen queries without judgments are remarked on."""
    if isinstance(table, DictTable):
        kept = {query: documents for query, documents in table.data.items() if query in wanted}
        return replace(table, data=kept, remarks=_remarks(list(table.data), wanted, table.origin))

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


def items_of(given: Any, column: str | None = None) -> dict[str, Any]:
    """Item → its features, None where there are none: from a mapping, ids alone, or a table or file and its `column`."""
    found = _items(given, column)
    if not found:
        raise UsageError("items is empty; give at least one, or leave it out")
    return found


def _items(given: Any, column: str | None) -> dict[str, Any]:
    if isinstance(given, Mapping) and column is None:
        return {_item(item): features for item, features in given.items()}
    if isinstance(given, (str, PathLike)) or is_frame(given):
        origin, table = _table(given)
        identity = named_column(list(table), DOCUMENTS)
        if identity is None:
            raise no_column("for the item", list(table), DOCUMENTS, origin)
        if column is not None and column not in table:
            raise DataError(f"no column {clip(column)!r}", origin, hint=clip(did_you_mean(column, table), 300))
        cells = [None] * len(table[identity]) if column is None else table[column]
        return {_item(item): features for item, features in zip(table[identity], cells, strict=True)}
    if isinstance(given, Iterable) and not isinstance(given, (Mapping, bytes)):
        return dict.fromkeys(map(_item, given))
    raise UsageError(f"cannot read items from {type(given).__name__}; give {{item: features}}, ids, a table or a path")


def unit_vectors(features: Mapping[str, Any]) -> tuple[dict[str, int], Floats]:
    """The row of each item that has features, and the rows, each of length 1: its vector, or 1 for each category it has."""
    known = {item: given for item, given in features.items() if _is_there(given)}
    if all(isinstance(given, str) or all(isinstance(part, str) for part in given) for given in known.values()):
        lists = [given.split(SEPARATOR) if isinstance(given, str) else given for given in known.values()]
        named = [[part.strip() for part in parts if part.strip()] for parts in lists]
        places = {name: at for at, name in enumerate(dict.fromkeys(name for names in named for name in names))}
        rows = np.zeros((len(named), len(places)))
        for row, names in enumerate(named):
            rows[row, [places[name] for name in names]] = 1.0
    else:
        rows = _stacked(known)
    length = np.sqrt(np.square(rows).sum(axis=1))
    kept = length > 0
    items = [item for item, is_kept in zip(known, kept.tolist(), strict=True) if is_kept]
    return {item: at for at, item in enumerate(items)}, rows[kept] / length[kept, np.newaxis]


def document_titles(documents: Any) -> Mapping[str, str] | None:
    """Document → title, from a mapping or a file with a column of ids and one of titles."""
    if documents is None:
        return None
    if isinstance(documents, Mapping):
        return {str(document): str(title) for document, title in documents.items()}
    origin, table = _table(os.fspath(documents), ("id", "title"))
    names = list(table)
    identity, title = named_column(names, DOCUMENTS), named_column(names, TITLES)
    if identity is None or title is None:
        lacking, wanted = ("document ids", DOCUMENTS) if identity is None else ("titles", TITLES)
        raise no_column(f"of {lacking}", names, wanted, origin)
    pairs = zip(table[identity], table[title], strict=True)
    return {str(document): "" if text is None else str(text) for document, text in pairs}


def _id(given: Any, what: str, origin: str, places: Iterable[str] = ()) -> str:
    if isinstance(given, str) and given.strip():
        return given
    if isinstance(given, (int, np.integer)) and not isinstance(given, bool):
        return str(given)
    raise DataError(f"{quoted(given)} is not {what} id", origin, places, "Ids are text or whole numbers.")


def _frame(given: Any, name: str) -> Mapping[str, list[Any]]:
    from rankgauge.data.columns import to_frame

    return to_frame(given, name).to_dict(as_series=False)


def _item(given: Any) -> str:
    return _id(given, "an item", "items")


def _table(given: Any, bare: tuple[str, ...] = ("id",)) -> tuple[str, Mapping[str, list[Any]]]:
    if is_frame(given):
        return "items", _frame(given, "items")
    source = Source(given)
    return source.origin, _records(source, DOCUMENTS, bare).columns


def _is_there(given: Any) -> bool:
    if given is None or (isinstance(given, float) and np.isnan(given)):
        return False
    if isinstance(given, Mapping) or not isinstance(given, Sized):
        raise DataError(f"{quoted(given)} is neither categories nor a vector", "items", hint=_FEATURES)
    return len(given) > 0


def _stacked(known: Mapping[str, Any]) -> Floats:
    sizes = {len(vector) for vector in known.values()}
    if len(sizes) > 1:
        raise DataError(f"items have vectors of different lengths ({', '.join(map(str, sorted(sizes)[:3]))})")
    try:
        rows = np.array([np.asarray(vector, np.float64) for vector in known.values()])
    except (TypeError, ValueError):
        raise DataError("features are neither categories nor vectors of numbers", "items", hint=_FEATURES) from None
    odd = np.flatnonzero(~np.isfinite(rows).all(axis=1))
    if odd.size:
        raise DataError(f"the vector of item {clip(list(known)[odd[0]])} is not finite", "items")
    return rows
