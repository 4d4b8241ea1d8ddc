"""Every column of Table 1 of Katerenchuk & Rosenberg 2016, and the variants that explain it, to six digits."""

import importlib.util
import json
import math
import sys
from pathlib import Path

import numpy as np
import pytest

from rankgauge.errors import DataError, UsageError


@pytest.fixture
def rankdcg_cases(collections):
    """Seventeen lists through the program of the rankDCG authors."""
    return json.loads((collections / "rankdcg" / "reference_outputs.json").read_text())


@pytest.fixture(scope="module")
def lists():
    path = Path(__file__).parents[2] / "papers" / "rankdcg" / "lists.py"
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location("rankdcg_lists", path)
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look their module up while it is being loaded.
    sys.modules[spec.name] = module
    yield spec.loader.exec_module(module) or module
    del sys.modules[spec.name]
    sys.path.remove(str(path.parent))


@pytest.mark.parametrize(
    ("column", "values"),
    [
        ("Kendall τ", (1.0, 0.8, 0.742857, 0.285714, 0.285714, -0.8)),
        ("AveP", (1.0, 0.887540, 0.454643, 0.659206, 0.697103, 0.149127)),
        ("nDCG", (1.0, 0.998663, 0.825526, 0.688293, 0.667595, 0.571707)),
        ("rankDCG", (1.0, 0.975, 0.65, 0.325, 0.325, 0.0)),
    ],
)
def test_columns_of_table_1(lists, column, values):
    (measure,) = (held.measure[1] for held in lists.TABLE_1 if held.name == column)
    assert [measure(lists.REFERENCE, row) for row in lists.HYPOTHESES] == pytest.approx(values, abs=5e-7)


@pytest.mark.parametrize(
    ("variant", "values"),
    [
        ("tau_a", (0.777778, 0.622222, 0.577778, 0.222222, 0.222222, -0.622222)),
        ("rankdcg_of_order", (1.0, 0.975, 0.75, 0.325, 0.325, 0.0)),
        ("rankdcg_as_printed", (0.0, 0.025, 0.35, 0.675, 0.675, 1.0)),
    ],
)
def test_variants_that_explain_the_printed_numbers(lists, variant, values):
    measure = getattr(lists, variant)
    assert [measure(lists.REFERENCE, row) for row in lists.HYPOTHESES] == pytest.approx(values, abs=5e-7)


def test_average_precision_by_the_printed_formula_is_another_column(lists):
    values = [lists.precision_at_hits(lists.REFERENCE, row) for row in lists.HYPOTHESES[1:]]
    assert values == pytest.approx([0.9160, 0.5662, 0.7347, 0.7714, 0.2667], abs=5e-5)
    over_all = [lists.precision_at_hits(lists.REFERENCE, row, 10) for row in lists.HYPOTHESES[1:3]]
    assert over_all == pytest.approx([0.7328, 0.3963], abs=5e-5)


def test_tau_c_of_the_perfect_list_is_below_1(lists):
    assert lists.tau_c(lists.REFERENCE, lists.REFERENCE) == pytest.approx(0.933333, abs=5e-7)


@pytest.mark.parametrize(("figure", "share"), [(1, 0.5260), (2, 0.9592), (3, 0.4871), (4, 0.4000)])
def test_the_share_of_the_top_item_in_each_figure(lists, figure, share):
    assert lists.share_of_the_top(figure) == pytest.approx(share, abs=5e-5)


def test_the_costs_of_figure_4(lists):
    assert lists.COSTS[4][1] == pytest.approx([4, 1.5, 1.5, 2 / 3, 2 / 3, 2 / 3, 0.25, 0.25, 0.25, 0.25])


def test_exact_match_is_the_mean_share_of_hits_in_every_prefix(lists):
    assert lists.exact_match_ap([4, 3, 2, 2, 1], [3, 4, 2, 2, 1]) == pytest.approx((0 + 0 + 1 / 3 + 2 / 4 + 3 / 5) / 5)


def test_the_authors_other_measures(lists, rankdcg_cases):
    for case in rankdcg_cases:
        truth, predicted = case["reference"], case["hypothesis"]
        if case["case"] == "empty":
            assert math.isnan(lists.exact_match_ap(truth, predicted))
            assert math.isnan(lists.ndcg_of_values(truth, predicted))
            continue
        assert lists.exact_match_ap(truth, predicted) == pytest.approx(case["average_precision"], abs=1e-12)
        if case["case"] == "negative reference":
            with pytest.raises(DataError, match="2 of 4 values are negative"):
                lists.ndcg_of_values(truth, predicted, ties="worst")
        else:
            ours = lists.ndcg_of_values(truth, predicted, ties="worst")
            assert ours == pytest.approx(case["ndcg_with_mapping"], abs=1e-12), case["case"]


def test_ndcg_can_be_cut(lists):
    # Predicted order 3, 9, 1.
    expected = (3 + 9 / math.log2(3)) / (9 + 3 / math.log2(3))
    assert lists.ndcg_of_values([9, 3, 1], [2, 3, 1], cutoff=2) == pytest.approx(expected)
    assert lists.ndcg_of_values([9, 3, 1], [2, 3, 1], cutoff=50) == lists.ndcg_of_values([9, 3, 1], [2, 3, 1])


def test_overprediction_never_lifts_ndcg_above_1(lists):
    assert lists.ndcg_of_values([3, 2, 1], [300, 200, 100]) == 1


@pytest.mark.parametrize("cutoff", [0, -1])
def test_a_cutoff_before_the_first_rank_is_refused(lists, cutoff):
    with pytest.raises(UsageError, match="first rank is 1"):
        lists.ndcg_of_values([1, 2], [1, 2], cutoff=cutoff)


def test_values_all_0_have_no_ndcg(lists):
    assert math.isnan(lists.ndcg_of_values([0, 0], [1, 2]))


def test_a_constant_prediction_has_the_mean_ndcg_of_all_orders(lists):
    weights = 1 / np.log2(np.arange(2, 5))
    assert lists.ndcg_of_values([3, 1, 0], [5, 5, 5]) == pytest.approx(4 / 3 * weights.sum() / (3 + weights[1]))
