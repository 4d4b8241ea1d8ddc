"""Ascents end at local maxima, certified to first order."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose

from grade_tables import exchangeable, random_table, tiny
from rankgauge.analysis.optimize.ranked_grades import RankedGrades
from rankgauge.analysis.optimize.search import ascent
from rankgauge.analysis.optimize.search.ascent import LITTLE, climb, gap_of, mute_vertices
from rankgauge.analysis.optimize.search.form import discount_form, gain_form
from rankgauge.analysis.optimize.search.simplex import on_simplex, shares_of, sharpened, weights_of

LINEAR = np.array([1.0, 2.0])


def test_the_tiny_table_has_two_strict_local_maxima():
    form = discount_form(tiny(), LINEAR)
    top, flat = np.array([1.0, 0, 0]), np.full(3, 1 / 3)
    for start, value in ((top, 0.250000), (flat, 0.171123)):
        peak = climb(form, start)
        assert peak.value == pytest.approx(value, abs=5e-7)
        assert_allclose(peak.weights, start, atol=1e-9)
        assert peak.gap <= 1e-9
    between = [form.value(share * top + (1 - share) * flat) for share in np.linspace(0, 1, 1001)]
    assert min(between) == pytest.approx(0.1357, abs=5e-5)


def mixtures(size, parts):
    """All shares of `size` vertices in steps of 1/parts."""
    for cuts in product(range(parts + 1), repeat=size - 1):
        if sum(cuts) <= parts:
            yield np.array([*cuts, parts - sum(cuts)]) / parts


@pytest.mark.parametrize("seed", range(6))
def test_no_point_of_a_grid_is_better_than_the_best_ascent(seed):
    form = discount_form(random_table(seed, ranks=4), LINEAR)
    ends = np.arange(1, 5)
    peaks = [climb(form, weights_of(np.array([k]), np.ones(1), 4)) for k in ends]
    best = max(peak.value for peak in peaks)
    assert best >= max(form.value(weights_of(ends, shares, 4)) for shares in mixtures(4, 12)) - 1e-12
    assert all(peak.gap <= 1e-7 for peak in peaks)


def test_an_ascent_of_many_ranks_is_certified_and_has_few_steps():
    form = discount_form(random_table(1, systems=20, queries=15, ranks=60, density=0.3), LINEAR)
    ranks = np.arange(1, 61)
    peaks = [climb(form, start) for start in (1 / np.log2(ranks + 1), 1 / ranks, np.ones(60))]
    assert max(peak.gap for peak in peaks) <= 1e-7
    assert np.ptp([peak.value for peak in peaks]) <= 1e-9
    assert 1 <= (shares_of(peaks[0].weights) > 1e-9).sum() <= 20
    assert np.all(np.diff(peaks[0].weights) <= 0)
    assert peaks[0].weights.sum() == pytest.approx(1)
    assert gap_of(form, peaks[0].weights) == pytest.approx(peaks[0].gap, abs=1e-9)


def test_equal_weights_win_where_all_ranks_are_alike():
    form = discount_form(exchangeable(0, queries=400), np.ones(1))
    peak = climb(form, 1 / np.arange(1, 21))
    assert_allclose(peak.weights, 1 / 20, rtol=0.35)
    assert form.value(np.ones(20)) == pytest.approx(peak.value, rel=0.01)


def test_a_start_of_another_valley_begins_again_with_every_vertex(monkeypatch):
    form = discount_form(random_table(2, ranks=24), LINEAR)
    start = np.array([1.0] * 7 + [0.5] * 17)
    honest = climb(form, start)
    calls = []

    def shortened(form, start, ends, gap):
        calls.append(len(ends))
        return honest if len(ends) == 24 else honest._replace(value=-1.0)

    monkeypatch.setattr(ascent, "_climb", shortened)
    assert climb(form, start).value == honest.value
    assert calls[-1] == 24


def test_where_a_query_lacks_the_best_grade_the_others_keep_some_gain():
    codes = np.array([[[2], [1], [0]], [[0], [1], [2]], [[1], [0], [2]], [[2], [0], [0]]])
    table = RankedGrades(codes, (1.0, 2.0), np.array([[1, 1], [1, 0], [1, 1]]))
    form = gain_form(table, np.ones(1))
    assert mute_vertices(form) == 1
    peak = climb(form, np.array([1.0, 1.0]))
    assert np.isfinite(peak.value)
    assert peak.weights[1] >= LITTLE / 2 * (1 - 1e-9)


def test_where_rank_1_tells_nobody_apart_some_weight_stays_below():
    table = random_table(3)
    codes = table.codes.copy()
    codes[:, :, 0] = 0
    form = discount_form(RankedGrades(codes, table.grades, table.pool), LINEAR)
    assert mute_vertices(form) == 1
    peak = climb(form, np.ones(8))
    assert peak.weights[1] >= LITTLE / 2 * (1 - 1e-9)
    assert peak.gap <= 1e-7


def test_where_no_vertex_speaks_the_start_stays_and_has_no_value():
    form = discount_form(RankedGrades(np.zeros((3, 2, 4), int), (1.0,), np.ones((2, 1), int)), np.ones(1))
    assert mute_vertices(form) == 4
    assert climb(form, np.ones(4)).value == -np.inf


def test_newton_steps_finish_what_another_method_left():
    form = discount_form(random_table(9, ranks=5), LINEAR)
    peak = climb(form, np.ones(5))
    shares = on_simplex(shares_of(peak.weights) + 0.01)
    uphill = ascent._uphill(*form.columns(np.arange(1, 6)), form.systems, form.objective)
    rough, fine = (uphill(point) for point in (shares, sharpened(uphill, shares, 1e-10)))
    assert rough[1].max() > 1e-4
    assert fine[1].max() <= 1e-9
    assert fine[0] == pytest.approx(peak.value, abs=1e-12)
