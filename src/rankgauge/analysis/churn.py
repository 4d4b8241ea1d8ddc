"""Two runs compared without judgments: what a user would see change, query by query."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from rankgauge.data.listed import document_lists
from rankgauge.data.runs import runs_of
from rankgauge.errors import AnalysisError, DataError, UsageError
from rankgauge.kernels.ranks import rank_biased_overlap
from rankgauge.signature import Size, checked
from rankgauge.tables.shown import Plain, Shown
from rankgauge.tables.table import Cell, Column, Table, number

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
    before, after = (document_lists(run, depth) for run in listed)
    if only is not None:
        wanted = {only} if isinstance(only, str) else set(map(str, only))
        absent = sorted(wanted - before.keys() - after.keys())
        if absent:
            raise UsageError(f"neither run has query {absent[0]!r}" + (" and others" if len(absent) > 1 else ""))
        before, after = (
            {query: documents for query, documents in lists.items() if query in wanted} for lists in (before, after)
        )
    return churn(before, after, cutoff=cutoff)


def churn(
    before: Mapping[str, Sequence[str]],
    after: Mapping[str, Sequence[str]],
    *,
    cutoff: int = 10,
    persistence: float = 0.9,
) -> Churn:
    """Documents of each query, best first, before and after a change.

    overlap is the share of documents common to both tops, of the longer one when a list is shorter than the cutoff; RBO
    looks at the whole lists, with weight `persistence`^depth.

    >>> churn({"q": ["a", "b"]}, {"q": ["b", "a"]}, cutoff=2).reordered
    1
    """
    shared = [query for query in before if query in after]
    if not shared:
        raise AnalysisError("the two runs have no query in common; are their query ids written the same way?")
    found = [_query(query, before[query], after[query], cutoff, persistence) for query in shared]
    return Churn(
        cutoff=cutoff,
        persistence=persistence,
        query_count=len(shared),
        changed=sum(query.first_change is not None for query in found),
        reordered=sum(query.first_change is not None and not query.entered and not query.left for query in found),
        new_first=sum(query.first_change == 1 for query in found),
        overlap=float(np.mean([query.overlap for query in found])),
        rbo=float(np.mean([query.rbo for query in found])),
        only_before=tuple(query for query in before if query not in after),
        only_after=tuple(query for query in after if query not in before),
        per_query=tuple(sorted(found, key=lambda query: (query.overlap, query.rbo, query.query))),
    )


def _query(query: str, before: Sequence[str], after: Sequence[str], cutoff: int, persistence: float) -> QueryChurn:
    for documents in (before, after):
        if len(set(documents)) < len(documents):
            twice = next(document for place, document in enumerate(documents) if document in documents[:place])
            raise DataError(f"query {query} has document {twice} twice", hint="Keep one place for each document.")
    old, new = list(before[:cutoff]), list(after[:cutoff])
    seen, kept = set(old), set(new)
    entered = tuple(document for document in new if document not in seen)
    left = tuple(document for document in old if document not in kept)
    longer = max(len(old), len(new))
    overlap = (len(new) - len(entered)) / longer if longer else 1.0
    parted = next((place for place in range(longer) if old[place : place + 1] != new[place : place + 1]), None)
    change = None if parted is None else parted + 1
    return QueryChurn(query, overlap, rank_biased_overlap(before, after, persistence), change, entered, left)
