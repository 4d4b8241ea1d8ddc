"""Two runs compared without judgments: what a user would see change, query by query."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from rankgauge.arrays import Flags, Ints
from rankgauge.data.judgments import runs_of
from rankgauge.data.policy import Policy
from rankgauge.data.table import Table as Lists
from rankgauge.errors import AnalysisError, DataError, UsageError
from rankgauge.evaluation.ranked import best_first
from rankgauge.kernels.ranks import rank_biased_overlap
from rankgauge.signature import Size, checked
from rankgauge.tables import Plain, Shown
from rankgauge.tables.table import Cell, Column, Table, number

if TYPE_CHECKING:
    import polars as pl

SHOWN = 10


@dataclass(frozen=True, slots=True)
class QueryChurn(Plain):
    """One query. `first_change` is the rank at which the two lists part, None when the tops are the same."""

    query: str
    overlap: float
    rbo: float
    first_change: int | None
    entered: tuple[str, ...]
    left: tuple[str, ...]


@dataclass(frozen=True, repr=False)
class Churn(Shown):
    """Queries from the most to the least changed; means are over the queries that both runs have.

    `changed` counts queries whose top differs in any way, `reordered` those among them with the same documents.
    """

    _json_names: ClassVar = {"query_count": "queries"}
    _json_also: ClassVar = ("summary",)

    cutoff: int
    persistence: float
    query_count: int
    changed: int
    reordered: int
    new_first: int
    overlap: float
    rbo: float
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]
    per_query: tuple[QueryChurn, ...]

    @property
    def queries(self) -> tuple[str, ...]:
        return tuple(found.query for found in self.per_query)

    @property
    def summary(self) -> str:
        return (
            f"{self.changed:,} of {self.query_count:,} queries changed in the top {self.cutoff} "
            f"({self.reordered:,} only in order), {self.new_first:,} have a new first result; "
            f"overlap {self.overlap:.4f}, RBO {self.rbo:.4f}."
        )

    def table(self) -> Table:
        """The most changed queries under the sentence."""
        return self.query_table(limit=SHOWN)

    @checked
    def query_table(self, limit: Size | None = None, texts: Mapping[str, str] | None = None) -> Table:
        """Queries from the most changed on, with their words where `texts` has them."""
        changed = [found for found in self.per_query if found.first_change is not None]
        shown = self.per_query if limit is None else changed[:limit]
        columns: tuple[Column, ...] = (Column("query"), *([Column("text")] if texts else []))
        columns += (number(f"overlap@{self.cutoff}"), number("RBO"))
        columns += (number("first change"), number("entered"), number("left"))
        rows: list[tuple[Cell, ...]] = []
        for found in shown:
            words = [texts.get(found.query, "")] if texts else []
            numbers = (found.overlap, found.rbo, found.first_change, len(found.entered), len(found.left))
            rows.append((found.query, *words, *numbers))
        more = len(changed) - len(shown)
        notes = [f"{more:,} more changed; --per-query lists all"] if more > 0 else []
        for where, absent in (("first", self.only_before), ("second", self.only_after)):
            if absent:
                notes.append(f"only in the {where} run, left out: {len(absent):,} ({', '.join(absent[:3])})")
        return Table(columns, tuple(rows), self.summary, tuple(notes))

    def __repr__(self) -> str:
        return f"Churn({self.summary})"


def churn_of(
    runs: Any, *, only: Iterable[str | int] | None = None, cutoff: int = 10, depth: int | None = None
) -> Churn:
    """Two runs, in any form that `evaluate` takes, compared by what users would see change."""
    listed = [] if runs is None else runs_of(runs)
    if len(listed) != 2:
        raise UsageError(f"without judgments, give two runs, the old one and the new one, not {len(listed)}")
    before, after = (best_first(run, Policy(), depth) for run in listed)
    if only is not None:
        wanted = {only} if isinstance(only, str) else set(map(str, only))
        absent = sorted(wanted - set(before.queries) - set(after.queries))
        if absent:
            raise UsageError(f"neither run has query {absent[0]!r}" + (" and others" if len(absent) > 1 else ""))
        before, after = (
            table.keep(np.flatnonzero(np.repeat([query in wanted for query in table.queries], table.size)))
            for table in (before, after)
        )
    return churn(before, after, cutoff=cutoff)


def churn(before: Lists, after: Lists, *, cutoff: int = 10, persistence: float = 0.9) -> Churn:
    """Documents of each query, best first, before and after a change.

    overlap is the share of documents common to both tops, of the longer one when a list is shorter than the cutoff; RBO
    looks at the whole lists, with weight `persistence`^depth.
    """
    import polars as pl

    places = [
        {query: at for at, (query, size) in enumerate(zip(table.queries, table.size.tolist(), strict=True)) if size}
        for table in (before, after)
    ]
    only_before, only_after = (tuple(sorted(mine.keys() - other.keys())) for mine, other in (places, places[::-1]))
    shared = sorted(places[0].keys() & places[1].keys())
    if not shared:
        raise AnalysisError("the two runs have no query in common; are their query ids written the same way?")
    documents = pl.concat([table.ids.column.as_texts.at(np.arange(len(table.number))) for table in (before, after)])
    item = documents.cast(pl.Categorical).to_physical().to_numpy().astype(np.int64)
    old, new = (
        _Side.of(table, [mine[query] for query in shared], item[begin : begin + len(table.number)], begin)
        for table, mine, begin in ((before, places[0], 0), (after, places[1], len(before.number)))
    )
    for side in (old, new):
        side.refuse_repeated(shared, documents)
    # Where each document of the one is in the other: 0 where it is not there.
    there, here = old.rank_in(new), new.rank_in(old)
    tops = np.minimum(np.stack([old.size, new.size]), cutoff)
    longer = tops.max(axis=0)
    stays = (new.rank <= cutoff) & (here > 0) & (here <= cutoff)
    kept = np.bincount(new.query[stays], minlength=len(shared))
    overlap = np.divide(kept, longer, out=np.ones(len(shared)), where=longer > 0)
    both = here > 0
    rbo = rank_biased_overlap(
        new.query[both], np.maximum(new.rank, here)[both], np.stack([old.size, new.size]), persistence
    )
    change = new.size + 1
    np.minimum.at(change, new.query[here != new.rank], new.rank[here != new.rank])
    entered = new.names((new.rank <= cutoff) & ~stays, documents, len(shared))
    left = old.names((old.rank <= cutoff) & ~((there > 0) & (there <= cutoff)), documents, len(shared))
    changed = change <= longer
    rows = zip(shared, overlap.tolist(), rbo.tolist(), change.tolist(), changed.tolist(), entered, left, strict=True)
    found = [
        QueryChurn(query, share, similar, rank if moved else None, came, went)
        for query, share, similar, rank, moved, came, went in rows
    ]
    return Churn(
        cutoff=cutoff,
        persistence=persistence,
        query_count=len(shared),
        changed=int(changed.sum()),
        reordered=sum(query.first_change is not None and not query.entered and not query.left for query in found),
        new_first=int((changed & (change == 1)).sum()),
        overlap=float(np.mean(overlap)),
        rbo=float(np.mean(rbo)),
        only_before=only_before,
        only_after=only_after,
        per_query=tuple(found[at] for at in np.lexsort((rbo, overlap)).tolist()),
    )


class _Side(NamedTuple):
    """The lists of one run for the queries that both have, in their order, best first."""

    query: Ints
    rank: Ints
    item: Ints
    """A number for each document, the same in both runs."""
    row: Ints
    """Where its name is."""
    size: Ints

    @classmethod
    def of(cls, table: Lists, lists: list[int], item: Ints, begin: int) -> _Side:
        size = table.size[lists]
        query = np.repeat(np.arange(len(lists)), size)
        rank = np.arange(1, len(query) + 1) - np.repeat(np.cumsum(size) - size, size)
        row = np.repeat(table.start[:-1][lists], size) + rank - 1
        return cls(query, rank, item[row], row + begin, size)

    def rank_in(self, other: _Side) -> Ints:
        """The rank that the other run gives each document; 0 where it has not got it."""
        width = max(int(self.item.max(initial=0)), int(other.item.max(initial=0))) + 1
        key, wanted = other.query * width + other.item, self.query * width + self.item
        by = np.argsort(key)
        at = by[np.minimum(np.searchsorted(key, wanted, sorter=by), len(by) - 1)]
        return np.where(key[at] == wanted, other.rank[at], 0)

    def refuse_repeated(self, queries: list[str], documents: pl.Series) -> None:
        by = np.lexsort((self.item, self.query))
        again = (np.diff(self.item[by]) == 0) & (np.diff(self.query[by]) == 0)
        if again.any():
            at = int(by[1:][again].min())
            query, twice = queries[self.query[at]], documents[int(self.row[at])]
            raise DataError(f"query {query} has document {twice} twice", hint="Keep one place for each document.")

    def names(self, chosen: Flags, documents: pl.Series, queries: int) -> list[tuple[str, ...]]:
        """The documents chosen, query by query."""
        start = np.searchsorted(self.query[chosen], np.arange(queries + 1)).tolist()
        names = documents[self.row[chosen]].to_list()
        return [tuple(names[begin:end]) for begin, end in pairwise(start)]
