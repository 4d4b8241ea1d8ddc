"""Matching of plain dicts with NumPy alone, so that a small call never loads Polars."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, repeat
from typing import Any

import numpy as np

from rankgauge.data import checks
from rankgauge.data.tables import Rows, Table, flatten, mixed_ids
from rankgauge.kernels.hits import Hits, Ints, Pool, pool_of
from rankgauge.kernels.ranking import rank_rows


class JudgedDicts:
    """Judgments as dicts, with their pool."""

    def __init__(self, rows: Rows, table: Table) -> None:
        self.rows, self.table = rows, table
        self.names = list(rows)
        size, value = flatten(rows, table.number, table.origin)
        checks.refuse(checks.no_rows(len(value), table))
        checks.refuse(checks.not_finite(value, table, lambda row: name_of(rows, row)))
        self.pool: Pool = pool_of(np.repeat(np.arange(len(size)), size), value, len(size))

    def match(self, rows: Rows, table: Table, *, single: bool, given_order: bool) -> tuple[Hits, list[str]]:
        """Hits of a run, and the ids of its queries that nobody judged."""
        known = [query for query in self.names if query in rows]
        foreign = [query for query in rows if query not in self.rows]
        part = {query: rows[query] for query in known}
        size, score = flatten(part, table.number, table.origin)
        checks.refuse(checks.not_finite(score, table, lambda row: name_of(part, row)))
        documents = list(chain.from_iterable(part.values()))
        grades = chain.from_iterable(map(self.rows[query].get, found, repeat(np.nan)) for query, found in part.items())
        value = np.fromiter(grades, np.float64, len(documents))
        hit = np.flatnonzero(~np.isnan(value))
        start = np.concatenate(([0], np.cumsum(size)))

        def by_document(wanted: Ints) -> Any:
            ids = [documents[row] for row in wanted.tolist()]
            try:
                best_first = sorted(range(len(ids)), key=ids.__getitem__, reverse=True)
            except TypeError:
                mixed_ids(table.origin).refuse()
            key = np.empty(len(ids), np.int64)
            key[best_first] = np.arange(len(ids))
            return key

        ranks = rank_rows(
            start,
            score.astype(np.float32) if single else score,
            hit,
            (lambda wanted: wanted) if given_order else by_document,
        )
        code = np.flatnonzero(np.fromiter((query in rows for query in self.names), np.bool_, len(self.names)))
        retrieved = np.zeros(len(self.names), np.int64)
        retrieved[code] = size
        query = code[ranks.segment]
        order = np.lexsort((ranks.rank, query))
        return Hits(
            query[order], ranks.rank[order], value[hit][order], ranks.first[order], ranks.last[order], retrieved
        ), foreign


def name_of(rows: Rows, row: int) -> tuple[str, str]:
    """The query and document of a row counted over all queries."""
    pairs: Iterable[tuple[str, str]] = ((query, document) for query, found in rows.items() for document in found)
    for at, pair in enumerate(pairs):
        if at == row:
            return pair
    raise IndexError(row)
