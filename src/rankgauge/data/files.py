"""From a path to bytes: plain, gzip or zstandard, or standard input."""

from __future__ import annotations

import gzip
import io
import mmap
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rankgauge.errors import DataError

GZIP, ZSTANDARD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
ENDINGS = (".gz", ".zst", ".trec", ".run", ".txt", ".csv", ".tsv", ".json", ".jsonl", ".parquet")
"""Endings that do not belong to a system's name."""


def system_name(path: str | Path) -> str:
    """The file's name without the known endings; other dots stay: covidex.r3.t5_lr.gz is covidex.r3.t5_lr."""
    name = Path(path).name
    while True:
        ending = next((end for end in ENDINGS if name.lower().endswith(end) and len(name) > len(end)), None)
        if ending is None:
            return name
        name = name[: -len(ending)]


@dataclass(frozen=True)
class Content:
    """The bytes of a file; `path` is set where a reader may open the file itself instead."""

    bytes: NDArray[np.uint8]
    path: str | None = None


def load(path: Path) -> Content:
    """Plain files are mapped into memory, compressed ones unpacked."""
    try:
        with path.open("rb") as file:
            if not path.is_file():  # a pipe can be read once and not be mapped
                return unpacked(file.read(), str(path))
            head = file.read(4)
            if head.startswith(GZIP) or head == ZSTANDARD:
                return unpacked(head + file.read(), str(path))
            if not head:
                return Content(np.empty(0, np.uint8))
            return Content(np.frombuffer(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), np.uint8), str(path))
    except IsADirectoryError:
        raise DataError("this is a folder; name the files in it", str(path)) from None
    except FileNotFoundError:
        raise DataError("there is no such file", str(path)) from None
    except OSError as problem:
        raise DataError(f"cannot be read ({problem.strerror or problem})", str(path)) from None


def unpacked(raw: bytes, origin: str) -> Content:
    """Bytes as they are, or what they hold when compressed."""
    try:
        if raw.startswith(GZIP):
            raw = gzip.decompress(raw)
        elif raw.startswith(ZSTANDARD):
            raw = _unpack_zstandard(raw, origin)
    except (OSError, EOFError, zlib.error) as problem:
        raise DataError(f"the compressed data are damaged ({problem})", origin) from None
    return Content(np.frombuffer(raw, np.uint8))


def _unpack_zstandard(raw: bytes, origin: str) -> bytes:
    # Polars carries a zstandard decoder; a one-column scan with a separator that text never holds returns the lines.
    import polars as pl

    try:
        frame = pl.read_csv(
            raw,
            has_header=False,
            separator="\x01",
            quote_char=None,
            schema={"line": pl.String},
            empty_string_is_null=False,
        )
    except pl.exceptions.PolarsError as problem:
        raise DataError(f"the compressed data are damaged ({str(problem).splitlines()[0]})", origin) from None
    return "\n".join(frame["line"].to_list()).encode()


def standard_input() -> bytes:
    return sys.stdin.buffer.read()


def text_lines(text: NDArray[np.uint8]) -> Iterator[tuple[int, bytes]]:
    """The lines with their numbers from 1; for finding faults, so speed does not matter."""
    yield from enumerate(io.BytesIO(text.tobytes()), start=1)
