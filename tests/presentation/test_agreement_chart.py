from __future__ import annotations

import os
from itertools import pairwise

import pytest

from rankgauge.analysis.agreement import Agreement
from rankgauge.presentation.charts.agreement import agreement_chart, spread
from rankgauge.presentation.charts.style import chart_bytes

NAN = float("nan")


@pytest.fixture(autouse=True)
def extra():
    if os.environ.get("CI") != "true":
        for package in ("altair", "vl_convert"):
            pytest.importorskip(package, reason="the extra `report` is not installed")


def found(*means, tau=0.5):
    squares = [tuple(tuple(1.0 if a == b else value for b in means) for a in means) for value in (tau, tau / 2, 0.1)]
    names = tuple(f"m{at}" for at in range(len(means)))
    return Agreement(names, ("<b>x</b>", "y", "z"), (9,) * len(means), means, *squares)


def panels(chart):
    drawn = chart.to_dict()
    # Altair lifts the data of a single panel to the top.
    found = []
    for panel in drawn["concat"]:
        points = panel["layer"][0]
        name = points.get("data", panel.get("data", drawn.get("data")))["name"]
        found.append(({**panel, "encoding": points["encoding"]}, drawn["datasets"][name]))
    return found


def test_the_top_five_and_the_outliers_are_named():
    means = tuple(float(at) for at in range(12))
    other = (11.0, *means[1:-1], 0.0)
    squares = [((1.0, 0.5), (0.5, 1.0))] * 3
    names = tuple(f"system-{at}" for at in range(12))
    chart = agreement_chart(Agreement(("a", "b"), names, (9, 9), (means, other), *squares)).to_dict()
    words = chart["concat"][0]["layer"][1]
    shown = {row["system"] for row in chart["datasets"][words["data"]["name"]]}
    assert shown == {"system-11", "system-10", "system-9", "system-8", "system-7", "system-0"}


def test_every_pair_of_measures_has_a_panel_with_a_point_per_system():
    drawn = panels(agreement_chart(found((0.1, 0.2, 0.3), (0.4, 0.6, 0.5), (0.9, 0.7, 0.8))))
    titles = [(panel["encoding"]["x"]["title"], panel["encoding"]["y"]["title"]) for panel, _ in drawn]
    assert titles == [("m0", "m1"), ("m0", "m2"), ("m1", "m2")]
    assert drawn[0][1] == [
        {"system": "<b>x</b>", "first": 0.1, "second": 0.4},
        {"system": "y", "first": 0.2, "second": 0.6},
        {"system": "z", "first": 0.3, "second": 0.5},
    ]


def test_the_title_of_a_panel_has_both_taus():
    ((panel, _),) = panels(agreement_chart(found((0.1, 0.2, 0.3), (0.4, 0.6, 0.5))))
    assert panel["title"]["text"] == "τ-b 0.500, τ_AP 0.250"


def test_all_points_lie_inside_the_axes():
    ((panel, rows),) = panels(agreement_chart(found((0.1, 0.2, 0.3), (0.4, 0.6, 0.5))))
    for axis, part in (("x", "first"), ("y", "second")):
        low, high = panel["encoding"][axis]["scale"]["domain"]
        assert low < min(row[part] for row in rows)
        assert max(row[part] for row in rows) < high


def test_a_measure_that_ties_all_systems_can_be_drawn():
    chart = agreement_chart(found((0.1, 0.2, 0.3), (0.4, 0.4, 0.4), tau=NAN))
    ((panel, _),) = panels(chart)
    assert panel["title"]["text"] == "τ-b undefined, τ_AP undefined"
    assert b"<b>" not in chart_bytes(chart, "a.svg")


@pytest.mark.parametrize("heights", [[1.0, 0.99, 0.98, 0.5], [0.02, 0.01, 0.0], [0.9], []])
def test_names_keep_their_order_and_a_line_between_them(heights):
    places = spread(heights, 0.05, 0.0)
    assert all(above - below >= 0.05 - 1e-12 for above, below in pairwise(places))
    assert min(places, default=0.0) >= 0.0
