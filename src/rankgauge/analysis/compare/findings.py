"""What was found on one measure: systems with their intervals, pairs with their verdicts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from rankgauge.errors import UsageError

Verdict = Literal["better", "worse", "undecided", "equivalent"]


@dataclass(frozen=True, slots=True)
class SystemSummary:
    """One system's mean over its queries, and its rank among the systems; both with their intervals."""

    name: str
    mean: float
    low: float
    high: float
    deviation: float
    queries: int
    rank: int
    rank_low: int
    rank_high: int

    def to_dict(self) -> dict[str, object]:
        return {
            "name": self.name,
            "mean": plain(self.mean),
            "low": plain(self.low),
            "high": plain(self.high),
            "queries": self.queries,
            "rank": self.rank,
            "rank_low": self.rank_low,
            "rank_high": self.rank_high,
        }


@dataclass(frozen=True, slots=True)
class Pair:
    """One system against another, on the queries that both have.

    `p` and the interval are of this pair alone, `p_adjusted` of the whole family, and the verdict follows `p_adjusted`.
    `effect_size` is the difference in standard deviations of the differences (in residual ones for Tukey's tests).
    `queries_needed` is None unless the verdict is undecided and some number of queries would change it.
    """

    system: str
    baseline: str
    difference: float
    low: float
    high: float
    p: float
    p_adjusted: float
    effect_size: float
    wins: int
    ties: int
    losses: int
    verdict: Verdict
    queries_needed: int | None
    detectable_difference: float
    p_equivalence: float
    deviation: float
    queries: int
    dropped: int

    def to_dict(self) -> dict[str, object]:
        return {
            "system": self.system,
            "baseline": self.baseline,
            "difference": plain(self.difference),
            "low": plain(self.low),
            "high": plain(self.high),
            "p": plain(self.p),
            "p_adjusted": plain(self.p_adjusted),
            "effect_size": plain(self.effect_size),
            "wins": self.wins,
            "ties": self.ties,
            "losses": self.losses,
            "verdict": self.verdict,
            "queries_needed": self.queries_needed,
            "detectable_difference": plain(self.detectable_difference),
            "p_equivalence": plain(self.p_equivalence),
            "queries": self.queries,
            "dropped": self.dropped,
        }


@dataclass(frozen=True, slots=True)
class MeasureComparison:
    """Systems and pairs on one measure; `detectable_difference` is the median over the pairs."""

    measure: str
    systems: tuple[SystemSummary, ...]
    pairs: tuple[Pair, ...]
    detectable_difference: float

    def pair(self, system: str, baseline: str) -> Pair:
        """The pair as it was compared; an error when it was not."""
        for pair in self.pairs:
            if (pair.system, pair.baseline) == (system, baseline):
                return pair
        raise UsageError(f"{system} was not compared with {baseline}; compare all pairs, or name another baseline.")

    def to_dict(self) -> dict[str, object]:
        return {
            "systems": [system.to_dict() for system in self.systems],
            "pairs": [pair.to_dict() for pair in self.pairs],
            "detectable_difference": plain(self.detectable_difference),
        }


def plain(number: float) -> float | None:
    """A float for JSON, which knows neither nan nor infinity."""
    number = float(number)
    return number if math.isfinite(number) else None
