"""ASL curves: the significance level of every pair, largest first, one line per measure."""

from __future__ import annotations

from typing import Any

from rankgauge.analysis.comparison.discrimination import Discrimination, MeasureDiscrimination
from rankgauge.presentation.charts import INK, load_altair, styled
from rankgauge.presentation.stability_chart import HEIGHT, WIDTH, strokes
from rankgauge.tables.table import shortened

# Past this, a pair is far from any level in use, and the curves only take room from each other.
TOP = 0.15


def discrimination_chart(found: Discrimination, *, top: float = TOP, title: str = "") -> Any:
    """The lower a curve, the more pairs its measure tells apart; the level α lies across.

    Levels from `top` on stand at the upper edge. The legend has the discriminative power.
    """
    alt = load_altair()
    top = max(top, 2 * found.alpha)
    labels = [_label(one) for one in found.measures]
    whole = alt.Axis(tickCount=8, tickMinStep=1)
    reach = alt.Scale(domain=[0, found.pairs], nice=False)
    x = alt.X("pair:Q", title="pairs of systems, largest level first", scale=reach, axis=whole)
    y = alt.Y("asl:Q", title="achieved significance level", scale=alt.Scale(domain=[0, top], clamp=True, nice=False))
    tips = [alt.Tooltip(f"{name}:N") for name in ("measure", "system", "baseline")]
    tips.append(alt.Tooltip("asl:Q", format=".4f"))
    lines = [
        alt.Chart(alt.InlineData(values=_rows(one)))
        .mark_line(strokeWidth=2, clip=True)
        .encode(x=x, y=y, tooltip=tips, **strokes(labels))
        for one in found.measures
    ]
    level = alt.Chart(alt.InlineData(values=[{"alpha": found.alpha, "text": f"α = {found.alpha:g}"}]))
    rule = level.mark_rule(color=INK, strokeDash=[4, 3]).encode(y="alpha:Q")
    text = level.mark_text(align="left", dx=4, color=INK, fontSize=11)
    across = [rule, text.encode(x=alt.value("width"), y="alpha:Q", text="text:N")]
    used = f"{len(found.systems)} systems, {found.queries} queries, {found.samples:,} samples"
    heading = alt.Title(title or "How many pairs a measure tells apart", subtitle=f"paired bootstrap; {used}")
    return styled(alt.layer(*across, *lines).properties(width=WIDTH, height=HEIGHT, title=heading))


def _label(one: MeasureDiscrimination) -> str:
    return f"{one.measure}: {one.power:.1%}"


def _rows(one: MeasureDiscrimination) -> list[dict[str, Any]]:
    label = _label(one)
    return [
        {
            "measure": label,
            "pair": place,
            "asl": asl,
            "system": shortened(pair[0], 80),
            "baseline": shortened(pair[1], 80),
        }
        for place, (asl, pair) in enumerate(zip(one.asl, one.pairs, strict=True), 1)
    ]
