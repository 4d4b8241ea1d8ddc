import json
import os
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cubes import scores_of
from rankgauge import Scores, explain, plot
from rankgauge.analysis.relevance_function import RelevanceFunction
from rankgauge.errors import MissingExtraError, UsageError
from rankgauge.presentation.charts.queries import by_change
from rankgauge.presentation.charts.relevance import relevance_chart
from rankgauge.presentation.charts.style import save_chart

SCORES = [*range(1, 10), 50]


@pytest.fixture
def charted():
    if os.environ.get("CI") != "true":
        for package in ("altair", "vl_convert"):
            pytest.importorskip(package, reason="the extra `report` is not installed")
    return relevance_chart(RelevanceFunction.fit(SCORES), SCORES)


def drawn(chart, mark):
    specification = chart.to_dict()
    for layer in specification["layer"]:
        if layer["mark"]["type"] == mark:
            return [(row["score"], row["relevance"]) for row in specification["datasets"][layer["data"]["name"]]]
    return None


def test_the_line_is_the_function(charted):
    scores, relevance = np.array(drawn(charted, "line")).T
    assert relevance.tolist() == RelevanceFunction.fit(SCORES)(scores).tolist()
    assert scores.min() < 1
    assert scores.max() > 50


def test_the_dots_are_the_knots_and_the_ticks_the_scores(charted):
    assert drawn(charted, "point") == list(RelevanceFunction.fit(SCORES).knots)
    assert [score for score, _ in drawn(charted, "tick")] == SCORES


def test_without_scores_there_are_no_ticks(charted):
    assert drawn(relevance_chart(RelevanceFunction.fit(SCORES)), "tick") is None


def test_missing_scores_are_not_drawn(charted):
    function = RelevanceFunction.fit(SCORES, preset="authors")
    assert [score for score, _ in drawn(relevance_chart(function, [3, float("nan")]), "tick")] == [3]


def test_a_step_is_drawn_upright(charted):
    line = drawn(relevance_chart(RelevanceFunction.fit([0, 7], preset="authors")), "line")
    assert {value for _, value in line} == {0, 1}
    assert (np.nextafter(7, 0), 0) in line
    assert (7, 1) in line


def test_the_title_says_what_the_function_does(charted):
    title = relevance_chart(RelevanceFunction.fit([5, 5]), title="Mine").to_dict()["title"]
    assert (title["text"], title["subtitle"][0]) == ("Mine", "0 everywhere, all scores were 5")


def test_numbers_below_the_title_are_rounded(charted):
    scores = [*SCORES, 61.23456]
    function = RelevanceFunction.fit(scores)
    words = relevance_chart(function, scores).to_dict()["title"]["subtitle"][0]
    assert words.endswith("1 from the maximum 61.23")


def test_an_explanation_says_what_of_which_system_on_which_query(charted):
    judged, runs = {"q": {"a": 1}}, [{"q": {"a": 1.0, "b": 0.5}}, {"q": {"b": 1.0, "a": 0.5}}]
    one, other = ({name: run} for name, run in zip(("one", "other"), runs, strict=True))
    found = explain("nDCG@3", judged, one, query="q")
    assert plot.explanation(found).to_dict()["title"] == "nDCG@3 of one, query q"
    both = explain("nDCG@3", judged, one, query="q", versus=other)
    assert plot.explanation(both).to_dict()["title"] == "Values up to each rank, query q"


@pytest.mark.parametrize(("name", "begins"), [("phi.svg", b"<svg"), ("phi.PNG", b"\x89PNG"), ("phi.json", b"{")])
def test_a_chart_is_saved_by_the_ending_of_the_file(charted, tmp_path, name, begins):
    save_chart(charted, tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(begins)


def test_the_saved_specification_is_the_chart(charted, tmp_path):
    save_chart(charted, tmp_path / "phi.json")
    assert json.loads((tmp_path / "phi.json").read_text()) == charted.to_dict()


@pytest.mark.parametrize("name", ["phi.gif", "phi"])
def test_other_endings_are_refused(charted, tmp_path, name):
    with pytest.raises(UsageError, match=r"known: \.svg, \.png, \.json"):
        save_chart(charted, tmp_path / name)


@pytest.mark.parametrize(("package", "said"), [("altair", "a chart needs"), ("vl_convert", "as a picture needs")])
def test_a_missing_package_is_named_with_its_install_line(charted, tmp_path, monkeypatch, package, said):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=rf"{said}(.|\n)*pip install 'rankgauge\[report\]'"):
        save_chart(relevance_chart(RelevanceFunction.fit(SCORES)), tmp_path / "phi.svg")


@pytest.mark.parametrize("name", [name for name in plot.__all__ if name not in {"save", "changes"}])
@pytest.mark.parametrize("wrong", [42, None, "stability", [1.0]])
def test_what_is_not_a_result_is_an_error_of_ours(charted, name, wrong):
    with pytest.raises(UsageError, match=r"give the result of rankgauge\."):
        getattr(plot, name)(wrong)


def test_what_is_not_a_chart_is_not_saved(charted, tmp_path):
    with pytest.raises(UsageError, match="int is not a chart"):
        plot.save(42, tmp_path / "a.svg")
    assert list(tmp_path.iterdir()) == []


def test_changes_are_drawn_from_scores_of_any_kind(charted, tmp_path):
    values = np.random.default_rng(5).random((2, 12))
    Scores.from_matrix(values, rows="systems").save(tmp_path / "scores.parquet")
    kinds = (scores_of(values), tmp_path / "scores.parquet", Scores.from_matrix(values, rows="systems").to_polars())
    charts = [plot.changes(kind, "system1", "system2").to_dict() for kind in kinds]
    assert charts[0] == charts[1] == charts[2]
    for wrong in (42, None, {"q": {"d": 1}}):
        with pytest.raises(UsageError):
            plot.changes(wrong, "system1", "system2")


@given(
    st.lists(
        st.tuples(st.text(max_size=2), st.sampled_from([0.5, 0.0, -0.0, -0.25, np.nan])), unique_by=lambda row: row[0]
    )
)
def test_queries_are_sorted_by_change_and_equal_ones_by_id(rows):
    queries, changes = [query for query, _ in rows], np.array([change for _, change in rows])
    wanted = sorted((-change, query) for query, change in rows if not np.isnan(change))
    assert [queries[at] for at in by_change(queries, changes)] == [query for _, query in wanted]
