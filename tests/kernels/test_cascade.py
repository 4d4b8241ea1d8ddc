from __future__ import annotations

import numpy as np
import pytest

from kernels.examples import ranked
from rankgauge.errors import MeasureError
from rankgauge.kernels.cascade import rbp_residual
from rankgauge.kernels.hits import Hits, pool_of, running
from rankgauge.measures import ERR, RBP, RBPResidual, nERR, parse


def value(measure, *grades, unretrieved=()):
    return measure.compute(*ranked(*grades, unretrieved=unretrieved))[0]


def test_err_stops_with_a_chance_that_grows_with_the_grade():
    first, second = 1 / 2**4, 7 / 2**4
    assert value(ERR(max=4), 1, None, 3) == first / 1 + (1 - first) * second / 3
    assert value(ERR(max=4) @ 2, 1, None, 3) == first


def test_err_takes_the_highest_grade_from_the_judgments_unless_it_is_given():
    assert value(ERR, 1, unretrieved=(2,)) == value(ERR(max=2), 1, unretrieved=(2,)) == 1 / 4
    assert value(ERR(max="query"), 1) == 1 / 2


def test_the_highest_grade_is_of_all_queries_or_of_each():
    query = np.array([0, 1])
    one = np.ones(2, np.int64)
    hits = Hits(query, one, np.array([1.0, 3.0]), one, one, one)
    pool = pool_of(query, np.array([1.0, 3.0]), 2)
    assert ERR.compute(hits, pool).tolist() == [1 / 8, 7 / 8]
    assert ERR(max="query").compute(hits, pool).tolist() == [1 / 2, 7 / 8]
    assert RBP(p=0.5).compute(hits, pool).tolist() == [1 / 6, 1 / 2]
    assert RBP(p=0.5, max="query").compute(hits, pool).tolist() == [1 / 2, 1 / 2]


def test_a_grade_above_the_given_highest_is_refused():
    with pytest.raises(MeasureError, match="max=2, but a relevance of 3 was judged"):
        value(ERR(max=2), 3)
    with pytest.raises(MeasureError, match="max=2, but a relevance of 3 was judged"):
        value(RBP(max=2), 3)


def test_err_survives_raw_counts_as_grades():
    assert value(ERR, 5000, 4999) == pytest.approx(1)


def test_the_ideal_order_has_a_normalized_err_of_1():
    assert value(nERR, 3, 1, 1, 0) == 1
    assert value(nERR @ 2, 0, 3, unretrieved=(1,)) == pytest.approx((7 / 8 / 2) / (7 / 8 + 1 / 8 * 1 / 8 / 2))


@pytest.mark.parametrize("measure", [ERR @ 5, nERR @ 5, ERR(max=4)])
def test_err_is_undefined_where_nothing_is_relevant(measure):
    assert np.isnan(value(measure, 0, -1))


def test_rbp_weighs_rank_r_by_patience_to_the_r_minus_1():
    assert value(RBP(p=0.5, rel=1), 1, 0, 2) == pytest.approx(0.5 * (1 + 0.25))
    assert value(RBP(p=0.5, rel=1) @ 2, 1, 0, 2) == 0.5
    assert value(RBP(p=0.5), 1, 0, 2) == pytest.approx(0.5 * (1 / 2 + 1 * 0.25))
    assert value(RBP(p=0.5, max=4), 1, 0, 2) == pytest.approx(0.5 * (1 / 4 + 2 / 4 * 0.25))
    assert value(RBP, 0, -1) == 0


def test_the_residual_is_the_weight_of_what_nobody_judged_and_of_the_unseen():
    assert value(RBPResidual(p=0.5), 1, None, 0) == pytest.approx(0.5 * 0.5 + 0.5**3)
    assert value(RBPResidual(p=0.5), 1, -1, 0) == pytest.approx(0.5 * 0.5 + 0.5**3)
    assert value(RBPResidual(p=0.5) @ 2, 1, None, 0) == pytest.approx(0.5 * 0.5 + 0.5**2)
    assert value(RBPResidual, unretrieved=(1,)) == 0


def test_rbp_and_its_residual_never_pass_1():
    grades = np.random.default_rng(3).choice([None, 0, 1, 2, 3], (200, 12))
    for row in grades.tolist():
        assert 0 <= value(RBP, *row) <= value(RBP, *row) + value(RBPResidual, *row) <= 1 + 1e-15


def test_running_sums_do_not_see_other_queries():
    rng = np.random.default_rng(1)
    query = np.sort(rng.integers(0, 40, 300))
    amounts = rng.random(300)
    summed = running(query, amounts)
    for one in np.unique(query):
        assert running(query[query == one], amounts[query == one]).tolist() == summed[query == one].tolist()
        assert np.cumsum(amounts[query == one]).tolist() == summed[query == one].tolist()


def test_running_products_go_down_long_lists_as_well():
    amounts = np.linspace(0.9, 1, 50)
    two = running(np.repeat([0, 1], 50), np.tile(amounts, 2), np.multiply)
    assert two.tolist() == np.cumprod(amounts).tolist() * 2
    assert running(np.zeros(0, np.int64), np.zeros(0)).tolist() == []


def test_highest_grades_of_two_measures_are_not_mixed_up_on_one_pool():
    hits, pool = ranked(1, 2, unretrieved=(2,))
    for highest in (2, 4):
        alone = ranked(1, 2, unretrieved=(2,))
        measure = parse(f"nERR(max={highest})")
        assert measure.compute(hits, pool)[0] == measure.compute(*alone)[0]


def test_the_residual_of_a_single_document_is_all_but_its_own_weight():
    hits, pool = ranked(1)
    assert rbp_residual(hits, pool, cutoff=None, p=0.8)[0] == pytest.approx(0.8)
