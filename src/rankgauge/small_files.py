"""Small text files that rankgauge or its users wrote: measures, relevance functions, ledgers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgauge.errors import DataError

if TYPE_CHECKING:
    from os import PathLike

MOST = 1 << 24


def small_text(path: str | PathLike[str]) -> str:
    """The text of a file without byte-order marks; a device that never ends is as wrong as a large file."""
    from pathlib import Path

    try:
        with Path(path).open("rb") as file:
            data = file.read(MOST + 1)
        if len(data) > MOST:
            raise DataError(f"is larger than {MOST >> 20} MB, which no such file is", str(path))
        return data.decode().lstrip("\ufeff")
    except UnicodeDecodeError as problem:
        line = 1 + problem.object[: problem.start].count(b"\n")
        raise DataError(f"line {line} is not UTF-8 text", str(path)) from None
    except (OSError, ValueError) as problem:
        why = getattr(problem, "strerror", None) or problem  # ValueError: a NUL or half a character in the name
        raise DataError(f"cannot be read ({why})", str(path).encode(errors="replace").decode()) from None
