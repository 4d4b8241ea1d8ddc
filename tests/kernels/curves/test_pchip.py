import numpy as np
import pytest

from rankgauge.kernels.curves import pchip


def curve(knots, values):
    x, v = np.array(knots, dtype=float).T
    return pchip.evaluate(x, v, pchip.slopes(x, v), np.array(values, dtype=float))


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
    assert pchip.slopes(np.array([0.0, 10, 40]), np.array([0, 0.5, 1]))[1] == pytest.approx(expected, rel=1e-15)


def test_slopes_at_the_ends_follow_the_three_point_formula():
    # Moler's formula ((2 h1 + h2) s1 - h1 s2)/(h1 + h2); at the right end it is negative, so 0.
    first, _, last = pchip.slopes(np.array([0.0, 10, 40]), np.array([0, 0.5, 1]))
    assert first == pytest.approx(((2 * 10 + 30) * 0.05 - 10 / 60) / 40, rel=1e-15)
    assert last == 0


def test_next_to_a_level_piece_the_slope_is_0():
    assert pchip.slopes(np.array([0.0, 1, 2, 3]), np.array([0, 0, 1, 1])).tolist() == [0, 0, 0, 0]


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
    assert pchip.fault(knots) == said


@pytest.mark.parametrize("seed", range(20))
def test_slopes_and_curve_are_those_of_scipy(seed):
    interpolate = pytest.importorskip("scipy.interpolate")
    draw = np.random.default_rng(seed)
    points = int(draw.integers(2, 7))
    x = np.cumsum(draw.uniform(0.1, 5, points)) - 4
    v = np.sort(draw.random(points)).round(1 if seed % 3 == 0 else 6)
    theirs = interpolate.PchipInterpolator(x, v)
    slopes = pchip.slopes(x, v)
    assert slopes.tolist() == pytest.approx(theirs.derivative()(x).tolist(), abs=1e-12)
    between = np.linspace(x[0], x[-1], 50)
    assert pchip.evaluate(x, v, slopes, between).tolist() == pytest.approx(theirs(between).tolist(), abs=1e-12)


def test_the_largest_scores_are_control_points():
    assert pchip.fault([(-1e300, 0), (1e300, 1)]) is None
    assert pchip.fault([(-1, 0), (np.nextafter(-1, 0), 1)]) is None


def test_how_close_together_scores_may_be():
    assert 0.1 / 1e-301 == 1e300
    assert pchip.fault([(0, 0), (1e-301, 0.1), (1, 1)]) is None
    assert pchip.fault([(0, 0), (1e-301, 0.11), (1, 1)]) == "scores 0 and 1e-301 are too close together"
    level = [(0, 0.6), (1e-301, 0.6), (1, 1)]  # nothing rises between the first two
    assert pchip.fault(level) is None
    assert curve(level, [0, 1e-301, 1]).tolist() == [0.6, 0.6, 1]
