"""Matching of plain dicts with NumPy alone, so that a small call never loads Polars."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, compress, islice, repeat
from typing import TYPE_CHECKING

import numpy as np

from rankgauge.data.tables import faults
from rankgauge.data.tables.table import Rows, RowTable, flatten, mixed_ids
from rankgauge.kernels.hits import Hits, Pool, pool_of
from rankgauge.kernels.ranking import leading_rows, rank_rows

if TYPE_CHECKING:
    from rankgauge.arrays import Floats, Ints
    from rankgauge.kernels.ranking import TieKey


class JudgedDicts:
    """Judgments as dicts, with their pool."""

    def __init__(self, rows: Rows, table: RowTable) -> None:
        self.rows, self.table = rows, table
        self.names = list(rows)
        size, value = flatten(rows, table.number, table.origin)
        faults.refuse(faults.no_rows(len(value), table))
        faults.refuse(faults.not_finite(value, table, lambda row: name_of(rows, row)))
        self.pool: Pool = pool_of(np.repeat(np.arange(len(size)), size), value, len(size))

    def match(
        self, rows: Rows, table: RowTable, *, single: bool, given_order: bool, deepest: int | None = None
    ) -> tuple[Hits, list[str]]:
        """Hits of a run, and the ids of its queries that nobody judged.

        With `deepest`, hits further down may be left out, and most documents need not be looked up.
        """
        part = rows if list(rows) == self.names else {query: rows[query] for query in self.names if query in rows}
        foreign = [query for query in rows if query not in part] if len(part) < len(rows) else []
        size, score = flatten(part, table.number, table.origin)
        faults.refuse(faults.not_finite(score, table, lambda row: name_of(part, row)))
        if single:
            score = score.astype(np.float32)
        start = np.concatenate(([0], np.cumsum(size)))
        chosen = None if deepest is None else leading_rows(start, score, deepest)
        if chosen is None:
            seen, documents = size, list(chain.from_iterable(part.values()))
        else:
            seen, documents = _chosen_documents(part, start, chosen)
            start, score = np.concatenate(([0], np.cumsum(seen))), score[chosen]
        value = self._values(part, seen, documents)
        hit = np.flatnonzero(~np.isnan(value))
        tie_key = (lambda wanted: wanted) if given_order else _by_document(documents, table.origin)
        ranks = rank_rows(start, score, hit, tie_key)
        code = self._codes_of(part)
        retrieved = np.zeros(len(self.names), np.int64)
        retrieved[code] = size
        return ranks.hits(code, value[hit], retrieved), foreign

    def _codes_of(self, part: Rows) -> Ints:
        if len(part) == len(self.names):
            return np.arange(len(self.names))
        return np.flatnonzero(np.fromiter(map(part.__contains__, self.names), np.bool_, len(self.names)))

    def _values(self, part: Rows, seen: Ints, documents: list[str]) -> Floats:
        """The judged value of each document, nan where there is none; `seen` counts the documents of each query."""
        one_by_one = iter(documents)
        of_query = map(islice, repeat(one_by_one), seen.tolist())
        judged = (self.rows[query].get for query in part)
        values = chain.from_iterable(map(map, judged, of_query, repeat(repeat(np.nan))))
        return np.fromiter(values, np.float64, len(documents))


def _chosen_documents(part: Rows, start: Ints, chosen: Ints) -> tuple[Ints, list[str]]:
    """How many rows of each query are chosen, and their documents."""
    bounds = np.searchsorted(chosen, start)
    seen = np.diff(bounds)
    last = chosen[bounds[1:][seen > 0] - 1] - start[:-1][seen > 0]
    if np.array_equal(last, seen[seen > 0] - 1):
        # The best come first in every query, as most systems write them: no need to walk over the rest.
        return seen, list(chain.from_iterable(map(islice, part.values(), seen.tolist())))
    is_chosen = np.zeros(start[-1], np.uint8)
    is_chosen[chosen] = 1
    return seen, list(compress(chain.from_iterable(part.values()), is_chosen.tobytes()))


def _by_document(documents: list[str], origin: str) -> TieKey:
    """Inside a tie the greater id ranks first; Python compares texts as their UTF-8 bytes compare."""

    def key_of(wanted: Ints) -> Ints:
        ids = [documents[row] for row in wanted.tolist()]
        try:
            best_first = sorted(range(len(ids)), key=ids.__getitem__, reverse=True)
        except TypeError:
            mixed_ids(origin).refuse()
        key = np.empty(len(ids), np.int64)
        key[best_first] = np.arange(len(ids))
        return key

    return key_of


def name_of(rows: Rows, row: int) -> tuple[str, str]:
    """The query and document of a row counted over all queries."""
    pairs: Iterable[tuple[str, str]] = ((query, document) for query, found in rows.items() for document in found)
    for at, pair in enumerate(pairs):
        if at == row:
            return pair
    raise IndexError(row)
