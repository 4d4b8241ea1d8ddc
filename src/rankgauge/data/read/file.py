"""From a path to bytes: plain, gzip or zstandard, or standard input."""

from __future__ import annotations

import builtins
import io
import mmap
import os
import re
import select
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import IO, TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rankgauge.data.read.packed import GZIP, ZSTANDARD, packed_head, unpack, unpacking
from rankgauge.data.tables.faults import UnreadableError
from rankgauge.errors import DataError, UsageError
from rankgauge.tables.notes import clip, noted, quoted

if TYPE_CHECKING:
    from pathlib import Path


BOM = b"\xef\xbb\xbf"
UTF16 = (b"\xff\xfe", b"\xfe\xff")
PACKED = (".gz", ".zst")
ENDINGS = (*PACKED, ".trec", ".run", ".txt", ".csv", ".tsv", ".json", ".jsonl", ".parquet")
"""Endings that do not belong to a system's name."""
HEAD = 1 << 16
_BLOCK = 1 << 20
_PIECE = 1 << 18
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

    def load(self) -> Content:
        """Plain files are mapped into memory, compressed ones unpacked."""
        return self._once if self.is_stream else self._load()

    def head(self) -> bytes:
        """The beginning of the content without reading all of it, where that is possible."""
        if self.is_stream:
            return self._once.head()
        with _explained(self.path), self.path.open("rb") as file:
            raw = file.read(HEAD)
        if raw.startswith((GZIP, ZSTANDARD)):
            with _explained(self.path), unpacking(self.origin):
                return packed_head(self.path, HEAD, is_gzip=raw.startswith(GZIP))
        return raw

    @cached_property
    def is_stream(self) -> bool:
        """Standard input or a pipe: it can be read only once."""
        if str(self.path) == "-":
            return True
        try:
            return self.path.exists() and not (self.path.is_file() or self.path.is_dir())
        except (OSError, ValueError):  # ValueError: a NUL in the name
            return False

    @cached_property
    def _once(self) -> Content:
        if str(self.path) == "-":
            return unpacked(drained(sys.stdin.buffer), self.origin)
        with _explained(self.path), self.path.open("rb", buffering=0) as file:
            if _is_endless(file):
                raise DataError("this is a device that never ends", self.origin, hint="Give a file, or - for a pipe.")
            return unpacked(drained(file), self.origin)

    def _load(self) -> Content:
        with _explained(self.path), self.path.open("rb") as file:
            head = file.read(4)
            if head.startswith(GZIP) or head == ZSTANDARD:
                return unpacked(head + file.read(), self.origin)
            if not head:
                return Content(np.empty(0, np.uint8))
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            if mapped[: 2 * len(BOM)] == 2 * BOM:
                return Content(np.frombuffer(without_marks(mapped[:]), np.uint8))
            return Content(np.frombuffer(mapped, np.uint8), str(self.path))


def _is_endless(file: IO[bytes]) -> bool:
    """A device such as /dev/zero or /dev/full; a terminal ends when its user says so, and /dev/null at once."""
    from pathlib import Path

    about = os.fstat(file.fileno())
    return stat.S_ISCHR(about.st_mode) and not file.isatty() and about.st_rdev != Path(os.devnull).stat().st_rdev


def drained(file: IO[bytes]) -> bytes:
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


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Faults of the file system as errors that name the file."""
    origin = clip(str(path), 300)
    try:
        yield
    except DataError:
        raise
    except IsADirectoryError:
        raise DataError("this is a folder", origin, hint="Name the files in it.") from None
    except FileNotFoundError:
        raise DataError("there is no such file", origin) from None
    except (OSError, ValueError) as problem:  # ValueError: a NUL in the name
        raise DataError(f"cannot be read ({getattr(problem, 'strerror', None) or problem})", origin) from None


def unpacked(raw: bytes, origin: str) -> Content:
    """Bytes as they are, or what they hold when compressed."""
    if raw.startswith((GZIP, ZSTANDARD)):
        raw = unpack(raw, origin)
    return Content(np.frombuffer(without_marks(raw) if raw.startswith(2 * BOM) else raw, np.uint8))


def without_marks(text: bytes) -> bytes:
    """Without byte-order marks: files that were joined or converted twice begin with several."""
    while text.startswith(BOM):
        text = text[len(BOM) :]
    return text


def marked_line(text: NDArray[np.uint8]) -> int | None:
    """The first line after the first that begins with a byte-order mark: files with marks were joined.

    An editor shows nothing of it, and it would be part of an id that then matches none. A file without the mark's first
    byte, as most are, costs one look at pieces that fit the cache.
    """
    if not any((text[begin : begin + _PIECE] == BOM[0]).any() for begin in range(0, len(text), _PIECE)):
        return None
    whole = text.tobytes()
    found = _LATE_MARK.search(whole) if BOM in whole else None
    return None if found is None else 1 + whole.count(b"\n", 0, found.end())


def refuse_marks(text: NDArray[np.uint8], origin: str) -> None:
    line = marked_line(text)
    if line is not None:
        message = f"line {line:,} begins with a byte-order mark"
        hint = "Files that begin with one were joined. Remove the marks (U+FEFF) inside."
        raise UnreadableError(noted("byte-order-mark", message, origin, line=line, hint=hint))


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
        raise UnreadableError(note) from None
