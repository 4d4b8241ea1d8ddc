import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from rankgauge.analysis.compare.statistics.corrections import Bounds, adjust, agreeing, next_level, t_quantile, widened
from rankgauge.errors import UsageError

p_values = st.lists(st.floats(0.0, 1.0), min_size=1, max_size=30)


def test_holms_steps_written_out():
    assert adjust([0.01, 0.04, 0.03], "holm").tolist() == pytest.approx([3 * 0.01, 2 * 0.03, 2 * 0.03])


def test_benjamini_hochbergs_steps_written_out():
    assert adjust([0.01, 0.04, 0.03], "bh").tolist() == pytest.approx([3 * 0.01, 0.04, 0.04])


@settings(deadline=None)
@given(p_values)
def test_benjamini_hochberg_equals_scipys(values):
    np.testing.assert_allclose(adjust(values, "bh"), stats.false_discovery_control(values), atol=1e-15)


@settings(deadline=None)
@given(p_values, st.sampled_from(["holm", "bh", "none"]))
def test_adjusting_keeps_the_order_and_never_lowers(values, correction):
    adjusted = adjust(values, correction)
    assert (adjusted >= np.array(values) - 1e-15).all()
    assert (adjusted <= 1.0).all()
    assert (np.diff(adjusted[np.argsort(values, kind="stable")]) >= 0).all()


@settings(deadline=None)
@given(p_values)
def test_holm_lies_between_benjamini_hochberg_and_bonferroni(values):
    holm = adjust(values, "holm")
    assert (adjust(values, "bh") <= holm + 1e-15).all()
    assert (holm <= np.minimum(np.array(values) * len(values), 1.0) + 1e-15).all()


def test_a_comparison_that_could_not_be_made_is_not_counted():
    adjusted = adjust([0.01, np.nan, 0.03], "holm")
    assert adjusted[[0, 2]].tolist() == pytest.approx([0.02, 0.03])
    assert np.isnan(adjusted[1])


def test_none_changes_nothing():
    assert adjust([0.2, 0.01], "none").tolist() == [0.2, 0.01]


def test_an_unknown_correction_names_the_nearest():
    with pytest.raises(UsageError, match=r"unknown correction 'hollm'; did you mean 'holm'\?"):
        adjust([0.1], "hollm")


@settings(deadline=None)
@given(st.integers(2, 40), st.data(), st.sampled_from(["holm", "bh", "none"]))
def test_a_p_value_at_the_next_level_becomes_a_finding(family, data, correction):
    found = data.draw(st.integers(0, family - 1))
    level = next_level(family, found, 0.05, correction)
    others = [1e-9] * found + [1.0] * (family - found - 1)
    assert adjust([level * 0.999, *others], correction)[0] < 0.05
    assert adjust([level * 1.001, *others], correction)[0] > 0.05


def test_the_next_level_of_a_settled_family_is_that_of_its_last_member():
    assert next_level(4, 4, 0.05, "holm") == 0.05


def test_the_next_level_counts_what_is_found():
    assert [next_level(4, found, 0.05, "holm") for found in range(4)] == [0.05 / 4, 0.05 / 3, 0.05 / 2, 0.05]
    assert [next_level(4, found, 0.05, "max-t") for found in (0, 3)] == [0.05 / 4, 0.05]
    assert [next_level(4, found, 0.04, "bh") for found in (0, 1, 3, 9)] == pytest.approx([0.01, 0.02, 0.04, 0.04])
    assert next_level(4, 2, 0.05, "none") == 0.05


def test_the_quantile_is_students_on_either_side():
    queries = np.array([2, 5, 30])
    assert t_quantile(queries, 0.05) == pytest.approx(stats.t.ppf(0.975, queries - 1))
    assert t_quantile(queries, np.array([0.1, 0.2, 0.01])) == pytest.approx(
        stats.t.ppf([0.95, 0.9, 0.995], queries - 1)
    )
    # One query is treated as two; no tail is beyond all or nothing.
    assert t_quantile(np.array([1, 0]), 0.05) == pytest.approx([stats.t.ppf(0.975, 1)] * 2)
    assert t_quantile(np.array([9, 9]), np.array([1.0, 3.0])).tolist() == [0, 0]
    assert t_quantile(np.array([31]), 1e-100) == pytest.approx(-stats.t.ppf(5e-101, 30), rel=1e-6)


def test_both_arms_grow_by_the_same_factor():
    wide = widened(np.array([0.5]), np.array([0.4]), np.array([0.8]), np.array([2.0]))
    assert (wide.low[0], wide.high[0]) == pytest.approx((0.3, 1.1))


def agreed(value, low, high, found, ratio):
    shown = Bounds(np.array([low]), np.array([high]))
    result = agreeing(np.array([value]), shown, np.array([found]), np.array([ratio]))
    assert (shown.low[0], shown.high[0]) == pytest.approx((low, high), nan_ok=True)  # what was given stays as it was
    return result.low[0], result.high[0]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ((0.3, 0.1, 0.7, True, 0.9), (0.1, 0.7)),
        ((0.3, -0.1, 0.7, False, 1.1), (-0.1, 0.7)),
        ((-0.3, -0.7, -0.1, True, 0.9), (-0.7, -0.1)),
        # An interval that ends at 0 holds it.
        ((0.3, 0.0, 0.7, False, 1.1), (0.0, 0.7)),
        ((-0.3, -0.7, 0.0, False, 1.1), (-0.7, 0.0)),
        # A finding whose interval holds 0: the arm towards 0 takes the ratio's share of the way, the other grows along.
        ((0.3, -0.1, 0.9, True, 0.9), (0.3 - 0.27, 0.3 + 0.6 * 0.27 / 0.4)),
        ((-0.3, -0.9, 0.1, True, 0.9), (-0.3 - 0.6 * 0.27 / 0.4, -0.3 + 0.27)),
        ((0.3, -0.1, 0.7, True, 1.5), (0.3e-6, 0.3 + 0.3 * (1 - 1e-6))),
        # No finding, but an interval without 0.
        ((0.3, 0.1, 0.7, False, 1.5), (-0.15, 0.3 + 0.4 * 0.45 / 0.2)),
        ((0.3, 0.1, 0.7, False, 0.5), (-0.3e-6, 0.3 + 0.4 * 0.3 * (1 + 1e-6) / 0.2)),
        # Far from a finding, or without width: 0 becomes the bound.
        ((0.3, 0.1, 0.7, False, 2.0), (0.0, 0.7)),
        ((-0.3, -0.7, -0.1, False, 5.0), (-0.7, 0.0)),
        ((0.3, 0.1, 0.7, False, np.inf), (0.0, 0.7)),
        ((0.3, 0.1, 0.7, False, np.nan), (0.0, 0.7)),
        ((0.3, 0.3, 0.3, False, 1.5), (0.0, 0.3)),
        ((0.3, 0.0, 0.7, False, 1.5), (0.0, 0.7)),
    ],
)
def test_an_interval_agrees_with_its_test(given, expected):
    assert agreed(*given) == pytest.approx(expected, rel=1e-9, abs=1e-15)


def test_an_interval_that_is_unknown_stays_so():
    assert np.isnan(agreed(0.3, np.nan, np.nan, True, 0.9)).all()


def test_a_pair_without_interval_does_not_keep_others_from_agreeing():
    low, high = np.array([np.nan, -0.1]), np.array([np.nan, 0.7])
    found = agreeing(np.array([0.3, 0.3]), Bounds(low, high), np.array([True, True]), np.array([0.9, 0.9]))
    assert found.low[1] == pytest.approx(0.03)


def test_an_interval_with_an_unknown_end_is_left_as_it_is():
    shown = Bounds(np.array([np.nan]), np.array([-1.0]))
    found = agreeing(np.array([-2.0]), shown, np.array([False]), np.array([1.2]))
    np.testing.assert_array_equal([found.low[0], found.high[0]], [np.nan, -1.0])
