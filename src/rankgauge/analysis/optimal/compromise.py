"""One measure for several collections: how well it serves each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rankgauge.analysis.fractional.steps import Steps
from rankgauge.tables.shown import Shown
from rankgauge.tables.table import Column, Table, number


@dataclass(frozen=True)
class Served:
    """How one collection fares: Φ for one query under the common measure and under its own optimum."""

    name: str
    dependability: float
    own_optimum: float

    @property
    def efficiency(self) -> float:
        return self.dependability / self.own_optimum


@dataclass(frozen=True, repr=False)
class Compromise(Shown):
    """The common measure. `worst` is the smallest efficiency, or the smallest Φ where values count as they are."""

    measure: str
    over: tuple[str, ...]
    relative: bool
    discount: tuple[float, ...]
    steps: Steps
    gain: tuple[tuple[float, float], ...]
    served: tuple[Served, ...]
    worst: float
    gap: float
    seed: int

    def to_dict(self) -> dict[str, Any]:
        return {
            "measure": self.measure,
            "over": list(self.over),
            "relative": self.relative,
            "discount": list(self.discount),
            "gain": {f"{grade:g}": value for grade, value in self.gain},
            "collections": {
                one.name: {
                    "dependability_per_query": one.dependability,
                    "own_optimum": one.own_optimum,
                    "efficiency": one.efficiency,
                }
                for one in self.served
            },
            "worst": self.worst,
            "gap": self.gap,
            "seed": self.seed,
        }

    def table(self) -> Table:
        columns = (Column("collection"), number("Φ"), number("own optimum"), number("efficiency"))
        rows = tuple((one.name, one.dependability, one.own_optimum, one.efficiency) for one in self.served)
        least = "efficiency, Φ over that of the own optimum" if self.relative else "Φ"
        notes = (
            f"common measure: {self.measure}",
            f"the smallest {least}, is as large as possible: {self.worst:.4f} (gap {self.gap:.0e})",
        )
        caption = f"one {' and '.join(self.over)} for {len(self.served)} collections or cutoffs"
        return Table(columns, rows, caption, notes)

    def __repr__(self) -> str:
        return f"Compromise({self.measure}; worst {self.worst:.4f})"
