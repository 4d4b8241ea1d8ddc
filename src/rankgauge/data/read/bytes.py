"""From a path to bytes: a file, standard input or a pipe; plain, or packed by gzip or zstandard, and never without a bound."""

from __future__ import annotations

import builtins
import io
import mmap
import os
import re
import select
import stat
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import IO, TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from rankgauge.errors import DataError, UsageError
from rankgauge.tables.notes import clip, noted, quoted

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl

BOM = b"\xef\xbb\xbf"
UTF16 = (b"\xff\xfe", b"\xfe\xff")
GZIP, ZSTANDARD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
PACKED = (".gz", ".zst")
ENDINGS = (*PACKED, ".trec", ".run", ".txt", ".csv", ".tsv", ".json", ".jsonl", ".parquet")
"""Endings that do not belong to a system's name."""
HEAD = 1 << 16
PIECE = 1 << 18
"""Bytes that fit the cache, and are enough that threads seldom wait for Python's lock."""
_BLOCK = 1 << 20
_EASY, _TIMES = 1 << 26, 100
"""Bytes that may always be unpacked, and beyond these the most that a packed byte may become: text of runs and judgments
packs to a tenth, a file that is made to fill the memory to a thousandth. JSON, which takes most memory, may become half
as much, and a quarter always."""
_SMALL = 1 << 21
_BINARY = "this is a binary file, not text"
_LATE_MARK = re.compile(rb"\n[ \t\r\v\f]*" + BOM)


def system_name(path: str | PathLike[str]) -> str:
    """The file's name without the known endings; other dots stay: covidex.r3.t5_lr.gz is covidex.r3.t5_lr."""
    if str(path) == "-":
        return "stdin"
    from pathlib import Path

    name = Path(path).name
    while ending := next((end for end in ENDINGS if name.lower().endswith(end) and len(name) > len(end)), None):
        name = name[: -len(ending)]
    return name


def without_packing(name: str) -> str:
    """A name without the ending of a packer."""
    return next((name.removesuffix(ending) for ending in PACKED if name.endswith(ending)), name)


@dataclass(frozen=True)
class Content:
    """The bytes of a file; `path` is set where a reader may open the file itself instead."""

    bytes: NDArray[np.uint8]
    path: str | None = None

    def head(self) -> builtins.bytes:
        """The beginning, enough to see what it is; the last line may be cut."""
        return self.bytes[:HEAD].tobytes()


class Source:
    """A file, or standard input for the path '-'. What can be read only once is kept."""

    def __init__(self, path: str | PathLike[str]) -> None:
        from pathlib import Path  # 5 ms that a call on dicts need not spend

        if not isinstance(path, (str, PathLike)):
            raise UsageError(f"a path is a text or a pathlib.Path, not {quoted(path)}")
        self.path = Path(path)
        self.origin = "standard input" if str(path) == "-" else str(path)

    @property
    def name(self) -> str:
        """The file's name in lower case, without the ending of a packer."""
        return without_packing(self.path.name.lower())

    @cached_property
    def is_stream(self) -> bool:
        """Standard input or a pipe: it can be read only once."""
        if str(self.path) == "-":
            return True
        try:
            return self.path.exists() and not (self.path.is_file() or self.path.is_dir())
        except (OSError, ValueError):  # ValueError: a NUL in the name
            return False

    def load(self) -> Content:
        """Plain files are mapped into memory, compressed ones unpacked."""
        if self.is_stream:
            return self._once
        with self._explained(), self.path.open("rb") as file:
            head = file.read(4)
            if head.startswith(GZIP) or head == ZSTANDARD:
                return _unpacked(head + file.read(), self.origin)
            if not head:
                return Content(np.empty(0, np.uint8))
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            if mapped[: 2 * len(BOM)] == 2 * BOM:
                return _unpacked(mapped[:], self.origin)
            return Content(np.frombuffer(mapped, np.uint8), str(self.path))

    def head(self) -> bytes:
        """The beginning of the content without reading all of it, where that is possible."""
        if self.is_stream:
            return self._once.head()
        with self._explained(), self.path.open("rb") as file:
            raw = file.read(HEAD)
        if not raw.startswith((GZIP, ZSTANDARD)):
            return raw
        import polars as pl

        with self._explained():
            if raw.startswith(GZIP):
                with gzip_tool().open(self.path) as file:
                    return bytes(file.read(HEAD))
            lines = _lines(self.path).head(HEAD // _LINE).collect  # the rest is not unpacked unless something is odd
            try:
                return _text(lines())[:HEAD]
            except (pl.exceptions.ComputeError, pl.exceptions.SchemaError):
                return unpack_zstandard(self.path.read_bytes(), str(self.path))[:HEAD]

    def blocks(self, size: int) -> Iterator[bytes] | None:
        """A packed file in blocks of about this many bytes, unpacked as they are asked for; None for a plain one."""
        with self.path.open("rb") as file:
            start = file.read(4)
        if start.startswith(GZIP):
            return _gunzipped(self.path, self.path.stat().st_size, str(self.path), size)
        if start != ZSTANDARD:
            return None
        blocks = _lines(self.path).collect_batches(chunk_size=max(1, size // _LINE), lazy=True)
        return (_text(block) + b"\n" for block in blocks)

    @cached_property
    def _once(self) -> Content:
        if str(self.path) == "-":
            with self._explained():
                return _unpacked(_drained(sys.stdin.buffer), self.origin)
        with self._explained(), self.path.open("rb", buffering=0) as file:
            from pathlib import Path

            about = os.fstat(file.fileno())
            # /dev/zero, /dev/full; a terminal ends when its user says so, and /dev/null at once.
            if stat.S_ISCHR(about.st_mode) and not file.isatty() and about.st_rdev != Path(os.devnull).stat().st_rdev:
                raise DataError("this is a device that never ends", self.origin, hint="Give a file, or - for a pipe.")
            return _unpacked(_drained(file), self.origin)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Faults of the file system, and of what was packed, as errors that name the file."""
        path = clip(str(self.path), 300)
        try:
            yield
        except DataError:
            raise
        except IsADirectoryError:
            raise DataError("this is a folder", path, hint="Name the files in it.") from None
        except FileNotFoundError:
            raise DataError("there is no such file", path) from None
        except Exception as problem:
            if isinstance(problem, ValueError) or getattr(problem, "errno", None):  # ValueError: a NUL in the name
                raise DataError(f"cannot be read ({getattr(problem, 'strerror', problem)})", path) from None
            if not isinstance(problem, damages()):
                raise
            first = (str(problem).splitlines() or [type(problem).__name__])[0]
            message, hint = f"the compressed data are damaged ({first})", "Copy or pack the file again."
            raise DataError(message, clip(self.origin, 300), hint=hint) from None


def _drained(file: IO[bytes]) -> bytes:
    """All that comes out of a pipe.

    Polars installs a handler of interrupts after which a blocked read() waits on; select() does not, so Ctrl-C is heard.
    """
    try:
        pipe = file.fileno()
    except OSError:  # what replaces standard input in a test or a notebook
        return file.read()
    if os.name != "posix":
        return file.read()
    blocks = [b""]
    while len(blocks) == 1 or blocks[-1]:
        select.select([pipe], [], [])
        blocks.append(os.read(pipe, _BLOCK))
    return b"".join(blocks)


def without_marks(text: bytes) -> bytes:
    """Without byte-order marks: files that were joined or converted twice begin with several."""
    while text.startswith(BOM):
        text = text[len(BOM) :]
    return text


def marked_line(text: NDArray[np.uint8]) -> int | None:
    """The first line after the first that begins with a byte-order mark: files with marks were joined.

    An editor shows nothing of it, and it would be part of an id that then matches none. A file without such bytes, as
    most are, costs one look.
    """
    whole = text.tobytes() if text.max(initial=0) >= BOM[0] else b""
    found = _LATE_MARK.search(whole) if BOM in whole else None
    return None if found is None else 1 + whole.count(b"\n", 0, found.end())


def refuse_marks(text: NDArray[np.uint8], origin: str) -> None:
    line = marked_line(text)
    if line is not None:
        message = f"line {line:,} begins with a byte-order mark"
        hint = "Files that begin with one were joined. Remove the marks (U+FEFF) inside."
        raise noted("byte-order-mark", message, origin, line=line, hint=hint).error()


def text_lines(text: NDArray[np.uint8]) -> Iterator[tuple[int, bytes]]:
    """The lines with their numbers from 1, without a byte-order mark; for finding faults, so speed does not matter."""
    yield from enumerate(io.BytesIO(without_marks(text.tobytes())), start=1)


def decoded(text: NDArray[np.uint8], origin: str) -> str:
    """The text without a byte-order mark."""
    refuse_marks(text, origin)
    try:
        return without_marks(text.tobytes()).decode()
    except UnicodeDecodeError as problem:
        line = 1 + problem.object[: problem.start].count(b"\n")
        hint = "Convert the file to UTF-8."
        note = noted("not-utf8", "this is not UTF-8 text", origin, 1, (f"line {line}",), line, hint)
        raise note.error() from None


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


def _unpacked(raw: bytes, origin: str) -> Content:
    """Bytes as they are, or what they hold when compressed."""
    text = raw
    if raw.startswith(ZSTANDARD):
        _refuse_bomb(zstandard_size(raw), len(raw), origin)
        text = unpack_zstandard(raw, origin)
    elif raw.startswith(GZIP):
        text = b"".join(_gunzipped(io.BytesIO(raw), len(raw), origin, _BLOCK))
    if text is not raw and text[:HEAD].lstrip(BOM + b" \t\r\n").startswith((b"{", b"[")):
        _refuse_bomb(len(text), len(raw), origin, share=2)
    return Content(np.frombuffer(without_marks(text) if text.startswith(2 * BOM) else text, np.uint8))


def _gunzipped(source: Path | IO[bytes], packed: int, origin: str, size: int) -> Iterator[bytes]:
    """The text in blocks of this many bytes; of a small file, what it becomes is known before the first of them."""
    held, unpacked = list[bytes](), 0
    with gzip_tool().open(source) as file:
        while block := file.read(size):
            unpacked += len(block)
            _refuse_bomb(unpacked, packed, origin)
            if packed > _SMALL:
                yield block
            else:
                held.append(block)
    yield from held


def _refuse_bomb(size: int, packed: int, origin: str, share: int = 1) -> None:
    most = max(_EASY // share**2, _TIMES * packed // share)
    if size > most:
        message = f"{packed:,} packed bytes become more than {most // 10**6:,} MB"
        hint = "No text of judgments or runs packs this well. If it is sound, unpack it, and give the unpacked file."
        raise DataError(message, clip(origin, 300), hint=hint)


_LARGEST = 1 << 17
"""Bytes of a block of zstandard."""
_SKIPPED = 0x184D2A50
"""How a frame begins that holds something else than data; its last four bits are free."""


def zstandard_size(raw: bytes | mmap.mmap) -> int:
    """At most so many bytes are in these frames, by the sizes in their headers and in those of their blocks (RFC 8878)."""
    at = size = 0
    while at + 8 < len(raw):
        if int.from_bytes(raw[at : at + 4], "little") & 0xFFFFFFF0 == _SKIPPED:
            at += 8 + int.from_bytes(raw[at + 4 : at + 8], "little")
            continue
        if raw[at : at + 4] != ZSTANDARD:
            break  # damaged: whoever unpacks it says how
        about = raw[at + 4]
        single = about >> 5 & 1
        stated = (0, 2, 4, 8)[about >> 6] or single
        at += 6 - single + (0, 1, 2, 4)[about & 3]
        known = int.from_bytes(raw[at : at + stated], "little") + (256 if stated == 2 else 0)
        at += stated
        inside, last = 0, False
        while not last and at + 3 <= len(raw):
            header = int.from_bytes(raw[at : at + 3], "little")
            last, kind, length = bool(header & 1), header >> 1 & 3, header >> 3
            inside += length if kind < 2 else _LARGEST
            at += 3 + (1 if kind == 1 else length)
        at += 4 if about & 4 else 0
        size += known if stated else inside
    return size


_LINE = 50
"""About as many bytes as a line of a run has."""
_GUARD = ZSTANDARD + b"\x20\x01\x09\x00\x00."
"""A frame that holds one point: around the others it keeps a byte-order mark and a final carriage return."""
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


def _lines(path: Path) -> pl.LazyFrame:
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as raw:
        _refuse_bomb(zstandard_size(raw), len(raw), str(path))
    return _cells(path)


def _cells(
    source: bytes | Path, separator: str = "\x01", end: str = "\n", encoding: Literal["utf8", "utf8-lossy"] = "utf8"
) -> pl.LazyFrame:
    import polars as pl

    named: Any = {"separator": separator, "eol_char": end, "encoding": encoding, "schema": {"line": pl.String}}
    return pl.scan_csv(source, has_header=False, quote_char=None, glob=False, raise_if_empty=False, **named)


def _text(lines: pl.DataFrame) -> bytes:
    return "".join(lines["line"].fill_null("").str.join("\n")).encode()
