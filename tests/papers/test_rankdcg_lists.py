"""Every column of Table 1 of Katerenchuk & Rosenberg 2016, and the variants that explain it, to six digits."""

import importlib.util
import sys
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def lists():
    path = Path(__file__).parents[2] / "papers" / "rankdcg" / "lists.py"
    spec = importlib.util.spec_from_file_location("rankdcg_lists", path)
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look their module up while it is being loaded.
    sys.modules[spec.name] = module
    yield spec.loader.exec_module(module) or module
    del sys.modules[spec.name]


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
