"""Weights that may rise and fall, with the ideal by rearrangement."""

from __future__ import annotations

from functools import partial
from itertools import product

import numpy as np
import pytest

from grade_tables import random_table, tiny
from rankgauge.analysis.optimize.search import search as searching
from rankgauge.analysis.optimize.search.ascent import _in_order, climb, climb_free_discount, climb_free_gain
from rankgauge.analysis.optimize.search.form import discount_form, gain_form, scores_of
from rankgauge.analysis.optimize.search.mixture import jointly_in_order
from rankgauge.analysis.optimize.search.objective import dependability
from rankgauge.analysis.optimize.search.weighting import Question, named_weighting

LINEAR = np.array([1.0, 2.0])


def corners(size):
    """Every set of ranks, equally weighted: the vertices of all orders at once."""
    for chosen in product((0.0, 1.0), repeat=size):
        if any(chosen):
            yield np.array(chosen)


@pytest.mark.parametrize("seed", range(4))
def test_no_discount_on_a_grid_beats_the_best_free_ascent(seed):
    table = random_table(seed, ranks=3)
    best = max(climb_free_discount(partial(discount_form, table, LINEAR), start).value for start in corners(3))
    grid = [np.array(weights) for weights in product(np.linspace(0, 1, 13), repeat=3) if any(weights)]
    assert best >= max(dependability(scores_of(table, weights, LINEAR)) for weights in grid) - 1e-12


@pytest.mark.parametrize("seed", range(4))
def test_freedom_never_costs_and_scores_stay_within_1(seed):
    table = random_table(seed, systems=8, queries=9, ranks=12)
    start = 1 / np.log2(np.arange(2, 14))
    bound = climb(discount_form(table, LINEAR), start)
    free = climb_free_discount(partial(discount_form, table, LINEAR), bound.weights)
    assert free.value >= bound.value - 1e-12
    assert free.gap <= 1e-7
    scores = scores_of(table, free.weights, LINEAR)
    assert scores.max() <= 1 + 1e-12
    assert dependability(scores) == pytest.approx(free.value, abs=1e-12)


def test_the_free_gap_sees_a_better_split_of_tied_ranks():
    # All weight on rank 1 is a maximum among falling weights; ranks 2 and 3 are tied at 0, and rank 3 should rise.
    falling = climb(discount_form(tiny(), LINEAR), np.array([1.0, 0, 0]))
    assert falling.gap <= 1e-9
    free = climb_free_discount(partial(discount_form, tiny(), LINEAR), falling.weights)
    assert free.value > falling.value + 1e-3
    assert free.weights[2] > free.weights[0] > free.weights[1]


def test_a_gain_of_nothing_may_come_first_in_an_order():
    table = random_table(8, systems=6, queries=8)
    found = _in_order(lambda order: gain_form(table, np.ones(8), order), np.array([0, 1]), np.array([0.0, 1.0]), 1e-9)
    assert np.isfinite(found.value)
    assert found.weights[0] >= found.weights[1]


@pytest.mark.parametrize("levels", [2, 3])
def test_no_gain_on_a_grid_beats_the_best_free_ascent(levels):
    table = random_table(8, systems=6, queries=8, levels=levels)
    discount = 1 / np.log2(np.arange(2, 10))
    best = max(climb_free_gain(partial(gain_form, table, discount), start + 0.01).value for start in corners(levels))
    grid = [np.array(gain) for gain in product(np.linspace(0.02, 1, 12), repeat=levels)]
    assert best >= max(dependability(scores_of(table, discount, gain)) for gain in grid) - 1e-9


def test_a_free_gain_may_fall_with_the_grade():
    # Documents of grade 2 stand where chance put them, those of grade 1 where the system's skill did.
    random = np.random.default_rng(5)
    table = random_table(8, systems=12, queries=20)
    codes = table.codes.copy()
    codes[codes == 2] = 0
    codes[random.random(codes.shape) < 0.2] = 2
    pool = np.stack([(codes == level).sum(axis=2).max(axis=0) + 1 for level in (1, 2)], axis=1)
    noisy = type(table)(codes, table.grades, pool)
    discount = np.ones(8)
    bound = climb(gain_form(noisy, discount), np.array([2.0, 1.0]))
    free = climb_free_gain(partial(gain_form, noisy, discount), np.array([1.0, 2.0]))
    assert free.weights[1] < free.weights[0]
    assert free.value > bound.value + 1e-3


RISING, INVERTED = np.array([0.1, 0.4, 0.2, 0.3, 0.0, 0.05, 0.15, 0.12]), np.array([2.0, 0.5, 1.0])


def test_ranks_and_grades_may_be_reordered():
    table = random_table(4, systems=7, queries=9, levels=3)
    ranks, levels = np.argsort(-RISING), np.argsort(INVERTED)
    reordered = scores_of(table.reordered(ranks, levels), RISING[ranks], INVERTED[levels])
    np.testing.assert_allclose(reordered, scores_of(table, RISING, INVERTED), atol=1e-15)


def test_free_weights_move_together_in_the_order_that_they_have():
    table = random_table(4, systems=7, queries=9, levels=3)
    discount, gain = jointly_in_order(table, RISING, INVERTED)
    assert dependability(scores_of(table, discount, gain)) > dependability(scores_of(table, RISING, INVERTED)) + 1e-3
    assert np.all(np.diff(discount[np.argsort(-RISING)]) <= 1e-15)
    assert np.all(np.diff(gain[np.argsort(INVERTED)]) >= -1e-15)


def test_a_free_search_for_both_ends_after_few_turns(monkeypatch):
    table = random_table(4, systems=5, queries=8, ranks=10, levels=4)
    asked = Question(named_weighting(table, "log2", "linear"), ("discount", "gain"), constrained=False)
    turns = []
    climbing = searching._climb_discount
    monkeypatch.setattr(searching, "_climb_discount", lambda *given: turns.append(1) or climbing(*given))
    best = searching.search(table, asked)
    assert best[0].value == pytest.approx(0.875195892, abs=1e-8)
    assert len(turns) <= 10 * len(best)  # by turns alone there were more than 30 for each start
