"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from rankgauge.errors import UsageError


def write_whole(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a temporary file next to the target, then rename it, so that no reader ever sees half a file.

    Devices and pipes (/dev/null, /dev/stdout) are written to, never replaced; a link keeps pointing to its file.
    """
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        _write_through(path, data)
        return
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as problem:
        raise _unwritable(path, problem) from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(path)
    except BaseException as problem:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        if isinstance(problem, OSError):
            raise _unwritable(path, problem) from None
        raise


def _write_through(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as problem:
        raise _unwritable(path, problem) from None


def _unwritable(path: Path, problem: OSError) -> UsageError:
    return UsageError(f"{path}: cannot be written ({problem.strerror})")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
