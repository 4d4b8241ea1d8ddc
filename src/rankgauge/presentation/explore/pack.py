"""Judgments and runs as columns that the page computes with: ranks, grades and ties of the judged documents."""

from __future__ import annotations

import base64
import functools
import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankgauge.arrays import Flags, Floats, Ints
from rankgauge.data.match import Match
from rankgauge.kernels.hits import Hits, starts_of
from rankgauge.presentation.explore import weights
from rankgauge.presentation.explore.start import grade_codes

MAGIC = 0x52474558
Column = NDArray[Any]


@dataclass(frozen=True)
class Blob:
    """Facts in words and columns of numbers, as one compressed text."""

    facts: dict[str, Any]
    columns: dict[str, Column]

    def text(self) -> str:
        """Base64 of gzip; the same content gives the same text."""
        layout: dict[str, Any] = {}
        parts: list[bytes] = []
        size = 0
        for name, column in self.columns.items():
            data = np.ascontiguousarray(column).astype(column.dtype.newbyteorder("<")).tobytes()
            layout[name] = [size, len(column), column.dtype.name]
            parts.append(_padded(data))
            size += len(parts[-1])
        head = json.dumps(self.facts | {"layout": layout}, ensure_ascii=False, separators=(",", ":")).encode()
        begin = np.array([MAGIC, len(head)], "<u4").tobytes() + head
        return base64.b64encode(gzip.compress(_padded(begin) + b"".join(parts), 9, mtime=0)).decode()


def _padded(data: bytes) -> bytes:
    """Numbers of eight bytes can be read in place only where their column begins at a multiple of eight."""
    return data + b"\0" * (-len(data) % 8)


def smallest(column: Column) -> Column:
    """Whole numbers in as few bytes as hold them."""
    most = int(column.max(initial=0))
    return column.astype(np.uint8 if most < 256 else np.uint16 if most < 65536 else np.uint32)


def packed(matches: Sequence[Match], grades: Floats) -> dict[str, Column]:
    """The columns of all runs, one after the other, system by system and query by query."""
    parts = [_run_columns(matched.hits, grades) for matched in matches]
    pool = matches[-1].pool
    found = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    counts = np.zeros((pool.queries, len(grades)), np.int64)
    np.add.at(counts, (pool.query, grade_codes(pool.value, grades)), 1)
    columns = {name: smallest(found[name]) for name in ("count", "rank", "grade", "before", "after")}
    columns |= {name: np.packbits(found[name], bitorder="little") for name in ("tied", "missing")}
    return columns | {"pool": smallest(counts.ravel())} | _weight_columns()


def _run_columns(hits: Hits, grades: Floats) -> dict[str, Column]:
    kept = hits.keep(_reachable(hits))
    step = np.diff(kept.rank, prepend=0)
    opens = starts_of(kept.query)
    step[opens] = kept.rank[opens]
    tied = kept.first != kept.last
    return {
        "count": np.bincount(kept.query, minlength=hits.queries),
        "rank": step,
        "grade": grade_codes(kept.value, grades),
        "tied": tied,
        "before": (kept.rank - kept.first)[tied],
        "after": (kept.last - kept.rank)[tied],
        "missing": hits.retrieved == 0,
    }


def _reachable(hits: Hits) -> Flags:
    """Hits that can be within the largest cutoff, with or without unjudged documents; tie groups stay whole."""
    judged: Ints = np.cumsum(hits.value >= 0) - (hits.value >= 0)
    opens = starts_of(hits.query)
    at_query, at_group = np.cumsum(opens) - 1, np.cumsum(starts_of(hits.query, hits.first)) - 1
    before_query: Ints = judged[opens][at_query]
    before_group: Ints = judged[starts_of(hits.query, hits.first)][at_group] - before_query
    reachable: Flags = (hits.first <= weights.DEPTH) | (before_group < weights.DEPTH)
    return reachable


@functools.cache
def _weight_columns() -> dict[str, Column]:
    high, low = weights.roots()
    return {
        "log2": weights.log2_weights(),
        "root": high,
        "rest": low,
        "zipf": weights.zipf_differences().ravel(),
        "rbp": weights.rbp_differences().ravel(),
    }
