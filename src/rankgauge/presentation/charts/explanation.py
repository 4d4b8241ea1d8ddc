"""The value of one query, accumulated rank by rank, for one ranking or two."""

from __future__ import annotations

from typing import Any

from rankgauge.evaluation.explain.explanation import Contrast, Explanation
from rankgauge.presentation.charts.style import LINE, MARK, expect, load_altair, styled


def explanation_chart(result: Explanation | Contrast) -> Any:
    """The value up to each rank."""
    expect(result, (Explanation, Contrast), "rankgauge.explain with judgments and a run")
    alt = load_altair()
    sides = [result.first, result.second] if isinstance(result, Contrast) else [result]
    names = [f"{side.measure} of {side.system}, ties={side.ties}" for side in sides]
    names = [f"{name} ({at})" if names.count(name) > 1 else name for at, name in enumerate(names, 1)]
    deepest = max((int(side.measure.cutoff) for side in sides if isinstance(side.measure.cutoff, int)), default=30)
    rows = [
        {
            "rank": line.found.rank,
            "value": line.running,
            "document": line.found.document,
            "judged": line.found.value,
            "side": name,
        }
        for side, name in zip(sides, names, strict=True)
        for line in side.lines[: min(deepest, 100)]
    ]
    chart = (
        alt.Chart(alt.InlineData(values=rows))
        .mark_line(interpolate="step-after", point=True, strokeWidth=2)
        .encode(
            x=alt.X("rank:Q", title="rank", axis=alt.Axis(tickMinStep=1, format="d")),
            y=alt.Y("value:Q", title="value up to this rank"),
            color=alt.Color(
                "side:N",
                sort=names,
                scale=alt.Scale(domain=names, range=[LINE, MARK]),
                legend=alt.Legend(title=None, orient="bottom", columns=1, labelLimit=500),
            ),
            tooltip=["rank:Q", "document:N", "judged:Q", alt.Tooltip("value:Q", format=".4f")],
        )
    )
    return styled(chart.properties(width=520, height=260, title=f"query {sides[0].query}"))
