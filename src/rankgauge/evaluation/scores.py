"""Scores: a cube of systems × queries × measures that knows how it was made."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rankgauge.data.policy import DEFAULT, Policy
from rankgauge.errors import UsageError, did_you_mean
from rankgauge.evaluation.means import (
    Means,
    mean_table,
    measure_column,
    policy_in_force,
    remarks_on,
    ties_of,
    undefined_of,
)
from rankgauge.frozen import dataclass
from rankgauge.measures.grammar import parse
from rankgauge.measures.measure import Aggregate, Measure
from rankgauge.tables.notes import Note
from rankgauge.tables.shown import Shown
from rankgauge.tables.table import Column, Table, plain

if TYPE_CHECKING:
    import polars as pl

Cube = NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class Scores(Shown):
    """One number per system, query and measure; nan marks a cell that the policy leaves out."""

    systems: tuple[str, ...]
    queries: tuple[str, ...]
    measures: tuple[Measure, ...]
    values: Cube
    policy: Policy = DEFAULT
    notes: tuple[Note, ...] = ()
    bounds: tuple[Cube, Cube] | None = None
    """Under unjudged="bounds": the lowest and the highest value that judging the unjudged could give."""
    weights: Cube | None = None
    """One weight per query for the means, such as its traffic; None: all alike."""

    def __post_init__(self) -> None:
        shape = (len(self.systems), len(self.queries), len(self.measures))
        if self.values.shape != shape:
            raise UsageError(f"values have shape {self.values.shape}, but the names say {shape}")
        self.values.flags.writeable = False
        if self.weights is not None:
            if self.weights.shape != (len(self.queries),):
                raise UsageError(f"weights of shape {self.weights.shape} for {len(self.queries)} queries")
            self.weights.flags.writeable = False

    def matrix(self, measure: str | Measure | None = None) -> Cube:
        """Systems × queries of one measure; the only one if none is named."""
        return self.values[:, :, self._index_of(measure)]

    def only(self, measures: Sequence[str | Measure]) -> Scores:
        """The same scores for some of the measures; notes about the others are left out."""
        places = [self._index_of(measure) for measure in measures]
        kept = tuple(self.measures[place] for place in places)
        names = {str(measure) for measure in self.measures} - set(map(str, kept))
        notes = tuple(note for note in self.notes if note.measure not in names)
        bounds = None if self.bounds is None else (self.bounds[0][:, :, places], self.bounds[1][:, :, places])
        return replace(self, measures=kept, values=self.values[:, :, places], notes=notes, bounds=bounds)

    def at_queries(self, places: Sequence[int]) -> Scores:
        """The same scores for the queries at these places; notes speak of all queries and stay behind."""
        rows = list(places)
        return replace(
            self,
            queries=tuple(self.queries[place] for place in rows),
            values=self.values[:, rows],
            notes=(),
            bounds=None if self.bounds is None else (self.bounds[0][:, rows], self.bounds[1][:, rows]),
            weights=None if self.weights is None else self.weights[rows],
        )

    def mean(self) -> dict[str, dict[str, float]]:
        """Mean over the queries counted, per system and measure; counts are summed, GMAP is a geometric mean.

        Where queries have weights, means are weighted and sums are not.
        """
        return self._summary(lambda values, measure: AGGREGATES[measure.definition.aggregate](values, self.weights))

    def weighted(self, weights: Cube) -> Scores:
        """The same scores, with each query weighted in the means."""
        note = weights_note(len(weights), weights.min(), weights.max())
        return replace(self, weights=weights, notes=(note, *self.notes))

    def bounds_of_mean(self) -> dict[str, dict[str, tuple[float, float]]]:
        """The lowest and highest mean that judging the unjudged could give; empty unless asked for."""
        if self.bounds is None:
            return {}
        low, high = (replace(self, values=side, bounds=None).mean() for side in self.bounds)
        return {system: {name: (low[system][name], high[system][name]) for name in low[system]} for system in low}

    def median(self) -> dict[str, dict[str, float]]:
        return self._summary(lambda values, _: _median(values))

    def counted(self) -> NDArray[np.int64]:
        """Systems × measures: how many queries stand behind each mean."""
        return np.sum(~np.isnan(self.values), axis=1)

    def per_query(self) -> dict[str, dict[str, dict[str, float]]]:
        """{system: {query: {measure: value}}}, without the cells left out."""
        names = [str(measure) for measure in self.measures]
        return {
            system: {
                query: {name: value for name, value in zip(names, row, strict=True) if value == value}  # noqa: PLR0124 - nan
                for query, row in zip(self.queries, rows, strict=True)
            }
            for system, rows in zip(self.systems, self.values.tolist(), strict=True)
        }

    def ties_of(self) -> dict[str, str]:
        """The tie rule in force for each measure."""
        return ties_of(self.measures, self.policy)

    def undefined_of(self) -> dict[str, str]:
        """What each measure counts where it is undefined."""
        return undefined_of(self.measures, self.policy)

    def to_polars(self) -> pl.DataFrame:
        """One row per system and query, one column per measure."""
        import polars as pl

        systems, queries = len(self.systems), len(self.queries)
        columns = {str(m): self.values[:, :, i].ravel() for i, m in enumerate(self.measures)}
        names = {
            "system": pl.Series(self.systems, dtype=pl.String).gather(np.repeat(np.arange(systems), queries)),
            "query": pl.Series(self.queries, dtype=pl.String).gather(np.tile(np.arange(queries), systems)),
        }
        return pl.DataFrame({**names, **columns}, nan_to_null=True)

    def to_pandas(self) -> Any:
        """As to_polars, for pandas."""
        return self.to_polars().to_pandas()

    def to_dict(self, *, per_query: bool = False) -> dict[str, Any]:
        """The JSON of the command line: plain numbers, null where nothing is defined."""
        out: dict[str, Any] = {
            "measures": [str(measure) for measure in self.measures],
            "systems": list(self.systems),
            "queries": len(self.queries),
            "policy": policy_in_force(self.measures, self.policy),
            "mean": plain(self.mean()),
            "median": plain(self.median()),
            **({"bounds": plain(self.bounds_of_mean())} if self.bounds is not None else {}),
            "notes": [note.to_dict() for note in self.notes],
        }
        if per_query:
            out["per_query"] = plain(self.per_query())
        return out

    def table(self) -> Table:
        """Mean of each measure per system, best first by the first measure."""
        return mean_table(self.measures, self.mean(), self.counted(), self.remarks(), self.bounds_of_mean())

    def query_table(self) -> Table:
        """One row per system and query."""
        columns = (Column("system"), Column("query"), *map(measure_column, self.measures))
        rows = tuple(
            (system, query, *row)
            for system, block in zip(self.systems, self.values.tolist(), strict=True)
            for query, row in zip(self.queries, block, strict=True)
        )
        return Table(columns, rows, "per query", self.remarks())

    def remarks(self) -> tuple[str, ...]:
        """The policy in one line, then what was noted; alike notes of many systems are told together."""
        return remarks_on(self.measures, self.policy, self.notes)

    def means(self) -> Means:
        """The means alone, without the queries behind them."""
        values = np.array([list(row.values()) for row in self.mean().values()])
        return Means(self.systems, len(self.queries), self.measures, values, self.counted(), self.policy, self.notes)

    def __repr__(self) -> str:
        return f"Scores({len(self.systems)} systems × {len(self.queries)} queries × {len(self.measures)} measures)"

    def _summary(self, of: Callable[[Cube, Measure], float]) -> dict[str, dict[str, float]]:
        return {
            system: {str(measure): of(self.values[s, :, m], measure) for m, measure in enumerate(self.measures)}
            for s, system in enumerate(self.systems)
        }

    def _index_of(self, measure: str | Measure | None) -> int:
        if measure is None:
            if len(self.measures) != 1:
                raise UsageError("name one of the measures: " + ", ".join(map(str, self.measures)))
            return 0
        wanted = parse(measure) if isinstance(measure, str) else measure
        if wanted not in self.measures:
            raise UsageError(f"{wanted} was not evaluated; " + did_you_mean(str(wanted), map(str, self.measures)))
        return self.measures.index(wanted)


class Aggregation(Protocol):
    """Numbers of many queries to one, weighted where weights have a meaning."""

    def __call__(self, values: Cube, weights: Cube | None = None, /) -> float: ...


def weights_note(queries: int, low: float, high: float) -> Note:
    return Note("weights", f"means are weighted: {queries:,} queries with weights from {low:g} to {high:g}", queries)


def exact_mean(values: Sequence[float] | Cube, weights: Cube | None = None) -> float:
    """The mean of the numbers that are there; nan when none is, or none has a weight above 0.

    fsum rounds once, so the mean does not depend on the order of queries, blocks or partitions.
    """
    is_there = ~np.isnan(values)
    there = np.asarray(values)[is_there]
    if weights is None:
        return math.fsum(there.tolist()) / len(there) if len(there) else math.nan
    whole = math.fsum(weights[is_there].tolist())
    return math.fsum((there * weights[is_there]).tolist()) / whole if whole > 0 else math.nan


def exact_sum(values: Cube, _: Cube | None = None) -> float:
    """The sum of the numbers that are there, rounded once."""
    return math.fsum(values[~np.isnan(values)].tolist())


def geometric_mean(values: Cube, weights: Cube | None = None) -> float:
    """Of the numbers that are there, each taken as at least LEAST so that one 0 does not make all 0."""
    return math.exp(exact_mean(np.log(np.maximum(values, LEAST)), weights))


LEAST = 1e-5
"""trec_eval's choice for gm_map and gm_bpref."""
AGGREGATES: Mapping[Aggregate, Aggregation] = {
    "mean": exact_mean,
    "sum": exact_sum,
    "geometric": geometric_mean,
}


def _median(values: Cube) -> float:
    there = values[~np.isnan(values)]
    return float(np.median(there)) if len(there) else math.nan
