"""Curves of measures: dependability against the number of queries, and the significance level of every pair of systems."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from rankgauge.analysis.discriminate import Discrimination, MeasureDiscrimination
from rankgauge.analysis.stability.reliability import Coefficient
from rankgauge.analysis.stability.result import SIGNS, MeasureStability, Stability
from rankgauge.presentation.charts.style import HEIGHT, INK, PALETTE, RULE, altair_for, drawn, finished, levels, strokes
from rankgauge.presentation.drawing.canvas import log_ticks
from rankgauge.presentation.drawing.curves import HIGHEST, first_below, first_pair, needs, query_counts
from rankgauge.tables.notes import shortened

LONGEST_NAMES = 50


def stability_chart(study: Stability, *, coefficient: Coefficient = "dependability", title: str = "") -> Any:
    """The coefficient against the number of queries; horizontal lines are targets, vertical ones the current number.

    The legend shows how many queries each measure needs for the last target.
    """
    alt = altair_for(study, Stability, "rankgauge.stability")
    reach = max(one.curve_end(coefficient) for one in study.parts)
    labels = [_needs(one, coefficient) for one in study.parts]
    curves = [drawn(_points(one, coefficient, reach, name)) for one, name in zip(study.parts, labels, strict=True)]
    x = across_queries(alt, reach)
    name = f"{coefficient} {SIGNS[coefficient]}"
    y = alt.Y("value:Q", title=name, scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(tickCount=5))
    # Bands overlap: the more there are, the fainter each.
    faint = max(0.05, 0.2 / math.sqrt(len(curves)))
    bands = [
        curve.mark_area(color=PALETTE[at % len(PALETTE)], opacity=faint, interpolate="monotone").encode(
            x=x, y="low:Q", y2="high:Q"
        )
        for at, curve in enumerate(curves)
    ]
    tips = [alt.Tooltip("measure:N"), alt.Tooltip("queries:Q")]
    tips += [alt.Tooltip(f"{part}:Q", format=".3f") for part in ("value", "low", "high")]
    lines = [
        curve.mark_line(strokeWidth=2.5, interpolate="monotone").encode(x=x, y=y, tooltip=tips, **strokes(labels))
        for curve in curves
    ]
    what = f"{SIGNS[coefficient]} of {some_measures(study.parts)} against the number of queries"
    level = f"bands: {100 * study.options.confidence:g}% intervals; {study.parts[0].systems} systems"
    targets = levels([{"target": target, "text": f"{target:g}"} for target in study.options.reach], "target")
    return finished(alt.layer(*bands, *targets, *_present(alt, study), *lines), title or what, level)


def across_queries(alt: Any, reach: int) -> Any:
    """Numbers of queries from 1 on, logarithmic: curves rise most where there are few."""
    scale = alt.Scale(type="log", domain=[1, reach], nice=False)
    return alt.X("queries:Q", title="queries (logarithmic)", scale=scale, axis=alt.Axis(values=log_ticks(1, reach)))


def some_measures(parts: Sequence[MeasureStability] | Sequence[MeasureDiscrimination]) -> str:
    """Their names where a title has room for them."""
    names = ", ".join(part.measure for part in parts)
    return names if len(names) <= LONGEST_NAMES else f"{len(parts)} measures"


def _needs(one: MeasureStability, coefficient: Coefficient) -> str:
    reach = one.options.reach
    return needs(one.measure, reach[-1], one.queries_needed(reach[-1], coefficient).value) if reach else one.measure


def _points(one: MeasureStability, coefficient: Coefficient, reach: int, label: str) -> list[dict[str, Any]]:
    curve = one.curve(sorted({*query_counts(reach, 120), one.query_count}), coefficient)
    # An undefined band is left out, not drawn from 0.
    return [
        {"measure": label, "queries": queries, "value": value} | ({} if math.isnan(low) else {"low": low, "high": high})
        for queries, value, low, high in zip(curve.queries, curve.value, curve.low, curve.high, strict=True)
    ]


def _present(alt: Any, study: Stability) -> list[Any]:
    """Vertical lines at the current numbers of queries, which may differ between measures."""
    numbers = sorted({one.query_count for one in study.parts})
    lines = drawn([{"queries": queries, "text": f"now {queries}"} for queries in numbers])
    rule = lines.mark_rule(color=RULE, strokeWidth=1.5).encode(x="queries:Q")
    text = lines.mark_text(align="left", baseline="bottom", dx=4, dy=-4, color=INK, fontSize=11)
    return [rule, text.encode(x="queries:Q", y=alt.value(HEIGHT), text="text:N")]


def discrimination_chart(found: Discrimination, *, top: float = HIGHEST, title: str = "") -> Any:
    """The lower a curve, the more pairs its measure separates; a horizontal line marks the level α.

    A curve begins where its levels fall below `top`. The legend shows the discriminative power.
    """
    alt = altair_for(found, Discrimination, "rankgauge.discriminate")
    top = max(top, 2 * found.alpha)
    labels = [f"{one.measure}: {one.power:.1%}" for one in found.parts]
    whole = alt.Axis(tickCount=8, tickMinStep=1)
    reach = alt.Scale(domain=[first_pair(found, top), found.pairs], nice=False)
    x = alt.X("pair:Q", title="pairs of systems, by decreasing level", scale=reach, axis=whole)
    y = alt.Y("asl:Q", title="achieved significance level", scale=alt.Scale(domain=[0, top], clamp=True, nice=False))
    tips = [alt.Tooltip(f"{name}:N") for name in ("measure", "system", "baseline")]
    tips.append(alt.Tooltip("asl:Q", format=".4f"))
    lines = [
        drawn(_levels(one, top, label))
        .mark_line(strokeWidth=2, clip=True)
        .encode(x=x, y=y, tooltip=tips, **strokes(labels))
        for one, label in zip(found.parts, labels, strict=True)
    ]
    across = levels([{"alpha": found.alpha, "text": f"α = {found.alpha:g}"}], "alpha")
    used = f"{found.query_count:,} queries, {found.samples:,} samples"
    heading = title or f"Pairs of {len(found.systems)} systems separated by {some_measures(found.parts)}"
    return finished(alt.layer(*across, *lines), heading, f"paired bootstrap; {used}")


def _levels(one: MeasureDiscrimination, top: float, label: str) -> list[dict[str, Any]]:
    """The pairs below `top`, and the last one above."""
    rows = []
    for place, (asl, pair) in enumerate(zip(one.asl, one.pairs, strict=True), 1):
        system, baseline = (shortened(name, 80) for name in pair)
        rows.append({"measure": label, "pair": place, "asl": asl, "system": system, "baseline": baseline})
    return rows[first_below(one, top) - 1 :]
