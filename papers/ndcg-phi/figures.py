"""The charts: numbers in, Altair out; small enough to be kept beside the results."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import altair as alt
import numpy as np
from stream import Rankings
from synthetic import CELLS, balanced, samples, scenario_values, standard

from measures import TIERS, Floats, relevance, tiers
from rankgauge.analysis.relevance import RelevanceFunction
from rankgauge.kernels.curves import phi
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
    """Scores by position with the ad-hoc cuts, their box plot, and the relevance that either way gives."""
    scores = samples(balanced, 1)
    place = list(range(1, scores.shape[1] + 1))
    x = alt.X(
        "position:Q",
        title="position in the ranking",
        scale=alt.Scale(domain=[0, 101], nice=False),
        axis=alt.Axis(values=[1, 25, 50, 75, 100]),
    )
    y, bare = alt.Y("score:Q", title="score"), alt.Y("score:Q", title=None, axis=alt.Axis(labels=False))
    points = alt.Chart(rows(position=place, score=scores[0].tolist()))
    dots = points.mark_point(filled=True, size=18, color=LINE, opacity=1, aria=False).encode(x=x, y=y)
    cuts = alt.Chart(rows(position=[tier + 0.5 for tier in TIERS])).mark_rule(color=SOFT, strokeDash=[4, 3]).encode(x=x)
    box = alt.Chart(rows(score=scores[0].tolist())).mark_boxplot(color=LINE, size=26).encode(y=bare)
    given = [
        ("ad-hoc grade / 3", tiers(scores)[0] / 3, SOFT, (27, 0.62)),
        ("phi", relevance(scores, phi.PAPER)[0], MARK, (3, 0.3)),
    ]
    panels = [(dots + cuts).properties(width=300, height=240), box.properties(width=50, height=240)]
    panels.append(alt.layer(*(_by_position(x, place, *one) for one in given)).properties(width=260, height=240))
    subtitle = "Dashed: the ad-hoc cuts after positions 10, 25 and 50, the same whatever the scores"
    return titled(alt.hconcat(*panels), "Figure 1: one balanced sample of 100 scores", subtitle)


def _by_position(x: alt.X, place: list[int], name: str, values: Floats, colour: str, label: tuple[float, float]) -> Any:
    y = alt.Y("relevance:Q", title="relevance", axis=alt.Axis(tickCount=5))
    line = alt.Chart(rows(position=place, relevance=values.round(4).tolist()))
    text = alt.Chart(rows(position=[label[0]], relevance=[label[1]], name=[name]))
    return line.mark_line(interpolate="step", strokeWidth=2, color=colour).encode(x=x, y=y) + text.mark_text(
        align="left", color=colour, fontSize=12
    ).encode(x=x, y=y, text="name:N")


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


def figure_3(streams: list[Rankings]) -> Any:
    """Every ranking by its two values, counted on a grid of 0.05."""
    subtitle = [
        "Below the diagonal nDCG with ad-hoc grades gives more than nDCG-phi, above it less",
        "The area of a dot is the number of rankings",
    ]
    panels = alt.concat(*(_scatter(stream) for stream in streams), columns=2)
    return titled(panels, "Figure 3 in shape: 1,440 simulated rankings a topic", subtitle)


def _scatter(stream: Rankings) -> Any:
    places = np.floor(20 * np.c_[stream.standard, stream.paper]).clip(0, 19) / 20 + 0.025
    found, counts = np.unique(places, axis=0, return_counts=True)
    axis = alt.Axis(values=[0, 0.2, 0.4, 0.6, 0.8, 1])
    x = alt.X("standard:Q", title=ADHOC, scale=alt.Scale(domain=[0, 1]), axis=axis)
    y = alt.Y("phi:Q", title=PHI, scale=alt.Scale(domain=[0, 1]), axis=axis)
    standard_values, phi_values = found.round(3).T.tolist()
    dots = alt.Chart(rows(standard=standard_values, phi=phi_values, rankings=counts.tolist()))
    size = alt.Size("rankings:Q", scale=alt.Scale(range=[0, 110], domain=[0, 65]), legend=None)
    diagonal = alt.Chart(rows(standard=[0, 1], phi=[0, 1])).mark_line(color=SOFT, strokeDash=[4, 3], strokeWidth=1)
    layers = diagonal.encode(x=x, y=y) + dots.mark_circle(color=LINE, opacity=0.85, aria=False).encode(
        x=x, y=y, size=size
    )
    return layers.properties(
        width=220, height=220, title=alt.Title(stream.topic.name, fontSize=12, fontWeight="normal")
    )


def figure_4(streams: list[Rankings], days: int = 7) -> Any:
    """Both measures over the first days."""
    part = slice(0, 48 * days, 2)
    panels = alt.concat(*(_week(stream, part, days) for stream in streams), columns=2)
    subtitle = f"Simulated news, a value every hour. Blue: {PHI}, red: {ADHOC}"
    return titled(panels, "Figure 4 in shape: the two measures over a week", subtitle)


def _week(stream: Rankings, part: slice, days: int) -> Any:
    passed = ((stream.hours[part] - stream.hours[0]) / 24).round(3).tolist()
    x = alt.X("day:Q", title="day", scale=alt.Scale(domain=[0, days]))
    y = alt.Y("value:Q", title=None, scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(tickCount=4))
    lines = [
        alt.Chart(rows(day=passed, value=values[part].round(4).tolist()))
        .mark_line(strokeWidth=1.3, color=colour)
        .encode(x=x, y=y)
        for values, colour in ((stream.standard, MARK), (stream.paper, LINE))
    ]
    heading = alt.Title(stream.topic.name, fontSize=12, fontWeight="normal")
    return alt.layer(*lines).properties(width=300, height=130, title=heading)
