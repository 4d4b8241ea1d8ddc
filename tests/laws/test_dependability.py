"""Laws of dependability as a function of gain and discount."""

from __future__ import annotations

import numpy as np
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from grade_tables import random_table
from rankgauge.analysis.optimize.ranked_grades import RankedGrades
from rankgauge.analysis.optimize.search.ascent import climb
from rankgauge.analysis.optimize.search.form import discount_form, gain_form, queries_needed, scores_of
from rankgauge.analysis.optimize.search.objective import dependability
from rankgauge.analysis.optimize.search.search import search
from rankgauge.analysis.optimize.search.simplex import rounded, shares_of, steps_of, weights_of
from rankgauge.analysis.optimize.search.weighting import Question, named_discount, named_weighting

DIFFERENCE = 1e-6


@st.composite
def tables(draw, most_ranks=7):
    return random_table(
        draw(st.integers(0, 10_000)),
        systems=draw(st.integers(3, 6)),
        queries=draw(st.integers(2, 6)),
        ranks=draw(st.integers(1, most_ranks)),
        levels=draw(st.integers(1, 3)),
        density=draw(st.sampled_from([0.3, 0.6])),
    )


def weights(draw, size):
    return np.array(draw(st.lists(st.floats(0.1, 1.0), min_size=size, max_size=size)))


def check_gradient(form, point):
    value = form.value(point)
    assume(np.isfinite(value))
    slope = form.slope(point)
    gradient = slope.gained - slope.lost
    central = [
        (form.value(point + offset) - form.value(point - offset)) / (2 * DIFFERENCE)
        for offset in np.eye(len(point)) * DIFFERENCE
    ]
    largest = np.abs(gradient).max()
    # A flat surface has no digits to compare: differences of Φ are good to some 1e-15 / 1e-6.
    assert_allclose(gradient, central, atol=1e-6 * largest + 1e-8)
    assert abs(point @ gradient) <= 1e-12 * max(1.0, largest)
    assert slope.value == value


@given(st.data(), tables())
def test_the_gradient_in_the_discount_is_that_of_central_differences(data, table):
    gain = np.sort(weights(data.draw, len(table.grades)))
    check_gradient(discount_form(table, gain), np.sort(weights(data.draw, table.ranks))[::-1])


@given(st.data(), tables())
def test_the_gradient_in_the_gain_is_that_of_central_differences(data, table):
    discount = np.sort(weights(data.draw, table.ranks))[::-1]
    check_gradient(gain_form(table, discount), np.sort(weights(data.draw, len(table.grades)))[::-1])


@given(st.data(), tables())
def test_scale_and_the_order_of_systems_and_queries_do_not_matter(data, table):
    discount, gain = weights(data.draw, table.ranks), weights(data.draw, len(table.grades))
    value = dependability(scores_of(table, discount, gain))
    assume(np.isfinite(value))
    random = np.random.default_rng(0)
    systems, queries = random.permutation(table.systems), random.permutation(table.queries)
    shuffled = RankedGrades(table.codes[systems][:, queries], table.grades, table.pool[queries])
    assert_allclose(dependability(scores_of(shuffled, 3 * discount, 7 * gain)), value, rtol=1e-9, atol=1e-12)


def check_optimum(table, over):
    start = named_weighting(table)
    assume(table.deepest_hit() > 0)
    best = search(table, Question(start, over))[0]
    assume(np.isfinite(best.value))
    assert best.gap <= 1e-7
    assert np.all(np.diff(best.discount) <= 1e-15)
    assert np.all(np.diff(best.gain) >= -1e-15)
    rivals = [named_discount(name, table.ranks) for name in ("log2", "zipf", "linear", "none")]
    if "discount" in over:
        assert best.discount.sum() == np.float64(1.0) or abs(best.discount.sum() - 1) <= 1e-12
        rivals += [weights_of(np.array([k]), np.ones(1), table.ranks) for k in range(1, table.ranks + 1)]
    else:
        rivals = rivals[:1]
    for rival in rivals:
        value = dependability(scores_of(table, rival, start.gain))
        assert best.value >= value - 1e-12
        if best.value > 1e-9:  # below, Φ is 0 up to rounding, and both numbers are noise
            assert queries_needed(best.value, 0.95) <= queries_needed(value, 0.95)


@settings(max_examples=25)
@given(tables(most_ranks=5))
@example(random_table(0, systems=3, queries=2, ranks=5, levels=1, density=0.3))
def test_the_optimal_discount_beats_every_named_one_and_is_certified(table):
    check_optimum(table, ("discount",))


@settings(max_examples=15)
@given(tables(most_ranks=5))
def test_the_optimal_gain_beats_the_linear_one_and_is_certified(table):
    assume(len(table.grades) > 1)
    check_optimum(table, ("gain",))


@settings(max_examples=8)
@given(tables(most_ranks=4))
def test_the_joint_optimum_beats_every_named_one_and_is_certified(table):
    assume(len(table.grades) > 1)
    check_optimum(table, ("discount", "gain"))


@given(st.integers(0, 1000), st.integers(1, 30))
def test_falling_weights_and_shares_of_vertices_say_the_same(seed, size):
    falling = np.sort(np.random.default_rng(seed).dirichlet(np.ones(size)))[::-1]
    assert_allclose(weights_of(np.arange(1, size + 1), shares_of(falling), size), falling, atol=1e-14)


@given(tables(), st.integers(0, 1000))
def test_printed_steps_give_the_same_dependability(table, seed):
    form = discount_form(table, np.array(table.grades))
    start = np.sort(np.random.default_rng(seed).dirichlet(np.full(table.ranks, 0.3)))[::-1]
    assume(np.isfinite(form.value(start)))
    found = climb(form, start).weights
    printed = rounded(found)
    firsts, levels = zip(*steps_of(printed), strict=True)
    lengths = np.diff([*firsts, table.ranks + 1])
    assert_allclose(np.repeat(levels, lengths), printed, rtol=0, atol=0)
    assert abs(form.value(printed) - form.value(found)) <= 1e-9
