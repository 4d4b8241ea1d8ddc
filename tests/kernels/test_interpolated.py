from __future__ import annotations

import numpy as np
import pytest

from kernels.examples import ranked
from rankgauge.measures import IAP, IPrec


def value(measure, *grades, unretrieved=()):
    return measure.compute(*ranked(*grades, unretrieved=unretrieved))[0]


LIST = (0, 1, 1, 0, 0, 1)
"""Precision 1/2, 2/3, 3/6 at the relevant ranks; a fourth relevant document was not found."""


@pytest.mark.parametrize(
    ("recall", "best"), [(0, 2 / 3), (0.25, 2 / 3), (0.5, 2 / 3), (0.6, 3 / 6), (0.75, 3 / 6), (0.8, 0), (1, 0)]
)
def test_the_best_precision_at_or_beyond_a_recall_counts(recall, best):
    assert value(IPrec @ recall, *LIST, unretrieved=(1,)) == best


def test_rounding_decides_which_document_reaches_a_recall():
    assert value(IPrec(rounding="nearest") @ 0.6, *LIST, unretrieved=(1,)) == 2 / 3
    assert value(IPrec(rounding="up") @ 0.6, *LIST, unretrieved=(1,)) == 3 / 6


def test_eleven_points_are_averaged():
    points = [2 / 3] * 6 + [3 / 6] * 2 + [0] * 3
    assert value(IAP, *LIST, unretrieved=(1,)) == pytest.approx(sum(points) / 11)
    assert value(IAP(recall=[0.2, 0.8]), *LIST, unretrieved=(1,)) == pytest.approx((2 / 3 + 0) / 2)


def test_points_are_added_from_the_highest_recall_down_as_trec_eval_does():
    grades = [0] * 20
    for rank in (3, 8, 20):
        grades[rank - 1] = 1
    down, up = (3 / 20 + 2 / 8 + 1 / 3) / 3, (1 / 3 + 2 / 8 + 3 / 20) / 3
    assert down != up  # in the last bit
    assert value(IAP(recall=[0.3, 0.6, 1]), *grades) == down


@pytest.mark.parametrize("measure", [IPrec @ 0.5, IAP])
def test_without_a_relevant_document_there_is_no_recall(measure):
    assert np.isnan(value(measure, 0, None))


def test_one_relevant_document_is_enough():
    assert value(IAP, 0, 1) == 0.5
    assert value(IPrec @ 1, 0, 0, 1) == pytest.approx(1 / 3)
    assert np.isnan(value(IAP, 0, 0))
