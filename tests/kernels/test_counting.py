from __future__ import annotations

import numpy as np
import pytest

from kernels.examples import ranked
from rankgauge.measures import AP, RR, Judged, P, R, Success


def value(measure, *grades, unretrieved=()):
    return measure.compute(*ranked(*grades, unretrieved=unretrieved))[0]


def test_precision_divides_by_the_cutoff_even_when_fewer_were_returned():
    assert value(P @ 5, 1, 0, 1) == 2 / 5


def test_precision_without_a_cutoff_divides_by_the_number_returned():
    assert value(P, 1, 0, None) == 1 / 3


def test_recall_divides_by_all_judged_relevant():
    assert value(R @ 2, 1, 1, 1, unretrieved=(2,)) == 2 / 4


def test_average_precision_averages_the_precision_at_each_relevant_document():
    assert value(AP, 1, None, 1, unretrieved=(1,)) == (1 / 1 + 2 / 3) / 3


def test_average_precision_at_k_keeps_the_denominator():
    assert value(AP @ 2, 1, None, 1) == (1 / 1) / 2


def test_reciprocal_rank_is_one_over_the_first_relevant_rank():
    assert value(RR, None, 0, 2, 1) == 1 / 3
    assert value(RR @ 2, None, 0, 2, 1) == 0
    assert value(RR, 0, 0) == 0


def test_success_asks_for_one_relevant_document():
    assert value(Success @ 2, 0, 1) == 1
    assert value(Success @ 1, 0, 1) == 0


def test_a_threshold_says_from_which_value_a_document_is_relevant():
    assert value(P(rel=2) @ 4, 1, 2, 3, None) == 2 / 4
    assert value(R(rel=2), 1, 2, unretrieved=(3,)) == 1 / 2
    assert value(AP(rel=1.5), 1, 1.5) == 1 / 2


def test_judged_counts_judgments_of_any_value_among_the_returned():
    assert value(Judged @ 10, 0, None, -1, None) == 2 / 4
    assert value(Judged @ 2, 0, None, -1) == 1 / 2
    assert value(Judged, 0, None, -1) == 2 / 3


@pytest.mark.parametrize("measure", [AP, R @ 5])
def test_what_divides_by_the_relevant_is_undefined_without_any(measure):
    assert np.isnan(value(measure, 0, None))


def test_what_divides_by_the_returned_is_undefined_on_an_empty_list():
    assert np.isnan(value(Judged @ 5, unretrieved=(1,)))
    assert np.isnan(value(P, unretrieved=(1,)))
