"""The four cost figures of Katerenchuk & Rosenberg 2016, and the distribution of rankDCG by chance."""

from __future__ import annotations

import altair as alt
import numpy as np
from lists import COSTS, HYPOTHESES, REFERENCE, rankdcg, share_of_the_top

from rankgauge.analysis.chance import Outcomes

STRONG, QUIET, INK, PALE = "#0b6aa2", "#b7c4cf", "#222222", "#5f6a72"


def costs(figure: int) -> alt.TopLevelMixin:
    """Bars: what each item of the reference list adds to the best total; one scale for all four figures."""
    formula, values = COSTS[figure]
    total = sum(values)
    rows = [
        {"rank": rank, "share": cost / total, "label": f"{cost / total:.1%}", "top": rank == 1}
        for rank, cost in enumerate(values, start=1)
    ]
    ticks = {rank: f"{value}" for rank, value in enumerate(REFERENCE, start=1)}
    names = "{" + ",".join(f"{rank}:'{name}'" for rank, name in ticks.items()) + "}"
    x = alt.X(
        "rank:O", title="true value, in the best order", axis=alt.Axis(labelExpr=f"{names}[datum.value]", labelAngle=0)
    )
    y = alt.Y(
        "share:Q",
        title="share of the total",
        scale=alt.Scale(domain=[0, 1]),
        axis=alt.Axis(format="%", values=[0, 0.25, 0.5, 0.75, 1]),
    )
    base = alt.Chart(alt.Data(values=rows)).encode(x=x, y=y)
    bars = base.mark_bar(size=24).encode(color=alt.condition("datum.top", alt.value(STRONG), alt.value(QUIET)))
    halo = base.mark_text(dy=-8, fontSize=11, stroke="white", strokeWidth=4).encode(text="label:N")
    labels = base.mark_text(dy=-8, fontSize=11, color=INK).encode(text="label:N")
    half = alt.Chart(alt.Data(values=[{"half": 0.5}])).mark_rule(strokeDash=[4, 3], color=PALE).encode(y="half:Q")
    share = share_of_the_top(figure)
    verdict = "more than" if share > 0.5 else "less than"
    title = alt.TitleParams(
        f"The top item holds {share:.1%} of the total, {verdict} half", subtitle=f"Figure {figure} · {formula}"
    )
    return _styled((half + bars + halo + labels).properties(title=title, width=420, height=220))


def chance(outcomes: Outcomes) -> alt.TopLevelMixin:
    """Bars: the exact distribution over all orders of the reference list; marks: its mean and the rows of Table 1."""
    edges = np.linspace(0, 1, 21)
    # A value on an edge belongs to the bar below it, whatever its last bits say.
    shares = np.histogram(np.maximum(outcomes.values - 1e-9, 0), edges, weights=outcomes.probability)[0]
    bins = [{"low": a, "high": b, "share": s} for a, b, s in zip(edges[:-1], edges[1:], shares, strict=True)]
    top = float(shares.max())
    x = alt.X(
        "low:Q",
        title="rankDCG",
        scale=alt.Scale(domain=[-0.03, 1.03]),
        axis=alt.Axis(values=[0, 0.2, 0.4, 0.6, 0.8, 1]),
    )
    y = alt.Y(
        "share:Q", title="share of all orders", axis=alt.Axis(format="%", values=[0, 0.02, 0.04, 0.06, 0.08, 0.1])
    )
    bars = (
        alt.Chart(alt.Data(values=bins))
        .mark_bar(color=QUIET, stroke="white")
        .encode(x=x, x2="high:Q", y=y, y2=alt.datum(0))
    )
    expected = round(outcomes.moments()[0], 12)  # the last bits depend on the threads of a sum
    mean = alt.Chart(alt.Data(values=[{"value": expected, "text": f"expected {expected:.2f}"}])).encode(x="value:Q")
    rule = mean.mark_rule(color=STRONG, size=2)
    named = mean.mark_text(color=STRONG, align="left", dx=5, fontSize=12).encode(y=alt.datum(top * 1.19), text="text:N")
    values = [{"value": rankdcg(REFERENCE, hypothesis)} for hypothesis in HYPOTHESES]
    height = alt.datum(top * 1.05)
    points = alt.Chart(alt.Data(values=values)).encode(x="value:Q", y=height)
    points = points.mark_point(shape="triangle-down", filled=True, color=INK, size=60, opacity=1)
    labels = alt.Chart(alt.Data(values=_row_labels())).encode(x="value:Q", y=height, text="text:N")
    labels = labels.mark_text(dy=-11, fontSize=11, color=INK)
    title = alt.TitleParams(
        f"A random order of the paper's list expects {expected:.2f}; rows 4 and 5 of Table 1 stay below",
        subtitle=f"rankDCG of all {len(outcomes.values):,} different orders of {' '.join(map(str, REFERENCE))}",
    )
    return _styled((bars + rule + named + points + labels).properties(title=title, width=600, height=240))


def _row_labels() -> list[dict[str, float | str]]:
    """One label for the rows of Table 1 that lie too near each other for two."""
    groups: list[list[tuple[float, int]]] = []
    for place in sorted((rankdcg(REFERENCE, hypothesis), row) for row, hypothesis in enumerate(HYPOTHESES, start=1)):
        if groups and place[0] - groups[-1][-1][0] < 0.05:
            groups[-1].append(place)
        else:
            groups.append([place])
    labels: list[dict[str, float | str]] = []
    for group in groups:
        rows = sorted(row for _, row in group)
        text = f"row {rows[0]}" if len(rows) == 1 else f"rows {' and '.join(map(str, rows))}"
        labels.append({"value": sum(value for value, _ in group) / len(group), "text": text})
    return labels


def _styled(chart: alt.LayerChart) -> alt.LayerChart:
    font = "Helvetica, Arial, sans-serif"
    return (
        chart.configure(font=font, background="white", padding=12)
        .configure_view(stroke=None)
        .configure_axis(
            grid=False, domainColor=PALE, tickColor=PALE, labelColor=INK, titleColor=INK, titleFontWeight="normal"
        )
        .configure_title(anchor="start", color=INK, subtitleColor=PALE, fontSize=14, subtitleFontSize=12, offset=12)
    )
