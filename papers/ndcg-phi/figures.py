"""The charts: numbers in, Altair out; small enough to be kept beside the results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import altair as alt
import numpy as np
from popularity import Cell
from synthetic import CELLS, balanced, imbalanced_90_10, samples, scenario_values, standard

from measures import Floats
from rankgauge.analysis.relevance_function import RelevanceFunction
from rankgauge.presentation.charts.style import INK, LINE, MARK, SOFT, styled

SCENARIOS = {1: "Scenario 1: the tenth item lost", 2: "Scenario 2: the top ten reversed"}
ADHOC, PHI = "nDCG@10, ad-hoc grades", "nDCG-phi@10"


def rows(**columns: Iterable[Any]) -> alt.InlineData:
    names = list(columns)
    return alt.InlineData(values=[dict(zip(names, row, strict=True)) for row in zip(*columns.values(), strict=True)])


def titled(chart: Any, title: str, subtitle: str | list[str]) -> Any:
    return styled(chart.properties(title=alt.Title(title, subtitle=subtitle)))


def table_1(days: dict[str, list[float]]) -> Any:
    """Phi of both days on one axis: the second item of day 2 moves the median."""
    x = alt.X("score:Q", title="popularity", scale=alt.Scale(domain=[5, 102], nice=False))
    y = alt.Y("phi:Q", title="phi", axis=alt.Axis(tickCount=5))
    grid = np.linspace(5, 100, 191)
    layers = []
    for (day, scores), colour, label in zip(days.items(), (LINE, MARK), ((84.5, 0.15), (52, 0.22)), strict=True):
        function = RelevanceFunction.fit(scores)
        curve = rows(score=grid.tolist(), phi=function(grid).round(4).tolist())
        layers.append(alt.Chart(curve).mark_line(strokeWidth=2.5, color=colour).encode(x=x, y=y))
        items = alt.Chart(rows(score=scores, phi=function(scores).tolist()))
        layers.append(items.mark_point(filled=True, size=60, opacity=1, color=colour).encode(x=x, y=y))
        name = alt.Chart(rows(score=[label[0]], phi=[label[1]], day=[day]))
        layers.append(name.mark_text(align="right", color=colour, fontSize=12).encode(x=x, y=y, text="day:N"))
    subtitle = "The system puts its second item, 80 on day 1 and 20 on day 2, above the item of 90"
    return titled(
        alt.layer(*layers).properties(width=440, height=260), "Table 1: what phi makes of the two days", subtitle
    )


def figure_1() -> Any:
    """Phi of a sample without outliers and of one with, and the control points."""
    panels = []
    for draw, name in ((balanced, "a: without outliers"), (imbalanced_90_10, "b: with outliers")):
        scores = samples(draw)[0]
        function = RelevanceFunction.fit(scores)
        grid = np.linspace(scores.min(), scores.max(), 200)
        x, y = alt.X("score:Q", title="score"), alt.Y("phi:Q", title="phi", axis=alt.Axis(tickCount=5))
        curve = alt.Chart(rows(score=grid.round(1).tolist(), phi=function(grid).round(4).tolist()))
        knots = alt.Chart(rows(score=[at for at, _ in function.knots], phi=[value for _, value in function.knots]))
        heading = alt.Title(name, fontSize=12, fontWeight="normal", anchor="start")
        layers = alt.layer(
            curve.mark_line(strokeWidth=2, color=LINE).encode(x=x, y=y),
            knots.mark_point(filled=True, size=70, opacity=1, color=MARK).encode(x=x, y=y),
        )
        panels.append(layers.properties(width=260, height=200, title=heading))
    subtitle = "Points: the control points, minimum, median, upper whisker where there are outliers, maximum"
    return titled(alt.hconcat(*panels), "Figure 1: relevance functions", subtitle)


def figure_2() -> Any:
    """Box plots of nDCG-phi@10, with the constant nDCG@10 of the ad-hoc grades as a line."""
    subtitle = [
        "Boxes: quartiles; lines: to the last sample within 1.5 boxes. Blue: phi of the paper, red: of its program",
        "Dashed: nDCG@10 with ad-hoc grades, the same for every sample",
    ]
    panels = alt.hconcat(*(_boxes(scenario) for scenario in SCENARIOS))
    return titled(panels, "Figure 2: nDCG-phi@10 of 1,000 samples", subtitle)


def _boxes(scenario: int) -> Any:
    drawn = [_box(f"{cell.name}, {cell.preset}", scenario_values(cell, scenario)) for cell in CELLS]
    axis = alt.Axis(labelLimit=220, labels=scenario == 1, ticks=scenario == 1)
    y = alt.Y("cell:N", title=None, sort=[box["cell"] for box in drawn], axis=axis)
    scale = alt.Scale(domain=[0.95 if scenario == 1 else 0.5, 1], nice=False)
    colour = alt.Color(
        "cell:N", scale=alt.Scale(domain=[box["cell"] for box in drawn], range=[LINE, MARK] * 3), legend=None
    )
    base = alt.Chart(alt.InlineData(values=drawn))
    reach = base.mark_rule().encode(x=alt.X("low:Q", scale=scale, title=PHI), x2="high:Q", y=y, color=colour)
    box = base.mark_bar(height=16).encode(x=alt.X("q1:Q", scale=scale), x2="q3:Q", y=y, color=colour)
    middle = base.mark_tick(color="white", thickness=2, size=16).encode(x=alt.X("median:Q", scale=scale), y=y)
    line = alt.Chart(rows(value=[standard(scenario)])).mark_rule(color=INK, strokeDash=[4, 3], strokeWidth=1.5)
    heading = alt.Title(SCENARIOS[scenario], fontSize=12, fontWeight="normal")
    layers = alt.layer(reach, box, middle, line.encode(x=alt.X("value:Q", scale=scale)))
    return layers.properties(width=270, height=180, title=heading)


def _box(cell: str, values: Floats) -> dict[str, Any]:
    q1, median, q3 = np.quantile(values, [0.25, 0.5, 0.75]).tolist()
    near = values[(values >= q1 - 1.5 * (q3 - q1)) & (values <= q3 + 1.5 * (q3 - q1))]
    return {"cell": cell, "low": float(near.min()), "q1": q1, "median": median, "q3": q3, "high": float(near.max())}


def figure_3(cells: Sequence[Cell]) -> Any:
    """Both metrics for k = 5, 10, 15, 20, one panel per age of the shares by which the news were ranked."""
    ages = list(dict.fromkeys(cell.slices for cell in cells))
    panels = [_by_cutoff([cell for cell in cells if cell.slices == age], age) for age in ages]
    subtitle = ["Boxes: quartiles over 75 windows of 100 news items; ticks: medians", f"Blue: {PHI}, red: {ADHOC}"]
    return titled(alt.concat(*panels, columns=2), "Figure 3 on real popularity: Facebook shares", subtitle)


def _by_cutoff(cells: Sequence[Cell], age: int) -> Any:
    drawn = [
        {**_box(f"{cell.cutoff}", values), "metric": name}
        for cell in cells
        for name, values in ((ADHOC, cell.tiers), (PHI, cell.phi))
    ]
    base = alt.Chart(alt.InlineData(values=drawn))
    x = alt.X("cell:O", title="k", sort=[str(cell.cutoff) for cell in cells], axis=alt.Axis(labelAngle=0))
    offset = alt.XOffset("metric:N", sort=[ADHOC, PHI])
    scale = alt.Scale(domain=[ADHOC, PHI], range=[MARK, LINE])
    colour = alt.Color("metric:N", scale=scale, legend=None)
    y = alt.Scale(domain=[0, 1])
    reach = base.mark_rule().encode(
        x=x, xOffset=offset, y=alt.Y("low:Q", scale=y, title=None), y2="high:Q", color=colour
    )
    box = base.mark_bar(size=12).encode(x=x, xOffset=offset, y=alt.Y("q1:Q", scale=y), y2="q3:Q", color=colour)
    tick = base.mark_tick(color="white", thickness=2, size=12)
    middle = tick.encode(x=x, xOffset=offset, y=alt.Y("median:Q", scale=y))
    heading = alt.Title(f"ranked by the shares after {age // 3} h", fontSize=12, fontWeight="normal", anchor="start")
    return alt.layer(reach, box, middle).properties(width=240, height=160, title=heading)


def figure_4(cells: Sequence[Cell]) -> Any:
    """The difference between the metrics against nDCG@10, window by window."""
    panels = []
    for cell in cells:
        x = alt.X("standard:Q", title=ADHOC, scale=alt.Scale(zero=False))
        y = alt.Y("apart:Q", title="nDCG@10 − nDCG-phi@10")
        dots = alt.Chart(rows(standard=cell.tiers.round(4).tolist(), apart=cell.apart.round(4).tolist()))
        zero = alt.Chart(rows(apart=[0])).mark_rule(color=SOFT, strokeDash=[4, 3]).encode(y=y)
        heading = alt.Title(
            f"ranked by the shares after {cell.slices // 3} h", fontSize=12, fontWeight="normal", anchor="start"
        )
        points = dots.mark_circle(color=LINE, opacity=0.8, size=25).encode(x=x, y=y)
        panels.append((zero + points).properties(width=240, height=160, title=heading))
    subtitle = "One dot per window of 100 news items; above the dashed line nDCG with ad-hoc grades is higher"
    return titled(alt.concat(*panels, columns=2), "Figure 4 on real popularity: where the metrics part", subtitle)
