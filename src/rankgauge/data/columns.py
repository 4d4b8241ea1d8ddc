"""Tables with named columns: which column is what, whatever it is called."""

from __future__ import annotations

from typing import Any

import polars as pl

from rankgauge.data.tables import FrameTable
from rankgauge.errors import DataError

NAMES = {
    "query": ("query_id", "query-id", "query", "qid", "topic", "user_id", "user"),
    "document": ("doc_id", "corpus-id", "docid", "docno", "document", "item_id", "item"),
    "value": ("value", "grade", "relevance", "rel", "label", "rating", "score"),
    "score": ("score",),
}


def frame_table(data: Any, number: str, origin: str) -> FrameTable:
    """Any Arrow table; ids become text, numbers become float64."""
    frame = data if isinstance(data, pl.DataFrame) else pl.DataFrame(data)
    columns = {role: _pick(frame.columns, role, origin) for role in ("query", "document", number)}
    try:
        picked = frame.select(
            pl.col(columns["query"]).cast(pl.String).alias("query"),
            pl.col(columns["document"]).cast(pl.String).alias("document"),
            pl.col(columns[number]).cast(pl.Float64).alias(number),
        )
    except pl.exceptions.InvalidOperationError as problem:
        raise DataError(
            f"column {columns[number]!r} holds values that are no numbers", origin, [str(problem).splitlines()[0]]
        ) from None
    empty = [name for name, count in zip(picked.columns, picked.null_count().row(0), strict=True) if count]
    if empty:
        raise DataError(
            f"column {columns[empty[0]]!r} has empty cells", origin, hint="Fill them, or leave the rows out."
        )
    return FrameTable(picked, number, origin)


def _pick(columns: list[str], role: str, origin: str) -> str:
    lowered = {column.lower(): column for column in columns}
    for name in NAMES[role]:
        if name in lowered:
            return lowered[name]
    raise DataError(
        f"no column for the {role}",
        origin,
        [f"columns: {', '.join(columns)}"],
        f"Name one of them {', '.join(NAMES[role])}.",
    )
