"""What is known of queries and of items beside judgments and runs: words, labels, weights, categories, titles."""

from __future__ import annotations

import math
import os
from collections.abc import Collection, Iterable, Mapping, Sequence, Sized
from itertools import repeat
from os import PathLike
from typing import Any

import numpy as np

from rankgauge.arrays import LARGEST, Floats
from rankgauge.data.door import exists, is_frame
from rankgauge.data.faults import similar, some_ids
from rankgauge.data.read.bytes import Source
from rankgauge.data.table import NAMES, RowTable, as_text, key
from rankgauge.data.vectors import as_number
from rankgauge.errors import DataError, UsageError, did_you_mean, plural
from rankgauge.signature import checked, members
from rankgauge.tables.notes import SHOWN, Note, clip, noted, quoted

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

    @checked
    def __init__(self, columns: Any, *, name: str = "queries", lines: Sequence[int] | None = None) -> None:
        """`columns` is a dict of columns or a table; `lines` are the lines of the rows, for messages."""
        self.name = name
        if not isinstance(columns, Mapping) and not is_frame(columns):
            raise UsageError(f"cannot read {name} from {type(columns).__name__}; give a dict of columns or a table")
        table = columns if isinstance(columns, Mapping) else _columns(columns, IDS, name=name)[1]
        for column, cells in table.items():
            if isinstance(cells, (str, bytes)) or not hasattr(cells, "__len__"):
                raise DataError(f"column {clip(str(column))!r} is not a list of cells, one per query", name)
        if len(set(map(len, table.values()))) > 1:
            sizes = [f"{clip(str(column))}: {plural(len(cells), 'cell')}" for column, cells in table.items()][:SHOWN]
            raise DataError("columns have different lengths", name, sizes, "Give every column one cell per query.")
        text = _column(table, TEXTS)
        identity = _column([name for name in table if name != text], IDS) or _column(table, IDS) or text
        identity = identity or _needed(table, IDS, "for the query id", name)
        places = [f"line {line}" for line in lines] if lines else [f"row {row}" for row in range(len(table[identity]))]
        if len(places) != len(table[identity]):
            raise UsageError(f"lines has {len(places):,} numbers for {plural(len(table[identity]), 'row')}")
        first: dict[str, int] = {}
        for row, (cell, place) in enumerate(zip(table[identity], places, strict=True)):
            query = _id(cell, "a query", name, [place])
            if first.setdefault(query, row) != row:
                where = f"{place}: query {clip(query)} (first on {places[first[query]]})"
                raise DataError("duplicate query id", name, [where], "Keep one row for each query.")
        self.ids: tuple[str, ...] = tuple(first)
        self._texts = dict.fromkeys(first) if text is None else dict(zip(first, table[text], strict=True))
        self._cells = {name: list(cells) for name, cells in table.items() if name not in {identity, text}}
        self.columns: tuple[str, ...] = tuple(self._cells)

    def __repr__(self) -> str:
        return f"Queries({self.name}: {len(self.ids)} queries, columns {', '.join(self.columns) or 'none'})"

    def __len__(self) -> int:
        return len(self.ids)

    def __contains__(self, query: object) -> bool:
        return query in self._texts

    @checked
    def text(self, query: str) -> str | None:
        """The words of a query, if they are known."""
        words = self._texts.get(query)
        return None if words is None else str(words)

    @checked
    def column(self, name: str) -> dict[str, str | None]:
        """A free column as text, by query; None where a cell is empty."""
        cells = self._by_query(name).items()
        return {query: None if cell is None or cell == "" else str(cell) for query, cell in cells}

    @checked
    def weights(self, name: str) -> dict[str, float]:
        """A free column as numbers from 0 on, by query."""
        cells = self._by_query(name)
        known = {query: _weight(cell) for query, cell in cells.items()}
        bad = [query for query, weight in known.items() if math.isnan(weight)]
        if bad:
            raise DataError(
                f"column {name!r} gives {plural(len(bad), 'query')} no weight, a finite number from 0 on",
                self.name,
                [f"query {clip(query)}" for query in bad[:SHOWN]],
                f"The first has {quoted(cells[bad[0]])}; fill the cells, or choose queries with only.",
            )
        return known

    def _by_query(self, name: str) -> dict[str, Any]:
        known = name if name in self._cells else _column(self.columns, [name])
        if known is None:
            why = "; " + did_you_mean(name, self.columns) if self.columns else ": it has only ids and texts"
            raise UsageError(f"{self.name} has no column {name!r}{why}")
        return dict(zip(self.ids, self._cells[known], strict=True))


def read_queries(path: str | PathLike[str]) -> Queries:
    """Queries from CSV, TSV, JSON, JSONL or Parquet with named columns, or text lines of an id and its words."""
    origin, columns, lines = _columns(path, IDS, ("id", "text"))
    return Queries(columns, name=origin, lines=lines)


def chosen_queries(text: str) -> list[str]:
    """Ids from a file that holds one a line, or that has a column of them; else from the text, between commas."""
    if text != "-" and not exists(text):
        ids: Iterable[str] = (part.strip() for part in text.split(","))
    else:
        origin, columns, lines = _columns(text, IDS, ("id",), is_named=False)
        if list(columns) == ["id"]:
            ids = (str(cell).partition("\t")[0].strip() for cell in columns["id"])
        else:
            ids = Queries(columns, name=origin, lines=lines).ids
    chosen = [query for query in dict.fromkeys(ids) if query]
    if not chosen:
        raise UsageError(f"{clip(text)!r} names no queries; give ids separated by commas, or a file with one per line")
    return chosen


def _columns(
    given: Any, ids: Sequence[str], bare: tuple[str, ...] = (), *, name: str = "", is_named: bool = True
) -> tuple[str, Mapping[str, list[Any]], list[int] | None]:
    """The name of a file or table, its columns, and the lines of its rows. The first line names columns where one of them is the
    id; that of a .csv that `is_named` does so whatever it says: an id that is not known is said then.
    """
    if is_frame(given):
        from rankgauge.data.columns import to_frame

        return name, to_frame(given, name).to_dict(as_series=False), None
    from rankgauge.data.read.small import read_columns

    source = Source(given)
    is_csv = is_named and source.name.endswith(".csv")
    is_header = lambda names: len(names) > 1 and (is_csv or _column(names, ids) is not None)  # noqa: E731
    return source.origin, *read_columns(source, is_header, bare)


def aligned_weights(weights: Mapping[str, float], queries: Sequence[str], *, is_part: bool = False) -> Floats:
    """One weight per query, in this order; every query needs one, and not all may be 0, unless they are but a part."""
    absent = [query for query in queries if query not in weights]
    if absent:
        queries_without = f"{plural(len(absent), 'judged query')} without a weight ({some_ids(absent)})"
        raise UsageError(f"{queries_without}; weight every query")
    array = np.array([_weight(weights[query]) for query in queries], np.float64)
    if np.isnan(array).any():
        query = queries[int(np.isnan(array).argmax())]
        raise UsageError(f"weight {weights[query]!r} of query {clip(query)} is not a finite number of at least 0")
    if array.max(initial=0) > LARGEST:
        at, most = int(array.argmax()), f"weights are at most {LARGEST:g}"
        raise UsageError(f"weight {array[at]:g} of query {clip(queries[at])} is too large; {most}")
    if not (is_part or array.sum() > 0):
        raise UsageError("the weights of all judged queries are 0; at least one must be above 0")
    return array


def _weight(cell: Any) -> float:
    """A finite number from 0 on; nan where the cell has none."""
    number = as_number(cell)
    return number if 0 <= number < math.inf else math.nan


def part_of(table: RowTable, wanted: Collection[str]) -> RowTable:
    """The rows of these queries, taken when they are asked for; chosen queries without judgments are remarked on."""

    def remarks(judged: Iterable[str]) -> tuple[Note, ...]:
        known = dict.fromkeys(judged)
        return about_absent([query for query in wanted if query not in known], len(wanted), list(known), table.origin)

    def read() -> RowTable:
        whole = table.load()
        query = as_text(whole.rows["query"])
        found = (*whole.remarks, *remarks(query.unique(maintain_order=True)))
        return whole._replace(rows=whole.rows.filter(query.is_in(list(wanted))), remarks=found)

    if not table.are_dicts:
        return RowTable(table.number, table.origin, read, unit=table.unit)
    kept = {query: documents for query, documents in table.rows.items() if query in wanted}
    return table._replace(rows=kept, remarks=(*table.remarks, *remarks(table.rows)))


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
    features: Iterable[Any] = repeat(None)
    items: Iterable[Any] | None
    if isinstance(given, Mapping) and column is None:
        items, features = given, given.values()
    elif isinstance(given, (str, PathLike)) or is_frame(given):
        origin, table, _ = _columns(given, DOCUMENTS, ("id",), name="items")
        items = table[_needed(table, DOCUMENTS, "for the item", origin)]
        if column is not None and column not in table:
            raise DataError(f"no column {clip(column)!r}", origin, hint=clip(did_you_mean(column, table), 300))
        features = features if column is None else table[column]
    else:
        items = None if isinstance(given, Mapping) else members(given)
    if items is None:
        what = type(given).__name__
        raise UsageError(f"cannot read items from {what}; give {{item: features}}, ids, a table or a path")
    found = {_id(item, "an item", "items"): kept for item, kept in zip(items, features, strict=False)}
    if not found:
        raise UsageError("items is empty; give at least one, or leave it out")
    return found


def unit_vectors(features: Mapping[str, Any]) -> tuple[dict[str, int], Floats]:
    """The row of each item that has features, and the rows, each of length 1: its vector, or 1 for each category it has."""
    known: dict[str, Any] = {}
    for item, given in features.items():
        if given is None or (isinstance(given, float) and np.isnan(given)):
            continue
        if isinstance(given, Mapping) or not isinstance(given, Sized):
            raise DataError(f"{quoted(given)} is neither categories nor a vector", "items", hint=_FEATURES)
        if len(given):
            known[item] = given
    if all(isinstance(part, str) for given in known.values() for part in given):
        lists = [given.split(SEPARATOR) if isinstance(given, str) else given for given in known.values()]
        named = [[part.strip() for part in parts if part.strip()] for parts in lists]
        places = {name: at for at, name in enumerate(dict.fromkeys(name for names in named for name in names))}
        rows = np.zeros((len(named), len(places)))
        for row, names in enumerate(named):
            rows[row, [places[name] for name in names]] = 1.0
    else:
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
    origin, table, _ = _columns(os.fspath(documents), DOCUMENTS, ("id", "title"))
    identity = _needed(table, DOCUMENTS, "of document ids", origin)
    titles = zip(table[identity], table[_needed(table, TITLES, "of titles", origin)], strict=True)
    return {str(document): "" if title is None else str(title) for document, title in titles}


def _column(names: Iterable[str], aliases: Sequence[str]) -> str | None:
    """The column that goes by one of these names, the surest first."""
    return next((name for alias in aliases for name in names if key(str(name)) == key(alias)), None)


def _needed(names: Iterable[str], aliases: Sequence[str], what: str, origin: str) -> str:
    found = _column(names, aliases)
    if found is None:
        columns = [f"columns: {clip(', '.join(map(str, names)), 300)}"]
        raise DataError(f"no column {what}", origin, columns, f"Name one of them {', '.join(aliases)}.")
    return found


def _id(given: Any, what: str, origin: str, places: Iterable[str] = ()) -> str:
    if isinstance(given, str) and given.strip():
        return given
    if isinstance(given, (int, np.integer)) and not isinstance(given, bool):
        return str(given)
    raise DataError(f"{quoted(given)} is not {what} id", origin, places, "Ids are text or whole numbers.")
