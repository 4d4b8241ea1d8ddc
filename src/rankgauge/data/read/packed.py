"""What gzip and zstandard pack: unpacked whole, or block by block, and never without a bound."""

from __future__ import annotations

import io
import mmap
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

from rankgauge.errors import DataError
from rankgauge.tables.notes import clip

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl

GZIP, ZSTANDARD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_BLOCK = 1 << 20
_DEFLATE = 1032
"""The most that gzip makes of a byte."""
_EASY, _TIMES = 1 << 28, 100
"""Bytes that may always be unpacked, and beyond these the most that a packed byte may become: text of runs and judgments
packs to a tenth, a file that is made to fill the memory to a thousandth."""


@contextmanager
def unpacking(origin: str) -> Iterator[None]:
    """Faults of packed data as errors that name the file."""
    try:
        yield
    except damages() as problem:
        if getattr(problem, "errno", None):  # the disk, not the data
            raise
        first = (str(problem).splitlines() or [type(problem).__name__])[0]
        message, hint = f"the compressed data are damaged ({first})", "Copy or pack the file again."
        raise DataError(message, clip(origin, 300), hint=hint) from None


def gzip_tool() -> Any:
    """The gzip of isal where it is installed, which unpacks in two thirds of the time, else that of Python."""
    try:
        from isal import igzip
    except ImportError:
        import gzip

        return gzip
    return igzip


def damages() -> tuple[type[Exception], ...]:
    """What packed data raise that are damaged."""
    import polars as pl

    return OSError, EOFError, zlib.error, getattr(gzip_tool(), "isal_zlib", zlib).error, pl.exceptions.PolarsError


def unpack(raw: bytes, origin: str) -> bytes:
    """What the bytes of a packed file hold."""
    with unpacking(origin):
        if raw.startswith(GZIP) and len(raw) < _EASY // _DEFLATE:
            return bytes(gzip_tool().decompress(raw))
        if raw.startswith(GZIP):
            with gzip_tool().open(io.BytesIO(raw)) as file:
                return b"".join(bounded(iter(lambda: file.read(_BLOCK), b""), len(raw), origin))
        refuse_bomb(zstandard_size(raw), len(raw), origin)
        return unpack_zstandard(raw, origin)


def bounded(blocks: Iterable[bytes], packed: int, origin: str) -> Iterator[bytes]:
    """The blocks, until they are more than so many packed bytes hold."""
    size = 0
    for block in blocks:
        size += len(block)
        refuse_bomb(size, packed, origin)
        yield block


def refuse_bomb(size: int, packed: int, origin: str) -> None:
    if size > max(_EASY, _TIMES * packed):
        raise DataError(
            f"{packed:,} packed bytes become more than {max(_EASY, _TIMES * packed) // 10**6:,} MB",
            clip(origin, 300),
            hint="No text of judgments or runs packs this well. If it is sound, unpack it, and give the unpacked file.",
        )


def zstandard_size(raw: bytes | mmap.mmap) -> int:
    """At most so many bytes are in these frames, by the sizes in their headers and in those of their blocks (RFC 8878)."""
    at = size = 0
    while at + 8 < len(raw):
        if int.from_bytes(raw[at : at + 4], "little") & 0xFFFFFFF0 == _SKIPPED:
            at += 8 + int.from_bytes(raw[at + 4 : at + 8], "little")
        elif raw[at : at + 4] == ZSTANDARD:
            at, more = _frame(raw, at + 4)
            size += more
        else:
            break  # damaged: whoever unpacks it says how
    return size


def _frame(raw: bytes | mmap.mmap, at: int) -> tuple[int, int]:
    """Where a frame ends that begins here, and how many bytes it holds at most."""
    about = raw[at]
    single = about >> 5 & 1
    stated = (0, 2, 4, 8)[about >> 6] or single
    at += 1 + (1 - single) + (0, 1, 2, 4)[about & 3]
    known = int.from_bytes(raw[at : at + stated], "little") + (256 if stated == 2 else 0)
    at += stated
    size, last = 0, False
    while not last and at + 3 <= len(raw):
        header = int.from_bytes(raw[at : at + 3], "little")
        last, kind, length = bool(header & 1), header >> 1 & 3, header >> 3
        size += length if kind < 2 else _LARGEST
        at += 3 + (1 if kind == 1 else length)
    return at + (4 if about & 4 else 0), known if stated else size


_LARGEST = 1 << 17
"""Bytes of a block."""
_SKIPPED = 0x184D2A50
"""How a frame begins that holds something else than data; its last four bits are free."""

_LINE = 50
"""About as many bytes as a line of a run has."""

_GUARD = ZSTANDARD + b"\x20\x01\x09\x00\x00."
"""A frame that holds one point: around the others it keeps a byte-order mark and a final carriage return."""
_BINARY = "this is a binary file, not text"
_SIGNS = "".join(chr(number) for number in range(1, 32) if chr(number) not in "\t\n\r")
"""Control characters; two that a text has not got end its only line and its only cell."""


def unpack_zstandard(raw: bytes, origin: str = "") -> bytes:
    """The text of zstandard frames, byte by byte. Polars unpacks, as a table of one cell."""
    import polars as pl

    for end, separator in zip(_SIGNS[::2], _SIGNS[1::2], strict=True):
        try:
            cells = _cells(_GUARD + raw + _GUARD, separator, end).collect()["line"]
        except (pl.exceptions.ComputeError, pl.exceptions.SchemaError) as problem:
            if "utf-8" in str(problem):
                raise _not_utf8(raw, origin) from None
            if "schema" in str(problem).lower():  # more than one cell
                continue
            raise
        if len(cells) == 1:
            return str(cells[0])[1:-1].encode()
    raise DataError(_BINARY, origin, hint="Give text, Parquet, or text in .gz or .zst.")


def _not_utf8(raw: bytes, origin: str) -> DataError:
    import polars as pl

    try:
        text = "\n".join(_cells(raw, encoding="utf8-lossy").collect()["line"].fill_null(""))
    except (pl.exceptions.ComputeError, pl.exceptions.SchemaError):
        return DataError(_BINARY, origin, hint="Give text; Parquet needs no packing: unpack it first.")
    line = 1 + text.partition("\N{REPLACEMENT CHARACTER}")[0].count("\n")
    return DataError(f"line {line:,} is not UTF-8 text", origin, hint="Convert the text to UTF-8 and pack it again.")


def packed_head(path: Path, size: int, *, is_gzip: bool) -> bytes:
    """The first lines, about this many bytes; the rest is not unpacked unless something is odd."""
    import polars as pl

    if is_gzip:
        with gzip_tool().open(path) as file:
            return file.read(size)
    _refuse_zstandard(path)
    try:
        return _text(_cells(path).head(size // _LINE).collect())[:size]
    except (pl.exceptions.ComputeError, pl.exceptions.SchemaError):
        return unpack_zstandard(path.read_bytes(), str(path))[:size]


def unpack_blocks(path: Path, size: int) -> Iterator[bytes]:
    """All lines in blocks of about this many bytes, unpacked as they are asked for."""
    _refuse_zstandard(path)
    for block in _cells(path).collect_batches(chunk_size=max(1, size // _LINE), lazy=True):
        yield _text(block) + b"\n"


def gzip_blocks(path: Path, size: int) -> Iterator[bytes]:
    """All of a file in blocks of this many bytes."""
    with gzip_tool().open(path) as file:
        yield from bounded(iter(lambda: file.read(size), b""), path.stat().st_size, str(path))


def _refuse_zstandard(path: Path) -> None:
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as raw:
        refuse_bomb(zstandard_size(raw), len(raw), str(path))


def _cells(
    source: bytes | Path, separator: str = "\x01", end: str = "\n", encoding: Literal["utf8", "utf8-lossy"] = "utf8"
) -> pl.LazyFrame:
    import polars as pl

    return pl.scan_csv(
        source,
        has_header=False,
        separator=separator,
        eol_char=end,
        encoding=encoding,
        quote_char=None,
        schema={"line": pl.String},
        glob=False,
        raise_if_empty=False,
    )


def _text(lines: pl.DataFrame) -> bytes:
    return "".join(lines["line"].fill_null("").str.join("\n")).encode()
