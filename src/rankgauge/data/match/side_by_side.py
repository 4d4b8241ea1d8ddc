"""Short lists side by side: the first document of every query in one row of a matrix, the second in the next, and so on.

Comparing whole rows of numbers is what processors do best. So for lists as recommenders make them, a few documents for
each of many users, this finds repeated and judged documents faster than sorting and hashing do.
"""

from __future__ import annotations

from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from rankgauge.arrays import Floats, Ints

Number = TypeVar("Number", bound=np.generic)
_JUDGED = 8
"""Judged documents of a query, at most: each is compared with every document of its list."""
_FILLING = 4
"""A matrix may have at most so many places for each document."""


def fits(size: Ints, most: int) -> bool:
    """Whether segments of these sizes make a matrix of at most `most` rows that is not mostly filling."""
    width = int(size.max(initial=0))
    return 0 < width <= most and width * len(size) <= _FILLING * int(size.sum()) and bool(size.all())


def side_by_side(start: Ints, column: NDArray[Number]) -> NDArray[Number]:
    """Row r holds what is at place r of each segment; a shorter segment repeats its last."""
    size = np.diff(start)
    width = int(size.max(initial=0))
    short = np.flatnonzero(size < width)
    if len(short):
        end = np.repeat(start[short + 1], width - size[short])
        column = np.insert(column, end, column[end - 1])
    return np.ascontiguousarray(column.reshape(-1, width).T)


class ShortLists:
    """The documents of some lists, by whole numbers or by hashes."""

    def __init__(self, start: Ints, documents: NDArray[np.integer]) -> None:
        self._size, self._documents = np.diff(start), side_by_side(start, documents)

    def may_repeat(self) -> bool:
        """Whether two documents of a list are equal in their low bits, as every repeated one is."""
        width = len(self._documents)
        low = self._documents.astype(np.uint32)
        filled = width - self._size
        expected = int((filled * (filled + 1) // 2).sum())  # where a shorter list repeats its last
        return sum(int(np.count_nonzero(low[by:] == low[:-by])) for by in range(1, width)) > expected

    def judged(self, pool: ShortPool, code: Ints, depth: int | None) -> tuple[Ints, Ints, Floats]:
        """The lists and places, from 0, of judged documents down to a depth, and their values.

        They have to say which document it is, as whole numbers do and hashes do not.
        """
        top = self._documents[:depth]
        found = np.zeros(top.shape, np.int8)
        for number, documents in enumerate(pool.documents_of(code), start=1):
            np.maximum(found, (top == documents).view(np.int8) * np.int8(number), out=found)
        found[np.arange(len(top))[:, None] >= self._size] = 0
        found[:, code == pool.queries] = 0
        by_list = np.ascontiguousarray(found.T).ravel()
        at = np.flatnonzero(by_list)
        segment = at // len(top)
        return segment, at - segment * len(top), pool.values_of(code[segment], by_list[at])


class ShortPool:
    """The judged documents of queries that have a few each, by whole numbers; the values are as they came."""

    def __init__(self, start: Ints, documents: Ints, value: Floats, *, is_uniform: bool) -> None:
        self.queries = len(start) - 1
        self._start, self._documents, self._value, self._is_uniform = start, documents, value, is_uniform

    @staticmethod
    def fit(start: Ints) -> bool:
        return fits(np.diff(start), _JUDGED)

    def documents_of(self, code: Ints) -> Ints:
        """One row for each place; the code behind the last takes those of any query."""
        first, behind = int(code[0]), int(code[0]) + len(code)
        if behind <= self.queries and np.array_equal(code, np.arange(first, behind)):
            start = self._start[first : behind + 1]
            return side_by_side(start - start[0], self._documents[start[0] : start[-1]])
        return self._scattered[:, np.minimum(code, self.queries - 1)]

    @cached_property
    def _scattered(self) -> Ints:
        return side_by_side(self._start, self._documents)

    def values_of(self, code: Ints, number: NDArray[np.int8]) -> Floats:
        """The value of a document of each query; the last number is that of its last document, however few it has."""
        if self._is_uniform:
            return np.full(len(code), self._value[0])
        return self._value[np.minimum(self._start[code] + number - 1, self._start[code + 1] - 1)]
