"""Tables of grade codes refuse what would give a wrong number."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from grade_tables import tiny
from rankgauge.analysis.optimize.ranked_grades import RankedGrades, require_enough
from rankgauge.errors import AnalysisError, UsageError


def table(codes, grades=(1.0,), pool=None):
    codes = np.asarray(codes)
    return RankedGrades(codes, grades, np.full((codes.shape[1], len(grades)), 9) if pool is None else np.asarray(pool))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"codes": [[[0.5]]]}, "whole numbers"),
        ({"codes": [[1]]}, "whole numbers"),
        ({"codes": np.zeros((2, 2, 0), int)}, "no ranks"),
        ({"codes": [[[2]]]}, "lie in 0 to 1"),
        ({"codes": [[[-1]]]}, "lie in 0 to 1"),
        ({"codes": [[[1]]], "pool": [[1, 1]]}, "shape"),
        ({"codes": [[[0]]], "pool": [[-1]]}, "negative"),
        ({"codes": [[[1, 1]]], "pool": [[1]]}, "system 0 has 2 documents of code 1 in query 0, but only 1 were judged"),
        ({"codes": [[[1]]], "grades": (0.0,)}, "not positive"),
        ({"codes": [[[1]]], "grades": (2.0, 1.0)}, "1 follows 2"),
    ],
)
def test_a_table_that_cannot_be_right_is_refused(arguments, message):
    with pytest.raises(UsageError, match=message):
        table(**arguments)


def test_a_table_without_grades_has_nothing_to_discount():
    with pytest.raises(AnalysisError, match="no document is judged relevant"):
        table([[[0]]], grades=())


def test_cutting_beyond_the_table_adds_empty_ranks():
    longer = tiny().cut(5)
    assert longer.ranks == 5
    assert longer.deepest_hit() == 3
    assert_allclose(longer.codes[:, :, :3], tiny().codes)
    assert tiny().cut(2).ranks == 2
    with pytest.raises(UsageError, match="at least 1"):
        tiny().cut(0)


def test_queries_without_relevant_documents_are_left_out():
    some = table([[[1], [0]], [[0], [0]]], pool=[[1], [0]])
    assert some.with_relevant().queries == 1


def test_share_of_relevant_documents_by_rank():
    assert_allclose(tiny().relevant_by_rank() * 12, [[8, 4, 6], [1, 4, 2]])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (table([[[1], [1]], [[0], [1]]]), "2 systems are too few"),
        (table([[[1]], [[0]], [[1]]]), "1 of the queries"),
        (table(np.zeros((3, 2, 4), int)), "no system has a relevant document in its first 4 ranks"),
    ],
)
def test_what_cannot_be_analysed_says_why(given, message):
    with pytest.raises(AnalysisError, match=message):
        require_enough(given)
