"""A command in a child process with something wrong around it, and what became of its output."""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

OLD = b"what was there before\n"
LONGEST = 60


@dataclass(frozen=True)
class Ended:
    """How a child ended: its exit code, negative for a signal, what it said, and its output."""

    code: int
    said: str
    shown: bytes


def run(
    words: list[str],
    folder: Path,
    before: Callable[[], None] = lambda: None,
    kill: tuple[int, Callable[[float], bool]] | None = None,
) -> Ended:
    """`before` runs in the child; `kill` is a signal, and when it comes: after so many seconds, is it time?"""
    shown = folder / "shown"
    reader, writer = os.pipe()  # a limit on the size of files must not stop a message
    child = os.fork()
    if child == 0:
        _as_command(words, shown, writer, before)
    os.close(writer)
    with os.fdopen(reader, "rb") as said:
        code = _end_of(child, kill)
        os.set_blocking(reader, False)
        return Ended(code, (said.read() or b"").decode(errors="replace"), shown.read_bytes())


def _end_of(child: int, kill: tuple[int, Callable[[float], bool]] | None) -> int:
    """The exit code, negative for a signal; -99 for a child that hangs."""
    start, sent = time.monotonic(), False
    while (found := os.waitpid(child, os.WNOHANG)) == (0, 0):
        if kill is not None and not sent and kill[1](time.monotonic() - start):
            os.kill(child, kill[0])
            sent = True
        if time.monotonic() - start > LONGEST:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return -99
        time.sleep(0.005)
    return os.waitstatus_to_exitcode(found[1])


def _as_command(words: list[str], shown: Path, writer: int, before: Callable[[], None]) -> None:
    code = 71
    try:
        os.dup2(os.open(shown, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
        os.dup2(writer, 2)
        sys.stdout, sys.stderr = (open(number, "w", encoding="utf-8", closefd=False) for number in (1, 2))  # noqa: SIM115
        from rankgauge.cli.main import main

        before()
        main(words)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0
        sys.stderr.flush()
        sys.stdout.flush()
    except KeyboardInterrupt:  # it came before the command began
        code = 130
    except BaseException:  # noqa: BLE001 - a traceback is what we look for
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(code)


def limit(what: int, amount: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(what, (amount, amount))


def closed_stdout() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    os.dup2(writer, 1)


def waiting_before_the_name(seconds: float) -> Callable[[], None]:
    """The moment between a written file and its name is made long, so that a signal meets it."""

    def before() -> None:
        replace = Path.replace

        def slowly(self: Path, target: Path) -> Path:
            time.sleep(seconds)
            return replace(self, target)

        Path.replace = slowly  # type: ignore[method-assign, assignment]

    return before


def of_width(columns: int) -> Callable[[], None]:
    return lambda: os.environ.update(COLUMNS=str(columns))
