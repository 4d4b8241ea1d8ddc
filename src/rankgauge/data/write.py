"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import signal
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

from rankgauge.errors import UsageError


def write_whole(path: Path, data: bytes) -> None:
    """A reader never sees half a file: the data go to a neighbor that takes the name when complete.

    Devices and pipes (/dev/null, /dev/stdout) are written to, never replaced; so is the file behind a link.
    """
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        _write_through(path, data)
        return
    with _terminable():
        _write_beside(path, data)


def _write_beside(path: Path, data: bytes) -> None:
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as problem:
        raise UsageError(f"{path}: cannot be written ({problem.strerror})") from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(path)
    except BaseException as problem:
        with contextlib.suppress(OSError):
            Path(name).unlink()
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


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
