"""A command whose memory is limited, or that reads Parquet, runs in a child, so that its death has a message.

Polars ends the process when it gets no memory, be it for a size that a damaged Parquet file states, and nothing inside
the process can answer that. Without a limit and such a file there is no child.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from rankgauge.limits import limit_on

_NAMES = {"AS": "addresses (ulimit -v)", "DATA": "memory (ulimit -d)"}
_FORWARDED = ("SIGINT", "SIGTERM", "SIGHUP")
_PARQUET = b"PAR1"
_BOTH_TOLD = 0.3
"""Seconds: a terminal tells the child of an interrupt too, and twice would be once too often."""

_CRASHES = {getattr(signal, name, None) for name in ("SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGSEGV", "SIGTRAP")}


def guarded() -> str | None:
    """Goes on in the child; in the parent, ends as the child did, or returns what it died of."""
    limits = [f"{found:,} MB of {words}" for name, words in _NAMES.items() if (found := limit_on(name)) is not None]
    tables = list(_parquet_files(sys.argv[1:]))
    if not (limits or tables) or not hasattr(os, "fork"):
        return None
    # Until the parent listens a signal waits: it would end the parent alone, and the child would go on unseen.
    told = [getattr(signal, name) for name in _FORWARDED]
    usual = signal.pthread_sigmask(signal.SIG_BLOCK, told)
    child, heard = os.fork(), set[int]()
    if child == 0:
        signal.pthread_sigmask(signal.SIG_SETMASK, usual)
        return None

    def forward(number: int, _: Any) -> None:
        heard.add(number)
        time.sleep(_BOTH_TOLD)
        os.kill(child, number)  # a child that has ended by now is still there to be waited for

    for number in told:
        signal.signal(number, forward)
    signal.pthread_sigmask(signal.SIG_SETMASK, usual)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code >= 0:
        sys.exit(code)
    if -code in heard or not (limits or -code in _CRASHES):
        if -code != signal.SIGKILL:
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    how = signal.Signals(-code).name
    if limits:
        return (
            f"this process may use {' and '.join(limits)}, which is too little: it ended with {how}\n"
            "Allow more, or take fewer runs at a time."
        )
    which = "this Parquet file is" if len(tables) == 1 else "one of these Parquet files is"
    return (
        f"{', '.join(tables)}: {which} damaged (reading ended with {how})\nWrite the file again, or allow more memory."
    )


def _parquet_files(words: Iterable[str]) -> Iterator[str]:
    """The words of a command that name Parquet files, as PATH, NAME=PATH, --option=PATH or PATH:COLUMN."""
    for word in words:
        for path in dict.fromkeys((word, word.partition("=")[2], word.rpartition(":")[0])):
            if path and _first_bytes(path) == _PARQUET:
                yield "standard input" if path == "-" else path
                break


def _first_bytes(path: str) -> bytes:
    try:
        if path == "-":
            return os.pread(0, len(_PARQUET), 0)  # of a file; from a pipe nothing can be taken
        if not Path(path).is_file():
            return b""
        with Path(path).open("rb") as file:
            return file.read(len(_PARQUET))
    except (OSError, ValueError):
        return b""
