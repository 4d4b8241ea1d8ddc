"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import secrets
import signal
import threading
from contextlib import suppress
from pathlib import Path

from rankgauge.errors import UsageError
from rankgauge.tables.notes import clip


def write_whole(path: Path, data: bytes) -> None:
    """A reader never sees half a file: the data go to a neighbor that takes the name when complete.

    Devices and pipes (/dev/null, /dev/stdout) are written to, never replaced; so is the file behind a link.
    """
    try:
        path = Path(os.path.realpath(path))
        if path.exists() and not path.is_file():
            path.write_bytes(data)
        else:
            _write_beside(path, data)
    except (OSError, ValueError) as problem:  # also a name that is too long, or a NUL in it
        reason = getattr(problem, "strerror", None) or problem
        raise UsageError(f"{clip(str(path), 300)}: cannot be written ({reason})") from None


def _write_beside(path: Path, data: bytes) -> None:
    """A signal to end the program ends it as usual, with the neighbor removed."""
    is_usual = threading.current_thread() is threading.main_thread()
    is_usual = is_usual and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL

    def stop(*_: object) -> None:
        raise SystemExit(128 + signal.SIGTERM)

    if is_usual:
        signal.signal(signal.SIGTERM, stop)
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with beside.open("xb") as file:
            file.write(data)
        beside.replace(path)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise
    finally:
        if is_usual:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
