"""Parquet: the columns that matter, and no others, are read."""

from __future__ import annotations

import io

import polars as pl

from rankgauge.data.read.file import Content, Source
from rankgauge.data.tables.columns import Wanted, pick
from rankgauge.data.tables.frames import failed, frame_table
from rankgauge.data.tables.table import FrameTable
from rankgauge.tables.notes import Note, noted

FAULTS = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)
"""What a damaged file makes of the parser; a panic of its Rust code is no Exception of Python."""


def read(source: Source, content: Content, wanted: Wanted) -> FrameTable:
    try:
        lazy = scan(content)
        names = lazy.collect_schema().names()
        picked = pick(names, wanted, source.origin)
        if isinstance(picked, Note):
            return failed(wanted.number, picked, "row")
        frame = lazy.select(list(dict.fromkeys(names[at] for at in picked.used))).collect()
    except FAULTS as problem:
        return failed(wanted.number, damaged(problem, source.origin))
    return frame_table(frame, wanted, source.origin)


def columns(content: Content) -> list[str]:
    """The names of the columns; none if the file is damaged."""
    try:
        return scan(content).collect_schema().names()
    except FAULTS:
        return []


def scan(content: Content) -> pl.LazyFrame:
    return pl.scan_parquet(content.path or io.BytesIO(content.bytes.tobytes()), glob=False, hive_partitioning=False)


def damaged(problem: BaseException, origin: str) -> Note:
    first = (str(problem).splitlines() or [""])[0]
    return noted("damaged", f"this Parquet file is damaged ({first})", origin, hint="Write the file again.")
