import math

import numpy as np
import pytest
from scipy import special, stats

from rankgauge.analysis.compare.statistics.studentized import (
    studentized_range_survival,
    t_test_power,
)


@pytest.mark.parametrize(("groups", "freedom"), [(2, 1), (2, 2), (3, 4), (3, 38), (5, 40), (20, 190), (79, 3042)])
def test_the_studentized_range_equals_scipys(groups, freedom):
    ranges = [0.0, 0.5, 2.0, 3.5, 6.0, 9.0]
    peer = [stats.studentized_range.sf(q, groups, freedom) for q in ranges]
    np.testing.assert_allclose(studentized_range_survival(ranges, groups, freedom), peer, atol=1e-11)


def test_the_range_of_two_is_students_t():
    # Q = √2·|t| for two groups.
    t = np.array([0.3, 1.0, 2.1, 4.0])
    expected = 2 * special.stdtr(17, -t)
    np.testing.assert_allclose(studentized_range_survival(math.sqrt(2) * t, 2, 17), expected, atol=1e-13)


@pytest.mark.parametrize("freedom", [1, 2, 5, 49, 1_000, 100_000])
@pytest.mark.parametrize("alpha", [0.05, 0.001])
def test_the_power_of_a_t_test_equals_the_noncentral_t(freedom, alpha):
    limit = stats.t.isf(alpha / 2, freedom)
    for shift in (0.5, 2.8, 4.0):
        with np.errstate(divide="ignore"):  # scipy 1.13 warns, and its value is right
            expected = stats.nct.sf(limit, freedom, shift) + stats.nct.cdf(-limit, freedom, shift)
        assert t_test_power(shift, freedom, alpha) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("groups", "freedom", "q"), [(3, 10, 3.876777), (5, 20, 4.231857), (10, 60, 4.646324), (2, 5, 3.635351)]
)
def test_printed_percentage_points(groups, freedom, q):
    # The upper 5 % points of the studentized range, as in R: qtukey(0.95, groups, freedom).
    assert studentized_range_survival(q, groups, freedom)[0] == pytest.approx(0.05, abs=1e-6)


@pytest.mark.parametrize("freedom", [1_000, 3_297, 1e6])
def test_ranges_beyond_every_likely_scale_are_never_exceeded(freedom):
    """Seen red: nan, so that the clearest differences of many queries were undecided."""
    assert list(studentized_range_survival([30.0, 60.0, 1e3, 1e8], 4, freedom)) == pytest.approx([0.0] * 4, abs=1e-80)
    assert t_test_power(0.0, freedom, 1e-300) == pytest.approx(0.0, abs=1e-80)
