import numpy as np
import pytest

from rankgauge.analysis.compare.result import query_differences
from rankgauge.analysis.compare.statistics.tests import paired_differences
from rankgauge.evaluation.intervals import moments


def test_a_difference_made_by_rounding_is_a_tie():
    assert paired_differences([0.1 + 0.2, 1.0], [0.3, 0.5]).tolist() == [0.0, 0.5]


def test_a_missing_score_has_no_difference():
    assert np.isnan(paired_differences([np.nan, 0.2], [0.1, np.nan])).all()


def test_moments_leave_missing_cells_out():
    sample = moments(np.array([[0.1, np.nan, 0.3, 0.8], [0.5, 0.5, 0.5, 0.5]]))
    assert sample.queries.tolist() == [3, 4]
    assert sample.mean.tolist() == pytest.approx([0.4, 0.5])
    assert sample.deviation.tolist() == pytest.approx([np.std([0.1, 0.3, 0.8], ddof=1), 0.0])
    assert sample.error[0] == pytest.approx(np.std([0.1, 0.3, 0.8], ddof=1) / np.sqrt(3))


def test_one_cell_has_a_mean_but_no_deviation_and_none_has_neither():
    sample = moments(np.array([[np.nan, 0.3], [np.nan, np.nan]]))
    assert sample.mean[0] == 0.3
    assert np.isnan([sample.deviation[0], sample.mean[1], sample.deviation[1]]).all()


def test_queries_are_listed_from_the_worst_loss_to_the_best_win():
    table = query_differences([0.5, 0.1, 0.9, np.nan, 0.4], [0.5, 0.4, 0.2, 0.1, 0.4], ["q1", "q2", "q3", "q4", "q5"])
    assert [row.query for row in table] == ["q2", "q1", "q5", "q3"]
    assert [row.difference for row in table] == pytest.approx([-0.3, 0.0, 0.0, 0.7])
    assert table[0].to_dict() == {"query": "q2", "system": 0.1, "baseline": 0.4, "difference": pytest.approx(-0.3)}
