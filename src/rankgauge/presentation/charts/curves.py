"""Curves of measures: dependability against the number of queries, and the significance level of every pair of systems."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rankgauge.analysis.discriminate import Discrimination, MeasureDiscrimination
from rankgauge.analysis.stability.reliability import Coefficient
from rankgauge.analysis.stability.result import SIGNS, MeasureStability, Stability
from rankgauge.presentation.charts.style import HEIGHT, INK, PALETTE, RULE, WIDTH, expect, load_altair, strokes, styled
from rankgauge.tables.table import shortened


def stability_chart(study: Stability, *, coefficient: Coefficient = "dependability", title: str = "") -> Any:
    """The coefficient against the number of queries; horizontal lines are targets, vertical ones the current number.

    The legend shows how many queries each measure needs for the last target.
    """
    expect(study, Stability, "rankgauge.stability")
    alt = load_altair()
    reach = max(one.curve_end(coefficient) for one in study.parts)
    data = [alt.InlineData(values=_points(one, coefficient, reach)) for one in study.parts]
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
    labels = [_needs(one, coefficient) for one in study.parts]
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


def _needs(one: MeasureStability, coefficient: Coefficient) -> str:
    if not one.options.reach:
        return one.measure
    target = one.options.reach[-1]
    needed = one.queries_needed(target, coefficient).value
    counted = f"{needed} queries" if math.isfinite(needed) else "no number of queries"
    return f"{one.measure}: {counted} for {target:g}"


def _points(one: MeasureStability, coefficient: Coefficient, reach: int) -> list[dict[str, Any]]:
    """Steps grow with the number of queries: the curve bends at the left."""
    steps = np.unique(np.round(np.geomspace(1, reach, 120)).astype(int)).tolist()
    curve = one.curve(sorted({*steps, one.query_count}), coefficient)
    label = _needs(one, coefficient)
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


# Beyond this, a pair is far from any level in use.
TOP = 0.15


def discrimination_chart(found: Discrimination, *, top: float = TOP, title: str = "") -> Any:
    """The lower a curve, the more pairs its measure separates; a horizontal line marks the level α.

    A curve begins where its levels fall below `top`. The legend shows the discriminative power.
    """
    expect(found, Discrimination, "rankgauge.discriminate")
    alt = load_altair()
    top = max(top, 2 * found.alpha)
    labels = [_power_label(one) for one in found.parts]
    whole = alt.Axis(tickCount=8, tickMinStep=1)
    # If no measure separates the first pairs, the axis begins later.
    start = min(_first(one, top) for one in found.parts) // 10 * 10
    reach = alt.Scale(domain=[start if start > found.pairs / 4 else 0, found.pairs], nice=False)
    x = alt.X("pair:Q", title="pairs of systems, by decreasing level", scale=reach, axis=whole)
    y = alt.Y("asl:Q", title="achieved significance level", scale=alt.Scale(domain=[0, top], clamp=True, nice=False))
    tips = [alt.Tooltip(f"{name}:N") for name in ("measure", "system", "baseline")]
    tips.append(alt.Tooltip("asl:Q", format=".4f"))
    lines = [
        alt.Chart(alt.InlineData(values=_levels(one, top)))
        .mark_line(strokeWidth=2, clip=True)
        .encode(x=x, y=y, tooltip=tips, **strokes(labels))
        for one in found.parts
    ]
    level = alt.Chart(alt.InlineData(values=[{"alpha": found.alpha, "text": f"α = {found.alpha:g}"}]))
    rule = level.mark_rule(color=INK, strokeDash=[4, 3]).encode(y="alpha:Q")
    text = level.mark_text(align="left", dx=4, color=INK, fontSize=11)
    across = [rule, text.encode(x=alt.value("width"), y="alpha:Q", text="text:N")]
    used = f"{len(found.systems)} systems, {found.query_count} queries, {found.samples:,} samples"
    heading = alt.Title(title or "Pairs of systems that each measure separates", subtitle=f"paired bootstrap; {used}")
    return styled(alt.layer(*across, *lines).properties(width=WIDTH, height=HEIGHT, title=heading))


def _power_label(one: MeasureDiscrimination) -> str:
    return f"{one.measure}: {one.power:.1%}"


def _levels(one: MeasureDiscrimination, top: float) -> list[dict[str, Any]]:
    """The pairs below `top`, and the last one above, so that the curve enters from the upper edge."""
    label = _power_label(one)
    first = _first(one, top)
    return [
        {
            "measure": label,
            "pair": place,
            "asl": asl,
            "system": shortened(pair[0], 80),
            "baseline": shortened(pair[1], 80),
        }
        for place, (asl, pair) in enumerate(zip(one.asl, one.pairs, strict=True), 1)
        if place >= first
    ]


def _first(one: MeasureDiscrimination, top: float) -> int:
    return max(sum(asl >= top for asl in one.asl), 1)
