"""What a measure sees of a run (Hits) and of the judgments (Pool).

A hit is a judged document that the run retrieved. Most retrieved documents are unjudged and add nothing to a sum, so
a run of seven million rows has half a million hits. Unjudged documents are still there, as the ranks between the hits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.kernels.order import blocks

if TYPE_CHECKING:
    from rankgauge.arrays import Flags, Floats, Ints, Values

_MANY, _MOST, _SPAN, _BITS = 1 << 9, 1 << 24, 2.0**64, 28
"""Whole numbers below 2^28, 2^24 of them, have a sum below 2^52, which a float holds."""


class Remembering:
    """What several measures need of the same arrays is computed for the first of them."""

    def once(self, key: Hashable, make: Callable[[], Any]) -> Any:
        memory = vars(self).setdefault("memory", {})
        if key not in memory:
            memory[key] = make()
        return memory[key]


@dataclass(frozen=True, eq=False, repr=False)
class Hits(Remembering):
    """Judged and retrieved documents, sorted by query and rank.

    `first` and `last` span the ranks of a document's tie group; where ties are settled both equal `rank`.
    `retrieved` counts, for every query, the documents of the run: 0 means that the run lacks the query.
    `judged` is what was judged where a policy made `value` differ from it; the pool of what was returned needs it.
    """

    query: Ints
    rank: Ints
    value: Floats
    first: Ints
    last: Ints
    retrieved: Ints
    judged: Floats | None = None
    row: Ints | None = None
    """Which row of the run each hit is, for those who show documents."""

    @cached_property
    def queries(self) -> int:
        return len(self.retrieved)

    @cached_property
    def is_tied(self) -> bool:
        """Whether an order inside ties is still open, so that measures are expected values."""
        return self.first is not self.last and bool(np.any(self.first != self.last))

    def settled(self) -> Hits:
        """The order is final: every span shrinks to its rank."""
        if self.first is self.rank is self.last:
            return self
        return replace(self, first=self.rank, last=self.rank)

    def keep(self, chosen: Flags | Ints) -> Hits:
        """A part of the hits; the lists behind them stay as they are."""
        # Row numbers pick faster than marks; and where ties are settled, one column serves as three.
        rows = np.flatnonzero(chosen) if chosen.dtype == np.bool_ else chosen
        if chosen.dtype == np.bool_ and len(rows) == len(chosen):
            return self
        rank = self.rank[rows]
        first = rank if self.first is self.rank else self.first[rows]
        last = rank if self.last is self.rank else self.last[rows]
        judged = None if self.judged is None else self.judged[rows]
        row = None if self.row is None else self.row[rows]
        return Hits(self.query[rows], rank, self.value[rows], first, last, self.retrieved, judged, row)

    def without(self, dropped: Flags) -> Hits:
        """The lists without some of their judged documents: what is below moves up."""
        if not dropped.any():
            return self
        widest = int(self.last.max(initial=0)) + 2
        gone = np.sort(self.query[dropped] * widest + self.rank[dropped])

        def moved(query: Ints, place: Ints) -> Ints:
            """How many documents of the query are gone down to this place."""
            return np.searchsorted(gone, query * widest + place, "right") - np.searchsorted(gone, query * widest)

        kept = self.keep(~dropped)
        return replace(
            kept,
            rank=kept.rank - moved(kept.query, kept.rank),
            first=kept.first - moved(kept.query, kept.first - 1),
            last=kept.last - moved(kept.query, kept.last),
            retrieved=self.retrieved - count(self.query[dropped], self.queries),
        )

    def pool(self) -> Pool:
        """Everything returned as a pool of its own; what nobody judged has the value 0."""
        value = self.value if self.judged is None else self.judged
        # Where tied documents share a rank, more of them than that may be above a cut.
        unjudged = np.maximum(self.retrieved - count(self.query, self.queries), 0)
        rest = np.repeat(np.arange(self.queries), unjudged)
        both = np.concatenate((self.query, rest)), np.concatenate((value, np.zeros(len(rest))))
        return pool_of(*both, self.queries)

    def top(self, depth: int) -> Hits:
        """The lists cut after `depth` documents; a tie group keeps only its members above the cut."""
        kept = self.keep(self.rank <= depth)
        return replace(kept, last=np.minimum(kept.last, depth), retrieved=np.minimum(self.retrieved, depth))

    def within(self, deepest: int | None) -> Hits:
        """Only the hits that can be at a rank down to `deepest`, whatever the order inside ties becomes."""
        return self if deepest is None else self.keep(self.first <= deepest)

    def condensed(self, judged: Flags | None = None) -> Hits:
        """The lists without their unjudged documents: ranks count the judged ones only."""
        kept = self if judged is None else self.keep(judged)
        rank = 1 + place(kept.query)
        opens = starts_of(kept.query, kept.first)
        group = np.cumsum(opens) - 1
        first = rank[opens][group]
        last = first + np.bincount(group)[group] - 1
        return replace(kept, rank=rank, first=first, last=last, retrieved=count(kept.query, self.queries))


def no_hits(queries: int) -> Hits:
    """Of a run that retrieved nothing."""
    none = np.empty(0, np.int64)
    return Hits(none, none, np.empty(0), none, none, np.zeros(queries, np.int64))


@dataclass(frozen=True, eq=False, repr=False)
class Pool(Remembering):
    """Every judged value, sorted by query and then best first; `start[q]:start[q + 1]` is query q."""

    value: Floats
    start: Ints

    @cached_property
    def queries(self) -> int:
        return len(self.start) - 1

    @cached_property
    def judged(self) -> Ints:
        return np.diff(self.start)

    @cached_property
    def is_uniform(self) -> bool:
        """Whether all values are equal, as where everything bought or clicked counts 1: then much need not be computed."""
        return bool(len(self.value) and self.value.min() == self.value.max())

    @cached_property
    def query(self) -> Ints:
        return np.repeat(np.arange(self.queries), self.judged)

    @cached_property
    def place(self) -> Ints:
        """Position of each value within its query, from 0."""
        return np.arange(len(self.value)) - np.repeat(self.start[:-1], self.judged)


def pool_of(query: Ints, value: Floats, queries: int) -> Pool:
    """A pool from judged values in any order."""
    start = np.concatenate(([0], np.cumsum(count(query, queries))))
    if np.any(query[1:] < query[:-1]):
        value = value[np.argsort(query, kind="stable")]
    return pool_of_segments(start, value)


def pool_of_segments(start: Ints, value: Floats) -> Pool:
    """A pool from judged values query by query."""
    pool = Pool(value, start)
    if pool.is_uniform:
        return pool
    best = np.empty(len(value))
    for block in blocks(start):  # nobody asks for places, so numbers are sorted as they are
        block.put(best, -np.sort(-block.matrix(value, -np.inf), axis=1))
    return Pool(best, start)


def total(query: Ints, amounts: Floats, queries: int) -> Floats:
    """Sum per query. bincount adds in array order, so a query's bits never depend on its company."""
    # bincount of an empty list returns integers whatever the weights are.
    return np.bincount(query, amounts, queries).astype(np.float64, copy=False)


def exact_sum(terms: Floats) -> float:
    """math.fsum, for many terms ten times faster: their bits are cut into pieces that floats add without rounding.

    What a Python function returned may be infinite, or too large for a sum: then that is infinite, or undefined.
    """
    sums: list[float] = []
    rest = terms
    if _MANY < len(terms) <= _MOST and 1 / _SPAN < (largest := float(np.abs(terms).max())) < _SPAN:
        unit = 2.0 ** math.frexp(largest)[1]
        for _ in range(3):
            unit *= 2.0**-_BITS
            piece = np.trunc(rest / unit) * unit
            sums.append(float(piece.sum()))
            rest = rest - piece
        rest = rest[rest != 0]  # of terms some 2^31 times smaller than the largest
    try:
        return math.fsum(sums + rest.tolist())
    except (OverflowError, ValueError):
        with np.errstate(over="ignore", invalid="ignore"):
            return float(terms.sum())


def count(query: Ints, queries: int) -> Ints:
    return np.bincount(query, minlength=queries).astype(np.int64, copy=False)


def starts_of(*columns: Values) -> Flags:
    """Marks the rows that differ from the row before in any column."""
    opens = np.ones(len(columns[0]), np.bool_)
    if len(opens):
        opens[1:] = columns[0][1:] != columns[0][:-1]
        for column in columns[1:]:
            opens[1:] |= column[1:] != column[:-1]
    return opens


def place(sorted_query: Ints) -> Ints:
    """Position of each row within its run of equal codes, from 0."""
    start = np.flatnonzero(starts_of(sorted_query))
    return np.arange(len(sorted_query)) - np.repeat(start, np.diff(np.append(start, len(sorted_query))))


def running(sorted_query: Ints, amounts: Floats, combine: np.ufunc = np.add) -> Floats:
    """Sums, products or maxima of the rows of a query down to each row.

    Rows are combined one after the other, so a query's bits never depend on its company. Either the queries or the
    places within queries are walked through, whichever are fewer: at most the square root of the rows.
    """
    out = amounts.astype(np.float64)
    opens = np.flatnonzero(starts_of(sorted_query))
    at = place(sorted_query)
    deepest = int(at.max(initial=-1)) + 1
    if len(opens) < deepest:
        for begin, end in pairwise([*opens.tolist(), len(out)]):
            combine.accumulate(out[begin:end], out=out[begin:end])
        return out
    by_place = np.argsort(at, kind="stable")
    for begin, end in pairwise(np.cumsum(np.bincount(at)).tolist()):
        rows = by_place[begin:end]
        out[rows] = combine(out[rows - 1], out[rows])
    return out


def ratio(above: Values, below: Values) -> Floats:
    """above / below, nan where below is 0: undefined, and the policy decides what it counts."""
    out = np.full(np.shape(above), np.nan)
    np.divide(above, below, out=out, where=below != 0)
    return out


def counted(hits: Hits, depth: int | Ints | None) -> Floats:
    """Documents of each query down to the depth."""

    def summed() -> Floats:
        return total(hits.query, seen(hits, depth), hits.queries)

    return summed() if isinstance(depth, np.ndarray) else hits.once(("counted", depth), summed)


def seen(hits: Hits, depth: int | Ints | None) -> Floats:
    """1 for a hit down to the depth (one for all, or one per query), else 0; while ties are open, the chance of it."""
    if depth is None:
        return np.ones(len(hits.query))
    within = depth if isinstance(depth, int) else depth[hits.query]
    if hits.first is hits.last:
        return (hits.first <= within).astype(np.float64)
    return np.clip((within + 1 - hits.first) / (hits.last + 1 - hits.first), 0, 1)


def looked_at(hits: Hits, cutoff: int | None) -> Ints:
    """How many documents a query has down to the cutoff."""
    return hits.retrieved if cutoff is None else np.minimum(hits.retrieved, cutoff)
