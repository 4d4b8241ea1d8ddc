from __future__ import annotations

import os

import pytest

from rankgauge import optimize, plot, simulate
from rankgauge.analysis.optimize.search.form import with_queries
from rankgauge.presentation.charts.style import chart_bytes

COLLECTION = simulate(systems=5, queries=12, documents=50, highest_grade=3, seed=3)
JUDGED, RUNS = COLLECTION.judgments(), COLLECTION.runs(depth=20)


@pytest.fixture(autouse=True)
def extra():
    if os.environ.get("CI") != "true":
        for package in ("altair", "vl_convert"):
            pytest.importorskip(package, reason="the extra `report` is not installed")


def found(measure="nDCG@6", **options):
    return optimize(JUDGED, RUNS, measure, **({"folds": 0} | options))


def rows(chart, mark):
    drawn = chart.to_dict()
    layers = drawn.get("layer", [drawn])
    return [drawn["datasets"][one["data"]["name"]] for one in layers if one["mark"]["type"] == mark]


def test_every_discount_sums_to_one_and_a_named_start_is_drawn_once():
    one = found()
    chart = plot.optimal_discount(one)
    drawn = [*rows(chart, "line"), *rows(chart, "point")]
    lines = {line[0]["measure"]: [row["weight"] for row in line] for line in drawn}
    assert set(lines) == {"optimum", "log2 (start)", "zipf", "linear"}
    assert [line[0]["measure"] for line in rows(chart, "point")] == ["optimum"]
    for weights in lines.values():
        assert sum(weights) == pytest.approx(1)
        assert len(weights) == 6
    total = sum(one.discount)
    assert lines["optimum"] == pytest.approx([weight / total for weight in one.discount])
    own = {line[0]["measure"] for line in rows(plot.optimal_discount(found("nDCG(discount=rbp(0.8))@6")), "line")}
    assert own == {"start", "log2", "zipf", "linear"}


def test_the_recommended_curve_is_bold_and_gains_are_a_second_panel():
    from dataclasses import replace

    one = found()
    chart = plot.optimal_discount(replace(one, recommendation=one["zipf"].measure)).to_dict()
    bold = [layer for layer in chart["layer"] if layer["mark"].get("strokeWidth") == 3.5]
    assert [chart["datasets"][layer["data"]["name"]][0]["measure"] for layer in bold] == ["zipf"]
    assert chart["title"]["subtitle"].endswith("recommended (bold): zipf")
    both = plot.optimal_discount(found(over="both")).to_dict()
    (points,) = [layer for layer in both["hconcat"][1]["layer"] if layer["mark"]["type"] == "point"]
    gains = dict(found(over="both").gain)
    shown = {row["grade"]: row["gain"] for row in both["datasets"][points["data"]["name"]]}
    assert shown == {f"{grade:g}": gain / min(gains.values()) for grade, gain in gains.items()}


def test_curves_that_cannot_be_told_apart_are_one():
    from dataclasses import replace

    one = found()
    near = replace(one["zipf"], value=one.start.value + 1e-5)
    others = tuple(near if other.name == "zipf" else other for other in one.candidates)
    lines = rows(plot.optimal_queries(replace(one, candidates=others, recommendation=near.measure)), "line")
    assert [line[0]["measure"].split(":")[0] for line in lines] == ["start and zipf", "optimum"]


def test_titles_name_the_measure_and_queries_have_a_logarithmic_axis():
    one = found()
    for draw in (plot.optimal_discount, plot.optimal_queries):
        assert "nDCG@6" in draw(one).to_dict()["title"]["text"]
    layers = plot.optimal_queries(one).to_dict()["layer"]
    scales = [layer["encoding"]["x"]["scale"] for layer in layers if layer["mark"]["type"] == "line"]
    assert [scale["type"] for scale in scales] == ["log", "log"]


def test_long_lists_have_ranks_on_a_logarithmic_scale():
    chart = plot.optimal_discount(found("nDCG@40", constrained=False)).to_dict()
    assert chart["layer"][0]["encoding"]["x"]["scale"]["type"] == "log"
    assert "unconstrained" in chart["title"]["subtitle"]


def test_curves_of_start_and_optimum_cross_the_targets_where_the_legend_says():
    one = found()
    lines = rows(plot.optimal_queries(one), "line")
    assert len(lines) == 2
    for line, outcome in zip(lines, (one.start, one.optimum), strict=True):
        for row in line:
            assert row["value"] == with_queries(outcome.dependability, row["queries"])
        target, needed = outcome.queries_needed[-1]
        assert line[0]["measure"] == f"{outcome.name}: {needed} queries for {target:g}"
        assert line[-1]["queries"] >= needed
    assert [row["target"] for row in rows(plot.optimal_queries(one), "rule")[0]] == [0.9, 0.95]
    bare = rows(plot.optimal_queries(found(reach=())), "line")
    assert bare[0][0]["measure"] == "start"


def test_another_recommendation_has_a_curve_of_its_own():
    from dataclasses import replace

    one = found()
    lines = rows(plot.optimal_queries(replace(one, recommendation=one["zipf"].measure)), "line")
    assert [line[0]["measure"].split(":")[0] for line in lines] == ["start", "optimum", "zipf"]


def test_shares_of_relevant_documents_are_those_of_the_lists():
    (bars,) = rows(plot.relevant_by_rank(found("nDCG@3")), "bar")
    for grade in (1, 2, 3):
        for rank in (1, 2, 3):
            at_rank = [JUDGED[q][list(docs)[rank - 1]] == grade for run in RUNS.values() for q, docs in run.items()]
            share = next(row["share"] for row in bars if row["grade"] == f"grade {grade}" and row["rank"] == rank)
            assert share == pytest.approx(sum(at_rank) / len(at_rank))


def test_gains_stand_in_units_of_the_lowest_grade_beside_the_linear_ones():
    gains = optimize(JUDGED, RUNS, "nDCG@10", cutoffs=(5, 10))
    chart = plot.optimal_gains(gains)
    (line,) = rows(chart, "line")
    assert {(row["measure"], row["cutoff"]): row["gain"] for row in line} == {
        (f"grade {grade}", row.cutoff): row.gain[grade - 1] for row in gains.rows for grade in (2, 3)
    }
    assert [rule[0]["gain"] for rule in rows(chart, "rule")] == [2, 3]


@pytest.mark.parametrize("draw", [plot.optimal_discount, plot.optimal_queries, plot.relevant_by_rank])
def test_each_chart_becomes_a_picture(draw):
    assert chart_bytes(draw(found()), "chart.png").startswith(b"\x89PNG")
