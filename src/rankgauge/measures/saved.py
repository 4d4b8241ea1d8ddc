"""Measures that were written to a file: a list as users type it, or the JSON of `optimize`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rankgauge.errors import DataError, UsageError, did_you_mean
from rankgauge.measures.grammar import parse
from rankgauge.measures.measure import Measure

if TYPE_CHECKING:
    from pathlib import Path

PARTS = ("optimum", "recommendation", "start")


def read_measure(path: str | Path, part: str | None = None) -> Measure:
    """The one measure of a file; of what `optimize` wrote, the optimum or the part that is named."""
    return parse(spelled(path, part))


def spelled(path: str | Path, part: str | None = None) -> str:
    """The measures of a file, as text. Lines that begin with # are comments."""
    text = _text(path)
    if not text.lstrip().startswith(("{", "[", '"')):
        if part is not None:
            raise UsageError(f"{path} is a list of measures; it has no part {part!r}")
        return " ".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    import json  # 2 ms that most calls need not spend

    try:
        data = json.loads(text)
    except ValueError as problem:
        raise DataError(f"is not JSON: {problem}", str(path)) from None
    return _chosen(data, str(path), part)


def _chosen(data: Any, path: str, part: str | None) -> str:
    if isinstance(data, str) and part is None:
        return data
    if isinstance(data, list) and part is None and data and all(isinstance(one, str) for one in data):
        return " ".join(data)
    if isinstance(data, dict):
        if part is not None and part not in PARTS:
            raise UsageError(f"{path} has no part {part!r}\n{did_you_mean(part, PARTS)}")
        named = [name for name in ((part,) if part else ("optimum", "measure")) if isinstance(data.get(name), str)]
        if named:
            return str(data[named[0]])
    raise DataError(
        f"holds no {part or 'measure'}", path, hint="Write one with rankgauge optimize … --output measure.json."
    )


def _text(path: str | Path) -> str:
    from pathlib import Path

    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except OSError as problem:
        raise DataError(f"cannot be read ({problem.strerror})", str(path)) from None
    except UnicodeDecodeError:
        raise DataError("is not UTF-8 text", str(path)) from None
