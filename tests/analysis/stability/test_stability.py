import csv
import json
import math
import tomllib
from pathlib import Path

import numpy as np
import pytest

import rankgauge
from cubes import Cube, scores_of, study_matrix
from rankgauge import read_scores
from rankgauge.data.policy import Policy
from rankgauge.errors import AnalysisError, UsageError
from rankgauge.evaluation.evaluate import evaluate

BRENNAN = tomllib.loads(Path(__file__).parents[2].joinpath("golden", "brennan-2001-synthetic-4.toml").read_text())
VALUES = np.array(BRENNAN["scores"], dtype=float).T


def stability(table, **options):
    return rankgauge.stability(table.scores() if isinstance(table, Cube) else table, **options)


@pytest.fixture
def table():
    random = np.random.default_rng(11)
    systems = np.linspace(0.2, 0.6, 8)[:, None]
    sharp = systems + random.normal(0, 0.05, (1, 20)) + random.normal(0, 0.05, (8, 20))
    blurred = systems + random.normal(0, 0.2, (1, 20)) + random.normal(0, 0.2, (8, 20))
    names = tuple(f"s{number}" for number in range(8)), tuple(f"q{number}" for number in range(20))
    return Cube({"nDCG@10": sharp, "RR": blurred}, *names)


def test_brennans_coefficients_and_queries_are_found():
    study = study_matrix(VALUES, confidence=0.80, interval="arteaga")
    assert study.generalizability().to_dict() == pytest.approx(BRENNAN["generalizability"], abs=5e-7)
    assert study.dependability().to_dict() == pytest.approx(BRENNAN["dependability"], abs=5e-7)
    for coefficient in ("dependability", "generalizability"):
        for target, queries in BRENNAN[f"queries_for_{coefficient}"].items():
            assert study.queries_needed(float(target), coefficient).value == queries


def test_the_three_best_quarters_of_trec_3_give_gt4irevals_printed_numbers(gtheory):
    scores = read_scores(gtheory / "gt4ireval" / "adhoc3.csv")
    study = stability(scores, drop=0.25, interval="arteaga")["adhoc3"]
    relative, absolute = study.generalizability(), study.dependability()
    assert (relative.value, relative.low, relative.high) == pytest.approx((0.93265, 0.89311, 0.96287), abs=6e-6)
    assert (absolute.value, absolute.low, absolute.high) == pytest.approx((0.78613, 0.66141, 0.88039), abs=6e-6)
    assert study.queries_needed(0.95, "generalizability").value == 69
    needed = study.queries_needed(0.95)
    assert (needed.value, needed.low, needed.high) == (259, 130, 487)


def test_every_matrix_of_gt4ireval_is_reproduced(gtheory):
    with (gtheory / "expected.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 16
    for row in rows:
        study = study_matrix(read_scores(gtheory / row["file"]).matrix(), drop=float(row["drop"]), interval="arteaga")
        expected = {name: float(cell) for name, cell in row.items() if name != "file"}
        assert (study.systems, study.query_count) == (expected["n.s"], expected["n.q"])
        variance, squares = study.variance, study.mean_squares
        for parts, kind in ((variance, "var"), (squares, "em")):
            found = (parts.system, parts.query, parts.residual)
            assert found == pytest.approx([expected[f"{kind}.{part}"] for part in "sqe"], rel=1e-9)
        for name, estimate in (("Erho2", study.generalizability()), ("Phi", study.dependability())):
            assert estimate.value == pytest.approx(expected[name], rel=1e-9)
            bounds = [expected[f"{name}.lwr"], expected[f"{name}.upr"]]
            assert [estimate.low, estimate.high] == pytest.approx(bounds, abs=1e-6)
        assert study.queries_needed(0.95).value == expected["n.q_Phi.95"]
        assert study.queries_needed(0.95, "generalizability").value == expected["n.q_Erho2.95"]


def test_a_negative_component_is_reported_and_counts_as_0():
    # nDCG@3 with linear gain and log2 discount of four systems on three queries, written out.
    grades = [["100", "200", "111"], ["100", "011", "020"], ["122", "111", "111"], ["121", "001", "122"]]
    weights = 1 / np.log2([2, 3, 4])
    gains = np.array([[[int(grade) for grade in cell] for cell in row] for row in grades])
    ideal = np.array([[2, 2, 1], [2, 1, 1], [2, 2, 1]])
    study = study_matrix(gains @ weights / (ideal @ weights), measure="nDCG@3", systems="others")
    variance = study.variance
    assert (variance.system, variance.query, variance.residual) == pytest.approx(
        (0.005182, -0.011997, 0.063480), abs=6e-7
    )
    assert study.dependability(1).value == pytest.approx(0.075470, abs=5e-7)
    assert study.to_dict()["variance_used"]["query"] == 0
    note, instead, few = study.notes
    assert (note.kind, instead.kind, few.kind) == ("negative-variance", "no-jackknife", "few-queries")
    assert "query -0.01199" in note.text


def test_the_json_has_the_promised_names(table):
    found = json.loads(json.dumps(stability(table).to_dict(), allow_nan=False))
    assert list(found["measures"]) == ["nDCG@10", "RR"]
    one = found["measures"]["nDCG@10"]
    assert one["systems"] == 8
    assert one["queries"] == 20
    assert set(one["variance"]) == {"system", "query", "residual"}
    for coefficient in ("dependability", "generalizability"):
        assert set(one[coefficient]) == {"value", "low", "high"}
        assert set(one["queries_needed"][coefficient]) == {"0.9", "0.95"}
        needed = one["queries_needed"][coefficient]["0.95"]
        assert all(isinstance(needed[key], int) for key in ("value", "low", "high"))
        assert needed["low"] <= needed["value"] <= needed["high"]


def test_several_measures_stand_in_one_table_that_names_the_thriftiest(table):
    study = stability(table)
    assert study.fewest_queries(0.95).measure == "nDCG@10"
    lines = str(study).splitlines()
    assert lines[0] == "stability of 8 systems on 20 queries, and the queries needed for 0.9, 0.95"
    assert lines[1].split() == ["measure", "on", "20", "queries", "for", "0.9", "for", "0.95"]
    for line, (measure, sign) in zip(
        lines[2:6], [("nDCG@10", "Φ"), ("RR", "Φ"), ("nDCG@10", "Eρ²"), ("RR", "Eρ²")], strict=True
    ):
        assert line.split()[:2] == [measure, sign]
    one = study["RR"]
    rows = study.table().rows
    assert rows[1] == ("RR", "Φ", one.dependability(), *(one.queries_needed(target) for target in (0.9, 0.95)))
    relative = [one.queries_needed(target, "generalizability") for target in (0.9, 0.95)]
    assert rows[3] == ("RR", "Eρ²", one.generalizability(), *relative)
    assert study.table().marked == {0, 2}
    assert f"fewest queries for Φ ≥ 0.95: nDCG@10, {study['nDCG@10'].queries_needed(0.95)}" in lines


def test_the_table_says_whose_intervals_these_are(table):
    said = str(stability(table)), str(stability(table, systems="others", confidence=0.8))
    assert "in brackets: 95% intervals for these systems on other queries (jackknife)" in said[0]
    assert "in brackets: 80% intervals for other systems and other queries (jackknife)" in said[1]
    arteaga = " ".join(str(stability(table, interval="arteaga")).split())
    assert "intervals for other systems and other queries (Arteaga for Φ, exact F for Eρ²)" in arteaga


def test_arteagas_interval_does_not_answer_the_first_question(table):
    with pytest.raises(UsageError, match="about other systems too"):
        stability(table, interval="arteaga", systems="these")


def test_an_outlying_system_is_named_where_other_systems_are_asked_about():
    random = np.random.default_rng(4)
    values = 0.5 + 0.02 * random.normal(size=(30, 1)) + 0.1 * random.normal(size=(30, 40))
    values[11] -= 0.6
    study = study_matrix(values, systems="others")
    (note,) = [note for note in study.notes if note.kind == "heavy-tailed-systems"]
    assert "excess kurtosis" in note.text
    assert len(note.examples) == 1
    assert not [one for one in study_matrix(values).notes if one.kind == "heavy-tailed-systems"]
    rest = study_matrix(np.delete(values, 11, axis=0), systems="others").notes
    assert "heavy-tailed-systems" not in [one.kind for one in rest]


def test_the_interval_for_these_systems_is_narrower_where_systems_are_few():
    values = np.random.default_rng(2).random((5, 1)) + np.random.default_rng(3).random((5, 60))
    these, others = (study_matrix(values, systems=word).dependability() for word in ("these", "others"))
    assert these.value == others.value
    assert others.low < these.low < these.high < others.high


def test_the_table_says_where_the_variance_comes_from(table):
    study = stability(table)
    share = study["RR"].variance.shares()
    expected = f"systems {share.system:.1%}, queries {share.query:.1%}, rest {share.residual:.1%}"
    assert f"variance of RR: {expected}" in study.table().notes


def test_the_table_of_usual_measures_fits_80_columns():
    random = np.random.default_rng(5)
    names = ["nDCG@10", "nDCG(discount=zipf)@10", "nDCG(discount=zipf)@100", "nDCG(discount=linear)@100"]
    cube = {name: random.random((9, 1)) + random.random((9, 50)) for name in names}
    text = str(stability(Cube(cube, tuple("abcdefghi"), tuple(map(str, range(50))))))
    assert max(map(len, text.splitlines())) <= 80
    for name in names:
        assert f"\n{name} " in text


def test_one_measure_shows_itself_alone_and_is_not_called_the_thriftiest(table):
    study = stability(table)
    text = str(study["RR"])
    assert "nDCG@10" not in text
    assert "fewest" not in text
    assert repr(study["RR"]) == f"MeasureStability(RR: Φ {study['RR'].dependability()}, 8 systems × 20 queries)"
    assert repr(study) == "Stability(nDCG@10, RR)"


def test_other_numbers_of_queries_get_rows_of_their_own(table):
    study = stability(table, queries_at=[100])
    one = study["RR"]
    rows = study.table().rows
    assert [row[:3] for row in rows[:3]] == [("nDCG@10", "Φ", 20), ("nDCG@10", "Φ", 100), ("RR", "Φ", 20)]
    assert rows[3][3] == one.dependability(100)
    assert rows[3][4:] == ("", "")
    assert one.to_dict()["at"]["generalizability"] == {"100": one.generalizability(100).to_dict()}
    assert study.to_polars()["at_dependability_100_low"][1] == one.dependability(100).low
    assert one.curve().queries[-1] >= 100
    for wrong in (0, 2.5):
        with pytest.raises(UsageError, match=r"queries_at has .*; each must be a whole number of at least 1"):
            stability(table, queries_at=[wrong])


def test_a_study_behaves_like_a_mapping_of_measures(table):
    study = stability(table)
    assert list(study) == ["nDCG@10", "RR"]
    assert len(study) == 2
    assert "RR" in study
    assert "AP" not in study
    assert study["RR"].measure == "RR"
    with pytest.raises(UsageError, match="unknown measure 'nDCG@1'; did you mean 'nDCG@10'"):
        study["nDCG@1"]


def test_a_study_becomes_a_table_with_one_row_per_measure(table):
    study = stability(table, reach=[0.8])
    frame = study.to_polars()
    assert frame["measure"].to_list() == ["nDCG@10", "RR"]
    needed = [one.queries_needed(0.8, "generalizability") for one in study.parts]
    assert frame["queries_needed_generalizability_0.8_low"].to_list() == [estimate.low for estimate in needed]
    assert frame["dependability"].to_list() == [one.dependability().value for one in study.parts]


def test_a_query_without_a_score_for_one_system_is_left_out_for_all(table):
    whole = table.cube["nDCG@10"]
    table.cube["nDCG@10"] = whole.copy()
    table.cube["nDCG@10"][3, [2, 7]] = np.nan
    study = stability(table)
    one = study["nDCG@10"]
    assert one.query_count == 18
    assert one.queries_left_out == ("q2", "q7")
    assert one.variance == study_matrix(np.delete(whole, [2, 7], axis=1)).variance
    assert study["RR"].query_count == 20
    text = "2 queries without a score for some system, left out for all (q2, q7)"
    left, few = one.to_dict()["notes"]
    assert left == {"kind": "undefined-queries", "count": 2, "examples": ["q2", "q7"], "text": text}
    assert (few["kind"], few["count"]) == ("few-queries", 18)
    assert f"nDCG@10: {text}" in str(study)
    # Numbers of queries differ now, so that each row says its own.
    assert [row[2] for row in study.table().rows] == [18, 20, 18, 20]


def test_the_worst_share_of_the_systems_is_left_out_rounded_up(table):
    study = stability(table, drop=0.3)["nDCG@10"]  # 2.4 of 8
    assert study.systems_left_out == ("s0", "s1", "s2")
    assert study.variance == study_matrix(table.cube["nDCG@10"][3:]).variance
    # Said once, because it holds for both measures.
    assert str(stability(table, drop=0.3)).count("3 systems left out, the worst by mean (s0, s1, s2)") == 1


def test_a_share_that_is_whole_is_not_rounded_up_by_its_last_bit():
    assert 100 * 0.07 > 7  # in floating point
    assert study_matrix(np.random.default_rng(0).random((100, 4)), drop=0.07).systems == 93


def test_the_jackknife_is_offered_for_both_coefficients(table):
    normal, other = stability(table, interval="arteaga")["RR"], stability(table, systems="others")["RR"]
    assert other.dependability().value == normal.dependability().value
    assert other.dependability().low != normal.dependability().low
    assert other.generalizability().low != normal.generalizability().low
    assert other.dependability().low < other.dependability().value < other.dependability().high


def test_a_missing_jackknife_interval_is_explained():
    values = np.random.default_rng(0).random((5, 6))
    values -= values.mean(axis=1, keepdims=True)
    values[0] += 1
    study = study_matrix(values, systems="others")
    assert study.dependability() == study_matrix(values, interval="arteaga").dependability()
    assert [note.kind for note in study.notes if note.kind == "no-jackknife"]


def test_identical_systems_need_infinitely_many_queries():
    study = study_matrix(np.tile([0.1, 0.5, 0.3, 0.9], (3, 1)))
    assert study.dependability().value == 0
    assert study.generalizability().value == 0
    assert study.queries_needed(0.5).value == math.inf
    assert study.to_dict()["queries_needed"]["dependability"]["0.95"] == {"value": None, "low": None, "high": None}
    assert any("no number of queries is enough" in note.text for note in study.notes)


def test_no_measure_is_the_thriftiest_where_none_reaches_the_target():
    table = Cube({"a": np.tile([0.1, 0.5], (3, 1))}, tuple("xyz"), tuple("qr"))
    assert stability(table).fewest_queries(0.9) is None


def test_the_curve_reaches_past_the_last_target(table):
    study = stability(table)["RR"]
    curve = study.curve()
    assert curve.queries[0] == 1
    assert curve.queries[-1] >= study.queries_needed(0.95).value
    assert curve.value[19] == study.dependability(20).value
    assert study.curve([20], "generalizability").value == (study.generalizability(20).value,)


def test_the_curve_of_systems_that_do_not_differ_stays_finite():
    curve = study_matrix(np.tile([0.1, 0.5, 0.3, 0.9], (3, 1))).curve()
    assert len(curve.queries) == 40
    assert set(curve.value) == {0.0}


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([[0.1, 0.2, 0.3]], "nDCG: systems to compare: 1; at least 2"),
        ([[0.1], [0.2]], "nDCG: queries to use: 1; at least 2"),
        ([[0.1, math.nan, 0.2], [0.3, 0.2, math.nan]], r"queries to use: 1 \(2 of 3 lack a score for some system\)"),
        (np.full((3, 4), 0.1), "all 12 scores are 0.1; there is no variance"),
    ],
)
def test_a_matrix_without_an_answer_is_refused_with_its_reason(values, message):
    with pytest.raises(AnalysisError, match=message):
        study_matrix(np.array(values), measure="nDCG")


def test_dropping_all_but_one_system_is_refused():
    with pytest.raises(AnalysisError, match="without the worst 2 of 3 systems fewer than 2 are left"):
        study_matrix(np.random.default_rng(0).random((3, 4)), drop=0.5)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"drop": 1.0}, "drop is 1.0; it must be a share from 0 to below 1"),
        ({"drop": -0.1}, "it must be a share"),
        ({"confidence": 95}, "confidence is 95; it must lie between 0 and 1"),
        ({"reach": [0.9, 1.0]}, "reach has 1.0; each must lie between 0 and 1"),
        ({"interval": "jacknife"}, "did you mean 'jackknife'"),
    ],
)
def test_options_that_cannot_be_used_are_refused(options, message):
    with pytest.raises(UsageError, match=message):
        study_matrix(np.random.default_rng(0).random((3, 4)), **options)


def test_an_unknown_coefficient_is_refused():
    with pytest.raises(UsageError, match="did you mean 'dependability'"):
        study_matrix(VALUES).queries_needed(0.9, "dependibility")


def test_a_vector_is_not_a_matrix():
    with pytest.raises(UsageError, match="queries × systems"):
        rankgauge.stability(scores_of(np.zeros(4)))


EVERY_RULE = {"q1": {"a": 1, "b": 0}, "q2": {"a": 0, "b": 2}, "q3": {"a": 0}, "q4": {"b": 1}}
RUNS = {
    "good": {"q1": {"a": 2.0, "b": 1.0}, "q2": {"b": 2.0, "a": 1.0}, "q3": {"a": 1.0}, "q4": {"b": 1.0}},
    "bad": {"q1": {"b": 2.0, "a": 1.0}, "q2": {"a": 2.0, "b": 1.0}, "q3": {"a": 1.0}, "q4": {"x": 2.0, "b": 1.0}},
    "lazy": {"q1": {"a": 1.0}, "q3": {"a": 1.0}, "q4": {"x": 2.0, "y": 1.0}},
}


def test_a_study_says_how_its_scores_were_made():
    study = stability(evaluate(EVERY_RULE, RUNS, "nDCG@10", policy=Policy(undefined="drop")))
    assert study["nDCG@10"].queries_left_out == ("q3",)
    notes = study.table().notes
    assert "policy: ties=document, unjudged=zero, missing=zero, undefined=drop" in notes
    assert "lazy: 1 judged query missing from the run, counted as 0 (q2)" in notes
    assert [note["kind"] for note in study.to_dict()["notes"]][:2] == ["policy", "no-relevant-documents"]


def test_zeros_of_queries_without_a_relevant_document_are_pointed_out():
    hint = 'nDCG@10: evaluate with undefined="drop" to study without the queries that have nothing relevant'
    assert hint in stability(evaluate(EVERY_RULE, RUNS, "nDCG@10")).table().notes
    asked = stability(evaluate(EVERY_RULE, RUNS, "nDCG@10", policy=Policy(undefined="zero")))
    assert hint not in asked.table().notes
    assert asked["nDCG@10"].query_count == 4


def test_a_geometric_mean_is_said_to_be_studied_as_an_arithmetic_one():
    notes = stability(evaluate(EVERY_RULE, RUNS, "AP GMAP")).table().notes
    assert any(note.startswith("GMAP: analyzed by the arithmetic mean") for note in notes)


@pytest.mark.parametrize(
    ("chosen", "left"), [({}, 3), ({"policy": Policy(undefined="zero")}, 4), ({"like": "ranx"}, 4)]
)
def test_queries_without_an_answer_are_dropped_unless_said_otherwise(chosen, left):
    study = rankgauge.stability(EVERY_RULE, RUNS, "nDCG@10", **chosen)
    assert study["nDCG@10"].query_count == left


def test_every_form_of_scores_gives_the_same_study(tmp_path):
    scores = evaluate(EVERY_RULE, RUNS, "nDCG@10", policy=Policy(undefined="drop"))
    expected = rankgauge.stability(scores).to_dict()["measures"]["nDCG@10"]
    scores.save(tmp_path / "kept.parquet")
    for form in (tmp_path / "kept.parquet", scores.to_polars(), scores.to_pandas()):
        assert rankgauge.stability(form).to_dict()["measures"]["nDCG@10"] == expected
    array = rankgauge.stability(scores_of(scores.matrix().copy()))["score"]
    assert array.to_dict()["variance"] == expected["variance"]
    assert rankgauge.stability(EVERY_RULE, RUNS).to_dict()["measures"]["nDCG@10"] == expected
