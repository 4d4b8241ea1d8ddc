"""Counts that add up over rounds of trials, so that a table can be looked at long before the last trial."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from populations import Matrix


@dataclass
class Count:
    """How often something held; an array counts several systems apart."""

    trials: int = 0
    held: Matrix = field(default_factory=lambda: np.zeros(1))
    squares: float = 0.0

    def add(self, share: float | Matrix) -> None:
        self.trials += 1
        self.held = self.held + np.asarray(share, dtype=np.float64)
        self.squares += float(np.mean(share)) ** 2

    def merge(self, other: Count) -> None:
        self.trials += other.trials
        self.held = self.held + other.held
        self.squares += other.squares

    @property
    def mean(self) -> float:
        return float(self.held.mean()) / self.trials

    @property
    def worst(self) -> float:
        return float(self.held.min()) / self.trials

    @property
    def error(self) -> float:
        """Standard error of the mean; trials are independent, what happens within one is not."""
        variance = self.squares / self.trials - self.mean**2
        return math.sqrt(variance / self.trials) if variance > 1e-12 else self._binomial(self.mean)

    @property
    def worst_error(self) -> float:
        return self._binomial(self.worst)

    def _binomial(self, share: float) -> float:
        """Always or never in so many trials is not certain: as after one more trial each way."""
        likely = (share * self.trials + 1.0) / (self.trials + 2.0)
        return math.sqrt(likely * (1.0 - likely) / self.trials)


@dataclass(frozen=True)
class Row:
    """One line of the table, for one population and one number of queries."""

    what: str
    method: str
    population: str
    queries: int
    share: float
    error: float
    trials: int


class Tally:
    """The counts of one population and one number of queries, by (what, method)."""

    def __init__(self) -> None:
        self.counts: dict[tuple[str, str], Count] = {}

    def add(self, what: str, method: str, share: float | Matrix) -> None:
        self.counts.setdefault((what, method), Count()).add(share)

    def merge(self, other: Tally) -> None:
        for key, count in other.counts.items():
            self.counts.setdefault(key, Count()).merge(count)

    def rows(self, population: str, queries: int) -> list[Row]:
        found = []
        for (what, method), count in self.counts.items():
            worst = what.endswith("worst system")
            share, error = (count.worst, count.worst_error) if worst else (count.mean, count.error)
            found.append(Row(what, method, population, queries, share, error, count.trials))
        return found
