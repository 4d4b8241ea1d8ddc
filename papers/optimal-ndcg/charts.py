"""Figures 2 to 9 as charts, one panel a collection."""

from __future__ import annotations

from typing import Any

import altair as alt
from figures import Points

from rankgauge.presentation.charts.style import INK, PALETTE, styled

WIDTH, HEIGHT = 300, 200


def by_rank(points: Points, series: str, title: str, *, ranks: str = "log") -> Any:
    """Weights by rank, on a root scale, since a discount may end at 0."""
    scale = alt.Scale(type=ranks, nice=False, domainMin=1)
    x = alt.X("rank:Q", title="rank", scale=scale, axis=alt.Axis(format="~d", tickCount=6))
    y = alt.Y("weight:Q", title="share of all weight", scale=alt.Scale(type="sqrt"), axis=alt.Axis(format="~p"))
    deep = [point for point in points if point["cutoff"] == max(point["cutoff"] for point in points)]
    return _panels(deep, alt.Chart().mark_line(strokeWidth=2, interpolate="step-after").encode(x=x, y=y), series, title)


def by_queries(points: Points, series: str, title: str) -> Any:
    """Dependability against the number of queries, with the two targets."""
    x = alt.X("queries:Q", title="queries")
    y = alt.Y("dependability:Q", title="Φ", scale=alt.Scale(domain=[0.4, 1], clamp=True))
    return _panels(points, alt.Chart().mark_line(strokeWidth=2, clip=True).encode(x=x, y=y), series, title)


def relevant(points: Points, title: str) -> Any:
    """Stacked shares of lists with a relevant document at each rank."""
    x, y = (
        alt.X("rank:Q", title="rank"),
        alt.Y("share:Q", title="share of lists", stack="zero", axis=alt.Axis(format="~p")),
    )
    return _panels(points, alt.Chart().mark_area().encode(x=x, y=y), "grade", title)


def by_system(points: Points, series: str, title: str) -> Any:
    """A point per system: its mean under the optimum and under a named curve; both on one scale."""
    x = alt.X("optimal:Q", title="mean nDCG, optimal", scale=alt.Scale(zero=False))
    y = alt.Y("named:Q", title="mean nDCG, named", scale=alt.Scale(zero=False))
    return _panels(points, alt.Chart().mark_point(filled=True, size=14, opacity=0.7).encode(x=x, y=y), series, title)


def levels(points: Points, title: str) -> Any:
    """ASL curves: the lower, the more pairs are told apart."""
    x = alt.X("pair:Q", title="pairs of systems, largest level first")
    y = alt.Y("asl:Q", title="achieved significance level", scale=alt.Scale(domain=[0, 0.15], clamp=True))
    return _panels(points, alt.Chart().mark_line(strokeWidth=2, clip=True).encode(x=x, y=y), "measure", title)


def _panels(points: Points, chart: Any, series: str, title: str) -> Any:
    names = list(dict.fromkeys(str(point[series]) for point in points))
    colours = alt.Scale(domain=names, range=list(PALETTE[: len(names)]))
    coloured = chart.encode(color=alt.Color(f"{series}:N", title=None, scale=colours)).properties(
        width=WIDTH, height=HEIGHT
    )
    order = list(dict.fromkeys(str(point["collection"]) for point in points))
    facet = alt.Facet("collection:N", title=None, sort=order, header=alt.Header(labelColor=INK, labelAnchor="start"))
    whole = coloured.properties(data=alt.InlineData(values=points)).facet(facet=facet, columns=2)
    return styled(whole.resolve_scale(x="independent", y="independent").properties(title=title))
