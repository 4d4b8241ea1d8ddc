"""One query of a run as a list of documents: for people to look at, so ids matter and speed does not."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from rankgauge.data.judgments import Judgments
from rankgauge.data.run import Run
from rankgauge.data.tables.table import RowTable, flatten
from rankgauge.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class RankedDocument:
    """A retrieved document; `value` is None where nobody judged it, `first` and `last` span its tie group."""

    rank: int
    document: str
    score: float
    value: float | None
    first: int
    last: int


def rows_of(table: RowTable, query: str) -> dict[str, float]:
    """Documents and numbers of one query, in the order given."""
    mapping = table.mapping()
    if mapping is not None:
        documents = mapping.get(query, {})
        return dict(zip(documents, flatten({query: documents}, table.number, table.origin)[1].tolist(), strict=True))
    frame = table.frame()
    part = frame.filter(frame["query"] == query)
    return dict(zip(part["document"].to_list(), part[table.number].to_list(), strict=True))


def document_lists(run: Run, depth: int | None = None) -> dict[str, list[str]]:
    """Documents of every query, best first, inside ties by id descending; the first `depth` of them if given."""
    return dict(ranked_rows(run, depth).group_by("query").agg("document").sort("query").iter_rows())


def ranked_rows(run: Run, depth: int | None = None, *, given_order: bool = False, single: bool = False) -> pl.DataFrame:
    """Columns query, document, rank (from 1): the first `depth` documents of every query, as `evaluate` orders them."""
    import polars as pl

    frame = run.to_polars()
    if single:
        frame = frame.with_columns(pl.col("score").cast(pl.Float32))
    keys = ["score"] if given_order else ["score", "document"]
    ordered = frame.sort(keys, descending=True, maintain_order=True)
    ranked = ordered.select("query", "document", (pl.int_range(pl.len()).over("query") + 1).alias("rank"))
    return ranked if depth is None else ranked.filter(pl.col("rank") <= depth)


def ranked_list(
    judgments: Judgments, run: Run, query: str, *, ties: str = "document", single: bool = False
) -> list[RankedDocument]:
    """The documents of a query by score, and inside ties by id or in the order given."""
    grades = rows_of(judgments.table, query)
    # All queries take far longer to find than one, and a query may be judged without having a document.
    if not grades and query not in (names := judgments.queries):
        raise UsageError(f"query {query!r} is not judged; " + did_you_mean(query, names))
    scores = rows_of(run.table, query)
    compared = {document: float(np.float32(score)) if single else score for document, score in scores.items()}
    ordered = list(compared)
    if ties == "reverse":
        ordered.reverse()
    elif ties not in {"order", "mean-rank"}:
        ordered.sort(reverse=ties != "document-asc")
    ordered.sort(key=lambda document: -compared[document])
    listed: list[RankedDocument] = []
    for _, group in groupby(ordered, key=compared.__getitem__):
        members = list(group)
        first, last = len(listed) + 1, len(listed) + len(members)
        listed += [
            RankedDocument(first + at, document, scores[document], grades.get(document), first, last)
            for at, document in enumerate(members)
        ]
    return listed


def by_relevance(listed: list[RankedDocument], *, best: bool) -> list[RankedDocument]:
    """Inside each tie group the best or the worst order; unjudged documents come between not relevant and relevant ones."""

    def worth(found: RankedDocument) -> tuple[int, float]:
        value = found.value
        return (0, 0.0) if value is None else (1 if value > 0 else -1, value)

    moved: list[RankedDocument] = []
    for _, group in groupby(listed, key=lambda found: found.first):
        moved += sorted(group, key=worth, reverse=best)
    return [replace(found, rank=rank) for rank, found in enumerate(moved, 1)]


def down_to(listed: list[RankedDocument], depth: int) -> list[RankedDocument]:
    return [replace(found, last=min(found.last, depth)) for found in listed[:depth]]


def condensed(listed: list[RankedDocument]) -> list[RankedDocument]:
    """Without unjudged documents; a negative value counts as unjudged, as everywhere."""
    kept = [found for found in listed if found.value is not None and found.value >= 0]
    spans: dict[int, list[int]] = {}
    for rank, found in enumerate(kept, 1):
        spans.setdefault(found.first, []).append(rank)
    return [
        replace(found, rank=rank, first=spans[found.first][0], last=spans[found.first][-1])
        for rank, found in enumerate(kept, 1)
    ]
