"""Curves by their formulas: what is judged to relevance, relevance to gain, ranks to weights.

Phi and nDCG with phi against the numbers and degenerate cases of Moniz, Torgo and Vinagre, worked out by hand.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.examples import ranked
from rankgauge import RelevanceFunction
from rankgauge.errors import MeasureError
from rankgauge.kernels import curves
from rankgauge.kernels.curves import (
    AUTHORS,
    PAPER,
    BoxPlot,
    Phi,
    binary,
    boxes,
    exp,
    fault_of,
    interpolate,
    levels,
    power,
    slopes,
    table,
)
from rankgauge.kernels.hits import pool_of
from rankgauge.measures import nDCG, parse

HINGES = BoxPlot(quartiles="hinges")
OBSERVED = BoxPlot(quartiles="hinges", whisker="observed")
SCORES = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40)
DAY_1, DAY_2 = (
    [100, 80, 90, 15, 10],
    [100, 20, 90, 15, 10],
)  # Moniz, Torgo & Vinagre, Table 1, in the order of the system


def fitted(scores, box_plot=PAPER):
    return Phi.fit(np.sort(np.array(scores, dtype=float))[::-1], np.array([0, len(scores)]), box_plot)


def at(one, scores):
    values = np.array(scores, dtype=float)
    return one(np.zeros(len(values), dtype=int), values)


def phi_of(scores, box_plot=PAPER):
    return at(fitted(scores, box_plot), scores)


def test_gains_of_levels_are_those_named():
    assert levels(np.array([0.0, 2, 1, 2]), 0.5, 4.0).tolist() == [0, 4, 0.5, 4]
    assert levels(np.empty(0), 0.5).tolist() == []


def test_one_grade_that_is_not_whole_is_refused():
    with pytest.raises(MeasureError, match=r"needs whole grades, but a relevance of 1\.5 was judged"):
        levels(np.array([1.0, 1.5]), 2.0, 3.0)


def test_a_grade_beyond_those_named_is_refused():
    assert levels(np.array([2.0]), 1.0, 3.0).tolist() == [3]
    with pytest.raises(MeasureError, match="names 2 gains, but grade 3 was judged"):
        levels(np.array([1.0, 3]), 1.0, 3.0)


def test_gains_by_formula():
    grades = np.array([0.0, 1, 2])
    assert exp(grades).tolist() == [0, 1, 3]
    assert binary(grades).tolist() == [0, 1, 1]
    assert binary(grades, 2).tolist() == [0, 0, 1]
    assert value(parse("DCG(gain=same, discount=none)"), 0, 1, 2) == 3
    assert power(grades, 3).tolist() == [0, 1, 8]
    assert table(grades, (2.0, 7.0), (0.0, 1.0)).tolist() == [1, 1, 7]
    assert exp(np.array([1023.0])).tolist() == [2.0**1023]
    with pytest.raises(MeasureError, match="beyond double precision"):
        exp(np.array([1.0, 1024]))


def test_the_judged_value_below_0_counts_as_0_or_as_it_is():
    pool = pool_of(np.array([0, 0]), np.array([-1.0, 2.0]), 1)
    value = np.array([-1.0, 2.0])
    assert curves.identity(value, np.zeros(2, np.int64), pool).tolist() == [0, 2]
    assert curves.identity(np.array([-0.5]), np.zeros(1, np.int64), pool).tolist() == [0]
    grades = np.array([0.0, 2.0])
    assert curves.identity(grades, np.zeros(2, np.int64), pool) is grades  # nothing to clip, nothing to copy
    assert curves.signed(value, np.zeros(2, np.int64), pool).tolist() == [-1, 2]


def test_gains_from_a_threshold_or_above_0_and_gains_in_a_table_leave_the_grades_alone():
    grades = np.array([-1.0, 0.0, 0.5, 1.0, 2.0])
    assert binary(grades).tolist() == [0, 0, 1, 1, 1]
    assert binary(grades, 1.0).tolist() == [0, 0, 0, 1, 1]
    assert table(grades, (1.0, 5.0)).tolist() == [-1, 0, 0.5, 5, 2]
    assert grades.tolist() == [-1, 0, 0.5, 1, 2]
    assert curves.straight(np.array([1.0, 2, 3, 4]), 3).tolist() == pytest.approx([1, 2 / 3, 1 / 3, 0])
    assert curves.zipf(np.array([1.0, 4.0]), None).tolist() == [1, 0.25]


def curve(knots, values):
    x, v = np.array(knots, dtype=float).T
    return interpolate(x, v, np.array(values, dtype=float))


def test_two_control_points_give_a_straight_line():
    assert curve([(0, 0), (10, 1)], [2.5, 5]).tolist() == [0.25, 0.5]


def test_the_curve_meets_its_control_points_and_is_level_outside():
    knots = [(0, 0.1), (10, 0.5), (40, 1)]
    assert curve(knots, [-5, 0, 10, 40, 99]).tolist() == [0.1, 0.1, 0.5, 1, 1]


@pytest.mark.parametrize(
    ("x", "v"), [([7, 10, 11, 46], [0.21, 0.39, 0.85, 0.94]), ([26, 62, 65, 93], [0.09, 0.46, 0.79, 0.87])]
)
def test_the_curve_meets_its_control_points_to_the_last_bit(x, v):
    """The end of the cubic before a point may be below it by rounding."""
    assert curve(list(zip(x, v, strict=True)), x).tolist() == v


def test_slopes_inside_are_a_weighted_harmonic_mean_of_the_secants():
    # h = 10, 30; secants 0.05, 1/60; weights 2*30 + 10 and 30 + 2*10.
    expected = (70 + 50) / (70 / 0.05 + 50 * 60)
    assert slopes(np.array([0.0, 10, 40]), np.array([0, 0.5, 1]))[1] == pytest.approx(expected, rel=1e-15)


def test_slopes_at_the_ends_follow_the_three_point_formula():
    # Moler's formula ((2 h1 + h2) s1 - h1 s2)/(h1 + h2); at the right end it is negative, so 0.
    first, _, last = slopes(np.array([0.0, 10, 40]), np.array([0, 0.5, 1]))
    assert first == pytest.approx(((2 * 10 + 30) * 0.05 - 10 / 60) / 40, rel=1e-15)
    assert last == 0


def test_next_to_a_level_piece_the_slope_is_0():
    assert slopes(np.array([0.0, 1, 2, 3]), np.array([0, 0, 1, 1])).tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("knots", "said"),
    [
        ([], "0 control points; a function needs two or more"),
        ([(0, 0)], "1 control point; a function needs two or more"),
        ([(0, 0), (float("nan"), 1)], "score nan is not a finite number up to 1e+300"),
        ([(0, 0), (float("inf"), 1)], "score inf is not a finite number up to 1e+300"),
        ([(0, 0), (5, 1.5)], "relevance 1.5 of score 5 is not between 0 and 1"),
        ([(0, float("nan")), (5, 1)], "relevance nan of score 0 is not between 0 and 1"),
        ([(0, 0), (5, 0.5), (5, 1)], "score 5 follows 5; scores must increase"),
        ([(0, 0), (5, 0.5), (6, 0.4)], "relevance falls from 0.5 at score 5 to 0.4 at 6"),
        ([(0, 0), (5e-324, 1)], "scores 0 and 5e-324 are too close together"),
        ([(0, 0), (5, 1)], None),
    ],
)
def test_a_fault_of_control_points_is_named(knots, said):
    assert fault_of(knots) == said


@pytest.mark.parametrize("seed", range(20))
def test_slopes_and_curve_are_those_of_scipy(seed):
    scipy = pytest.importorskip("scipy.interpolate")
    draw = np.random.default_rng(seed)
    points = int(draw.integers(2, 7))
    x = np.cumsum(draw.uniform(0.1, 5, points)) - 4
    v = np.sort(draw.random(points)).round(1 if seed % 3 == 0 else 6)
    theirs = scipy.PchipInterpolator(x, v)
    assert slopes(x, v).tolist() == pytest.approx(theirs.derivative()(x).tolist(), abs=1e-12)
    between = np.linspace(x[0], x[-1], 50)
    assert interpolate(x, v, between).tolist() == pytest.approx(theirs(between).tolist(), abs=1e-12)


def test_the_largest_scores_are_control_points():
    assert fault_of([(-1e300, 0), (1e300, 1)]) is None
    assert fault_of([(-1, 0), (np.nextafter(-1, 0), 1)]) is None


def test_how_close_together_scores_may_be():
    assert 0.1 / 1e-301 == 1e300
    assert fault_of([(0, 0), (1e-301, 0.1), (1, 1)]) is None
    assert fault_of([(0, 0), (1e-301, 0.11), (1, 1)]) == "scores 0 and 1e-301 are too close together"
    level = [(0, 0.6), (1e-301, 0.6), (1, 1)]  # nothing rises between the first two
    assert fault_of(level) is None
    assert curve(level, [0, 1e-301, 1]).tolist() == [0.6, 0.6, 1]


def one(scores, quartiles="linear"):
    ordered = np.sort(np.array(scores, dtype=float))[::-1]
    return [side[0] for side in boxes(ordered, np.array([0]), np.array([len(ordered)]), quartiles)]


@given(SCORES)
def test_linear_quartiles_are_numpys_to_the_last_bit(scores):
    minimum, lower, _, upper, maximum = one(scores)
    assert [lower, upper] == np.quantile(scores, [0.25, 0.75]).tolist()
    assert [minimum, maximum] == [min(scores), max(scores)]


@given(SCORES)
def test_the_median_is_the_mean_of_the_middle_two(scores):
    ordered = sorted(scores)
    n = len(ordered)
    assert one(scores)[2] == (ordered[(n - 1) // 2] + ordered[n // 2]) / 2


# Values of fivenum() in R; a half has the middle score where the number of scores is odd.
@pytest.mark.parametrize(
    ("scores", "lower", "upper"),
    [([1, 2, 3, 4, 5], 2, 4), ([1, 2, 3, 4], 1.5, 3.5), ([1, 2, 3, 4, 5, 6], 2, 5), ([7], 7, 7), ([1, 9], 1, 9)],
)
def test_hinges_are_medians_of_the_halves(scores, lower, upper):
    assert one(scores, "hinges")[1:4:2] == [lower, upper]


@pytest.mark.parametrize("n", range(1, 30))
def test_hinges_of_any_length_are_medians_of_the_halves(n):
    half = (n + 1) // 2
    _, lower, _, upper, _ = one(np.arange(n) ** 2, "hinges")
    assert lower == np.median((np.arange(n) ** 2)[:half])
    assert upper == np.median((np.arange(n) ** 2)[n - half :])


def test_queries_without_scores_have_boxes_of_zeros():
    _, _, median, _, maximum = boxes(np.array([3.0, 1.0]), np.array([0, 0, 2]), np.array([0, 2, 0]), "linear")
    assert maximum.tolist() == [0, 3, 0]
    assert median.tolist() == [0, 2, 0]


@pytest.mark.parametrize("n", range(1, 30))
def test_linear_quartiles_of_any_length_are_numpys(n):
    scores = np.arange(n, dtype=float) ** 3
    assert one(scores)[1:4:2] == np.quantile(scores, [0.25, 0.75]).tolist()


def test_a_quartile_in_the_middle_of_two_scores_has_the_bits_of_numpys():
    for scores in np.random.default_rng(5).normal(size=(200, 3)):
        assert one(scores)[1:4:2] == np.quantile(scores, [0.25, 0.75]).tolist()


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
        (PAPER, 14.5, 0.724490, [0.001787, 0.015095, 0.039175, 0.071380, 1]),
        (HINGES, 15.5, 0.704082, [0.001552, 0.013196, 0.034519, 0.063469, 1]),
        (OBSERVED, 9, 0.836735, [0.007091, 0.052540, 0.114622, 0.163265, 1]),
        (AUTHORS, 9, 0.836735, [0.007091, 0.052540, 0.114622, 0.163265, 1]),
    ],
)
def test_an_outlier_puts_a_knot_at_the_whisker(settings, whisker, alpha, expected):
    scores = [*range(1, 10), 50]
    one = fitted(scores, settings)
    assert (one.median[0], one.whisker[0]) == (5.5, whisker)
    assert 1 - one.level[0] == pytest.approx(alpha, abs=5.1e-7)
    assert phi_of(scores, settings) == pytest.approx([0] * 5 + expected, abs=5.1e-7)


def test_phi_at_the_whisker_is_the_min_max_value():
    assert at(fitted([*range(1, 10), 50]), [14.5])[0] == pytest.approx((14.5 - 1) / (50 - 1), abs=1e-15)


def test_the_slope_at_the_maximum_is_level_where_the_three_point_formula_is_negative():
    # Knots 9:0, 10:0.5, 100:1: the first secant is more than (2 h2 + h1)/h2 times the second.
    one = Phi(*(np.array([x]) for x in (0.0, 9.0, 10.0, 0.5, 100.0)))
    assert one.upper_end[0] == 0
    assert at(one, [99.999])[0] < 1


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
    assert fitted(scores).knots(0) == ((0, 0), (1, 0), (7, 0.7), (10, 1))
    assert fitted(scores, BoxPlot(whisker="observed")).knots(0) == ((0, 0), (1, 0), (10, 1))
    assert fitted([2] * 6 + [9]).knots(0) == ((2, 0), (2, 0), (9, 1))


def test_a_maximum_on_the_fence_is_no_outlier():
    assert fitted([1, 2, 3, 4, 7]).knots(0) == ((1, 0), (3, 0), (7, 1))  # fence 4 + 1.5 * 2 = 7


def test_phi_jumps_when_the_maximum_crosses_the_fence():
    # A knot that appears at the maximum pulls the slope there from 2 - rho to 3(1 - rho)/(3 - rho): a real jump of the
    # definition in the data (rho = 1/3 here), not of phi in the score.
    before, after = fitted([1, 2, 3, 4, 7]), fitted([1, 2, 3, 4, 7 + 1e-9])
    assert before.lower_end[0] == pytest.approx(2 - 1 / 3)
    assert after.lower_end[0] == pytest.approx(3 * (2 / 3) / (3 - 1 / 3), abs=1e-6)


def test_a_level_that_rounds_to_1_is_no_outlier():
    one = fitted([-1e300, -1e300, 0, 0, 0, 0, 1, 1, 4])  # fence 2.5
    assert (one.whisker[0], one.maximum[0]) == (4, 4)


def test_scores_beyond_the_fitted_ones_are_clipped():
    assert at(fitted([*range(1, 10), 50]), [-5, 0, 50, 51, 1e9]).tolist() == [0, 0, 1, 1, 1]


def test_the_authors_preset_fits_on_positive_scores_only():
    assert fitted([-3, 0, 0, 1, 2, 3], AUTHORS).knots(0) == ((0, 0), (2, 0), (3, 1))
    assert phi_of([0, 0, 0, 7], AUTHORS).tolist() == [0, 0, 0, 1]
    assert phi_of([5, 5], AUTHORS).tolist() == [1, 1]


def test_without_a_positive_score_the_authors_preset_gives_no_relevance():
    assert phi_of([0, -1, 0], AUTHORS).tolist() == [0, 0, 0]


def test_queries_without_scores_have_no_relevance():
    none = Phi.fit(np.array([]), np.array([0, 0, 0]))
    assert none(np.array([0, 1]), np.array([1.0, -1.0])).tolist() == [0, 0]
    assert none.knots(1) == ((0, 0),)


@pytest.mark.parametrize("settings", [PAPER, HINGES, OBSERVED, AUTHORS])
def test_queries_do_not_see_each_other(settings):
    rng = np.random.default_rng(5)
    lists = [np.sort(np.round(rng.pareto(1, rng.integers(0, 30)) * 10))[::-1] for _ in range(60)] + [np.array([])]
    offsets = np.concatenate(([0], np.cumsum([len(scores) for scores in lists])))
    queries = np.repeat(np.arange(len(lists)), np.diff(offsets))
    together = Phi.fit(np.concatenate(lists), offsets, settings)(queries, np.concatenate(lists))
    alone = [phi_of(scores, settings) for scores in lists]
    assert together.tolist() == np.concatenate(alone).tolist()


def test_many_scores_are_evaluated_block_by_block_with_the_same_result():
    one = fitted([1, 2, 3, 4, 100, 1000])
    scores = np.linspace(0, 1100, 2 * curves.BLOCK + 17)
    whole = at(one, scores)
    assert whole.tolist() == np.concatenate([at(one, part) for part in np.array_split(scores, 97)]).tolist()


def test_a_pool_may_be_fitted_once_and_asked_in_any_order():
    pool, offsets = np.array([100.0, 90, 80, 15, 10, 100, 90, 20, 15, 10]), np.array([0, 5, 10])
    queries, values = np.array([1, 0, 1]), np.array([90.0, 90, 100])
    assert Phi.fit(pool, offsets)(queries, values) == pytest.approx([0.776259, 0.347222, 1], abs=5.1e-7)


@pytest.mark.parametrize("seed", range(15))
def test_phi_with_outliers_is_scipys_monotone_curve_through_its_control_points(seed):
    scipy = pytest.importorskip("scipy.interpolate")
    draw = np.random.default_rng(seed)
    x = np.concatenate(([0.0], np.cumsum(draw.uniform(0.2, 4, 3)))) - 3
    level = float(draw.uniform(0.05, 0.95))
    first, median, whisker, maximum = (np.array([number]) for number in x)
    found = Phi(first, median, whisker, np.array([level]), maximum)
    theirs = scipy.PchipInterpolator(x, [0, 0, level, 1])
    between = np.linspace(x[0], x[-1], 80)
    values = found(np.zeros(80, np.int64), between)
    assert values.tolist() == pytest.approx(theirs(between).tolist(), abs=1e-12)
    assert np.array(found.knots(0)).T.tolist() == [x.tolist(), [0, 0, level, 1]]


def test_a_whisker_that_rounds_to_a_level_of_0_is_no_knot():
    """2.5e-30 over 1e300 is less than the least number there is, and a cubic with this level would divide by 0."""
    scores = [1e300, 1e-30, 1e-30, 0, 0, 0, 0, 0]
    one = fitted(scores)
    assert (one.level[0], one.whisker[0]) == (1.0, 1e300)
    assert at(one, scores).tolist() == [1, 0, 0, 0, 0, 0, 0, 0]


def test_the_unit_of_the_scores_does_not_matter():
    scores = np.array([1.0, 2, 3, 4, 5, 6, 7, 30])
    assert fitted(scores).level[0] < 1  # 30 is an outlier
    assert phi_of(scores / 1024).tolist() == phi_of(scores).tolist() == phi_of(scores * 1024).tolist()


def test_just_below_the_maximum_rounding_does_not_carry_phi_above_1():
    draw = np.random.default_rng(4)
    level, whisker, zero = draw.random(2000), draw.random(2000), np.zeros(2000)
    one = Phi(zero, zero, whisker, level, np.ones(2000))
    found = one(np.arange(2000), np.full(2000, np.nextafter(1.0, 0.0)))
    assert found.max() == 1


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
    assert curves.quantiles(value, query, pool, (0.0, 0.0), (1.0, 1.0)).tolist() == [1, 0, 1, 0]
    assert curves.tiers(value, query, pool, 1.0).tolist() == [1, 1, 0.5, 0]
    assert curves.split_by_tiers(pool, 1.0).tolist() == [False, False, False, True]


def ndcg(gains, cutoff):
    """Gains in system order; the list is the whole pool."""
    gains = np.asarray(gains, dtype=float)
    weights = 1 / np.log2(np.arange(2, cutoff + 2))
    ideal = np.sort(gains)[::-1][:cutoff]
    return (gains[:cutoff] @ weights) / (ideal @ weights)


@pytest.mark.parametrize(("settings", "day_1", "day_2"), [(PAPER, 0.969593, 0.935632), (AUTHORS, 0.969360, 0.935004)])
def test_table_1_penalises_the_swap_of_unequal_items_more(settings, day_1, day_2):
    assert ndcg(2 ** phi_of(DAY_1, settings) - 1, 5) == pytest.approx(day_1, abs=5.1e-7)
    assert ndcg(2 ** phi_of(DAY_2, settings) - 1, 5) == pytest.approx(day_2, abs=5.1e-7)


def test_grades_by_rank_are_blind_to_the_gap():
    grades = np.array([4, 2, 3, 1, 0])  # the same on both days
    assert ndcg(2.0**grades - 1, 5) == pytest.approx(0.975467, abs=5.1e-7)
    assert ndcg(grades, 5) == pytest.approx(0.982122, abs=5.1e-7)


def test_raw_scores_as_linear_gains():
    assert ndcg(DAY_1, 5) == pytest.approx(0.993678, abs=5.1e-7)
    assert ndcg(DAY_2, 5) == pytest.approx(0.948253, abs=5.1e-7)


def test_the_lines_of_figure_2():
    grades = np.repeat([3, 2, 1, 0], [10, 15, 25, 50])  # the ad-hoc grades of ranks 1 to 100
    loses_the_tenth = np.r_[0:9, 10, 9, 11:100]
    reversed_ten = np.r_[9:-1:-1, 10:100]
    assert ndcg(2.0 ** grades[loses_the_tenth] - 1, 10) == pytest.approx(0.963645, abs=5.1e-7)
    assert ndcg(grades[loses_the_tenth], 10) == pytest.approx(0.978793, abs=5.1e-7)
    assert ndcg(2.0 ** grades[reversed_ten] - 1, 10) == 1


# Quartiles of 1,000 samples of 100 scores, default_rng(20170101) for each; a tenth of the box is three standard errors.
@pytest.mark.parametrize(
    ("ranges", "settings", "lost_tenth", "reversed_ten"),
    [
        ([(1, 1000, 100)], PAPER, [0.996740, 0.998269, 0.999218], [0.883801, 0.906183, 0.926108]),
        ([(1, 100, 90), (100, 1000, 10)], PAPER, [0.985411, 0.991513, 0.995981], [0.651019, 0.687946, 0.727306]),
        ([(1, 100, 90), (100, 1000, 10)], AUTHORS, [0.986391, 0.991916, 0.995806], [0.666166, 0.709167, 0.759352]),
    ],
    ids=["balanced", "imbalanced", "imbalanced-authors"],
)
def test_the_boxes_of_figure_2(ranges, settings, lost_tenth, reversed_ten):
    rng = np.random.default_rng(20170101)
    values = []
    for _ in range(1000):
        scores = np.sort(np.concatenate([rng.integers(low, high, n, endpoint=True) for low, high, n in ranges]))[::-1]
        gains = 2 ** phi_of(scores, settings) - 1
        values.append([ndcg(gains[np.r_[0:9, 10, 9, 11:100]], 10), ndcg(gains[np.r_[9:-1:-1, 10:100]], 10)])
    for found, expected in zip(
        np.quantile(values, [0.25, 0.5, 0.75], axis=0).T, (lost_tenth, reversed_ten), strict=True
    ):
        assert found == pytest.approx(expected, abs=0.1 * (expected[2] - expected[0]))


def err(relevance):
    satisfied = (2 ** np.asarray(relevance) - 1) / 2
    return np.sum(satisfied * np.cumprod(np.r_[1, 1 - satisfied[:-1]]) / np.arange(1, len(satisfied) + 1))


def rbp(relevance, patience=0.8):
    return (1 - patience) * np.sum(np.asarray(relevance) * patience ** np.arange(len(relevance)))


@pytest.mark.parametrize(
    ("measure", "day_1", "day_2"), [(err, 0.978769, 0.949591), (rbp, 0.956522, 0.923380)], ids=["nERR", "nRBP"]
)
def test_other_measures_with_phi_penalise_day_2_more(measure, day_1, day_2):
    for scores, expected in ((DAY_1, day_1), (DAY_2, day_2)):
        relevance = phi_of(scores)
        assert measure(relevance) / measure(np.sort(relevance)[::-1]) == pytest.approx(expected, abs=5.1e-7)
