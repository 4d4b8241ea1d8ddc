"""The first documents of every list, with grades and titles, for as many queries as the page has room for."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.arrays import Floats, Ints
from rankgauge.data.judgments import Judgments
from rankgauge.data.policy import Policy
from rankgauge.data.run import Run
from rankgauge.presentation.explore.pack import Column, smallest
from rankgauge.presentation.explore.start import grade_codes
from rankgauge.tables.table import shortened

if TYPE_CHECKING:
    import polars as pl

LONGEST_ID, LONGEST_TITLE = 120, 160


@dataclass(frozen=True)
class Lists:
    """For each query its documents, and for each system their positions, 0 where a list is shorter."""

    depth: int
    documents: list[list[str]]
    titles: list[list[str]] | None
    grades: list[Column]
    """Of the documents: 0 for unjudged, else the code of the grade and 1."""
    positions: list[Column]
    """Systems × depth, from 1."""

    def columns(self, queries: Sequence[int]) -> tuple[dict[str, Any], dict[str, Column]]:
        """Facts and columns for these queries."""
        if not self.depth:
            return {"depth": 0, "queries": []}, {}
        texts: dict[str, Any] = {"documents": [self.documents[query] for query in queries]}
        if self.titles is not None:
            texts["titles"] = [self.titles[query] for query in queries]
        none = np.zeros(0, np.int64)
        columns = {
            "positions": smallest(np.concatenate([none, *(self.positions[query].ravel() for query in queries)])),
            "judged": smallest(np.concatenate([none, *(self.grades[query] for query in queries)])),
            "texts": np.frombuffer(json.dumps(texts, ensure_ascii=False, separators=(",", ":")).encode(), np.uint8),
        }
        return {"depth": self.depth, "queries": list(queries)}, columns


def lists_of(
    judgments: Judgments,
    runs: Sequence[Run],
    queries: Sequence[str],
    grades: Floats,
    policy: Policy,
    depth: int,
    titles: Mapping[str, str] | None,
) -> Lists:
    if not depth:
        return Lists(0, [], None, [], [])
    code = {query: at for at, query in enumerate(queries)}
    tops = [_top(run, code, policy, depth) for run in runs]
    judged = _judged(judgments, code, grades)
    documents, positions, values = [], [], []
    for at in range(len(queries)):
        known = sorted({document for top in tops for document in top.get(at, ())})
        place = {document: here for here, document in enumerate(known, 1)}
        rows = np.zeros((len(runs), depth), np.int64)
        for system, top in enumerate(tops):
            found = [place[document] for document in top.get(at, ())]
            rows[system, : len(found)] = found
        documents.append(known)
        positions.append(rows)
        values.append(np.array([judged[at].get(document, 0) for document in known], np.int64))
    named = None if titles is None else [[_short(titles.get(one, "")) for one in known] for known in documents]
    shown = [[shortened(one, LONGEST_ID) for one in known] for known in documents]
    return Lists(depth, shown, named, values, positions)


def by_spread(values: Floats) -> Ints:
    """Queries from the one on which the systems differ most to the one on which they differ least."""
    with np.errstate(invalid="ignore"):
        spread = np.nan_to_num(np.nanmax(values, axis=0, initial=-np.inf) - np.nanmin(values, axis=0, initial=np.inf))
    return np.argsort(-spread, kind="stable")


def _top(run: Run, code: Mapping[str, int], policy: Policy, depth: int) -> dict[int, list[str]]:
    """The first documents of each judged query, in the order that the ranks have."""
    import polars as pl

    frame = run.to_polars().filter(pl.col("query").is_in(list(code)))
    score = pl.col("score").cast(pl.Float32) if policy.precision == "single" else pl.col("score")
    keys, falling = [pl.col("query"), score], [False, True]
    if policy.ties != "order":
        keys, falling = [*keys, pl.col("document")], [*falling, True]
    ordered: pl.DataFrame = frame.sort(keys, descending=falling, maintain_order=True)
    heads = ordered.group_by("query", maintain_order=True).head(min(depth, policy.depth or depth))
    lists: dict[int, list[str]] = {}
    for query, document in zip(heads["query"].to_list(), heads["document"].to_list(), strict=True):
        lists.setdefault(code[query], []).append(document)
    return lists


def _judged(judgments: Judgments, code: Mapping[str, int], grades: Floats) -> list[dict[str, int]]:
    frame = judgments.to_polars()
    found: list[dict[str, int]] = [{} for _ in code]
    codes = (grade_codes(frame["value"].to_numpy(), grades) + 1).tolist()
    for query, document, grade in zip(frame["query"].to_list(), frame["document"].to_list(), codes, strict=True):
        if query in code:
            found[code[query]][document] = grade
    return found


def _short(title: str) -> str:
    return shortened(" ".join(title.split()), LONGEST_TITLE)
