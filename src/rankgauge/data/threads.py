"""Several threads on parts of a table; NumPy and Polars leave Python's lock alone while they work."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import polars as pl

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
