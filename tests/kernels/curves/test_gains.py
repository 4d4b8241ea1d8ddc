"""Gains of relevance: what is named, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from rankgauge.errors import MeasureError
from rankgauge.kernels.curves.gains import binary, exp, levels, power, same, table


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
    assert same(grades).tolist() == [1, 1, 1]
    assert power(grades, 3).tolist() == [0, 1, 8]
    assert table(grades, (2.0, 7.0), (0.0, 1.0)).tolist() == [1, 1, 7]
    assert exp(np.array([1023.0])).tolist() == [2.0**1023]
    with pytest.raises(MeasureError, match="beyond double precision"):
        exp(np.array([1.0, 1024]))
