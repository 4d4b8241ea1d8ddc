"""What a study of stability found: per measure, and for several measures side by side."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from rankgauge.analysis.reliability import Curve, Estimate, Reliability, plain
from rankgauge.analysis.variance import MeanSquares, VarianceComponents
from rankgauge.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    import polars as pl

Coefficient = Literal["dependability", "generalizability"]
Interval = Literal["arteaga", "jackknife"]


@dataclass(frozen=True)
class Note:
    """Something the reader of a result should know, counted, with a few examples."""

    kind: str
    message: str
    count: int
    examples: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "message": self.message, "count": self.count, "examples": list(self.examples)}


@dataclass(frozen=True)
class MeasureStability:
    """What one measure's scores say about the number of queries. `systems` and `queries` count what was used."""

    measure: str
    systems: int
    queries: int
    mean_squares: MeanSquares
    variance: VarianceComponents
    absolute: Reliability
    relative: Reliability
    targets: tuple[float, ...]
    systems_left_out: tuple[str, ...]
    queries_left_out: tuple[str, ...]
    notes: tuple[Note, ...]

    def dependability(self, queries: int | None = None) -> Estimate:
        """Φ on this many queries (the present number unless said): can the mean scores be taken at face value?"""
        return self.absolute.at(self.queries if queries is None else queries)

    def generalizability(self, queries: int | None = None) -> Estimate:
        """Eρ² on this many queries (the present number unless said): would other queries rank these systems alike?"""
        return self.relative.at(self.queries if queries is None else queries)

    def queries_needed(self, target: float, coefficient: Coefficient = "dependability") -> Estimate:
        """The smallest number of queries that reaches the target; inf where the systems do not differ."""
        return self._reliability(coefficient).queries_needed(target)

    def curve(self, queries: Iterable[int] | None = None, coefficient: Coefficient = "dependability") -> Curve:
        """Φ (or Eρ²) with its band; unless said, from 1 query to past the last target, at most tenfold the present."""
        reliability = self._reliability(coefficient)
        if queries is None:
            last = max([self.queries, *(reliability.queries_needed(target).value for target in self.targets)])
            queries = range(1, int(min(10 * self.queries, 1.1 * last)) + 1)
        return reliability.curve(queries)

    def to_dict(self) -> dict[str, Any]:
        """The object of one measure in the JSON of `stability`; `variance` as estimated, `variance_used` truncated."""
        return {
            "systems": self.systems,
            "queries": self.queries,
            "variance": self.variance.to_dict(),
            "variance_used": self.variance.truncated().to_dict(),
            "share": self.variance.shares().to_dict(),
            "mean_squares": self.mean_squares.to_dict(),
            "dependability": self.dependability().to_dict(),
            "generalizability": self.generalizability().to_dict(),
            "dependability_per_query": plain(self.dependability(1).value),
            "queries_needed": {
                coefficient: {repr(t): self.queries_needed(t, coefficient).to_dict() for t in self.targets}
                for coefficient in get_args(Coefficient)
            },
            "left_out": {"systems": list(self.systems_left_out), "queries": list(self.queries_left_out)},
            "notes": [note.to_dict() for note in self.notes],
        }

    def _reliability(self, coefficient: Coefficient) -> Reliability:
        check_word("coefficient", coefficient, get_args(Coefficient))
        return self.absolute if coefficient == "dependability" else self.relative


@dataclass(frozen=True)
class Stability:
    """The studies of one or several measures, in the order asked for; `study["nDCG@10"]` is one of them."""

    measures: tuple[MeasureStability, ...]
    targets: tuple[float, ...]
    confidence: float
    interval: Interval
    drop: float

    def __getitem__(self, measure: object) -> MeasureStability:
        for study in self.measures:
            if study.measure == str(measure):
                return study
        raise UsageError(f"no study of measure {str(measure)!r}\n{did_you_mean(str(measure), self)}")

    def __iter__(self) -> Iterator[str]:
        return (study.measure for study in self.measures)

    def __len__(self) -> int:
        return len(self.measures)

    def __contains__(self, measure: object) -> bool:
        return str(measure) in tuple(self)

    def fewest_queries(self, target: float) -> MeasureStability | None:
        """The measure that reaches the target with the fewest queries, the first of equals; None if none does."""
        best = min(self.measures, key=lambda study: study.queries_needed(target).value)
        return best if math.isfinite(best.queries_needed(target).value) else None

    def to_dict(self) -> dict[str, Any]:
        return {
            "confidence": self.confidence,
            "interval": self.interval,
            "drop": self.drop,
            "measures": {study.measure: study.to_dict() for study in self.measures},
        }

    def to_polars(self) -> pl.DataFrame:
        """One row per measure; an undefined or infinite number is nan or inf, as Polars can hold them."""
        import polars as pl

        rows: list[dict[str, Any]] = []
        for study in self.measures:
            row: dict[str, Any] = {"measure": study.measure, "systems": study.systems, "queries": study.queries}
            row |= {f"variance_{part}": value for part, value in study.variance.to_dict().items()}
            row |= _columns("dependability", study.dependability())
            row |= _columns("generalizability", study.generalizability())
            for target in self.targets:
                row |= _columns(f"queries_for_{target!r}", study.queries_needed(target))
            rows.append(row)
        return pl.DataFrame(rows)

    def __str__(self) -> str:
        titles = ("measure", "systems", "queries", "system", "query", "rest", "Φ", "Eρ²")
        rows = [(*titles, *(f"queries for Φ ≥ {target:g}" for target in self.targets))]
        for study in self.measures:
            share = study.variance.shares()
            shares = (f"{100 * part:.1f} %" for part in (share.system, share.query, share.residual))
            coefficients = (str(study.dependability()), str(study.generalizability()))
            needed = (str(study.queries_needed(target)) for target in self.targets)
            rows.append((study.measure, str(study.systems), str(study.queries), *shares, *coefficients, *needed))
        widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        method = "Arteaga for Φ, exact F for Eρ²" if self.interval == "arteaga" else self.interval
        level = f"{100 * self.confidence:g} % interval ({method})"
        lines.append(f"system, query, rest: shares of variance; in brackets the {level}.")
        if len(self.measures) > 1:
            fewest = [(target, self.fewest_queries(target)) for target in self.targets]
            lines += [f"Fewest queries for Φ ≥ {target:g}: {study.measure}." for target, study in fewest if study]
        lines += [f"{study.measure}: {note.message}." for study in self.measures for note in study.notes]
        return "\n".join(lines)


def check_word(what: str, word: str, known: tuple[str, ...]) -> None:
    if word not in known:
        raise UsageError(f"unknown {what} {word!r}\n{did_you_mean(str(word), known)}")


def _columns(name: str, estimate: Estimate) -> dict[str, float]:
    return {name: float(estimate.value), f"{name}_low": float(estimate.low), f"{name}_high": float(estimate.high)}
