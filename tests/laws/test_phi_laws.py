"""What phi promises for any scores, and that it is SciPy's interpolator wherever the knots are distinct."""

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from scipy.interpolate import PchipInterpolator

from rankgauge.kernels.curves import AUTHORS, PAPER, BoxPlot, Phi, interpolate

SETTINGS = st.sampled_from(
    [BoxPlot(quartiles, whisker) for quartiles in ("linear", "hinges") for whisker in ("fence", "observed")]
)
ANY = SETTINGS | st.just(AUTHORS)
COUNTS = st.lists(st.integers(0, 40) | st.integers(0, 10**6), min_size=1, max_size=40)
FINITE = st.lists(st.floats(-1e300, 1e300), min_size=1, max_size=30)
ORDINARY = st.lists(st.floats(-1e6, 1e6, width=32, allow_subnormal=False), min_size=2, max_size=40) | COUNTS


def fitted(scores, settings):
    return Phi.fit(np.sort(np.array(scores, dtype=float))[::-1], np.array([0, len(scores)]), settings)


def at(curves, scores):
    values = np.array(scores, dtype=float)
    return curves(np.zeros(len(values), dtype=int), values)


@given(FINITE, SETTINGS)
@example([-1e300, -1e300, 0, 0, 0, 0, 1, 1, 4], PAPER)
@example([-1.0, 0, 0, 0, 5e-324, 1], PAPER)
@example([0.0, 5e-324, 1e300], PAPER)
@example([0.0, 0, 0, 5e-324, 1e300], PAPER)
def test_phi_of_any_finite_scores_is_0_up_to_the_median_and_1_at_the_maximum(scores, settings):
    values = at(fitted(scores, settings), scores)
    assert ((values >= 0) & (values <= 1)).all()
    if min(scores) < max(scores):
        assert values[np.argmax(scores)] == 1
        median = 0.5 * (sorted(scores)[(len(scores) - 1) // 2] + sorted(scores)[len(scores) // 2])
        assert (values[(np.array(scores) <= median) & (np.array(scores) < max(scores))] == 0).all()
    else:
        assert (values == 0).all()


@given(ORDINARY, ANY, st.lists(st.floats(-0.1, 1.1), max_size=30))
def test_phi_never_falls(scores, settings, places):
    low, high = min(scores), max(scores)
    asked = sorted([*scores, *(low + place * (high - low) for place in places)])
    assert (np.diff(at(fitted(scores, settings), asked)) >= -1e-15).all()


# Whole numbers keep quartiles, fences and comparisons exact, so that rounding cannot move a score over the fence.
@given(COUNTS, SETTINGS, st.integers(1, 1000), st.integers(-(10**6), 10**6))
def test_phi_does_not_change_with_unit_and_origin(scores, settings, scale, shift):
    moved = [scale * score + shift for score in scores]
    assert at(fitted(moved, settings), moved) == pytest.approx(at(fitted(scores, settings), scores), abs=1e-12)


@given(COUNTS, ANY, st.randoms())
def test_phi_does_not_depend_on_the_order_of_the_scores(scores, settings, random):
    shuffled = random.sample(scores, len(scores))
    assert at(fitted(shuffled, settings), scores).tolist() == at(fitted(scores, settings), scores).tolist()


@given(ORDINARY, ANY, st.lists(st.floats(0, 1), max_size=20))
@example([1, 2, 3, 4, 5, 6, 7, 8, 9, 50], PAPER, [0.3])
@example([0, 0, 9, 9, 10, 10, 10, 100, 8, 7], PAPER, [0.05, 0.2, 0.9])
def test_phi_is_scipys_interpolator_where_the_knots_are_distinct(scores, settings, places):
    curves = fitted(scores, settings)
    knots = curves.knots(0)
    x, v = zip(*knots, strict=True)
    assume(len(knots) > 1 and (np.diff(x) > 0).all())
    asked = np.clip([x[0] + place * (x[-1] - x[0]) for place in places] + list(x), x[0], x[-1])
    assert at(curves, asked) == pytest.approx(PchipInterpolator(x, v)(asked), abs=1e-12)
    for just_before in (x, np.nextafter(x, -np.inf), np.array(x) - 1e-9 * (x[-1] - x[0])):
        assert (at(curves, just_before) <= v).all()  # no rounding above a knot


@given(st.floats(0.01, 1e4), st.floats(0, 1))
def test_phi_tends_to_a_parabola_as_the_minimum_meets_the_median(length, place):
    near, met = ([np.array([x]) for x in (first, 0.0, length, 1.0, length)] for first in (-1e-9 * length, 0.0))
    score = [place * length]
    assert at(Phi(*met), score)[0] == pytest.approx(place**2, abs=1e-12)
    assert at(Phi(*near), score)[0] == pytest.approx(place**2, abs=1e-8)


CONTROL = st.lists(st.integers(-(10**6), 10**6), min_size=2, max_size=12, unique=True).flatmap(
    lambda x: st.tuples(st.just(sorted(x)), st.lists(st.floats(0, 1), min_size=len(x), max_size=len(x)).map(sorted))
)


@given(CONTROL, st.lists(st.floats(0, 1), max_size=20))
def test_control_points_are_joined_as_scipy_joins_them(control, places):
    x, v = (np.array(numbers, dtype=float) for numbers in control)
    asked = np.clip([x[0] + place * (x[-1] - x[0]) for place in places] + list(x), x[0], x[-1])
    found = interpolate(x, v, asked)
    with np.errstate(over="ignore"):  # SciPy warns next to an all but level piece
        expected = PchipInterpolator(x, v)(asked)
    assert found == pytest.approx(expected, abs=1e-12)
    assert found[len(places) :].tolist() == v.tolist()
    for just_before in (np.nextafter(x, -np.inf), x - 1e-9 * (x[-1] - x[0])):
        assert (interpolate(x, v, just_before) <= v).all()  # no rounding above a knot
    assert (np.diff(found[np.argsort(asked)]) >= -1e-15).all()
