"""What `optimize` found, with everything needed to doubt it."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Any

from rankgauge.analysis.fractional.form import with_queries
from rankgauge.analysis.fractional.steps import Steps
from rankgauge.analysis.optimal.holdout import HeldOut


@dataclass(frozen=True)
class Ascent:
    """One start of the search and the dependability of the local maximum it reached."""

    start: str
    dependability: float
    gap: float


@dataclass(frozen=True)
class Outcome:
    """A measure, Φ for one query, and (target, queries needed to reach it), which is inf where none are enough."""

    measure: str
    dependability: float
    queries_needed: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Optimum:
    """The most dependable gain or discount for these systems and queries; `recommendation` is what to use.

    Dependability is Φ for one query, its components not truncated at 0. `gap` is the first-order certificate: how fast
    Φ could still grow, at most. `discount`, `steps` (where the discount was searched) and `gain` (by grade) are the
    optimum's, as its measure prints them. `tau` compares the orders of systems under start and optimum.
    """

    over: tuple[str, ...]
    constrained: bool
    systems: int
    queries: int
    start: Outcome
    optimum: Outcome
    recommendation: str
    discount: tuple[float, ...]
    steps: Steps
    gain: tuple[tuple[float, float], ...]
    gap: float
    ascents: tuple[Ascent, ...]
    held_out: HeldOut | None
    tau: float
    seed: int
    notes: tuple[str, ...]

    @property
    def spread(self) -> float:
        """Largest difference in dependability between two starts: above 1e-7 there are several local maxima."""
        values = [ascent.dependability for ascent in self.ascents]
        return max(values) - min(values)

    @property
    def keeps_start(self) -> bool:
        return self.recommendation == self.start.measure

    def curve(self, most: int) -> tuple[tuple[int, float, float], ...]:
        """(queries, Φ of the start, Φ of the optimum) for 1 to `most` queries: the paper's Figure 4."""
        return tuple(
            (n, with_queries(self.start.dependability, n), with_queries(self.optimum.dependability, n))
            for n in range(1, most + 1)
        )

    def to_dict(self) -> dict[str, Any]:
        pair = {"start": self.start, "optimum": self.optimum}
        return {
            "start": self.start.measure,
            "over": list(self.over),
            "constrained": self.constrained,
            "systems": self.systems,
            "queries": self.queries,
            "optimum": self.optimum.measure,
            "dependability_per_query": {name: _plain(outcome.dependability) for name, outcome in pair.items()},
            "queries_needed": {name: _by_target(outcome) for name, outcome in pair.items()},
            "discount": list(self.discount),
            "steps": [list(step) for step in self.steps],
            "gain": {f"{grade:g}": value for grade, value in self.gain},
            "gap": _plain(self.gap),
            "starts": {
                "count": len(self.ascents),
                "spread": _plain(self.spread),
                "reached": {ascent.start: _plain(ascent.dependability) for ascent in self.ascents},
            },
            "held_out": held_out_dict(self.held_out) if self.held_out else None,
            "recommendation": self.recommendation,
            "tau": _plain(self.tau),
            "seed": self.seed,
            "notes": list(self.notes),
        }


def held_out_dict(held_out: HeldOut) -> dict[str, Any]:
    return {
        "folds": held_out.folds,
        "repeats": held_out.repeats,
        **{candidate.name: candidate.dependability for candidate in held_out.candidates},
        "deviation": {candidate.name: candidate.deviation for candidate in held_out.candidates},
        "best": held_out.best,
        "recommended": held_out.recommended,
        "gain": held_out.gain,
        "error": held_out.error,
        "strength": held_out.strength,
    }


def _by_target(outcome: Outcome) -> dict[str, int | None]:
    return {f"{target:g}": int(queries) if isfinite(queries) else None for target, queries in outcome.queries_needed}


def _plain(value: float) -> float | None:
    return float(value) if isfinite(value) else None
