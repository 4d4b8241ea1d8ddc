"""The first documents of every list, with grades and titles, for as many queries as the page has room for."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from rankgauge.arrays import Floats, Ints
from rankgauge.data.judgments import Judgments, Run
from rankgauge.data.policy import Policy
from rankgauge.evaluation import ranked
from rankgauge.presentation.explore.pack import Column, smallest
from rankgauge.presentation.explore.start import grade_codes
from rankgauge.tables.notes import shortened

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
    found = ranked.lists_of(judgments, runs, queries, policy, depth)
    codes = np.where(np.isnan(found.value), 0, grade_codes(found.value, grades) + 1)
    documents, positions, values = [], [], []
    for begin, end in pairwise(found.start.tolist()):
        texts = found.documents[begin:end]
        grade = dict(zip(texts, codes[begin:end].tolist(), strict=True))
        known = sorted(grade)
        place = {document: here for here, document in enumerate(known, 1)}
        rows = np.zeros((len(runs), depth), np.int64)
        rows[found.run[begin:end], found.rank[begin:end] - 1] = [place[document] for document in texts]
        documents.append(known)
        positions.append(rows)
        values.append(np.array([grade[document] for document in known], np.int64))
    named = None if titles is None else [[_short(titles.get(one, "")) for one in known] for known in documents]
    shown = [[shortened(one, LONGEST_ID) for one in known] for known in documents]
    return Lists(depth, shown, named, values, positions)


def by_spread(values: Floats) -> Ints:
    """Queries from the one on which the systems differ most to the one on which they differ least."""
    with np.errstate(invalid="ignore"):
        spread = np.nan_to_num(np.nanmax(values, axis=0, initial=-np.inf) - np.nanmin(values, axis=0, initial=np.inf))
    return np.argsort(-spread, kind="stable")


def _short(title: str) -> str:
    return shortened(" ".join(title.split()), LONGEST_TITLE)
