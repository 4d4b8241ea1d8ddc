"""Do two measures rank the systems in the same order? Kendall's τ-b, τ_AP, and the distance of mean scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from rankgauge.analysis.score_table import (
    Measures,
    complete_queries,
    evaluation_notes,
    left_out,
    names_of,
    scores_from,
    undefined_queries,
)
from rankgauge.arrays import Floats
from rankgauge.data.policy import Policy
from rankgauge.errors import AnalysisError
from rankgauge.evaluation.aggregates import aggregate
from rankgauge.kernels.ranks import kendall_tau, rmse, tau_ap
from rankgauge.kernels.resampling import Progress
from rankgauge.measures.measure import Measure
from rankgauge.tables import Shown
from rankgauge.tables.notes import Note, gathered
from rankgauge.tables.table import Cell, Column, Table, number

Square = tuple[tuple[float, ...], ...]

# Means closer than this, relative to the largest, differ by the order in which they were added up.
ROUNDING = 1e-12


@dataclass(frozen=True, repr=False)
class Agreement(Shown):
    """Every pair of measures. In `tau_ap` the row is the reference and the column the order compared with it.

    `means` has a row per measure and a column per system; `query_counts` are the queries behind each mean.
    """

    _json_names: ClassVar = {"query_counts": "queries"}

    measures: tuple[str, ...]
    systems: tuple[str, ...]
    query_counts: tuple[int, ...]
    means: Square
    tau: Square
    tau_ap: Square
    rmse: Square
    notes: tuple[Note, ...] = ()

    def table(self) -> Table:
        """Three matrices below each other; columns are numbered where the measures' names would be too wide."""
        if sum(map(len, self.measures)) <= 40:
            columns, rows = self._matrices("", self.measures, self.measures)
        else:
            numbers = tuple(str(at) for at in range(1, len(self.measures) + 1))
            labels = tuple(f"{at} {name}" for at, name in zip(numbers, self.measures, strict=True))
            columns, rows = self._matrices("", numbers, labels)
        notes = (
            "τ-b and τ_AP: 1 same order of the systems, 0 unrelated, −1 reversed",
            "τ_AP gives the best systems more weight; the row is the reference",
            "RMSE compares the systems' mean scores",
            *gathered(self.notes),
        )
        caption = f"agreement of {len(self.measures)} measures on {len(self.systems)} systems"
        return Table(columns, rows, caption, notes)

    def wide_table(self) -> Table:
        """The same with the measures' full names over the columns: for other programs."""
        return Table(*self._matrices("coefficient", self.measures, self.measures))

    def _matrices(
        self, first: str, heads: tuple[str, ...], names: tuple[str, ...]
    ) -> tuple[tuple[Column, ...], tuple[tuple[Cell, ...], ...]]:
        rows: list[tuple[Cell, ...]] = []
        for kind, square in (("τ-b", self.tau), ("τ_AP", self.tau_ap), ("RMSE", self.rmse)):
            rows += [(kind, name, *row) for name, row in zip(names, square, strict=True)]
        return (Column(first), Column("measure"), *map(number, heads)), tuple(rows)

    def __repr__(self) -> str:
        return f"Agreement({', '.join(self.measures)}; {len(self.systems)} systems)"


def agreement(
    scores: Any,
    runs: Any = None,
    measures: Measures | None = None,
    *,
    policy: Policy | None = None,
    like: str | None = None,
    only: Iterable[str] | None = None,
    progress: Progress | None = None,
) -> Agreement:
    """Compare how measures rank the systems by their means."""
    table = scores_from(scores, runs, measures, policy=policy, like=like, only=only, progress=progress)
    names = names_of(table)
    if len(names) < 2:
        raise AnalysisError("agreement is between two or more measures\nName another one.")
    matrices = [table.matrix(measure) for measure in table.measures]
    complete = [complete_queries(matrix, name) for matrix, name in zip(matrices, names, strict=True)]
    means = [
        _aggregated(matrix.take(kept, axis=1), measure)
        for matrix, kept, measure in zip(matrices, complete, table.measures, strict=True)
    ]
    orders = [order_levels(mean) for mean in means]
    gaps = [
        note
        for name, kept in zip(names, complete, strict=True)
        for note in undefined_queries(left_out(kept, table.queries), name)
    ]
    return Agreement(
        names,
        table.systems,
        tuple(len(kept) for kept in complete),
        tuple(tuple(mean.tolist()) for mean in means),
        tau=_square(kendall_tau, orders),
        tau_ap=_square(tau_ap, orders),
        rmse=_square(rmse, means),
        notes=(*gaps, *evaluation_notes(table)),
    )


def _aggregated(matrix: Floats, measure: Measure) -> Floats:
    """One number per system as `evaluate` prints it: GMAP ranks systems by a geometric mean."""
    return np.array([aggregate(measure.definition.aggregate, row) for row in matrix])


def order_levels(means: Floats) -> Floats:
    """Means as whole numbers in the same order, equal where they differ by rounding only."""
    order = np.argsort(means, kind="stable")
    steps = np.diff(means[order]) > ROUNDING * np.abs(means).max()
    levels = np.empty(len(means))
    levels[order] = np.concatenate([[0], np.cumsum(steps)])
    return levels


def _square(coefficient: Callable[[Floats, Floats], float], rows: Sequence[Floats]) -> Square:
    return tuple(tuple(coefficient(row, column) for column in rows) for row in rows)
