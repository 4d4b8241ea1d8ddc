"""Two runs compared without judgments: what a user would see change, query by query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rankgauge.analysis.compare.options import checked_share
from rankgauge.errors import AnalysisError, DataError, UsageError
from rankgauge.kernels.resampling import FloatArray
from rankgauge.tables.shown import Shown
from rankgauge.tables.table import Cell, Column, Table, number

SHOWN = 10


@dataclass(frozen=True, slots=True)
class QueryChurn:
    """One query. `first_change` is the rank at which the two lists part, None when the tops are the same."""

    query: str
    overlap: float
    rbo: float
    first_change: int | None
    entered: tuple[str, ...]
    left: tuple[str, ...]

    def to_dict(self) -> dict[str, object]:
        return {
            "query": self.query,
            "overlap": self.overlap,
            "rbo": self.rbo,
            "first_change": self.first_change,
            "entered": list(self.entered),
            "left": list(self.left),
        }


@dataclass(frozen=True, slots=True, repr=False)
class Churn(Shown):
    """Queries from the most to the least changed; means are over the queries that both runs have.

    `changed` counts queries whose top differs in any way, `reordered` those among them with the same documents.
    """

    cutoff: int
    persistence: float
    queries: int
    changed: int
    reordered: int
    new_first: int
    overlap: float
    rbo: float
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]
    per_query: tuple[QueryChurn, ...]

    @property
    def summary(self) -> str:
        return (
            f"{self.changed:,} of {self.queries:,} queries changed in the top {self.cutoff} "
            f"({self.reordered:,} only in order), {self.new_first:,} have another first result; "
            f"overlap {self.overlap:.4f}, RBO {self.rbo:.4f}."
        )

    def table(self) -> Table:
        """The most changed queries under the sentence."""
        return self.query_table(limit=SHOWN)

    def query_table(self, limit: int | None = None, texts: Mapping[str, str] | None = None) -> Table:
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

    def to_dict(self) -> dict[str, object]:
        return {
            "cutoff": self.cutoff,
            "persistence": self.persistence,
            "queries": self.queries,
            "changed": self.changed,
            "reordered": self.reordered,
            "new_first": self.new_first,
            "overlap": self.overlap,
            "rbo": self.rbo,
            "only_before": list(self.only_before),
            "only_after": list(self.only_after),
            "summary": self.summary,
            "per_query": [found.to_dict() for found in self.per_query],
        }


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
    checked_share(persistence, "persistence", "0.9")
    if cutoff < 1:
        raise UsageError(f"cutoff is {cutoff}; it must be at least 1.")
    shared = [query for query in before if query in after]
    if not shared:
        raise AnalysisError("the two runs have no query in common; are their query ids written the same way?")
    found = [_query(query, before[query], after[query], cutoff, persistence) for query in shared]
    return Churn(
        cutoff=cutoff,
        persistence=persistence,
        queries=len(shared),
        changed=sum(query.first_change is not None for query in found),
        reordered=sum(query.first_change is not None and not query.entered and not query.left for query in found),
        new_first=sum(query.first_change == 1 for query in found),
        overlap=float(np.mean([query.overlap for query in found])),
        rbo=float(np.mean([query.rbo for query in found])),
        only_before=tuple(query for query in before if query not in after),
        only_after=tuple(query for query in after if query not in before),
        per_query=tuple(sorted(found, key=lambda query: (query.overlap, query.rbo, query.query))),
    )


def rank_biased_overlap(first: Sequence[str], second: Sequence[str], persistence: float = 0.9) -> float:
    """Extrapolated RBO of two lists that may differ in length (Webber, Moffat & Zobel 2010, equation 32).

    With X_d documents common to both tops d, s and l the lengths:
    (1-p)/p·[Σ_{d<=l} X_d/d·p^d + Σ_{s<d<=l} X_s(d-s)/(s·d)·p^d] + [(X_l-X_s)/l + X_s/s]·p^l.
    Two empty lists are alike, an empty and another one are not.
    """
    short, long = sorted((len(first), len(second)))
    if not short:
        return 1.0 if not long else 0.0
    common = _common(first, second, long)
    depth = np.arange(1.0, long + 1.0)
    unseen = np.where(depth > short, common[short - 1] * (depth - short) / short, 0.0)
    weight = persistence**depth
    seen = float(((common + unseen) / depth * weight).sum()) * (1.0 - persistence) / persistence
    last = (common[-1] - common[short - 1]) / long + common[short - 1] / short
    # Identical lists add up to 1 but for the rounding of the sum.
    return min(1.0, float(seen + last * weight[-1]))


def _common(first: Sequence[str], second: Sequence[str], depth: int) -> FloatArray:
    places = {document: place for place, document in enumerate(first)}
    later = [max(place, places[document]) for place, document in enumerate(second) if document in places]
    return np.cumsum(np.bincount(np.array(later, dtype=np.int64), minlength=depth)).astype(np.float64)


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
