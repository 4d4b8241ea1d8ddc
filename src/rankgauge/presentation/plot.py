"""rankgauge.plot: charts for notebooks. Each function returns an Altair chart; `save` writes it as PNG, SVG or JSON."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Any

import numpy as np

from rankgauge.analysis.score_table import scores_from
from rankgauge.data.about import Queries
from rankgauge.errors import UsageError, did_you_mean
from rankgauge.measures.measure import Measure
from rankgauge.presentation.charts.agreement import agreement_chart as agreement
from rankgauge.presentation.charts.curves import discrimination_chart as discrimination
from rankgauge.presentation.charts.curves import stability_chart as stability
from rankgauge.presentation.charts.optimum import discount_chart as optimal_discount
from rankgauge.presentation.charts.optimum import gain_chart as optimal_gains
from rankgauge.presentation.charts.optimum import queries_chart as optimal_queries
from rankgauge.presentation.charts.optimum import relevant_chart as relevant_by_rank
from rankgauge.presentation.charts.queries import by_change, changes_chart, query_texts
from rankgauge.presentation.charts.queries import explanation_chart as explanation
from rankgauge.presentation.charts.relevance import relevance_chart as relevance
from rankgauge.presentation.charts.robust import robustness_chart as robustness
from rankgauge.presentation.charts.style import save_chart as save
from rankgauge.signature import checked

__all__ = [
    "agreement",
    "changes",
    "discrimination",
    "explanation",
    "optimal_discount",
    "optimal_gains",
    "optimal_queries",
    "relevance",
    "relevant_by_rank",
    "robustness",
    "save",
    "stability",
]


@checked
def changes(
    scores: Any,
    system: str,
    baseline: str,
    *,
    measure: str | Measure | None = None,
    queries: Queries | Mapping[str, str] | str | PathLike[str] | None = None,
) -> Any:
    """Wins and losses of `system` against `baseline` on the first measure, or on the one named: a bar per query, or a
    histogram for thousands of queries. `queries` adds their texts.
    """
    scores, rows = scores_from(scores), []
    measure = scores.measures[0] if measure is None else measure
    for name in (system, baseline):
        if name not in scores.systems:
            raise UsageError(f"no system {name!r} in the scores; {did_you_mean(name, scores.systems)}")
        rows.append(scores.matrix(measure)[scores.systems.index(name)])
    changes = np.subtract(*rows)
    changed = [(scores.queries[at], float(changes[at])) for at in by_change(scores.queries, changes).tolist()]
    return changes_chart(changed, str(measure), query_texts(queries), title=f"{system} − {baseline}, {measure}")
