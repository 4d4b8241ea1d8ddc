"""Do two measures order the systems the same way? One small scatter plot per pair of measures."""

from __future__ import annotations

import math
from itertools import combinations
from operator import itemgetter
from typing import Any

from rankgauge.analysis.agreement import Agreement
from rankgauge.presentation.charts.style import INK, LINE, RULE, altair_for, drawn, styled
from rankgauge.tables.notes import shortened

SIZE = 250
TOP, OUTLIERS = 5, 3
# Between names, in pixels.
LINE_HEIGHT = 12


def agreement_chart(found: Agreement, *, title: str = "") -> Any:
    """A point per system: its mean under one measure against its mean under the other. The measures agree if the
    points rise from left to right.
    """
    alt = altair_for(found, Agreement, "rankgauge.agreement")
    panels = [_panel(alt, found, first, second) for first, second in combinations(range(len(found.measures)), 2)]
    heading = alt.Title(
        title or f"Means of {len(found.systems)} systems under {', '.join(found.measures)}",
        subtitle="one point per system; the top five and those whose rank differs most are named",
    )
    return styled(alt.concat(*panels, columns=min(3, len(panels)), spacing=28).properties(title=heading))


def _panel(alt: Any, found: Agreement, first: int, second: int) -> Any:
    names, means = found.measures, found.means
    values = [
        {"system": system, "first": a, "second": b}
        for system, a, b in zip(found.systems, means[first], means[second], strict=True)
    ]
    across, up = (_scale(means[at]) for at in (first, second))
    x = alt.X("first:Q", title=names[first], scale=alt.Scale(domain=across, nice=False), axis=alt.Axis(tickCount=4))
    y = alt.Y("second:Q", title=names[second], scale=alt.Scale(domain=up, nice=False), axis=alt.Axis(tickCount=4))
    tips = [alt.Tooltip("system:N")]
    tips += [alt.Tooltip(f"{at}:Q", title=names[i], format=".4f") for at, i in (("first", first), ("second", second))]
    points = drawn(values).encode(x=x, y=y)
    dots = points.mark_point(color=LINE, filled=True, size=36, opacity=0.8).encode(tooltip=tips)
    tau, tau_ap = (
        "undefined" if math.isnan(one[first][second]) else f"{one[first][second]:.3f}"
        for one in (found.tau, found.tau_ap)
    )
    text = f"τ-b {tau}, τ_AP {tau_ap}"
    heading = alt.Title(text, fontSize=12, fontWeight="normal", offset=6, frame="group")
    return alt.layer(dots, *_names(alt, _named(values), x, y, up)).properties(width=SIZE, height=SIZE, title=heading)


def _names(alt: Any, rows: list[dict[str, Any]], x: Any, y: Any, up: list[float]) -> tuple[Any, Any]:
    """Names in a column at the right, where no point is, with a thin line to the point of each."""
    step = LINE_HEIGHT * (up[1] - up[0]) / SIZE
    rows = sorted(rows, key=itemgetter("second"), reverse=True)
    places = spread([row["second"] for row in rows], step, up[0])
    called = drawn([{**row, "place": place} for row, place in zip(rows, places, strict=True)])
    text = called.mark_text(align="left", baseline="middle", fontSize=9, color=INK, limit=130)
    lines = called.mark_rule(color=RULE, strokeWidth=0.7, opacity=0.7)
    end = {"y2": "place:Q", "x2": alt.value(SIZE + 6)}
    return text.encode(x=alt.value(SIZE + 8), y="place:Q", text="system:N"), lines.encode(x=x, y=y, **end)


def spread(heights: list[float], step: float, least: float) -> list[float]:
    """Falling heights, moved apart so that neighbors are at least a step apart and the last is not below `least`."""
    places: list[float] = []
    for height in heights:
        places.append(min([height, *(places[-1] - step for _ in places[-1:])]))
    floor = least
    for at in range(len(places) - 1, -1, -1):
        places[at] = max(places[at], floor)
        floor = places[at] + step
    return places


def _named(values: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The top five under the first measure, and the systems whose rank differs most between the two."""
    orders = [sorted(values, key=itemgetter(part), reverse=True) for part in ("first", "second")]
    places = [{row["system"]: at for at, row in enumerate(order)} for order in orders]
    moved = sorted(values, key=lambda row: -abs(places[0][row["system"]] - places[1][row["system"]]))
    outliers = [row for row in moved[:OUTLIERS] if places[0][row["system"]] != places[1][row["system"]]]
    kept = {row["system"]: row for row in (*orders[0][:TOP], *outliers)}
    return [{**row, "system": shortened(row["system"], 24)} for row in kept.values()]


def _scale(means: tuple[float, ...]) -> list[float]:
    """From the lowest to the highest mean with some room; around a single value, half a unit to each side."""
    low, high = min(means), max(means)
    room = 0.06 * (high - low) or 0.5
    return [low - room, high + room]
