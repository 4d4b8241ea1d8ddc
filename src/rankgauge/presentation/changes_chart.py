"""What changed query by query between two systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rankgauge.presentation.charts import load_altair, styled
from rankgauge.tables.table import shortened

LONGEST = 200
MANY_QUERIES = 2000
UP, DOWN = "#1b7ca8", "#c2560c"


def sorted_changes(queries: Sequence[str], differences: npt.NDArray[np.float64]) -> list[tuple[str, float]]:
    """Queries with their differences, largest gain first; those without one are left out."""
    kept = np.flatnonzero(~np.isnan(differences)).tolist()
    return sorted(((queries[at], float(differences[at])) for at in kept), key=lambda change: (-change[1], change[0]))


def changes_chart(
    changes: Sequence[tuple[str, float]], texts: Mapping[str, str], measure: str, *, title: str = ""
) -> Any:
    """One bar per query, best change first; the parameter `wanted` holds a word to highlight."""
    alt = load_altair()
    rows: list[dict[str, Any]] = [
        {
            "place": place,
            "difference": value,
            "query": shortened(query, 80),
            "text": shortened(texts.get(query, ""), LONGEST),
            "kind": "better" if value >= 0 else "worse",
        }
        for place, (query, value) in enumerate(changes, 1)
    ]
    for row in rows:
        row["words"] = (
            ": ".join(str(row[part]) for part in ("query", "text") if row[part]) + f" {row['difference']:+.4f}"
        )
    wanted = alt.param(name="wanted", value="")
    seen = "wanted === '' || indexof(lower(datum.query + ' ' + datum.text), wanted) >= 0"
    chart = (
        alt.Chart(alt.InlineData(values=rows))
        .mark_bar()
        .encode(
            x=alt.X(
                "place:O",
                title="queries, sorted by difference",
                axis=alt.Axis(labels=False, ticks=False, grid=False),
                scale=alt.Scale(paddingInner=0.1),
            ),
            y=alt.Y("difference:Q", title=f"Δ {measure}"),
            color=alt.Color("kind:N", scale=alt.Scale(domain=["better", "worse"], range=[UP, DOWN]), legend=None),
            opacity=alt.condition(seen, alt.value(1.0), alt.value(0.15)),
            description=alt.Description("words:N"),
            tooltip=[alt.Tooltip("query:N"), alt.Tooltip("text:N"), alt.Tooltip("difference:Q", format="+.4f")],
        )
        .add_params(wanted)
    )
    return styled(chart.properties(width=900, height=220, **({"title": title} if title else {})))


def changes_histogram(changes: Sequence[tuple[str, float]], measure: str, *, title: str = "") -> Any:
    """How many queries changed by how much; for thousands of queries, where bars would be thinner than a pixel."""
    alt = load_altair()
    values = np.array([value for _, value in changes])
    reach = float(np.max(np.abs(values))) or 1.0
    counts, edges = np.histogram(values, np.linspace(-reach, reach, 62))
    rows = [
        {"low": low, "high": high, "queries": int(count), "kind": "better" if low + high >= 0 else "worse"}
        for low, high, count in zip(edges[:-1].tolist(), edges[1:].tolist(), counts.tolist(), strict=True)
    ]
    chart = (
        alt.Chart(alt.InlineData(values=rows))
        .mark_bar()
        .encode(
            x=alt.X("low:Q", bin="binned", title=f"Δ {measure}"),
            x2="high:Q",
            y=alt.Y("queries:Q", title="queries"),
            color=alt.Color("kind:N", scale=alt.Scale(domain=["better", "worse"], range=[UP, DOWN]), legend=None),
            tooltip=[alt.Tooltip("low:Q", format="+.3f"), alt.Tooltip("high:Q", format="+.3f"), "queries:Q"],
        )
    )
    return styled(chart.properties(width=900, height=220, **({"title": title} if title else {})))
