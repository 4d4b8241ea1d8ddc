"""nDCG as a ratio of linear functions, its dependability, and the gradients."""

from __future__ import annotations

from math import inf, log2

import numpy as np
import pytest
from numpy.testing import assert_allclose

from grade_tables import random_table, tiny
from rankgauge.analysis.optimize.ranked_grades import RankedGrades
from rankgauge.analysis.optimize.search import form
from rankgauge.analysis.optimize.search.form import discount_form, gain_form, queries_needed, scores_of, with_queries
from rankgauge.analysis.optimize.search.objective import dependability
from rankgauge.analysis.stability.variance import mean_squares

LINEAR = np.array([1.0, 2.0])
LOG2 = np.array([1 / log2(rank + 1) for rank in (1, 2, 3)])


def test_ndcg_of_the_tiny_table_is_as_worked_out():
    expected = [
        [0.265826, 0.638788, 0.566456],
        [0.265826, 0.361212, 0.335435],
        [0.867087, 0.680606, 0.566456],
        [0.734174, 0.159697, 0.867087],
    ]
    assert_allclose(discount_form(tiny(), LINEAR).scores(LOG2), expected, atol=5e-7)
    assert_allclose(gain_form(tiny(), LOG2).scores(LINEAR[::-1]), expected, atol=5e-7)


def test_variance_components_of_the_tiny_table():
    found = mean_squares(discount_form(tiny(), LINEAR).scores(LOG2)).components()
    assert_allclose((found.system, found.query, found.residual), (0.005182, -0.011997, 0.063480), atol=5e-7)
    truncated = found.system / (found.system + max(0, found.query) + found.residual)
    assert truncated == pytest.approx(0.075470, abs=5e-7)


def test_dependability_of_the_tiny_table_is_not_truncated():
    assert discount_form(tiny(), LINEAR).value(LOG2) == pytest.approx(0.091448, abs=5e-7)


def test_gradients_of_the_tiny_table():
    by_discount = discount_form(tiny(), LINEAR).slope(LOG2 / LOG2.sum())
    assert_allclose(by_discount.gained - by_discount.lost, (-0.035893, -0.668203, 0.914963), atol=5e-7)
    by_gain = gain_form(tiny(), LOG2).slope(LINEAR[::-1])
    assert_allclose((by_gain.gained - by_gain.lost)[::-1], (0.642659, -0.321329), atol=5e-7)


def ndcg(ranking, pool, grades, discount, gain):
    """The definition, written out for one list."""
    reached = sum(weight * gain[code - 1] for code, weight in zip(ranking, discount, strict=True) if code)
    best = sorted((value for value, count in zip(gain, pool, strict=True) for _ in range(count)), reverse=True)
    weights = sorted(discount, reverse=True)
    return reached / sum(weight * value for weight, value in zip(weights, best, strict=False))


@pytest.mark.parametrize("discount", [(1.0, 0.7, 0.5, 0.5, 0.1), (0.2, 1.0, 0.0, 0.5, 0.4)])
@pytest.mark.parametrize("gain", [(1.0, 2.0, 3.0), (0.5, 0.2, 0.9)])
def test_scores_are_the_definition_even_where_weights_rise_or_gains_fall(discount, gain):
    table = random_table(3, ranks=5, levels=3)
    expected = [
        [ndcg(ranking, pool, table.grades, discount, gain) for ranking, pool in zip(system, table.pool, strict=True)]
        for system in table.codes
    ]
    assert_allclose(scores_of(table, np.array(discount), np.array(gain)), expected, rtol=1e-13)


def test_the_gain_form_rearranges_its_ideal_like_the_scores():
    table = random_table(4, levels=3)
    discount, gain = np.array([0.2, 1.0, 0.5, 0.1, 0.1, 0.0, 0.3, 0.3]), np.array([0.5, 0.2, 0.9])
    order = np.argsort(-gain)
    found = gain_form(table, discount, order).scores(gain[order])
    assert_allclose(found, scores_of(table, discount, gain), rtol=1e-13)


def test_blocks_change_nothing(monkeypatch):
    table, weights = random_table(5), np.array([5.0, 4, 3, 3, 2, 1, 1, 0])
    whole = discount_form(table, LINEAR)
    monkeypatch.setattr(form, "KEPT", 0)
    monkeypatch.setattr(form, "BLOCK", 2 * table.queries * table.ranks)
    parts = discount_form(table, LINEAR)
    assert len(list(parts.blocks())) == 3
    assert_allclose(parts.scores(weights), whole.scores(weights), rtol=1e-14)
    assert_allclose(parts.slope(weights).gained, whole.slope(weights).gained, rtol=1e-10)
    ends = np.array([1, 4, 8])
    for one, other in zip(parts.columns(ends), whole.columns(ends), strict=True):
        assert_allclose(one, other, rtol=1e-14)


def test_a_column_is_the_score_of_plain_cumulated_gain():
    table = random_table(6)
    form_ = discount_form(table, LINEAR)
    reached, ideal = form_.columns(np.array([2, 5]))
    for column, k in enumerate((2, 5)):
        vertex = np.where(np.arange(8) < k, 1 / k, 0)
        expected = form_.scores(vertex)
        assert_allclose(reached[column].reshape(5, 6) / ideal[column], expected, rtol=1e-13)


def test_the_best_vertex_is_the_most_dependable_of_all(monkeypatch):
    form_ = discount_form(random_table(7), LINEAR)
    vertices = [np.where(np.arange(8) < k, 1 / k, 0) for k in range(1, 9)]
    best = 1 + int(np.argmax([form_.value(vertex) for vertex in vertices]))
    assert form_.best_vertex() == best
    monkeypatch.setattr(form, "BLOCK", 1)
    assert form_.best_vertex() == best


def test_a_matrix_without_variance_has_no_dependability():
    assert dependability(np.full((4, 3), 0.1 + 0.2)) == -inf
    assert dependability(np.full((4, 3), np.nan)) == -inf


def test_systems_that_differ_alone_are_told_apart_by_one_query():
    assert dependability(np.array([[0.1, 0.1], [0.4, 0.4], [0.8, 0.8]])) == pytest.approx(1)


def test_queries_needed_is_exact_where_the_division_is():
    # 9 · (1 - 0.1) / 0.1 = 81, not 82 by rounding
    assert queries_needed(0.1, 0.9) == 81
    assert with_queries(0.1, 81) == pytest.approx(0.9)
    assert queries_needed(1.0, 0.95) == 1
    assert queries_needed(0.0, 0.95) == queries_needed(-0.2, 0.95) == queries_needed(-inf, 0.9) == inf


def test_a_query_without_an_ideal_has_no_score():
    table = RankedGrades(np.array([[[1], [0]], [[0], [0]], [[1], [0]]]), (1.0,), np.array([[1], [0]]))
    found = discount_form(table, np.ones(1)).scores(np.ones(1))
    assert np.isnan(found[:, 1]).all()
    assert found[:, 0].tolist() == [1, 0, 1]


def test_where_a_query_has_no_ideal_there_is_no_slope_and_no_warning():
    form = discount_form(tiny(), np.array([0.0, 1.0]))
    slope = form.slope(np.array([0.0, 0.0, 1.0]))
    assert slope.value == -inf
    assert not slope.gained.any()
    assert not slope.lost.any()
