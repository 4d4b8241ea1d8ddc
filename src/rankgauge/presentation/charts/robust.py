"""Robust verdicts as pictures: all pairs as a matrix of systems, and one pair as a table of corners."""

from __future__ import annotations

from typing import Any

from rankgauge.analysis.robust.result import Corners, Robustness, RobustPair
from rankgauge.presentation.charts.style import RULE, WIDTH, altair_for, drawn, expect, finished, load_altair
from rankgauge.presentation.drawing.cells import COLORS, LONGEST, MEANINGS, by_mean, corner_scales
from rankgauge.tables.notes import shortened

# Paler than elsewhere: numbers are printed on them.
_AHEAD, _BEHIND = "#6db1dc", "#ee9d62"


def robustness_chart(found: Robustness, *, title: str = "") -> Any:
    """The corners of a single pair, else a matrix of the systems in the order of their means."""
    expect(found, Robustness, "rankgauge.robust")
    if len(found.pairs) == 1:
        return corners_chart(found.corners(found.pairs[0].system, found.pairs[0].baseline), title=title)
    return matrix_chart(found, title=title)


def matrix_chart(found: Robustness, *, title: str = "") -> Any:
    """A cell per pair, colored by its verdict; without all pairs, one column, the baseline."""
    alt = load_altair()
    rows = by_mean(found)
    labels = _labels(rows)
    columns = [name for name in rows if any(name in (pair.system, pair.baseline) for pair in found.pairs)]
    if found.baseline is not None and all(pair.baseline == found.baseline for pair in found.pairs):
        columns = [found.baseline]
    cells = [cell for pair in found.pairs for cell in _cells(pair, labels, columns)]
    words = [MEANINGS[word] for word in COLORS if found.counts[word]]
    colors = alt.Scale(domain=words, range=[COLORS[word] for word in COLORS if found.counts[word]])
    size = max(5, min(24, (WIDTH - 40) // len(rows)))
    wide = size * len(columns) if len(columns) > 1 else 60
    small = max(5, min(11, size - 1))
    axis = {"labelFontSize": small, "labelLimit": 180}
    axis |= dict.fromkeys(("grid", "ticks", "domain", "labelOverlap"), False)
    tips = [alt.Tooltip(f"{name}:N") for name in ("system", "against", "verdict", "difference", "other wins under")]
    legend = alt.Legend(columns=1, symbolType="square", titleLimit=0)
    across, down = ([labels[name] for name in names] for names in (columns, rows))
    top = alt.Axis(orient="top", labelAngle=-90, **axis)
    marks = drawn(cells).mark_rect(stroke="white", strokeWidth=0.5 if size > 8 else 0)
    chart = marks.encode(
        x=alt.X("column:N", title=None, sort=across, axis=top),
        y=alt.Y("row:N", title=None, sort=down, axis=alt.Axis(**axis)),
        color=alt.Color("meaning:N", title=None, scale=colors, legend=legend),
        tooltip=tips,
    )
    ask = {"discount": "does the discount", "gain": "does the gain", "both": "do gain and discount"}[found.over]
    subtitle = f"{len(found.systems)} systems, best mean first; {len(found.pairs):,} pairs"
    return finished(chart, title or f"{found.measure}: {ask} matter?", subtitle, width=wide, height=size * len(rows))


def _labels(names: list[str]) -> dict[str, str]:
    """Short labels that stay different."""
    labels: dict[str, str] = {}
    for at, name in enumerate(names, 1):
        label = shortened(name, LONGEST)
        labels[name] = label if label not in labels.values() else f"{shortened(name, LONGEST - 4)} {at}"
    return labels


def _cells(pair: RobustPair, labels: dict[str, str], columns: list[str]) -> list[dict[str, str]]:
    made = [
        {
            "row": labels[row],
            "column": labels[column],
            "system": shortened(row, 80),
            "against": shortened(column, 80),
            "verdict": pair.verdict,
            "meaning": MEANINGS[pair.verdict],
            "difference": f"{sign * pair.difference:+.4f}",
            "other wins under": pair.witness or "–",
        }
        for row, column, sign in ((pair.system, pair.baseline, 1), (pair.baseline, pair.system, -1))
        if column in columns
    ]
    return made if len(columns) > 1 else made[:1]


def corners_chart(found: Corners, *, title: str = "") -> Any:
    """Differences at cutoffs × grade thresholds: blue where the system is ahead, orange where the baseline is."""
    alt = altair_for(found, Corners, "Robustness.corners")
    tops, heads, most = corner_scales(found)
    values = [
        {"cutoff": cutoff, "threshold": head, "difference": value, "text": _short(value)}
        for cutoff, row in zip(tops, found.differences, strict=True)
        for head, value in zip(heads, row, strict=True)
    ]
    flat = alt.Axis(labelAngle=0, grid=False)
    x = alt.X("cutoff:N", title="cutoff: all ranks down to it count equally", sort=None, axis=flat)
    y = alt.Y("threshold:N", title=None, sort=heads[::-1], axis=alt.Axis(grid=False, labelLimit=200))
    scale = alt.Scale(domain=[-most, 0, most], range=[_BEHIND, "#ffffff", _AHEAD], interpolate="rgb")
    base = drawn(values).encode(x=x, y=y)
    legend = alt.Legend(format="+.2f", gradientLength=160)
    color = alt.Color("difference:Q", title="difference", scale=scale, legend=legend)
    tips = [alt.Tooltip("cutoff:N"), alt.Tooltip("threshold:N"), alt.Tooltip("difference:Q", format="+.4f")]
    layers = [base.mark_rect(stroke=RULE, strokeWidth=0.5).encode(color=color, tooltip=tips)]
    if len(tops) <= 12:
        layers.append(base.mark_text(fontSize=8, color="#222222").encode(text="text:N"))
    system, baseline = (shortened(name, 60) for name in (found.system, found.baseline))
    subtitle = f"blue: {system} is ahead; orange: {baseline} is"
    return finished(alt.layer(*layers), title or f"{system} − {baseline}", subtitle, height=max(40, 34 * len(heads)))


def _short(value: float) -> str:
    return "0" if abs(value) <= 1e-12 else f"{value:+.3f}".replace("0.", ".", 1)
