"""Phi against the numbers and degenerate cases of Moniz, Torgo and Vinagre's function, worked out by hand."""

import numpy as np
import pytest

from rankgauge.kernels.curves import phi

HINGES = phi.PhiSettings(quartiles="hinges")
OBSERVED = phi.PhiSettings(quartiles="hinges", whisker="observed")


def fitted(scores, settings=phi.PAPER):
    return phi.fit(np.array(scores, dtype=float), np.array([0, len(scores)]), settings)


def at(curves, scores):
    values = np.array(scores, dtype=float)
    return phi.evaluate(curves, np.zeros(len(values), dtype=int), values)


def phi_of(scores, settings=phi.PAPER):
    return at(fitted(scores, settings), scores)


def test_without_outliers_phi_is_the_closed_form():
    # t = (y - median)/(maximum - median), rho = (median - minimum)/(maximum - minimum): t²(1 + rho (1 - t)).
    t, rho = (90 - 80) / (100 - 80), (80 - 10) / (100 - 10)
    assert phi_of([100, 80, 90, 15, 10]) == pytest.approx([1, 0, t**2 * (1 + rho * (1 - t)), 0, 0], abs=1e-15)


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([100, 80, 90, 15, 10], [1, 0, 0.347222, 0, 0]),  # day 1 of the paper's Table 1
        ([100, 20, 90, 15, 10], [1, 0, 0.776259, 0, 0]),  # day 2
        (range(1, 10), [0] * 5 + [0.085938, 0.3125, 0.632812, 1]),
        ([0] * 6 + [3, 6, 12, 12], [0] * 6 + [0.0625, 0.25, 1, 1]),
        ([0, 0, 0, 0, 1], [0, 0, 0, 0, 1]),
        ([1, 2], [0, 1]),
    ],
)
def test_phi_without_outliers(scores, expected):
    assert phi_of(list(scores)) == pytest.approx(expected, abs=5.1e-7)


@pytest.mark.parametrize(
    ("settings", "whisker", "alpha", "expected"),
    [
        (phi.PAPER, 14.5, 0.724490, [0.001787, 0.015095, 0.039175, 0.071380, 1]),
        (HINGES, 15.5, 0.704082, [0.001552, 0.013196, 0.034519, 0.063469, 1]),
        (OBSERVED, 9, 0.836735, [0.007091, 0.052540, 0.114622, 0.163265, 1]),
        (phi.AUTHORS, 9, 0.836735, [0.007091, 0.052540, 0.114622, 0.163265, 1]),
    ],
)
def test_an_outlier_puts_a_knot_at_the_whisker(settings, whisker, alpha, expected):
    scores = [*range(1, 10), 50]
    curves = fitted(scores, settings)
    assert (curves.median[0], curves.whisker[0]) == (5.5, whisker)
    assert 1 - curves.level[0] == pytest.approx(alpha, abs=5.1e-7)
    assert phi_of(scores, settings) == pytest.approx([0] * 5 + expected, abs=5.1e-7)


def test_phi_at_the_whisker_is_the_min_max_value():
    assert at(fitted([*range(1, 10), 50]), [14.5])[0] == pytest.approx((14.5 - 1) / (50 - 1), abs=1e-15)


def test_the_slope_at_the_maximum_is_level_where_the_three_point_formula_is_negative():
    # Knots 9:0, 10:0.5, 100:1: the first secant is more than (2 h2 + h1)/h2 times the second.
    curves = phi.curves(*(np.array([x]) for x in (0.0, 9.0, 10.0, 0.5, 100.0)))
    assert curves.upper_end[0] == 0
    assert at(curves, [99.999])[0] < 1


def test_equal_scores_have_no_relevance():
    assert phi_of([5, 5, 5]).tolist() == [0, 0, 0]
    assert phi_of([3]).tolist() == [0]
    assert at(fitted([5, 5]), [4, 5, 6]).tolist() == [0, 0, 0]


def test_where_most_scores_are_the_maximum_phi_is_a_step():
    assert phi_of([1, 2, 9, 9, 9]).tolist() == [0, 0, 1, 1, 1]
    assert at(fitted([1, 9, 9]), [8.999, 9, 10]).tolist() == [0, 1, 1]


def test_where_most_scores_are_the_minimum_phi_is_a_parabola():
    assert at(fitted([0, 0, 0, 8, 12]), [3, 6, 9]) == pytest.approx([1 / 16, 1 / 4, 9 / 16], abs=1e-15)


def test_a_whisker_at_the_median_is_left_out():
    scores = [0, 1, 1, 10]  # fence 7: drawn at the observed 1, which is the median
    assert phi.knots(fitted(scores), 0) == ((0, 0), (1, 0), (7, 0.7), (10, 1))
    assert phi.knots(fitted(scores, phi.PhiSettings(whisker="observed")), 0) == ((0, 0), (1, 0), (10, 1))
    assert phi.knots(fitted([2] * 6 + [9]), 0) == ((2, 0), (2, 0), (9, 1))


def test_a_maximum_on_the_fence_is_no_outlier():
    assert phi.knots(fitted([1, 2, 3, 4, 7]), 0) == ((1, 0), (3, 0), (7, 1))  # fence 4 + 1.5 * 2 = 7


def test_phi_jumps_when_the_maximum_crosses_the_fence():
    # A knot that appears at the maximum pulls the slope there from 2 - rho to 3(1 - rho)/(3 - rho): a real jump of the
    # definition in the data (rho = 1/3 here), not of phi in the score.
    before, after = fitted([1, 2, 3, 4, 7]), fitted([1, 2, 3, 4, 7 + 1e-9])
    assert before.lower_end[0] == pytest.approx(2 - 1 / 3)
    assert after.lower_end[0] == pytest.approx(3 * (2 / 3) / (3 - 1 / 3), abs=1e-6)


def test_a_level_that_rounds_to_1_is_no_outlier():
    curves = fitted([-1e300, -1e300, 0, 0, 0, 0, 1, 1, 4])  # fence 2.5
    assert (curves.whisker[0], curves.maximum[0]) == (4, 4)


def test_scores_beyond_the_fitted_ones_are_clipped():
    assert at(fitted([*range(1, 10), 50]), [-5, 0, 50, 51, 1e9]).tolist() == [0, 0, 1, 1, 1]


def test_the_authors_preset_fits_on_positive_scores_only():
    assert phi.knots(fitted([-3, 0, 0, 1, 2, 3], phi.AUTHORS), 0) == ((0, 0), (2, 0), (3, 1))
    assert phi_of([0, 0, 0, 7], phi.AUTHORS).tolist() == [0, 0, 0, 1]
    assert phi_of([5, 5], phi.AUTHORS).tolist() == [1, 1]


def test_without_a_positive_score_the_authors_preset_gives_no_relevance():
    assert phi_of([0, -1, 0], phi.AUTHORS).tolist() == [0, 0, 0]


def test_queries_without_scores_have_no_relevance():
    curves = phi.fit(np.array([]), np.array([0, 0, 0]))
    assert phi.evaluate(curves, np.array([0, 1]), np.array([1.0, -1.0])).tolist() == [0, 0]
    assert phi.knots(curves, 1) == ((0, 0),)


@pytest.mark.parametrize("settings", [phi.PAPER, HINGES, OBSERVED, phi.AUTHORS])
def test_queries_do_not_see_each_other(settings):
    rng = np.random.default_rng(5)
    lists = [np.round(rng.pareto(1, rng.integers(0, 30)) * 10) for _ in range(60)] + [np.array([])]
    offsets = np.concatenate(([0], np.cumsum([len(scores) for scores in lists])))
    queries = np.repeat(np.arange(len(lists)), np.diff(offsets))
    together = phi.evaluate(phi.fit(np.concatenate(lists), offsets, settings), queries, np.concatenate(lists))
    alone = [phi_of(scores, settings) for scores in lists]
    assert together.tolist() == np.concatenate(alone).tolist()


def test_many_scores_are_evaluated_block_by_block_with_the_same_result():
    curves = fitted([1, 2, 3, 4, 100, 1000])
    scores = np.linspace(0, 1100, 2 * phi.BLOCK + 17)
    whole = at(curves, scores)
    assert whole.tolist() == np.concatenate([at(curves, part) for part in np.array_split(scores, 97)]).tolist()


def test_a_pool_may_be_fitted_once_and_asked_in_any_order():
    pool, offsets = np.array([100.0, 90, 80, 15, 10, 100, 90, 20, 15, 10]), np.array([0, 5, 10])
    queries, values = np.array([1, 0, 1]), np.array([90.0, 90, 100])
    assert phi.evaluate(phi.fit(pool, offsets), queries, values) == pytest.approx([0.776259, 0.347222, 1], abs=5.1e-7)


@pytest.mark.parametrize("seed", range(15))
def test_phi_with_outliers_is_scipys_monotone_curve_through_its_control_points(seed):
    interpolate = pytest.importorskip("scipy.interpolate")
    draw = np.random.default_rng(seed)
    x = np.concatenate(([0.0], np.cumsum(draw.uniform(0.2, 4, 3)))) - 3
    level = float(draw.uniform(0.05, 0.95))
    first, median, whisker, maximum = (np.array([number]) for number in x)
    found = phi.curves(first, median, whisker, np.array([level]), maximum)
    theirs = interpolate.PchipInterpolator(x, [0, 0, level, 1])
    between = np.linspace(x[0], x[-1], 80)
    values = phi.evaluate(found, np.zeros(80, np.int64), between)
    assert values.tolist() == pytest.approx(theirs(between).tolist(), abs=1e-12)
    assert np.array(phi.knots(found, 0)).T.tolist() == [x.tolist(), [0, 0, level, 1]]


def test_a_whisker_that_rounds_to_a_level_of_0_is_no_knot():
    """2.5e-30 over 1e300 is less than the least number there is, and a cubic with this level would divide by 0."""
    scores = [1e300, 1e-30, 1e-30, 0, 0, 0, 0, 0]
    curves = fitted(scores)
    assert (curves.level[0], curves.whisker[0]) == (1.0, 1e300)
    assert at(curves, scores).tolist() == [1, 0, 0, 0, 0, 0, 0, 0]


def test_the_unit_of_the_scores_does_not_matter():
    scores = np.array([1.0, 2, 3, 4, 5, 6, 7, 30])
    assert fitted(scores).level[0] < 1  # 30 is an outlier
    assert phi_of(scores / 1024).tolist() == phi_of(scores).tolist() == phi_of(scores * 1024).tolist()


def test_just_below_the_maximum_rounding_does_not_carry_phi_above_1():
    draw = np.random.default_rng(4)
    level, whisker, zero = draw.random(2000), draw.random(2000), np.zeros(2000)
    curves = phi.curves(zero, zero, whisker, level, np.ones(2000))
    found = phi.evaluate(curves, np.arange(2000), np.full(2000, np.nextafter(1.0, 0.0)))
    assert found.max() == 1
