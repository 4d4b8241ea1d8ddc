"""What changed query by query between two systems; or, for one system, its score on every query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rankgauge.presentation.charts.style import INK, load_altair, styled
from rankgauge.tables.table import shortened

LONGEST = 200
MANY_QUERIES = 2000
UP, DOWN = "#1b7ca8", "#c2560c"
WIDTH, HEIGHT = 900, 220


def sorted_changes(queries: Sequence[str], differences: npt.NDArray[np.float64]) -> list[tuple[str, float]]:
    """Queries with their differences, largest gain first; those without one are left out."""
    kept = np.flatnonzero(~np.isnan(differences)).tolist()
    return sorted(((queries[at], float(differences[at])) for at in kept), key=lambda change: (-change[1], change[0]))


def changes_chart(
    changes: Sequence[tuple[str, float]], texts: Mapping[str, str], measure: str, *, title: str = ""
) -> Any:
    """One bar per query, best change first; the parameter `wanted` holds a word to highlight."""
    return _bars(changes, texts, "difference", f"Δ {measure}", "queries, sorted by difference", "+", title)


def scores_chart(
    scores: Sequence[tuple[str, float]], texts: Mapping[str, str], measure: str, *, title: str = ""
) -> Any:
    """One bar per query, best score first; for a system that is compared with none."""
    return _bars(scores, texts, "score", measure, "queries, sorted by score", "", title)


def _bars(
    changes: Sequence[tuple[str, float]],
    texts: Mapping[str, str],
    name: str,
    heading: str,
    below: str,
    sign: str,
    title: str,
) -> Any:
    alt = load_altair()
    rows = [_bar(place, query, value, texts, name, sign) for place, (query, value) in enumerate(changes, 1)]
    wanted = alt.param(name="wanted", value="")
    seen = "wanted === '' || indexof(lower(datum.query + ' ' + datum.text), wanted) >= 0"
    # A bar of height 0 cannot be seen, but a tie is a finding, too: it keeps its place on the line.
    across = alt.X(
        "place:O",
        title=below,
        axis=alt.Axis(labels=False, ticks=False, grid=False, domain=False),
        scale=alt.Scale(paddingInner=0.1),
    )
    bars = (
        alt.Chart(alt.InlineData(values=rows))
        .mark_bar()
        .encode(
            x=across,
            y=alt.Y(f"{name}:Q", title=heading, axis=alt.Axis(format=f"{sign}~g", tickCount=6)),
            color=alt.Color("kind:N", scale=alt.Scale(domain=["better", "worse"], range=[UP, DOWN]), legend=None),
            opacity=alt.condition(seen, alt.value(1.0), alt.value(0.15)),
            description=alt.Description("words:N"),
            tooltip=[alt.Tooltip("query:N"), alt.Tooltip("text:N"), alt.Tooltip(f"{name}:Q", format=f"{sign}.4f")],
        )
        .add_params(wanted)
    )
    zero = alt.Chart(alt.InlineData(values=[{"zero": 0}])).mark_rule(color=INK).encode(y="zero:Q")
    return styled(alt.layer(bars, zero).properties(width=WIDTH, height=HEIGHT, **({"title": title} if title else {})))


def _bar(place: int, query: str, value: float, texts: Mapping[str, str], name: str, sign: str) -> dict[str, Any]:
    shown, text = shortened(query, 80), shortened(texts.get(query, ""), LONGEST)
    words = ": ".join(part for part in (shown, text) if part) + f" {value:{sign}.4f}"
    kind = "better" if value >= 0 else "worse"
    return {"place": place, name: value, "query": shown, "text": text, "kind": kind, "words": words}


def changes_histogram(
    changes: Sequence[tuple[str, float]], measure: str, *, difference: bool = True, title: str = ""
) -> Any:
    """How many queries changed by how much; for thousands of queries, where bars would be thinner than a pixel.

    Scores of one system (`difference` false) are counted from 0 on.
    """
    alt = load_altair()
    values = np.array([value for _, value in changes])
    reach = float(np.max(np.abs(values))) or 1.0
    counts, edges = np.histogram(values, np.linspace(-reach if difference else min(0.0, values.min()), reach, 62))
    rows = [
        {"low": low, "high": high, "queries": int(count), "kind": "better" if low + high >= 0 else "worse"}
        for low, high, count in zip(edges[:-1].tolist(), edges[1:].tolist(), counts.tolist(), strict=True)
    ]
    chart = (
        alt.Chart(alt.InlineData(values=rows))
        .mark_bar()
        .encode(
            x=alt.X("low:Q", bin="binned", title=f"Δ {measure}" if difference else measure),
            x2="high:Q",
            y=alt.Y("queries:Q", title="queries"),
            color=alt.Color("kind:N", scale=alt.Scale(domain=["better", "worse"], range=[UP, DOWN]), legend=None),
            tooltip=[alt.Tooltip("low:Q", format="+.3f"), alt.Tooltip("high:Q", format="+.3f"), "queries:Q"],
        )
    )
    return styled(chart.properties(width=WIDTH, height=HEIGHT, **({"title": title} if title else {})))
