"""Zstandard by way of Polars, which carries a decoder: a scan of one column whose separator no text holds gives lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

_LINE = 50
"""About as many bytes as a line of a run has."""


def unpack(raw: bytes) -> bytes:
    return _text(_lines(raw).collect())


def unpack_head(path: Path, size: int) -> bytes:
    """The first lines, about so many bytes; what stands behind them is not unpacked."""
    return _text(_lines(path).head(size // _LINE).collect())[:size]


def unpack_blocks(path: Path, size: int) -> Iterator[bytes]:
    """All lines in blocks of about so many bytes, unpacked as they are asked for."""
    rows = max(1, size // _LINE)
    for block in _lines(path).collect_batches(chunk_size=rows, lazy=True):
        yield _text(block) + b"\n"


def _lines(source: bytes | Path) -> pl.LazyFrame:
    import polars as pl

    return pl.scan_csv(
        source,
        has_header=False,
        separator="\x01",
        quote_char=None,
        schema={"line": pl.String},
        glob=False,
        raise_if_empty=False,
    )


def _text(lines: pl.DataFrame) -> bytes:
    return "".join(lines["line"].fill_null("").str.join("\n")).encode()
