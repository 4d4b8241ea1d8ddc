"""What a user may hand over as judgments or a run, made a table."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rankgauge.data.tables import DictTable, FileTable, FrameTable, Table
from rankgauge.errors import UsageError


def table_of(data: Any, number: str, origin: str) -> Table:
    """Dicts, a path, a Polars frame, or anything that speaks Arrow."""
    if isinstance(data, (DictTable, FileTable, FrameTable)):
        return data
    if isinstance(data, Mapping):
        return DictTable.of(data, number, origin)
    if isinstance(data, (str, Path)):
        return file_table(Path(data), number)
    if hasattr(data, "__arrow_c_stream__"):
        from rankgauge.data.columns import frame_table

        return frame_table(data, number, origin)
    raise UsageError(
        f"{origin} cannot be made of {type(data).__name__}; "
        "give a path, a dict of dicts, or a Polars, pandas or Arrow table."
    )


def file_table(path: Path, number: str) -> FileTable:
    """A file, read when its rows are needed."""

    def read() -> FrameTable:
        from rankgauge.data import files, trec

        layout = trec.JUDGMENTS if number == "value" else trec.RUN
        frame = trec.read(files.load(path), layout, str(path))
        return FrameTable(
            frame, number, str(path), lambda pairs: trec.find_lines(files.load(path).bytes, layout, set(pairs))
        )

    return FileTable(read, number, str(path))
