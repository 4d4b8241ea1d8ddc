"""Relevance curves as options of measures: phi and control points."""

from __future__ import annotations

import pytest

from kernels.examples import ranked
from rankgauge import RelevanceFunction
from rankgauge.errors import MeasureError
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
        ("nDCG(relevance=knots(1, 2))", "takes pairs value:relevance"),
        ("nDCG(relevance=knots(1:0, 0:1))", "scores must increase"),
        ("nDCG(relevance=knots(1:0))", "a function needs two or more"),
    ],
)
def test_curves_that_make_no_sense_are_refused(text, message):
    with pytest.raises(MeasureError, match=message):
        parse(text)
