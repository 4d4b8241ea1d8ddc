import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from rankgauge.analysis.compare.statistics.corrections import adjust, next_level, t_quantile
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
