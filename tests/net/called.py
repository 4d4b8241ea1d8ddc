"""Commands in this process, as on a terminal of 80 columns without colors, or into a pipe."""

from __future__ import annotations

import contextlib
import io
import os
import shlex
import sys
from collections.abc import Iterator
from typing import Any


class _Stream(io.TextIOWrapper):
    def __init__(self, *, is_terminal: bool) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", errors="surrogateescape", newline="", write_through=True)
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal

    def said(self) -> str:
        self.flush()
        return self.buffer.getvalue().decode("utf-8", "replace")  # type: ignore[attr-defined]


@contextlib.contextmanager
def _surroundings() -> Iterator[None]:
    """What changes the words of a command, the same on every machine."""
    wanted = {"COLUMNS": "80", "LINES": "24", "NO_COLOR": "1", "TERM": "dumb", "PYTHONUTF8": "1"}
    unwanted = {"FORCE_COLOR", "GITHUB_ACTIONS", "CI"}
    before = {name: os.environ.get(name) for name in {*wanted, *unwanted}}
    os.environ.update(wanted)
    for name in unwanted:
        os.environ.pop(name, None)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value


def command(line: str | list[str], *, terminal: bool = False, stdin: bytes = b"") -> dict[str, Any]:
    """The exit code and what went to either stream, as far as there is something."""
    from rankgauge.cli.main import main

    arguments = shlex.split(line) if isinstance(line, str) else line
    out, err = _Stream(is_terminal=terminal), _Stream(is_terminal=False)
    before = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    code: Any = 0
    try:
        with _surroundings(), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main(arguments)
    except SystemExit as stopped:
        code = stopped.code
    finally:
        sys.stdin = before
    texts = {"out": out.said(), "err": err.said()}
    return {"code": code} | {name: text.split("\n") for name, text in texts.items() if text}
