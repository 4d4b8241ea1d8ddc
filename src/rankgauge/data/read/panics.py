"""Panics of Polars, which its Rust code prints on standard error before Python hears of them.

A command says in one message what is wrong with a file; the lines of a panic above it help nobody. A program that calls
our functions keeps its standard error as it is.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class _Held:
    """What is printed while Parquet files are read, by whatever thread; the last reader lets go of it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.is_wanted = False
        self.readers = 0
        self.usual = self.memory = -1
        self.has_panicked = False

    def enter(self) -> None:
        with self.lock:
            self.readers += 1
            if self.readers == 1:
                self.has_panicked = False
                self.usual, self.memory = os.dup(2), os.memfd_create("standard error")
                os.dup2(self.memory, 2)

    def leave(self) -> None:
        with self.lock:
            self.readers -= 1
            if self.readers:
                return
            os.dup2(self.usual, 2)
            size = os.lseek(self.memory, 0, os.SEEK_CUR)
            if size and not self.has_panicked:
                os.write(2, os.pread(self.memory, size, 0))
            os.close(self.usual)
            os.close(self.memory)


_HELD = _Held()


def hush() -> None:
    """From now on, panics of this process are not printed; where the system cannot hold them back, they still are."""
    _HELD.is_wanted = hasattr(os, "memfd_create") and sys.stderr is not None


@contextmanager
def hushed() -> Iterator[None]:
    """What is printed meanwhile comes out afterwards, unless it is about a panic."""
    import polars as pl

    if not _HELD.is_wanted:
        yield
        return
    _HELD.enter()
    try:
        yield
    except pl.exceptions.PanicException:
        _HELD.has_panicked = True
        raise
    finally:
        _HELD.leave()
