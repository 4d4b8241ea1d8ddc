"""Φ against the number of queries: one line per measure, with its band."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rankgauge.analysis.stability.reliability import Coefficient
from rankgauge.analysis.stability.result import SIGNS, MeasureStability, Stability
from rankgauge.presentation.charts.style import HEIGHT, INK, PALETTE, RULE, WIDTH, expect, load_altair, strokes, styled


def stability_chart(study: Stability, *, coefficient: Coefficient = "dependability", title: str = "") -> Any:
    """The coefficient against the number of queries; horizontal lines are targets, vertical ones the current number.

    The legend shows how many queries each measure needs for the last target.
    """
    expect(study, Stability, "rankgauge.stability")
    alt = load_altair()
    reach = max(one.curve_end(coefficient) for one in study.parts)
    data = [alt.InlineData(values=_rows(one, coefficient, reach)) for one in study.parts]
    x = alt.X("queries:Q", title="queries", scale=alt.Scale(domain=[0, reach], nice=False), axis=alt.Axis(tickCount=8))
    name = f"{coefficient} {SIGNS[coefficient]}"
    y = alt.Y("value:Q", title=name, scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(tickCount=5))
    # Bands overlap: the more there are, the fainter each.
    faint = max(0.05, 0.2 / math.sqrt(len(data)))
    bands = [
        alt.Chart(values)
        .mark_area(color=PALETTE[at % len(PALETTE)], opacity=faint, interpolate="monotone")
        .encode(x=x, y="low:Q", y2="high:Q")
        for at, values in enumerate(data)
    ]
    labels = [_label(one, coefficient) for one in study.parts]
    tips = [alt.Tooltip("measure:N"), alt.Tooltip("queries:Q")]
    tips += [alt.Tooltip(f"{part}:Q", format=".3f") for part in ("value", "low", "high")]
    lines = [
        alt.Chart(values)
        .mark_line(strokeWidth=2.5, interpolate="monotone")
        .encode(x=x, y=y, tooltip=tips, **strokes(labels))
        for values in data
    ]
    what = f"{SIGNS[coefficient]} against the number of queries"
    level = f"bands: {100 * study.options.confidence:g}% intervals; {study.parts[0].systems} systems"
    chart = alt.layer(*bands, *_targets(study), *_present(study), *lines)
    return styled(chart.properties(width=WIDTH, height=HEIGHT, title=alt.Title(title or what, subtitle=level)))


def _label(one: MeasureStability, coefficient: Coefficient) -> str:
    if not one.options.reach:
        return one.measure
    target = one.options.reach[-1]
    needed = one.queries_needed(target, coefficient).value
    counted = f"{needed} queries" if math.isfinite(needed) else "no number of queries"
    return f"{one.measure}: {counted} for {target:g}"


def _rows(one: MeasureStability, coefficient: Coefficient, reach: int) -> list[dict[str, Any]]:
    """Steps grow with the number of queries: the curve bends at the left."""
    steps = np.unique(np.round(np.geomspace(1, reach, 120)).astype(int)).tolist()
    curve = one.curve(sorted({*steps, one.query_count}), coefficient)
    label = _label(one, coefficient)
    points = zip(curve.queries, curve.value, curve.low, curve.high, strict=True)
    return [
        {
            "measure": label,
            "queries": queries,
            "value": value,
            # An undefined band is left out, not drawn from 0.
            **({} if math.isnan(low) else {"low": low, "high": high}),
        }
        for queries, value, low, high in points
    ]


def _targets(study: Stability) -> list[Any]:
    alt = load_altair()
    if not study.options.reach:
        return []
    values = [{"target": target, "text": f"{target:g}"} for target in study.options.reach]
    lines = alt.Chart(alt.InlineData(values=values))
    rule = lines.mark_rule(color=INK, strokeDash=[4, 3]).encode(y="target:Q")
    text = lines.mark_text(align="left", dx=4, color=INK, fontSize=11)
    return [rule, text.encode(x=alt.value("width"), y="target:Q", text="text:N")]


def _present(study: Stability) -> list[Any]:
    """Vertical lines at the current numbers of queries, which may differ between measures."""
    alt = load_altair()
    numbers = sorted({one.query_count for one in study.parts})
    values = [{"queries": queries, "text": f"now {queries}"} for queries in numbers]
    lines = alt.Chart(alt.InlineData(values=values))
    rule = lines.mark_rule(color=RULE, strokeWidth=1.5).encode(x="queries:Q")
    text = lines.mark_text(align="left", baseline="bottom", dx=4, dy=-4, color=INK, fontSize=11)
    return [rule, text.encode(x="queries:Q", y=alt.value(HEIGHT), text="text:N")]
