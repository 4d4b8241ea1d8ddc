"""What explain() returns over many queries: where and why two measures part."""

from __future__ import annotations

from typing import Any

from rankgauge.errors import plural
from rankgauge.frozen import dataclass
from rankgauge.tables.shown import Shown
from rankgauge.tables.table import Cell, Column, Table, number

SHOWN = 3
SAME = 1e-12


@dataclass(frozen=True)
class Parting:
    """One ranking under both: its values, and the first rank at which the values so far differ (None: they never do)."""

    system: str
    query: str
    first: float
    second: float
    rank: int | None

    @property
    def difference(self) -> float:
        return self.second - self.first


@dataclass(frozen=True)
class Portion:
    """What some ranks, or some documents, add to the mean value of either; all of a kind add up to the means."""

    name: str
    first: float
    second: float

    @property
    def difference(self) -> float:
        return self.second - self.first


@dataclass(frozen=True)
class Partings(Shown):
    """Where two measures part (`by_rank`), on which documents (`by_document`), and how much, ranking by ranking.

    `rho` is Spearman's correlation of the two over the rankings; rankings without a value under both are `left_out`.
    """

    names: tuple[str, str]
    rankings: tuple[Parting, ...]
    left_out: int
    by_rank: tuple[Portion, ...]
    by_document: tuple[Portion, ...]
    rho: float

    @property
    def difference(self) -> float:
        """The mean of the second less that of the first."""
        return sum(one.difference for one in self.rankings) / len(self.rankings)

    def largest(self, count: int = SHOWN) -> tuple[Parting, ...]:
        """The rankings on which they differ most."""
        return tuple(sorted(self.rankings, key=lambda one: -abs(one.difference))[:count])

    def table(self) -> Table:
        columns = (Column("part"), number("first"), number("second"), number("difference", signed=True))
        means = [sum(getattr(one, side) for one in self.rankings) / len(self.rankings) for side in ("first", "second")]
        rows: list[tuple[Cell, ...]] = [("mean", *means, means[1] - means[0])]
        rows += [(one.name, one.first, one.second, one.difference) for one in (*self.by_rank, *self.by_document)]
        return Table(columns, tuple(rows), self._caption(), tuple(self._remarks()))

    def ranking_table(self) -> Table:
        """Every ranking: for other programs."""
        columns = (
            Column("system"),
            Column("query"),
            number("first"),
            number("second"),
            number("difference"),
            number("parting_rank"),
        )
        rows = tuple((one.system, one.query, one.first, one.second, one.difference, one.rank) for one in self.rankings)
        return Table(columns, rows)

    def to_dict(self) -> dict[str, Any]:
        return {
            "first": self.names[0],
            "second": self.names[1],
            "difference": self.difference,
            "rho": self.rho,
            "by_rank": [self._portion(one) for one in self.by_rank],
            "by_document": [self._portion(one) for one in self.by_document],
            "rankings": [
                {
                    "system": one.system,
                    "query": one.query,
                    "first": one.first,
                    "second": one.second,
                    "difference": one.difference,
                    "parting_rank": one.rank,
                }
                for one in self.rankings
            ],
            "left_out": self.left_out,
        }

    @staticmethod
    def _portion(one: Portion) -> dict[str, Any]:
        return {"part": one.name, "first": one.first, "second": one.second, "difference": one.difference}

    def _caption(self) -> str:
        return f"{self.names[0]} (first) versus {self.names[1]} (second) on {plural(len(self.rankings), 'ranking')}"

    def _remarks(self) -> list[str]:
        apart = [one for one in self.rankings if abs(one.difference) > SAME]
        higher = sum(one.difference > 0 for one in apart)
        equal = len(self.rankings) - len(apart)
        remarks = [
            f"the second is higher on {higher:,}, lower on {len(apart) - higher:,}, equal on {equal:,}; ρ {self.rho:.3f}",
            "ranks: what the documents there add to the mean; below them, what documents add by how they were judged",
        ]
        if apart:
            parted = sorted(one.rank for one in apart if one.rank is not None)
            if parted:
                remarks.append(f"half of those that differ do so from rank {parted[(len(parted) - 1) // 2]} or earlier")
            most = ", ".join(f"{self._called(one)} {one.difference:+.4f}" for one in self.largest())
            remarks.append(f"largest differences: {most}")
        if self.left_out:
            remarks.append(f"left out, without a value under both: {plural(self.left_out, 'ranking')}")
        return remarks

    def _called(self, one: Parting) -> str:
        several = len({other.system for other in self.rankings}) > 1
        return f"{one.system} {one.query}" if several else one.query
