"""Ranked view: which grade is at which rank, made by the match that scores come from, for all who try other measures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rankgauge.data.match import Match
from rankgauge.data.policy import Policy
from rankgauge.errors import plural
from rankgauge.evaluation.ruled import Ruled
from rankgauge.kernels.cumulated import gains_of
from rankgauge.kernels.hits import count
from rankgauge.measures.measure import Measure
from rankgauge.tables.notes import Note, some

if TYPE_CHECKING:
    from rankgauge.arrays import Flags, Floats, Ints


def itself(relevance: Floats) -> Floats:
    """The gain of those who try gains of their own."""
    return relevance


class Found(NamedTuple):
    """Documents that are worth something, at a rank of their query; one in an open tie is at each rank of its span."""

    query: Ints
    rank: Ints
    worth: Floats
    share: Floats
    """The chance to be at this rank: 1 unless the order inside a tie is open."""


class Ranked:
    """The lists of all runs as a measure of graded relevance sees them under a policy, before gain and discount."""

    def __init__(self, matches: Sequence[Match], measure: Measure, policy: Policy) -> None:
        self.measure, self.policy, self.matches = measure, policy, matches
        self.ruled = [Ruled(match, policy) for match in matches]
        self.ties = policy.ties or measure.definition.ties
        self.queries, self.pool = matches[0].queries, matches[0].pool

    @cached_property
    def kept(self) -> Flags:
        """The queries that take part: all but those that some run lacks, where these are left out."""
        if self.policy.missing != "drop":
            return np.ones(len(self.queries), np.bool_)
        return np.logical_and.reduce([match.hits.retrieved > 0 for match in self.matches])

    def left_out(self, noun: str) -> list[Note]:
        """A note on the others."""
        absent = [self.queries[at] for at in np.flatnonzero(~self.kept).tolist()]
        text = f"{plural(len(absent), noun)} that some run lacks, left out for all ({some(absent)})"
        return [Note("missing-queries", text, len(absent), examples=tuple(absent[:3]))] if absent else []

    @cached_property
    def worth(self) -> Floats:
        """What each judged document is worth, in the order of the pool."""
        return gains_of(self.pool.value, self.pool.query, self.pool, self.measure.settings["relevance"], itself)

    @cached_property
    def levels(self) -> Floats:
        """Everything above 0 that some judged document is worth, rising."""
        return np.unique(self.worth[self.worth > 0])

    @cached_property
    def judged(self) -> Ints:
        """How many documents of each level were judged, retrieved or not: queries × levels."""
        good, queries, levels = self.worth > 0, len(self.queries), len(self.levels)
        cell = self.pool.query[good] * levels + np.searchsorted(self.levels, self.worth[good])
        return count(cell, queries * levels).reshape(queries, levels)

    def found(self, run: int, depth: int, gain: Callable[[Floats], Floats] = itself) -> Found:
        """What is worth something in the first ranks of a run."""
        hits = self.ruled[run].hits(self.ties)
        shown = hits.keep(hits.first <= depth)
        worth = gains_of(shown.value, shown.query, self.pool, self.measure.settings["relevance"], gain)
        shown, worth = shown.keep(worth > 0), worth[worth > 0]
        size = shown.last - shown.first + 1
        entry = np.repeat(np.arange(len(size)), size)
        rank = shown.first[entry] + np.arange(len(entry)) - np.repeat(np.cumsum(size) - size, size)
        entry, rank = entry[rank <= depth], rank[rank <= depth]
        return Found(shown.query[entry], rank, worth[entry], 1.0 / size[entry])
