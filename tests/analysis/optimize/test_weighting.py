"""Gains and discounts, and the words for them."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from grade_tables import random_table
from rankgauge.analysis.optimize.search.weighting import (
    Weighting,
    as_levels,
    as_steps,
    as_weights,
    check_weighting,
    measure_text,
    named_discount,
    named_gain,
    named_weighting,
)
from rankgauge.errors import UsageError
from rankgauge.measures import parse


def test_named_curves_are_the_formulas():
    assert_allclose(named_discount("log2", 3), [1, 1 / np.log2(3), 1 / 2])
    assert_allclose(named_discount("zipf", 3), [1, 1 / 2, 1 / 3])
    assert_allclose(named_discount("linear", 4), [1, 3 / 4, 2 / 4, 1 / 4])
    assert_allclose(named_discount("none", 2), [1, 1])
    assert_allclose(named_gain("exp", (1.0, 3.0)), [1, 7])
    assert_allclose(named_gain("linear", (1.0, 3.0)), [1, 3])
    assert_allclose(named_gain("equal", (1.0, 3.0)), [1, 1])
    with pytest.raises(UsageError, match="no discount 'exp'"):
        named_discount("exp", 3)
    with pytest.raises(UsageError, match="no gain 'zipf'"):
        named_gain("zipf", (1.0,))


def test_steps_and_weights_print_what_they_return():
    discount, text = as_steps(np.array([0.5, 0.5, 0.2, 0.0, 0.0]))
    assert text == "steps(1:1, 3:0.4, 4:0)"
    assert discount.tolist() == [1, 1, 0.4, 0, 0]
    discount, text = as_weights(np.array([3.0, 1.0]))
    assert text == "weights(1, 0.3333333333)"
    assert discount.tolist() == [1, 0.3333333333]


def test_levels_count_from_the_lowest_grade_and_fill_grades_nobody_gave():
    gain, text = as_levels(np.array([2.0, 3.0]), (1.0, 4.0))
    assert gain.tolist() == [1, 1.5]
    assert text == "levels(1, 1, 1, 1.5)"
    gain, text = as_levels(np.array([0.0, 3.0]), (2.0, 3.0))
    assert gain.tolist() == [0, 1]
    assert text == "levels(0, 0, 1)"


def test_a_measure_leaves_its_defaults_out_and_reads_back():
    table = random_table(1)
    for weighting, text in (
        (named_weighting(table), "nDCG@8"),
        (named_weighting(table, "zipf"), "nDCG(discount=zipf)@8"),
        (named_weighting(table, "none", "exp"), "nDCG(gain=exp, discount=none)@8"),
    ):
        assert measure_text(weighting) == text == str(parse(text))


@pytest.mark.parametrize("bad", [np.zeros(8), np.full(8, np.nan), np.array([1.0] * 7 + [-1])])
def test_a_discount_that_weights_nothing_is_refused(bad):
    table = random_table(1)
    with pytest.raises(UsageError, match="discount must be finite"):
        check_weighting(Weighting(bad, np.ones(2), "", ""), table)
