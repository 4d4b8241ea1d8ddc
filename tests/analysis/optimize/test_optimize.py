"""The most dependable measure of a table, with its certificate and its caveats."""

from __future__ import annotations

import json

import numpy as np
import pytest
from numpy.testing import assert_allclose

import rankgauge
from grade_tables import exchangeable, random_table, tiny
from rankgauge.analysis.optimize.optimize import optimize_grades
from rankgauge.analysis.optimize.ranked_grades import RankedGrades
from rankgauge.analysis.optimize.search.form import scores_of
from rankgauge.analysis.optimize.search.objective import POWER, dependability
from rankgauge.analysis.optimize.search.weighting import Weighting, named_weighting
from rankgauge.errors import AnalysisError, UsageError
from rankgauge.measures import parse


def test_of_two_local_maxima_the_better_is_returned():
    found = optimize_grades(tiny(), folds=0)
    reached = sorted({round(ascent.value, 6) for ascent in found.ascents})
    assert reached[-1] == 0.250000
    assert 0.171123 in reached
    assert found.optimum.dependability == pytest.approx(0.25, abs=1e-9)
    assert found.optimum.measure == "nDCG(discount=steps(1:1, 2:0))@3"
    assert found.spread == pytest.approx(0.25 - min(reached), abs=1e-6)
    assert found.start.dependability == pytest.approx(0.091448, abs=5e-7)


def test_the_json_has_the_fields_of_the_interface():
    found = optimize_grades(random_table(1, systems=8, queries=12), folds=2, repeats=2).to_dict()
    assert json.loads(json.dumps(found)) == found
    assert found["start"] == "nDCG@8"
    assert found["over"] == ["discount"]
    assert found["optimum"].startswith("nDCG(discount=steps(")
    assert set(found["dependability_per_query"]) == {"start", "optimum"}
    assert set(found["queries_needed"]["start"]) == {"0.9", "0.95"}
    assert len(found["discount"]) == 8
    assert found["gain"] == {"1": 1.0, "2": 2.0}
    assert found["gap"] <= 1e-7
    assert found["starts"]["count"] == 9
    assert found["starts"]["spread"] >= 0
    assert {"folds", "start", "log2", "zipf", "optimum", "shrunk", "family"} <= set(found["held_out"])
    assert -1 <= found["tau"] <= 1


@pytest.mark.parametrize("over", ["discount", "gain", "both"])
@pytest.mark.parametrize("levels", [2, 3])
def test_the_printed_measure_reads_back_and_is_as_dependable_as_claimed(over, levels):
    table = random_table(2, systems=8, queries=12, levels=levels)
    found = optimize_grades(table, over=over, folds=0)
    assert str(parse(found.optimum.measure)) == found.optimum.measure
    discount, gain = np.array(found.discount), np.array([value for _, value in found.gain])
    value = dependability(scores_of(table, discount, gain))
    assert value == found.optimum.dependability
    assert value == pytest.approx(max(ascent.value for ascent in found.ascents), abs=1e-9)
    assert value >= found.start.dependability
    assert found.gap <= 1e-7


def test_more_freedom_is_never_worse():
    table = random_table(3, systems=6, queries=8, ranks=5)
    value = {
        (over, constrained): optimize_grades(table, over=over, constrained=constrained, folds=0).optimum.dependability
        for over in ("discount", "gain", "both")
        for constrained in (True, False)
    }
    for over in ("discount", "gain"):
        assert value["both", True] >= value[over, True] - 1e-12
        assert value["both", False] >= value[over, False] - 1e-12
        assert value[over, False] >= value[over, True] - 1e-12


def test_the_part_that_is_not_searched_stays_the_start_s():
    table = random_table(4, systems=8, queries=12)
    start = named_weighting(table, "zipf", "exp")
    found = optimize_grades(table, start, over="gain", folds=0)
    assert found.start.measure == "nDCG(gain=exp, discount=zipf)@8"
    assert found.optimum.measure.endswith("discount=zipf)@8")
    assert_allclose(found.discount, 1 / np.arange(1, 9))
    assert found.steps == ()
    assert found.gain[0] == (1.0, 1.0)
    other = optimize_grades(table, start, over="discount", folds=0)
    assert other.gain == ((1.0, 1.0), (2.0, 3.0))
    assert other.steps[0] == (1, 1.0)


def test_the_same_seed_gives_the_same_bytes_and_progress_is_told():
    table, told = random_table(5, systems=6, queries=12), []
    once, twice = (
        json.dumps(
            optimize_grades(table, seed=3, folds=2, repeats=2, progress=lambda *step: told.append(step)).to_dict()
        )
        for _ in range(2)
    )
    assert once == twice
    assert told[: len(told) // 2] == [("starts", n, 9) for n in range(1, 10)] + [("folds", n, 4) for n in range(1, 5)]


def test_the_user_s_own_start_is_one_of_the_starts():
    table = random_table(6, systems=6, queries=8)
    own = Weighting(np.linspace(2, 1, 8), np.array([1.0, 5.0]), "weights(…)", "levels(1, 5)")
    assert [ascent.start for ascent in optimize_grades(table, own, folds=0).ascents].count("start") == 1
    assert "start" not in [ascent.start for ascent in optimize_grades(table, folds=0).ascents]


def test_fewer_queries_are_needed_after_than_before():
    found = optimize_grades(exchangeable(1), named_weighting(exchangeable(1), "zipf"), folds=0)
    for (_, before), (_, after) in zip(found.start.queries_needed, found.optimum.queries_needed, strict=True):
        assert after < before
    curve = found.curve(50)
    assert curve[0] == (1, found.start.dependability, found.optimum.dependability)
    assert all(after > before for _, before, after in curve)


def with_empty_query(table):
    empty = np.zeros((table.systems, 1, table.ranks), table.codes.dtype)
    pool = np.vstack((table.pool, np.zeros((1, len(table.grades)), int)))
    return RankedGrades(np.concatenate((table.codes, empty), axis=1), table.grades, pool)


def said(notes):
    return " ".join(map(str, notes))


def test_notes_say_what_limits_the_answer():
    table = random_table(7, systems=8, queries=12)
    one_grade = exchangeable(2, systems=6, queries=8, ranks=5)
    assert "no evidence" in said(optimize_grades(table, folds=0).notes)
    noted = said(optimize_grades(with_empty_query(table).cut(10), folds=0).notes)
    assert "1 of 13 queries without a relevant document" in noted
    assert "beyond rank 8" in noted
    assert "only one grade" in said(optimize_grades(one_grade, over="both", folds=0).notes)
    assert "below 0" in said(optimize_grades(tiny(), folds=0).notes)


def test_identical_systems_are_said_not_to_differ():
    one = random_table(8, systems=3, queries=8)
    same = RankedGrades(np.repeat(one.codes[:1], 4, axis=0), one.grades, one.pool)
    found = optimize_grades(same, folds=0)
    assert "do not differ more than chance" in str(found.notes[0])
    assert found.to_dict()["queries_needed"]["optimum"] == {"0.9": None, "0.95": None}
    assert found.to_dict()["tau"] is None


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"grades": exchangeable(0, 4, 6, 3), "over": "gain"}, AnalysisError, "only one grade"),
        ({"grades": random_table(1, systems=2)}, AnalysisError, "at least 3 runs"),
        ({"grades": RankedGrades(np.zeros((3, 4, 2), int), (1.0,), np.zeros((4, 1), int))}, AnalysisError, "0 of the"),
        ({"grades": RankedGrades(np.zeros((3, 4, 2), int), (1.0,), np.ones((4, 1), int))}, AnalysisError, "nDCG is 0"),
        ({"grades": RankedGrades(np.ones((3, 4, 2), int), (1.0,), np.full((4, 1), 2))}, AnalysisError, "same nDCG"),
        ({"grades": random_table(1), "folds": 5}, AnalysisError, "too few for 5 folds"),
        ({"grades": random_table(1), "folds": 1}, UsageError, "at least 2 folds"),
        ({"grades": random_table(1).cut(3), "start": named_weighting(random_table(1))}, UsageError, "8 values; 3"),
    ],
)
def test_questions_without_an_answer_are_refused_with_the_reason(arguments, error, message):
    with pytest.raises(error, match=message):
        optimize_grades(**({"folds": 0} | arguments))


def test_gains_of_fractional_grades_cannot_be_printed_and_are_refused():
    table = random_table(9, systems=6, queries=8)
    halves = RankedGrades(table.codes, (0.5, 1.0), table.pool)
    with pytest.raises(AnalysisError, match=r"grade 0\.5"):
        optimize_grades(halves, over="gain", folds=0)
    assert optimize_grades(halves, over="discount", folds=0).gap <= 1e-7


def test_power_is_tried_on_halves_and_the_others_on_fifths():
    table = random_table(3, systems=6, queries=20, ranks=4)
    assert [
        (found.folds, found.repeats)
        for name in ("phi", "erho", "power")
        for found in [optimize_grades(table, objective=name).held_out]
    ] == [(5, 4), (5, 4), (2, 10)]


def test_the_linear_discount_is_a_candidate_beside_the_linear_gain():
    found = optimize_grades(random_table(3, systems=6, queries=12, ranks=4), over="both", folds=2, repeats=1)
    assert "discount=linear" in found["linear discount"].measure
    assert {"log2", "zipf", "linear", "exp"} <= {one.name for one in found.candidates}
    assert "linear discount" in found.held_out.to_dict()["lead"]


def test_power_has_no_queries_for_a_target():
    with pytest.raises(UsageError, match="reach is for phi and erho"):
        optimize_grades(random_table(3), objective="power", reach=(0.9,))


def test_cutoffs_and_several_collections_are_searched_for_phi_alone():
    collection = rankgauge.simulate(3, 4, documents=20, seed=1)
    judged, runs = collection.judgments(), collection.runs()
    with pytest.raises(UsageError, match="gains by cutoff are searched for phi alone"):
        rankgauge.optimize(judged, runs, "nDCG@5", cutoffs=[3], objective="power")
    with pytest.raises(UsageError, match="several collections are searched for phi alone"):
        rankgauge.optimize({"a": (judged, runs)}, measure="nDCG@5", objective="erho")


def test_power_has_no_curve_by_queries():
    found = optimize_grades(random_table(3), objective="power", folds=0)
    with pytest.raises(UsageError, match="no curve of power"):
        found.curve(10)
    assert found.start.value == POWER.seen(scores_of(random_table(3), *named(random_table(3))))


def named(table):
    start = named_weighting(table)
    return start.discount, start.gain
