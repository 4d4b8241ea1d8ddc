"""ASL curves: the significance level of every pair, largest first, one line per measure."""

from __future__ import annotations

from typing import Any

from rankgauge.analysis.discriminate import Discrimination, MeasureDiscrimination
from rankgauge.presentation.charts.style import HEIGHT, INK, WIDTH, expect, load_altair, strokes, styled
from rankgauge.tables.table import shortened

# Beyond this, a pair is far from any level in use.
TOP = 0.15


def discrimination_chart(found: Discrimination, *, top: float = TOP, title: str = "") -> Any:
    """The lower a curve, the more pairs its measure separates; a horizontal line marks the level α.

    A curve begins where its levels fall below `top`. The legend shows the discriminative power.
    """
    expect(found, Discrimination, "rankgauge.discriminate")
    alt = load_altair()
    top = max(top, 2 * found.alpha)
    labels = [_label(one) for one in found.parts]
    whole = alt.Axis(tickCount=8, tickMinStep=1)
    # If no measure separates the first pairs, the axis begins later.
    start = min(_first(one, top) for one in found.parts) // 10 * 10
    reach = alt.Scale(domain=[start if start > found.pairs / 4 else 0, found.pairs], nice=False)
    x = alt.X("pair:Q", title="pairs of systems, by decreasing level", scale=reach, axis=whole)
    y = alt.Y("asl:Q", title="achieved significance level", scale=alt.Scale(domain=[0, top], clamp=True, nice=False))
    tips = [alt.Tooltip(f"{name}:N") for name in ("measure", "system", "baseline")]
    tips.append(alt.Tooltip("asl:Q", format=".4f"))
    lines = [
        alt.Chart(alt.InlineData(values=_rows(one, top)))
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


def _label(one: MeasureDiscrimination) -> str:
    return f"{one.measure}: {one.power:.1%}"


def _rows(one: MeasureDiscrimination, top: float) -> list[dict[str, Any]]:
    """The pairs below `top`, and the last one above, so that the curve enters from the upper edge."""
    label = _label(one)
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
