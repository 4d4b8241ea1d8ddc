"""Relevance curves as options of measures: phi and control points."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.examples import ranked
from rankgauge import RelevanceFunction
from rankgauge.errors import MeasureError
from rankgauge.kernels import curves
from rankgauge.kernels.curves import discounts, gains, relevance
from rankgauge.kernels.hits import pool_of
from rankgauge.measures import nDCG, parse

DAY_1, DAY_2 = [100, 80, 90, 15, 10], [100, 20, 90, 15, 10]  # Moniz, Torgo & Vinagre, Table 1


def value(measure, *grades):
    return measure.compute(*ranked(*grades))[0]


@pytest.mark.parametrize(
    ("relevance", "day_1", "day_2"), [("phi", 0.969593, 0.935632), ("phi(authors)", 0.969360, 0.935004)]
)
def test_a_swap_of_unequal_items_costs_more_than_one_of_near_equal_items(relevance, day_1, day_2):
    measure = nDCG(relevance=relevance, gain="exp")
    assert value(measure, *DAY_1) == pytest.approx(day_1, abs=5e-7)
    assert value(measure, *DAY_2) == pytest.approx(day_2, abs=5e-7)


def test_phi_of_the_paper_is_the_default_preset():
    assert str(parse("nDCG(relevance=phi(paper))@10")) == "nDCG(relevance=phi)@10"


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("phi(reach=1.5, quartiles=hinges)", "phi(quartiles=hinges)"),
        ("phi(authors, whisker=observed, reach=3)", "phi(authors, reach=3)"),
        ("phi(paper, whisker=observed)", "phi(whisker=observed)"),
    ],
)
def test_the_box_plot_of_phi_is_spelled_by_what_differs(text, canonical):
    measure = parse(f"nDCG(relevance={text})@10")
    assert str(measure) == f"nDCG(relevance={canonical})@10"
    assert parse(str(measure)) == measure


def test_the_box_plot_of_phi_is_the_one_asked_for():
    grades = [9, 50, 8, 7, 6, 5, 4, 3, 2, 1]  # MATHS 2.4: the knot at the whisker decides what 9 is worth
    discounted = "DCG(relevance={}, discount=weights(1))"
    assert value(parse(discounted.format("phi")), *grades) == pytest.approx(0.071380, abs=5e-7)
    assert value(parse(discounted.format("phi(quartiles=hinges)")), *grades) == pytest.approx(0.063469, abs=5e-7)
    both = "phi(quartiles=hinges, whisker=observed)"
    assert value(parse(discounted.format(both)), *grades) == pytest.approx(0.163265, abs=5e-7)
    far = value(parse(discounted.format("phi(reach=20)")), *grades)  # no outliers: t²(1 + rho (1 - t))
    t, rho = (9 - 5.5) / (50 - 5.5), (5.5 - 1) / (50 - 1)
    assert far == pytest.approx(t * t * (1 + rho * (1 - t)))


def test_control_points_at_quantiles_are_those_of_each_query():
    measure = parse("DCG(relevance=quantiles(0:0, 0.5:0.5, 1:1), discount=none)")
    for grades in ([0, 5, 10], [0, 50, 100]):
        assert value(measure, *grades) == pytest.approx(1.5)
    # Most values are the minimum: they keep the lower relevance; of the maximum, the higher one counts.
    assert value(measure, 0, 0, 0, 7) == pytest.approx(1)
    assert value(measure, 0, 7, 7, 7) == pytest.approx(3)
    assert value(measure, 7, 7) == 0


def test_control_points_give_one_scale_to_all_queries():
    measure = parse("DCG(relevance=knots(0:0, 10:0.5, 40:1), discount=none)")
    assert value(measure, 10, 40, 99, -3) == pytest.approx(0.5 + 1 + 1)


def test_a_fitted_function_is_written_by_its_control_points():
    function = RelevanceFunction.fit([1, 2, 3, 4, 5, 6, 7, 8, 9, 50])
    measure = nDCG(relevance=function)
    assert not measure.is_custom
    assert parse(str(measure)) == measure
    assert value(measure, 9, 50) == pytest.approx(value(nDCG(relevance=function.__call__), 9, 50), rel=1e-12)


def test_a_function_whose_points_coincide_serves_as_it_is():
    function = RelevanceFunction.fit([0, 0, 0, 0, 1])
    assert nDCG(relevance=function).is_custom
    assert nDCG(gain=function).is_custom


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nDCG(relevance=phi(other))", "phi takes one word, paper or authors"),
        ("nDCG(relevance=phi(1, 2))", "phi takes one word"),
        ("nDCG(relevance=phi(paper, authors))", "phi takes one word"),
        ("nDCG(relevance=phi(quartile=hinges))", "did you mean 'quartiles'"),
        ("nDCG(relevance=phi(quartiles=median))", "unknown quartiles 'median'"),
        ("nDCG(relevance=phi(reach=-1))", "out of bounds"),
        ("nDCG(relevance=quantiles(0:0, 2:1))", "between 0 and 1"),
        ("nDCG(relevance=quantiles(0.5, 1))", "takes pairs value:relevance"),
        ("nDCG(relevance=knots(1, 2))", "takes pairs value:relevance"),
        ("nDCG(relevance=knots(1:0, 0:1))", "scores must increase"),
        ("nDCG(relevance=knots(1:0))", "a function needs two or more"),
    ],
)
def test_curves_that_make_no_sense_are_refused(text, message):
    with pytest.raises(MeasureError, match=message):
        parse(text)


def test_quantiles_of_a_query_with_one_judgment_and_tiers_of_several_queries_follow_the_query():
    pool = pool_of(np.array([0, 0, 1, 3, 3, 3]), np.array([5.0, 1, 7, 2, 2, 1]), 4)
    query, value = np.array([0, 1, 3, 3]), np.array([5.0, 7, 2, 1])
    assert relevance.quantiles(value, query, pool, (0.0, 0.0), (1.0, 1.0)).tolist() == [1, 0, 1, 0]
    assert relevance.tiers(value, query, pool, 1.0).tolist() == [1, 1, 0.5, 0]
    assert relevance.split_by_tiers(pool, 1.0).tolist() == [False, False, False, True]


def test_the_judged_value_below_0_counts_as_0_or_as_it_is():
    pool = pool_of(np.array([0, 0]), np.array([-1.0, 2.0]), 1)
    value = np.array([-1.0, 2.0])
    assert curves.identity(value, np.zeros(2, np.int64), pool).tolist() == [0, 2]
    assert curves.identity(np.array([-0.5]), np.zeros(1, np.int64), pool).tolist() == [0]
    grades = np.array([0.0, 2.0])
    assert curves.identity(grades, np.zeros(2, np.int64), pool) is grades  # nothing to clip, nothing to copy
    assert relevance.signed(value, np.zeros(2, np.int64), pool).tolist() == [-1, 2]
    assert relevance.bounded(value, np.zeros(2, np.int64), pool).tolist() == [-1, 2]
    assert relevance.balanced(value, np.zeros(2, np.int64), pool).tolist() == [-1, 2]


def test_gains_from_a_threshold_or_above_0_and_gains_in_a_table_leave_the_grades_alone():
    grades = np.array([-1.0, 0.0, 0.5, 1.0, 2.0])
    assert gains.binary(grades).tolist() == [0, 0, 1, 1, 1]
    assert gains.binary(grades, 1.0).tolist() == [0, 0, 0, 1, 1]
    assert gains.table(grades, (1.0, 5.0)).tolist() == [-1, 0, 0.5, 5, 2]
    assert grades.tolist() == [-1, 0, 0.5, 1, 2]
    assert discounts.linear(np.array([1.0, 2, 3, 4]), 3).tolist() == pytest.approx([1, 2 / 3, 1 / 3, 0])
    assert discounts.zipf(np.array([1.0, 4.0]), None).tolist() == [1, 0.25]
