from __future__ import annotations

import numpy as np
import pytest

from kernels.examples import ranked
from kernels.tied import mean_over_orders, open_hits, pool_for
from rankgauge.measures import Bpref, infAP


def value(measure, *grades, unretrieved=()):
    return measure.compute(*ranked(*grades, unretrieved=unretrieved))[0]


def test_bpref_counts_the_judged_non_relevant_above_each_relevant():
    # R = 3, N = 2: one of two wrong above the second, none above the first; the third was not found.
    assert value(Bpref, 1, None, 0, 1, unretrieved=(0, 1)) == pytest.approx((1 + (1 - 1 / 2)) / 3)


def test_bpref_takes_at_most_as_many_wrong_documents_as_are_relevant():
    assert value(Bpref, 0, 0, 0, 1) == 0
    assert value(Bpref, 1, 0, 0, 0) == 1


def test_negative_grades_are_not_judgments_for_bpref():
    assert value(Bpref, -1, 1, 0) == 1


def test_a_threshold_makes_lower_grades_wrong():
    assert value(Bpref(rel=2), 1, 2) == 0
    assert value(Bpref, 1, 2) == 1


def test_inferred_ap_is_ap_where_everything_is_judged():
    assert value(infAP, 1, 0, 1, unretrieved=(1,)) == pytest.approx((1 + 2 / 3) / 3, abs=1e-5)


def test_inferred_ap_estimates_from_the_judged_sample():
    epsilon = 1e-5
    # Above rank 4: one relevant, one wrong, one pooled and not judged.
    expected = (1 + (1 + 3 * (1 + epsilon) / (2 + 2 * epsilon)) / 4) / 2
    assert value(infAP, 1, -1, 0, 1) == pytest.approx(expected, rel=1e-14)
    # Above rank 2: one wrong document, so that the smoothing alone says how many are relevant.
    assert value(infAP, 0, 1) == pytest.approx((1 + epsilon / (1 + 2 * epsilon)) / 2, rel=1e-14)


def test_documents_outside_the_pool_count_as_wrong_for_inferred_ap():
    assert value(infAP, None, 1) == pytest.approx(1 / 2)


@pytest.mark.parametrize("measure", [Bpref, infAP])
def test_without_a_relevant_document_neither_is_defined(measure):
    assert np.isnan(value(measure, 0, None, -1))


@pytest.mark.parametrize(
    "tie_groups",
    [[[1, 0, 0, None]], [[0], [1, 0, 0, -1]], [[1, 1, 0, 0, None], [1]], [[2, -1], [0, 0, 1, None, -1]]],
)
@pytest.mark.parametrize("measure", [Bpref, infAP], ids=str)
def test_ties_are_the_mean_over_all_orders(measure, tie_groups):
    hits = open_hits(tie_groups)
    expected = mean_over_orders(tie_groups, lambda order: measure.compute(order, pool_for(order, 1, 0))[0])
    assert measure.compute(hits, pool_for(hits, 1, 0))[0] == pytest.approx(expected, abs=1e-12)
