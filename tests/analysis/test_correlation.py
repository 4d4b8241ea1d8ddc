import math

import numpy as np
import pytest

from rankgauge.analysis.correlation import exact_match_ap, kendall_tau_b, ndcg_of_values, spearman
from rankgauge.errors import DataError, UsageError

# Katerenchuk & Rosenberg 2016, Table 1: the reference list and its six hypothesis lists.
L = (9, 4, 4, 2, 2, 2, 1, 1, 1, 1)
TABLE_1 = (
    L,
    (9, 4, 4, 2, 2, 1, 2, 1, 1, 1),
    (4, 4, 2, 9, 2, 2, 1, 1, 1, 1),
    (1, 4, 4, 2, 2, 2, 9, 1, 1, 1),
    (1, 4, 4, 2, 2, 2, 1, 1, 1, 9),
    (1, 1, 1, 1, 2, 2, 2, 4, 4, 9),
)


def test_tau_b_of_table_1():
    taus = [kendall_tau_b(L, row) for row in TABLE_1]
    assert taus == pytest.approx([1, 0.8, 0.742857, 0.285714, 0.285714, -0.8], abs=5e-7)


def test_average_exact_match_of_table_1():
    values = [exact_match_ap(L, row) for row in TABLE_1]
    assert values == pytest.approx([1, 0.887540, 0.454643, 0.659206, 0.697103, 0.149127], abs=5e-7)


def test_ndcg_with_true_values_as_gains_of_table_1():
    values = [ndcg_of_values(L, row, ties="worst") for row in TABLE_1]
    assert values == pytest.approx([1, 0.991723, 0.778634, 0.667595, 0.667595, 0.571707], abs=5e-7)


def test_exact_match_is_the_mean_share_of_hits_in_every_prefix():
    assert exact_match_ap([4, 3, 2, 2, 1], [3, 4, 2, 2, 1]) == pytest.approx((0 + 0 + 1 / 3 + 2 / 4 + 3 / 5) / 5)


def test_the_authors_other_measures(rankdcg_cases):
    for case in rankdcg_cases:
        truth, predicted = case["reference"], case["hypothesis"]
        if case["case"] == "empty":
            assert math.isnan(exact_match_ap(truth, predicted))
            assert math.isnan(ndcg_of_values(truth, predicted))
            continue
        assert exact_match_ap(truth, predicted) == pytest.approx(case["average_precision"], abs=1e-12)
        if case["case"] == "negative reference":
            with pytest.raises(DataError, match="2 of 4 values are negative"):
                ndcg_of_values(truth, predicted, ties="worst")
        else:
            ours = ndcg_of_values(truth, predicted, ties="worst")
            assert ours == pytest.approx(case["ndcg_with_mapping"], abs=1e-12), case["case"]


def test_ndcg_can_be_cut():
    # Predicted order 3, 9, 1.
    expected = (3 + 9 / math.log2(3)) / (9 + 3 / math.log2(3))
    assert ndcg_of_values([9, 3, 1], [2, 3, 1], cutoff=2) == pytest.approx(expected)
    assert ndcg_of_values([9, 3, 1], [2, 3, 1], cutoff=50) == ndcg_of_values([9, 3, 1], [2, 3, 1])


def test_overprediction_never_lifts_ndcg_above_1():
    assert ndcg_of_values([3, 2, 1], [300, 200, 100]) == 1


@pytest.mark.parametrize("cutoff", [0, -1])
def test_a_cutoff_before_the_first_rank_is_refused(cutoff):
    with pytest.raises(UsageError, match="first rank is 1"):
        ndcg_of_values([1, 2], [1, 2], cutoff=cutoff)


@pytest.mark.parametrize("measure", [kendall_tau_b, spearman])
@pytest.mark.parametrize(("truth", "predicted"), [([1, 2, 3], [5, 5, 5]), ([1, 1], [1, 2]), ([1], [2]), ([], [])])
def test_a_constant_column_has_no_correlation(measure, truth, predicted):
    assert math.isnan(measure(truth, predicted))


def test_spearman_is_the_correlation_of_mean_ranks():
    # Ranks 1.5, 1.5, 3, 4 and 1, 2.5, 2.5, 4.
    expected = np.corrcoef([1.5, 1.5, 3, 4], [1, 2.5, 2.5, 4])[0, 1]
    assert spearman([0, 0, 7, 9], [-5, 1, 1, 8]) == pytest.approx(expected)
    assert spearman([1, 2, 3], [10, 20, 90]) == 1
    assert spearman([1, 2, 3], [3, 2, 1]) == -1


def test_spearman_agrees_with_scipy():
    stats = pytest.importorskip("scipy.stats")
    draw = np.random.default_rng(4)
    for levels in (2, 5, 1000):
        truth, predicted = draw.integers(0, levels, (2, 60))
        assert spearman(truth, predicted) == pytest.approx(stats.spearmanr(truth, predicted).statistic)


def test_values_all_0_have_no_ndcg():
    assert math.isnan(ndcg_of_values([0, 0], [1, 2]))


def test_a_constant_prediction_has_the_mean_ndcg_of_all_orders():
    weights = 1 / np.log2(np.arange(2, 5))
    assert ndcg_of_values([3, 1, 0], [5, 5, 5]) == pytest.approx(4 / 3 * weights.sum() / (3 + weights[1]))
