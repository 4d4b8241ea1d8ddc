from __future__ import annotations

import os

import numpy as np
import pytest

from cubes import Cube
from rankgauge import Scores
from rankgauge.analysis.stability.study import stability
from rankgauge.presentation.charts.curves import stability_chart
from rankgauge.presentation.charts.style import PALETTE, chart_bytes


@pytest.fixture(autouse=True)
def extra():
    if os.environ.get("CI") != "true":
        for package in ("altair", "vl_convert"):
            pytest.importorskip(package, reason="the extra `report` is not installed")


def study(**options):
    random = np.random.default_rng(3)
    sharp = random.random((8, 1)) + 0.2 * random.random((1, 20)) + 0.3 * random.random((8, 20))
    return stability(Cube({"AP": sharp, "RR": sharp + random.random((8, 20))}).scores(), **options)


def layers(chart, mark):
    """Rows and encoding of every layer with this mark."""
    drawn = chart.to_dict()
    rows = drawn["datasets"]
    return [
        (rows[layer["data"]["name"]], layer["encoding"]) for layer in drawn["layer"] if layer["mark"]["type"] == mark
    ]


def test_each_line_is_the_curve_of_a_measure_and_lies_in_its_band():
    found = study()
    chart = stability_chart(found)
    lines, bands = layers(chart, "line"), layers(chart, "area")
    assert len(lines) == len(bands) == 2
    for one, (rows, _), (band, _) in zip(found.parts, lines, bands, strict=True):
        assert rows == band
        counts = [row["queries"] for row in rows]
        curve = one.curve(counts)
        assert [row["value"] for row in rows] == list(curve.value)
        assert [row["low"] for row in rows] == list(curve.low)
        assert [row["high"] for row in rows] == list(curve.high)
        assert counts[0] == 1
        assert one.query_count in counts
        assert counts == sorted(set(counts))


def test_all_measures_are_drawn_as_far_as_the_one_that_needs_most():
    found = study()
    ends = {rows[-1]["queries"] for rows, _ in layers(stability_chart(found), "line")}
    assert ends == {max(one.curve_end() for one in found.parts)}


def test_targets_and_the_present_number_are_marked():
    horizontal, upright = layers(stability_chart(study(reach=[0.8, 0.9])), "rule")
    assert [row["target"] for row in horizontal[0]] == [0.8, 0.9]
    assert "y" in horizontal[1]
    assert upright[0] == [{"queries": 20, "text": "now 20"}]
    assert "x" in upright[1]


def test_the_legend_stands_below_and_says_how_many_queries_are_needed():
    found = study()
    chart = stability_chart(found)
    (_, encoding), _ = layers(chart, "line")
    needed = [one.queries_needed(0.95).value for one in found.parts]
    expected = [f"AP: {needed[0]} queries for 0.95", f"RR: {needed[1]} queries for 0.95"]
    assert encoding["color"]["scale"] == {"domain": expected, "range": list(PALETTE[:2])}
    config = chart.to_dict()["config"]
    assert config["legend"]["orient"] == "bottom"
    assert config["background"] == "transparent"


def test_when_colors_begin_again_the_dashes_differ():
    values = np.random.default_rng(1).random((4, 9))
    found = stability(Cube({f"m{at}": values + at for at in range(len(PALETTE) + 1)}).scores())
    scales = layers(stability_chart(found), "line")[0][1]
    assert scales["color"]["scale"]["range"][0] == scales["color"]["scale"]["range"][-1]
    assert scales["strokeDash"]["scale"]["range"][0] != scales["strokeDash"]["scale"]["range"][-1]


def test_generalizability_can_be_drawn_instead():
    found = study()
    rows, encoding = layers(stability_chart(found, coefficient="generalizability"), "line")[0]
    assert rows[0]["value"] == found["AP"].generalizability(1).value
    assert encoding["y"]["title"] == "generalizability Eρ²"


def test_systems_that_do_not_differ_can_be_drawn():
    same = Scores.from_matrix(np.tile([0.1, 0.5, 0.3, 0.9], (3, 1)), "abc", "pqrs", "same", rows="systems")
    found = stability(same, interval="jackknife")
    chart = stability_chart(found)
    rows, encoding = layers(chart, "line")[0]
    assert all(row["low"] == row["high"] == 0 for row in rows)
    assert encoding["color"]["scale"]["domain"] == ["same: no number of queries for 0.95"]
    assert chart_bytes(chart, "same.svg").startswith(b"<svg")


def test_without_targets_nothing_lies_across():
    chart = stability_chart(study(reach=[]))
    assert len(layers(chart, "rule")) == 1
    assert layers(chart, "line")[0][1]["color"]["scale"]["domain"] == ["AP", "RR"]
