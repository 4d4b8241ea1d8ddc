import dataclasses
import doctest
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.interpolate import PchipInterpolator

import rankgauge
import rankgauge.analysis.relevance_function as one_function
from rankgauge.analysis.relevance import relevance
from rankgauge.analysis.relevance_function import RelevanceFunction
from rankgauge.errors import AnalysisError, DataError, UsageError

ONE_OUTLIER = [*range(1, 10), 50]


def test_the_examples_of_the_docstrings_run():
    assert doctest.testmod(one_function) == (0, 2)


def test_relevance_is_fitted_on_the_scores_themselves():
    assert relevance([100, 80, 90, 15, 10]) == pytest.approx([1, 0, 0.347222, 0, 0], abs=5.1e-7)


def test_relevance_may_be_fitted_on_a_reference_population():
    assert relevance([90, 5, 1000], reference=[100, 80, 90, 15, 10]) == pytest.approx([0.347222, 0, 1], abs=5.1e-7)
    assert relevance([], reference=[1, 2]).tolist() == []


def test_relevance_may_be_read_off_control_points():
    expected = PchipInterpolator([0, 10, 40], [0, 0.5, 1])([5, 25])
    assert relevance([5, 25, 99], knots=[(0, 0), (10, 0.5), (40, 1)]) == pytest.approx([*expected, 1], abs=1e-15)


def test_options_of_the_box_plot_reach_the_fit():
    assert relevance(ONE_OUTLIER, quartiles="hinges")[8] == pytest.approx(0.063469, abs=5.1e-7)
    assert relevance(ONE_OUTLIER, quartiles="hinges", whisker="observed")[8] == pytest.approx(0.163265, abs=5.1e-7)
    assert relevance(ONE_OUTLIER, preset="authors")[8] == pytest.approx(0.163265, abs=5.1e-7)


def test_equal_scores_have_relevance_0():
    assert relevance([7, 7, 7]).tolist() == [0, 0, 0]
    assert relevance([7]).tolist() == [0]
    assert relevance([7, 8], reference=[7, 7]).tolist() == [0, 0]


def test_a_function_keeps_the_shape_of_what_it_is_asked():
    function = RelevanceFunction.fit(ONE_OUTLIER)
    assert function(np.array([[1, 50], [60, 2]])).tolist() == [[0, 1], [1, 0]]
    assert function(50).shape == ()


@pytest.mark.parametrize("preset", ["paper", "authors"])
@pytest.mark.parametrize(
    "scores",
    [ONE_OUTLIER, [1, 2, 3], [0, 0, 0, 4, 8], [1, 9, 9], [5, 5]],
    ids=["outlier", "plain", "zeros", "step", "flat"],
)
def test_a_function_gives_what_the_fit_gave(scores, preset):
    function = RelevanceFunction.fit(scores, preset=preset)
    assert function(scores).tolist() == relevance(scores, preset=preset).tolist()


def test_missing_scores_stay_missing_under_authors_only():
    found = relevance([1, 2, float("nan"), 3], preset="authors")
    assert np.isnan(found).tolist() == [False, False, True, False]
    with pytest.raises(
        UsageError, match=r"1 of 3 not finite; the first is nan at position 1\.\nLeave them out, or use"
    ):
        relevance([1, float("nan"), 3])
    with pytest.raises(UsageError, match=r"1 of 2 not finite; the first is inf at position 0\.\nLeave them out\."):
        relevance([float("inf"), 3], preset="authors")


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ({"scores": ["a"]}, UsageError, "scores: not an array of numbers"),
        ({"scores": [[1, 2], [3, 4]]}, UsageError, "scores: 2 dimensions"),
        ({"scores": []}, AnalysisError, "none to fit phi on"),
        ({"scores": [1, 2], "reference": []}, AnalysisError, "none to fit phi on"),
        ({"scores": [0, 1e301]}, UsageError, r"1e\+301 is beyond 1e\+300"),
        ({"scores": [0, -1], "preset": "authors"}, AnalysisError, "none is positive"),
        ({"scores": [1, 2], "preset": "author"}, UsageError, "unknown preset 'author'; did you mean 'authors'?"),
        (
            {"scores": [1, 2], "quartiles": "hinge"},
            UsageError,
            "unknown quartiles 'hinge'; did you mean 'hinges'?",
        ),
        ({"scores": [1, 2], "whisker": "tukey"}, UsageError, "unknown whisker 'tukey'; known: fence, observed"),
        ({"scores": [1, 2], "preset": "authors", "whisker": "fence"}, UsageError, "program with whisker='observed'"),
        (
            {"scores": [1, 2], "knots": [(0, 0), (1, 1)], "whisker": "fence"},
            UsageError,
            "leave out whisker, or the knots",
        ),
        ({"scores": [1, 2], "knots": [(0, 0), (1, 1)], "preset": "authors"}, UsageError, "leave out preset"),
        ({"scores": [1, 2], "knots": [(0, 0), (0, 1)]}, UsageError, "score 0 follows 0; scores must increase"),
        ({"scores": [1, 2], "knots": [1, 2]}, UsageError, "not \\(score, relevance\\) pairs"),
        ({"scores": [1, 2], "knots": [(0, "a")]}, UsageError, "not \\(score, relevance\\) pairs"),
    ],
)
def test_what_cannot_be_used_is_refused_with_a_reason(arguments, error, said):
    with pytest.raises(error, match=said):
        relevance(**arguments)


@pytest.mark.parametrize(
    ("knots", "said"),
    [
        ([(0, 0), (1, 1)], "expected"),
        ([(0, 0), (2, 0), (1, 1)], "expected"),
        ([(0, 0), (1, 0.5), (2, 1)], "expected"),
        ([(1, 0), (1, 0), (1, 1)], "expected"),
        ([(1, 1)], "expected"),
        ([], "expected"),
        ([(0, 0), (1, 0), (2, 1), (3, 1)], "the whisker 2:1 does not lie between 1:0 and 3:1"),
        ([(0, 0), (1, 0), (1, 0.5), (3, 1)], "the whisker 1:0.5"),
        ([(float("nan"), 0)], "a score is not a finite number"),
    ],
)
def test_knots_that_no_fit_can_give_are_refused(knots, said):
    with pytest.raises(UsageError, match=said):
        RelevanceFunction(knots, preset="paper")


def test_a_function_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        RelevanceFunction.fit([1, 2]).preset = "authors"


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (
            RelevanceFunction.fit(ONE_OUTLIER),
            """phi (preset paper, quartiles linear, whisker fence): \
0 up to the median 5.5, 0.2755 at the whisker 14.5, 1 from the maximum 50
knots(1:0, 5.5:0, 14.5:0.2755102040816326, 50:1)""",
        ),
        (
            RelevanceFunction.fit([0, 7], preset="authors"),
            """phi (preset authors, quartiles hinges, whisker observed): 1 from 7, both median and maximum, 0 below
knots(0:0, 7:0, 7:1)""",
        ),
        (
            RelevanceFunction.fit([1000000, 1000000]),
            "phi (preset paper, quartiles linear, whisker fence): 0 everywhere, all scores were 1000000",
        ),
        (RelevanceFunction([(0, 0), (0.1, 1)]), "relevance through control points\nknots(0:0, 0.1:1)"),
    ],
)
def test_a_function_prints_what_it_does(function, said):
    assert str(function) == said


@given(
    st.lists(st.floats(-1e300, 1e300), min_size=1, max_size=20),
    st.sampled_from(["linear", "hinges"]),
    st.sampled_from(["fence", "observed"]),
)
def test_json_gives_the_same_function_back(scores, quartiles, whisker):
    function = RelevanceFunction.fit(scores, quartiles=quartiles, whisker=whisker)
    again = RelevanceFunction.from_json(function.to_json())
    assert again == function
    assert hash(again) == hash(function)
    assert again(scores).tolist() == relevance(scores, quartiles=quartiles, whisker=whisker).tolist()


def test_functions_differ_by_knots_and_by_how_they_were_made():
    assert RelevanceFunction.fit([1, 2, 3]) == RelevanceFunction.fit([3, 2, 1])
    assert RelevanceFunction.fit([1, 2, 3]) != RelevanceFunction.fit([1, 2, 4])
    assert RelevanceFunction.fit([0, 1, 2]) != RelevanceFunction([(0, 0), (1, 0), (2, 1)])


def test_the_json_has_plain_names():
    assert json.loads(RelevanceFunction.fit([100, 80, 90, 15, 10]).to_json()) == {
        "preset": "paper",
        "quartiles": "linear",
        "whisker": "fence",
        "reach": 1.5,
        "knots": [[10, 0], [80, 0], [100, 1]],
    }


def test_a_bare_list_of_pairs_is_read_as_control_points():
    assert RelevanceFunction.from_json("[[0, 0], [10, 1]]") == RelevanceFunction([(0, 0), (10, 1)])


def test_a_function_is_saved_and_loaded(tmp_path):
    function = RelevanceFunction.fit(ONE_OUTLIER, preset="authors")
    function.save(tmp_path / "phi.json")
    assert RelevanceFunction.load(tmp_path / "phi.json") == function


@pytest.mark.parametrize("text", ["{", "3", "{}", '{"knots": [[0, 0], [1, 1]], "colour": 1}'])
def test_text_that_is_no_function_is_refused(text):
    with pytest.raises(UsageError, match=r"not a relevance function(.|\n)*Expected JSON such as"):
        RelevanceFunction.from_json(text)


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(DataError, match=r"phi\.json: cannot be read \(No such file"):
        RelevanceFunction.load(tmp_path / "phi.json")
    (tmp_path / "phi.json").write_text("[[0, 0], [0, 1]]")
    with pytest.raises(UsageError, match=r"phi\.json: knots: score 0 follows 0"):
        RelevanceFunction.load(tmp_path / "phi.json")


@pytest.mark.parametrize("form", ["mapping", "judgments", "frame", "path"])
def test_judgments_are_fitted_query_by_query(form, tmp_path):
    judged = {"q1": {"a": 100.0, "b": 80.0, "c": 90.0, "d": 15.0, "e": 10.0}, "q2": {"a": 1.0, "b": 5.0, "c": 2.0}}
    (tmp_path / "j.json").write_text(json.dumps(judged))
    given = {
        "mapping": judged,
        "judgments": rankgauge.Judgments(judged),
        "frame": rankgauge.Judgments(judged).to_polars(),
        "path": tmp_path / "j.json",
    }[form]
    found = rankgauge.relevance(given)
    for query, items in judged.items():
        assert list(found.relevance[query].values()) == rankgauge.relevance(list(items.values())).tolist()
        assert found.scores[query] == items
    shared = rankgauge.relevance(given, reference={"all": judged["q1"]})
    assert len(set(shared.functions.values())) == 1
    assert shared.functions["q2"] == rankgauge.RelevanceFunction.fit(list(judged["q1"].values()))
    assert rankgauge.relevance(given, knots=shared.functions["q1"]).relevance == shared.relevance


def test_the_reach_is_that_of_the_measure_text():
    judged = {"q": {f"d{at}": float(score) for at, score in enumerate(ONE_OUTLIER)}}
    run = {"q": {f"d{at}": float(score % 7) for at, score in enumerate(ONE_OUTLIER)}}
    for reach in (0.5, 1.5, 30.0):
        found = relevance(judged, reach=reach)
        spelled = rankgauge.explain(f"nDCG(relevance=phi(reach={reach:g}))", judged, run, "q")
        shown = {line.document: line.relevance for line in spelled.lines}
        assert found.relevance["q"] == pytest.approx(shown, abs=1e-15)
    assert len(RelevanceFunction.fit(ONE_OUTLIER, reach=0.5).knots) == 4
    assert len(RelevanceFunction.fit(ONE_OUTLIER, reach=30).knots) == 3
    function = RelevanceFunction.fit(ONE_OUTLIER, reach=0.5)
    assert RelevanceFunction.from_json(function.to_json()) == function
    assert "reach 0.5" in str(function)


@pytest.mark.parametrize("reach", [-1, float("inf"), float("nan"), "far", True])
def test_a_reach_that_is_no_length_is_refused(reach):
    with pytest.raises(UsageError, match="number of box lengths"):
        relevance(ONE_OUTLIER, reach=reach)


def test_the_program_of_the_authors_has_its_own_reach():
    with pytest.raises(UsageError, match=r"a program with reach=1\.5"):
        relevance(ONE_OUTLIER, preset="authors", reach=2)
