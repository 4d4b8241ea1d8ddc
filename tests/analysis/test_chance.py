import itertools
import json
import math

import numpy as np
import pytest

import rankgauge.analysis.chance as deals
from rankgauge.analysis.chance import chance
from rankgauge.errors import AnalysisError, DataError, UsageError
from rankgauge.kernels.rankdcg import ladders_of, rank_dcg

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
HALVES = (1, 1, 1, 1, 1, 0, 0, 0, 0, 0)


@pytest.fixture
def drawn_only(monkeypatch):
    monkeypatch.setattr(deals, "MOST_TABLES", 0)


def by_permutation(truth, score, **options):
    """Every deal of the scores, one by one."""
    truth, permutations = np.array(truth), np.array(list(itertools.permutations(score)))
    offsets = np.arange(0, permutations.size + 1, len(truth))
    return rank_dcg(np.tile(truth, len(permutations)), permutations.ravel(), offsets, **options)


def test_the_chance_level_of_the_papers_list():
    result = chance(L, range(10))
    assert result.random_order_expected == pytest.approx(0.4)
    assert result.random_order_standard_deviation == pytest.approx(0.219848, abs=5e-7)
    assert (result.expected, result.standard_deviation) == pytest.approx(
        (result.random_order_expected, result.random_order_standard_deviation)
    )


def test_rows_of_table_1_adjusted_for_chance():
    adjusted = [chance(L, row, ties="mean").adjusted for row in TABLE_1]
    assert adjusted == pytest.approx([1, 0.958333, 0.416667, -0.125, -0.125, -0.666667], abs=5e-7)


def test_a_perfect_order_is_as_rare_as_its_arrangements():
    result = chance(L, range(10)[::-1])
    assert result.p == pytest.approx(1 * 2 * 6 * 24 / math.factorial(10))
    assert result.method == "exact"
    assert result.deals == math.factorial(10) / (1 * 2 * 6 * 24)


def test_chance_has_the_ties_of_the_score():
    # The five items of the upper half must be 9, 4, 4 and two of the three 2s: 3 of 252 hands.
    result = chance(L, HALVES)
    assert result.value == pytest.approx(0.525)
    assert result.expected == pytest.approx(0.135, abs=1e-3)
    assert result.p == pytest.approx(3 / 252)


def test_against_orders_without_ties_the_same_value_would_look_common():
    ladder = ladders_of(np.array(L), np.array([0, 10]))
    strict = deals.all_outcomes(deals.random_order(ladder))
    assert strict.p_value(0.525) == pytest.approx(0.300, abs=5e-3)
    assert strict.moments() == pytest.approx((0.4, 0.219848), abs=5e-7)


def test_draws_agree_with_the_exact_answer(drawn_only):
    # The exact expected value .134524, standard deviation .093560 and p 3/252, from the list of all 22 tables.
    result = chance(L, HALVES, samples=20_000, seed=1)
    assert result.method == "sampled"
    assert result.deals == 20_000
    assert result.expected == pytest.approx(0.134524, abs=4 * 0.0936 / math.sqrt(20_000))
    assert result.standard_deviation == pytest.approx(0.093560, rel=0.03)
    assert result.p == pytest.approx(3 / 252, abs=4 * math.sqrt(3 / 252 / 20_000))


def test_draws_agree_with_the_closed_form(drawn_only, monkeypatch):
    monkeypatch.setattr(deals.Deal, "is_linear", property(lambda _: False))
    result = chance(L, range(10), samples=20_000, seed=2)
    assert result.expected == pytest.approx(0.4, abs=4 * 0.2198 / math.sqrt(20_000))
    assert result.standard_deviation == pytest.approx(0.219848, rel=0.03)


@pytest.mark.parametrize("cutoff", [None, 2, 4])
@pytest.mark.parametrize("ties", ["worst", "mean", "best"])
@pytest.mark.parametrize(
    ("truth", "score"),
    [
        ((3, 1, 1, 0, 7, -2, 1), (1, 1, 0, 0, 0, 2, 2)),
        ((0, 0, 0, 0, 0, 1), (3, 1, 2, 6, 4, 5)),
        ((1, 2, 3, 4, 5, 6), (0, 0, 1, 1, 1, 1)),
        ((1, 2, 2, 2, 3), (7, 7, 7, 7, 7)),
    ],
)
def test_listed_tables_equal_all_permutations(truth, score, ties, cutoff):
    values = by_permutation(truth, score, ties=ties, cutoff=cutoff)
    result = chance(truth, score, ties=ties, cutoff=cutoff)
    assert result.method == "exact"
    assert result.expected == pytest.approx(values.mean())
    assert result.standard_deviation == pytest.approx(values.std(), abs=1e-7)
    assert result.p == pytest.approx(np.mean(values >= result.value - 1e-9))
    strict = by_permutation(truth, range(len(truth)), cutoff=cutoff)
    assert result.random_order_expected == pytest.approx(strict.mean())
    assert result.random_order_standard_deviation == pytest.approx(strict.std())


@pytest.mark.parametrize("ties", ["worst", "best", "mean"])
def test_drawn_deals_have_the_tie_rule_too(drawn_only, ties):
    values = by_permutation((3, 1, 1, 0, 7, 2), (1, 1, 0, 0, 2, 2), ties=ties)
    result = chance((3, 1, 1, 0, 7, 2), (1, 1, 0, 0, 2, 2), ties=ties, samples=4_000)
    assert result.expected == pytest.approx(values.mean(), abs=4 * values.std() / math.sqrt(4_000))
    assert result.p == pytest.approx(np.mean(values >= result.value - 1e-9), abs=0.03)


def test_many_different_values_are_drawn():
    draw = np.random.default_rng(0)
    truth = draw.normal(size=300)
    result = chance(truth, truth + draw.normal(size=300), samples=500)
    assert result.method == "sampled"
    assert result.p == 1 / 501
    assert result.items == 300


def test_lists_with_more_cells_than_can_be_listed_are_drawn(monkeypatch):
    monkeypatch.setattr(deals, "MOST_CELLS", 3)
    assert chance([1, 2, 3], [4, 5, 5], samples=10).method == "sampled"


def test_draws_do_not_depend_on_how_many_are_made_at_once(drawn_only, monkeypatch):
    at_once = chance(L, HALVES, samples=100)
    monkeypatch.setattr(deals, "DRAWN_AT_ONCE", 70)
    assert chance(L, HALVES, samples=100) == at_once


def test_the_seed_decides_the_draws(drawn_only):
    assert chance(L, HALVES, samples=50, seed=1) == chance(L, HALVES, samples=50, seed=1)
    assert chance(L, HALVES, samples=50, seed=1).expected != chance(L, HALVES, samples=50, seed=2).expected


def test_a_constant_prediction_is_chance_itself():
    worst, mean, best = (chance(L, [3] * 10, ties=ties) for ties in ("worst", "mean", "best"))
    assert (worst.value, worst.expected, worst.adjusted, worst.p) == (0, pytest.approx(0, abs=1e-15), 0, 1)
    assert (mean.value, mean.adjusted, mean.p) == (pytest.approx(mean.expected), pytest.approx(0, abs=1e-12), 1)
    assert best.expected == pytest.approx(1)
    assert math.isnan(best.adjusted)


def test_json_has_no_nan():
    fields = chance(L, [3] * 10, ties="best").to_dict()
    assert fields["adjusted"] is None
    assert json.loads(json.dumps(fields, allow_nan=False))["seed"] == 7


@pytest.mark.parametrize(("truth", "reason"), [([2, 2, 2], "values are equal"), ([1], "one item"), ([], "no items")])
def test_lists_without_two_different_values_have_no_chance(truth, reason):
    with pytest.raises(AnalysisError, match=reason):
        chance(truth, range(len(truth)))


def test_wrong_use_is_refused():
    with pytest.raises(UsageError, match="samples=0"):
        chance([1, 2], [1, 2], samples=0)
    with pytest.raises(UsageError, match="cutoff=0"):
        chance([1, 2], [1, 2], cutoff=0)
    with pytest.raises(DataError, match="truth has 2 items and predicted 3"):
        chance([1, 2], [1, 2, 3])
