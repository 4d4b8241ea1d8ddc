"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

from rankgauge.errors import UsageError
from rankgauge.tables.notes import clip


def write_whole(path: Path, data: bytes) -> None:
    """A reader never sees half a file: the data go to a neighbor that takes the name when complete.

    Devices and pipes (/dev/null, /dev/stdout) are written to, never replaced; so is the file behind a link.
    """
    try:
        path = Path(os.path.realpath(path))
        is_other = path.exists() and not path.is_file()
    except (OSError, ValueError) as problem:  # a name that is too long; a NUL in it
        reason = getattr(problem, "strerror", None) or problem
        raise UsageError(f"{clip(str(path), 300)}: cannot be written ({reason})") from None
    if is_other:
        _write_through(path, data)
        return
    with _terminable():
        _write_beside(path, data)


def _write_beside(path: Path, data: bytes) -> None:
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with beside.open("xb") as file:
            file.write(data)
        beside.replace(path)
    except BaseException as problem:
        with contextlib.suppress(OSError):
            beside.unlink()
        if isinstance(problem, OSError):
            raise UsageError(f"{path}: cannot be written ({problem.strerror})") from None
        raise


@contextlib.contextmanager
def _terminable() -> Iterator[None]:
    """A signal to end the program ends it as usual, with the neighbor removed."""
    usual = threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    if not usual:
        yield
        return

    def stop(*_: object) -> None:
        raise SystemExit(128 + signal.SIGTERM)

    signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _write_through(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as problem:
        raise UsageError(f"{path}: cannot be written ({problem.strerror})") from None
