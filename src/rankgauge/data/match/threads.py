"""Several threads on parts of a table; NumPy and Polars leave Python's lock alone while they work."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import polars as pl

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

Item = TypeVar("Item")
Result = TypeVar("Result")

AT_ONCE = 1 << 18
"""Rows of a table that are worked on together: few enough for the cache, enough to be worth the calls."""


def in_threads(work: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    """Results in the order of the items; POLARS_MAX_THREADS says how many threads there are."""
    if len(items) < 2 or pl.thread_pool_size() < 2:
        return [work(item) for item in items]
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(min(len(items), pl.thread_pool_size())) as pool:
        return list(pool.map(work, items))


def in_turn(pool: Executor, work: Callable[[Item], Result], items: Iterable[Item], ahead: int) -> Iterator[Result]:
    """Results in the order of the items, with a few at work ahead; what was not begun when nobody asks on is dropped."""
    waiting: deque[Future[Result]] = deque()
    try:
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) > ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


_LARGE, _SMALL = 8 << 20, 1 << 19
_COST = 9
"""Bytes of memory that working on a byte of text takes: the text, its columns, and what is made of them."""
_IMPORTS = 90 << 20


@dataclass(frozen=True)
class Shares:
    """How many pieces of text are worked on at once, and how large they are."""

    workers: int
    size: int


def shares_of(memory: int | None, workers: int) -> Shares:
    """Small pieces are worked on as fast as large ones, down to some megabytes; below that fewer workers share."""
    if memory is None:
        return Shares(workers + 1, _LARGE)  # one waits for the parser or for Python's lock most of the time
    free = max(0, memory - in_use())
    while workers > 1 and free < workers * _COST * _SMALL * 2:
        workers -= 1
    return Shares(workers, min(_LARGE, max(_SMALL, free // (workers * _COST))))


def in_use() -> int:
    """Bytes of memory that this process holds now; a guess where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return _IMPORTS
    return pages * 4096
