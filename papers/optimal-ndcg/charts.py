"""Figures 2 to 9, a panel per collection; every axis shows all of its data."""

from __future__ import annotations

from typing import Any

import altair as alt

from rankgauge.presentation.charts.style import INK, PALETTE, styled

Numbers = dict[str, Any]
Points = list[dict[str, Any]]
WIDTH, HEIGHT = 210, 150


def figure_2(collections: dict[str, Numbers]) -> Any:
    """Named and optimal discounts by rank at three cutoffs, each of sum 1."""
    points = [
        {"collection": name, "cutoff": f"@{cutoff}", "discount": which, "rank": rank, "weight": weight}
        for name, one in collections.items()
        for cutoff, rows in one["discounts"].items()
        for which, row in rows.items()
        for rank, weight in _steps(row["weights"])
    ]
    return _grid(points, _by_rank(), "discount", "Figure 2: discounts by rank", "cutoff")


def figure_3(collections: dict[str, Numbers]) -> Any:
    """The optimal discount @20 when it may rise and fall, beside the one that may not."""
    points = [
        {"collection": name, "discount": which, "rank": rank, "weight": weight}
        for name, one in collections.items()
        for which, weights in (
            ("free", one["free"]["weights"]),
            ("non-increasing", one["discounts"]["20"]["optimal"]["weights"]),
        )
        for rank, weight in enumerate(weights, 1)
    ]
    return _row(points, _by_rank(), "discount", "Figure 3: the optimal discount @20, unconstrained and constrained")


def figure_4(collections: dict[str, Numbers]) -> Any:
    """Dependability @100 against the number of queries, by discount."""
    points = [
        {"collection": name, "discount": which, "queries": n, "Φ": n * row["phi"] / (1 + (n - 1) * row["phi"])}
        for name, one in collections.items()
        for which, row in one["discounts"]["100"].items()
        for n in (*range(1, 20), *range(20, 101, 5))
    ]
    chart = alt.Chart().mark_line(strokeWidth=1.5)
    chart = chart.encode(x=alt.X("queries:Q"), y=alt.Y("Φ:Q", scale=alt.Scale(domain=[0, 1])))
    return _row(points, chart, "discount", "Figure 4: Φ of nDCG@100 by number of queries")


def figure_5(collections: dict[str, Numbers]) -> Any:
    """Share of lists with a relevant and with a highly relevant document at each rank."""
    points = [
        {"collection": name, "grade": f"grade {grade}", "rank": rank, "share": share}
        for name, one in collections.items()
        for grade, shares in enumerate(one["relevant_by_rank"], 1)
        for rank, share in enumerate(shares, 1)
    ]
    share = alt.Y("share:Q", title="share of lists", axis=alt.Axis(format="~%"))
    chart = alt.Chart().mark_line(strokeWidth=1.5).encode(x=alt.X("rank:Q"), y=share)
    return _row(points, chart, "grade", "Figure 5: relevant documents by rank")


def figure_6(collections: dict[str, Numbers]) -> Any:
    """The discount @20 found together with the gain, and found alone under the linear gain."""
    points = [
        {"collection": name, "discount": which, "rank": rank, "weight": weight}
        for name, one in collections.items()
        for which, weights in (
            ("with the gain", one["joint"]["20"]["weights"]),
            ("alone", one["discounts"]["20"]["optimal"]["weights"]),
        )
        for rank, weight in enumerate(weights, 1)
    ]
    return _row(points, _by_rank(), "discount", "Figure 6: the optimal discount @20, with the gain and alone")


def figure_7(collections: dict[str, Numbers]) -> Any:
    """Every system's mean nDCG@100 under the optimal discount and under the named ones, with RMSE and τ."""
    names = ("log2", "zipf", "linear")
    return _scatters(collections, names, "means", "rmse", "Figure 7: mean nDCG@100, optimal and named discounts")


def figure_8(collections: dict[str, Numbers]) -> Any:
    """Every system's mean nDCG@100 under the optimal gain and under the exponential one, with RMSE and τ."""
    return _scatters(collections, ("exp",), "gain_means", "gain_rmse", "Figure 8: mean nDCG@100, optimal and exp gain")


def figure_9(collections: dict[str, Numbers]) -> Any:
    """Achieved significance levels of all pairs of the 30 best systems @20, largest first."""
    points = [
        {"collection": name, "measure": measure, "pair": pair, "ASL": level}
        for name, one in collections.items()
        for measure, found in one["power"].items()
        for pair, level in enumerate(found["asl"], 1)
        if pair % 3 == 1
    ]
    chart = alt.Chart().mark_line(strokeWidth=1.5)
    chart = chart.encode(x=alt.X("pair:Q", title="pairs of systems"), y=alt.Y("ASL:Q", scale=alt.Scale(domain=[0, 1])))
    return _row(points, chart, "measure", "Figure 9: ASL curves @20 (left of a level: not separated)")


FIGURES = {number: globals()[f"figure_{number}"] for number in range(2, 10)}


def _by_rank() -> Any:
    weight = alt.Y("weight:Q", title="share of all weight", axis=alt.Axis(format="~%"))
    return alt.Chart().mark_line(strokeWidth=1.5, interpolate="step-after").encode(x=alt.X("rank:Q"), y=weight)


def _steps(weights: list[float]) -> list[tuple[int, float]]:
    """Every rank up to 30, then one in three: a file for every rank of every panel would be large."""
    return [(rank, weight) for rank, weight in enumerate(weights, 1) if rank <= 30 or rank % 3 == 1]


def _scatters(collections: dict[str, Numbers], names: tuple[str, ...], means: str, error: str, title: str) -> Any:
    rows = []
    for which in names:
        panels = []
        for name, one in collections.items():
            orders = one["orders"]
            tau = orders["tau"]["optimal"][which] if means == "means" else orders["gain_tau"][which]
            values = [
                {"optimal": x, which: y} for x, y in zip(orders[means]["optimal"], orders[means][which], strict=True)
            ]
            text = f"{name}: RMSE {orders[error][which]:.3f}, τ {tau:.3f}"
            heading = alt.Title(text, fontSize=10, fontWeight="normal", anchor="start")
            point = alt.Chart(alt.InlineData(values=values), title=heading).mark_point(filled=True, size=9, opacity=0.7)
            x, y = alt.X("optimal:Q", scale=alt.Scale(zero=False)), alt.Y(f"{which}:Q", scale=alt.Scale(zero=False))
            panels.append(point.encode(x=x, y=y).properties(width=150, height=130))
        rows.append(alt.hconcat(*panels))
    return styled(alt.vconcat(*rows).properties(title=title))


def _coloured(points: Points, chart: Any, series: str) -> Any:
    names = list(dict.fromkeys(str(point[series]) for point in points))
    scale = alt.Scale(domain=names, range=list(PALETTE[: len(names)]))
    colour = alt.Color(f"{series}:N", title=None, scale=scale, legend=alt.Legend(orient="bottom"))
    return chart.encode(color=colour).properties(width=WIDTH, height=HEIGHT, data=alt.InlineData(values=points))


def _row(points: Points, chart: Any, series: str, title: str) -> Any:
    header = alt.Header(labelColor=INK, labelAnchor="start")
    facet = alt.Facet("collection:N", title=None, header=header)
    whole = _coloured(points, chart, series).facet(facet=facet, columns=3)
    return styled(whole.resolve_scale(y="independent").properties(title=title))


def _grid(points: Points, chart: Any, series: str, title: str, across: str) -> Any:
    header = alt.Header(labelColor=INK, labelAnchor="start")
    order = list(dict.fromkeys(str(point[across]) for point in points))
    column = alt.Column(f"{across}:N", title=None, header=header, sort=order)
    row = alt.Row("collection:N", title=None, header=alt.Header(labelColor=INK, labelAngle=0, labelAlign="left"))
    whole = _coloured(points, chart, series).facet(column=column, row=row)
    return styled(whole.resolve_scale(x="independent", y="independent").properties(title=title))
