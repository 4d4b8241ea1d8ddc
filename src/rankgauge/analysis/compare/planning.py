"""How many queries would show a difference of a given size between systems like these?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankgauge.analysis.compare import power as planned
from rankgauge.analysis.compare.findings import plain
from rankgauge.analysis.compare.options import position
from rankgauge.analysis.score_table import ScoreTable
from rankgauge.errors import UsageError
from rankgauge.tables.shown import Shown
from rankgauge.tables.table import Column, Table, number


@dataclass(frozen=True, slots=True)
class MeasurePlan:
    """`deviation` is that of paired differences, the median over all pairs; `queries_needed` None if no number does."""

    measure: str
    deviation: float
    queries: int
    queries_needed: int | None
    detectable_difference: float

    def to_dict(self) -> dict[str, object]:
        return {
            "deviation": plain(self.deviation),
            "queries": self.queries,
            "queries_needed": self.queries_needed,
            "detectable_difference": plain(self.detectable_difference),
        }


@dataclass(frozen=True, repr=False)
class QueryPlan(Shown):
    """The queries that each measure needs to find `difference`, in `power` of all cases, at level `alpha`."""

    difference: float
    power: float
    alpha: float
    measures: tuple[MeasurePlan, ...]

    def __getitem__(self, measure: object) -> MeasurePlan:
        return self.measures[position(str(measure), [plan.measure for plan in self.measures], "measure")]

    def table(self) -> Table:
        columns = (Column("measure"), number("queries needed"), number("queries now"), number("detectable now"))
        rows = tuple(
            (plan.measure, plan.queries_needed, plan.queries, plan.detectable_difference) for plan in self.measures
        )
        caption = f"queries that show a difference of {self.difference:g} with {100 * self.power:g} % power"
        return Table(columns, rows, caption, (f"paired t-test at α = {self.alpha:g}; two systems compared once",))

    def to_dict(self) -> dict[str, object]:
        return {
            "difference": self.difference,
            "power": self.power,
            "alpha": self.alpha,
            "measures": {plan.measure: plan.to_dict() for plan in self.measures},
        }

    def __repr__(self) -> str:
        needed = ", ".join(f"{plan.measure}: {plan.queries_needed}" for plan in self.measures)
        return f"QueryPlan({self.difference:g} — {needed})"


def queries_to_detect(
    scores: ScoreTable, *, difference: float = 0.02, power: float = 0.8, alpha: float = 0.05
) -> QueryPlan:
    """How many queries a comparison needs to find a true difference of this size, for every measure of the scores.

    The scatter of paired differences is taken from the scores, as the median over all pairs of systems.
    """
    if not difference > 0:
        raise UsageError(f"difference is {difference}; it must be above 0, such as 0.02.")
    plans = []
    for measure in scores.measures:
        values = np.asarray(scores.matrix(measure), dtype=np.float64)
        deviation, queries = planned.typical_deviation(values), int(np.count_nonzero(~np.isnan(values).any(axis=0)))
        needed = planned.queries_to_detect(deviation, difference, power=power, alpha=alpha)
        detectable = planned.detectable_difference(deviation, queries, power=power, alpha=alpha)
        plans.append(MeasurePlan(str(measure), deviation, queries, needed, detectable))
    return QueryPlan(difference, power, alpha, tuple(plans))
