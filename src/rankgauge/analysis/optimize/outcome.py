"""Where a search ended, and what a candidate is worth."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite


@dataclass(frozen=True)
class Ascent:
    """One start of the search and the local maximum of the objective that it reached."""

    start: str
    value: float
    gap: float


@dataclass(frozen=True)
class Outcome:
    """A candidate's measure, Φ for one query, (target, queries needed), which is inf where none are enough, and its value.

    The value is that of the objective: Φ or Eρ² for one query, or the share of pairs told apart on these queries.
    """

    name: str
    measure: str
    dependability: float
    queries_needed: tuple[tuple[float, float], ...]
    value: float

    def by_target(self) -> dict[str, int | None]:
        return {f"{target:g}": int(queries) if isfinite(queries) else None for target, queries in self.queries_needed}
