"""What was found on some queries is tried on others."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from grade_tables import exchangeable, random_table
from rankgauge.analysis.optimize import holdout
from rankgauge.analysis.optimize.holdout import (
    STRENGTHS,
    _verdict,
    all_candidates,
    blend,
    candidates,
    hold_out,
    inner_strength,
    splits,
)
from rankgauge.analysis.optimize.optimize import optimize_grades
from rankgauge.analysis.optimize.search.form import scores_of
from rankgauge.analysis.optimize.search.objective import dependability
from rankgauge.analysis.optimize.search.search import search
from rankgauge.analysis.optimize.search.weighting import Question, named_weighting
from rankgauge.errors import AnalysisError
from rankgauge.measures import parse


def test_every_repeat_holds_every_query_out_once():
    found = list(splits(11, 3, 2, seed=4))
    assert len(found) == 6
    for repeat in (found[:3], found[3:]):
        assert sorted(np.concatenate([unseen for _, unseen in repeat])) == list(range(11))
    for seen, unseen in found:
        assert sorted([*seen, *unseen]) == list(range(11))
    assert any(not np.array_equal(one[1], other[1]) for one, other in zip(found[:3], found[3:], strict=True))
    again = list(splits(11, 3, 2, seed=4))
    assert all(np.array_equal(one[1], other[1]) for one, other in zip(found, again, strict=True))


def test_candidates_are_fitted_on_the_other_queries_alone(monkeypatch):
    table, trained = random_table(1, systems=8, queries=12), []

    def spy(grades, *arguments, **options):
        trained.append(grades)
        return candidates(grades, *arguments, **options)

    monkeypatch.setattr(holdout, "candidates", spy)
    hold_out(table, Question(named_weighting(table), ("discount",), seed=2), folds=3, repeats=1)
    assert len(trained) == 3
    for grades, (seen, _) in zip(trained, splits(12, 3, 1, 2), strict=True):
        assert np.array_equal(grades.codes, table.codes[:, seen])
        assert np.array_equal(grades.pool, table.pool[seen])


def test_the_inner_split_never_leaves_its_queries(monkeypatch):
    table, sizes = random_table(1, systems=8, queries=12), []

    def spy(grades, *arguments, **options):
        sizes.append(grades.queries)
        return search(grades, *arguments, **options)

    monkeypatch.setattr(holdout, "search", spy)
    inner_strength(table, Question(named_weighting(table), ("discount",)))
    assert sizes == [8, 8, 8]


def test_the_mean_is_taken_over_all_splits_and_has_its_deviation_beside_it():
    table = random_table(2, systems=8, queries=12)
    start = named_weighting(table)
    found = hold_out(table, Question(start, ("discount",), seed=5), folds=3, repeats=2)
    values = [
        dependability(scores_of(table.select(unseen), start.discount, start.gain)) for _, unseen in splits(12, 3, 2, 5)
    ]
    assert found["start"].value == pytest.approx(np.mean(values))
    assert found["start"].deviation == pytest.approx(np.std(values, ddof=1) / np.sqrt(6))
    assert found["log2"] == found["start"].__class__("log2", found["start"].value, found["start"].deviation)
    assert [candidate.name for candidate in found.candidates] == [
        "start",
        "log2",
        "zipf",
        "linear",
        "optimum",
        "family",
        "shrunk",
    ]


@pytest.mark.parametrize(
    ("ahead", "recommended"),
    [
        ((0.05, 0.05, 0.06, 0.04), "optimum"),  # clear
        ((0.002, 0.002, 0.003, 0.001), "start"),  # clear, and below 1 %
        ((0.3, -0.2, 0.25, -0.25), "start"),  # large, and within one standard error
        ((-0.05, -0.05, -0.06, -0.04), "start"),
    ],
)
def test_a_gain_within_noise_or_below_one_percent_keeps_the_start(ahead, recommended):
    start = np.array([0.4, 0.5, 0.45, 0.5])
    found = _verdict({"start": start, "optimum": start + ahead, "zipf": start - 0.2}, 2, 2, 0, 1.0)
    assert found.recommended == recommended


@pytest.mark.parametrize("start", ["zipf", "log2"])
def test_a_known_better_discount_is_found_and_recommended(start):
    table = exchangeable(10)
    weighting = named_weighting(table, start)
    found = optimize_grades(table, weighting, folds=2, repeats=3, seed=1)
    assert not found.keeps_start
    assert found.held_out is not None
    held = [
        dependability(scores_of(table.select(unseen), np.ones(20), np.ones(1))) for _, unseen in splits(40, 2, 3, 1)
    ]
    assert found.held_out[found.held_out.recommended].value >= 0.97 * np.mean(held)
    assert parse(found.recommendation)


def test_who_has_the_best_discount_keeps_it():
    table = exchangeable(11)
    found = optimize_grades(table, named_weighting(table, "none"), folds=2, repeats=3, seed=1)
    assert found.keeps_start
    assert found.recommendation == "nDCG(discount=none)@20"
    assert found.optimum.dependability > found.start.dependability


@pytest.mark.parametrize("over", [("gain",), ("discount", "gain")])
def test_gains_are_held_out_too(over):
    table = random_table(3, systems=8, queries=12)
    found = hold_out(table, Question(named_weighting(table), over), folds=2, repeats=1)
    assert {"start", "linear", "exp", "optimum", "family", "shrunk"} <= {one.name for one in found.candidates}
    assert found.strength in STRENGTHS


def test_a_blend_lies_between_start_and_optimum():
    table = random_table(4, systems=8, queries=12)
    start, end = named_weighting(table), named_weighting(table, "none", "exp")
    over = ("discount", "gain")
    assert blend(Question(start, over), end, 0.0, table) is start
    assert blend(Question(start, over), end, 1.0, table) is end
    half = blend(Question(start, over), end, 0.5, table)
    expected = start.discount / start.discount.sum() + end.discount / end.discount.sum()
    assert_allclose(half.discount, expected / expected[0], rtol=1e-9)
    assert_allclose(half.gain, [1, (2 / 3 + 3 / 4) / (1 / 3 + 1 / 4)], rtol=1e-9)


def test_too_few_queries_for_an_inner_split_leave_the_start():
    table = random_table(5, systems=6, queries=3)
    assert inner_strength(table, Question(named_weighting(table), ("discount",))) == 0


def test_every_candidate_is_fitted_to_all_queries_in_the_end():
    table = random_table(6, systems=8, queries=12)
    start, found = named_weighting(table), named_weighting(table, "none")
    asked = Question(start, ("discount",))
    verdict = hold_out(table, asked, folds=2, repeats=1)

    fitted = all_candidates(table, asked, found, 0.5)
    assert list(fitted) == [candidate.name for candidate in verdict.candidates]
    assert fitted["start"] is start
    assert fitted["optimum"] is found
    assert fitted["zipf"].discount_text == "zipf"
    assert fitted["shrunk"].discount_text.startswith("weights(")
    assert fitted["family"].discount_text.partition("(")[0] in {"zipf", "none"}
    assert "shrunk" not in all_candidates(table, asked, found, None)


def test_folds_in_which_nothing_differs_are_an_error():
    table = exchangeable(1, systems=4, queries=4, ranks=3)
    empty = type(table)(np.zeros_like(table.codes), table.grades, table.pool)
    with pytest.raises(AnalysisError, match="Use fewer folds"):
        hold_out(empty, Question(named_weighting(empty), ("discount",)), folds=2, repeats=1)
