import itertools
import json
import math
from dataclasses import replace

import numpy as np
import pytest

from kernels.examples import ranked
from kernels.tied import open_hits, pool_for
from rankgauge import Policy, evaluate
from rankgauge.errors import UsageError
from rankgauge.kernels.hits import pool_of
from rankgauge.kernels.rankdcg import rank_dcg, rank_dcg_of_hits

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


def one(truth, score, **options):
    truth, score = np.asarray(truth), np.asarray(score)
    return float(rank_dcg(truth, score, np.array([0, len(truth)]), **options)[0])


def of_order(values, cutoff=None):
    """The definition, for true values in the order in which a system put them."""
    ladder = sorted(set(values))
    levels = [1 + ladder.index(value) for value in values]
    best = sorted(levels, reverse=True)
    weights = [1 / (len(ladder) + 1 - level) for level in best]
    weights = [w if cutoff is None or rank < cutoff else 0 for rank, w in enumerate(weights)]
    reached, most, least = (sum(map(math.prod, zip(q, weights, strict=True))) for q in (levels, best, best[::-1]))
    return (reached - least) / (most - least)


def orders_by(truth, score):
    """The true values in every order that falls with the score."""
    for order in itertools.permutations(range(len(truth))):
        if all(score[a] >= score[b] for a, b in itertools.pairwise(order)):
            yield [truth[item] for item in order]


@pytest.mark.parametrize(("row", "value"), list(zip(TABLE_1, (1, 0.975, 0.65, 0.325, 0.325, 0), strict=True)))
def test_table_1_of_the_paper(row, value):
    assert one(L, row) == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize(("row", "value"), list(zip(TABLE_1, (1, 0.975, 0.75, 0.325, 0.325, 0), strict=True)))
def test_table_1_read_as_true_values_in_predicted_order(row, value):
    assert one(row, -np.arange(10)) == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize(
    ("cutoff", "values"), [(3, (1, 1, 0.7, 0.4, 0.4, 0)), (5, (1, 0.9375, 0.71875, 0.4375, 0.4375, 0))]
)
def test_table_1_with_a_cutoff(cutoff, values):
    assert [one(L, row, cutoff=cutoff) for row in TABLE_1] == pytest.approx(values, abs=1e-12)


def test_the_example_of_the_authors_read_me():
    assert one([9, 3, 1], [5, 1, 7]) == pytest.approx(0.125)


def test_the_top_item_second_or_last_among_equals_is_equally_bad():
    assert one([9, 1, 1], [1, 9, 1]) == 0
    assert one([9, 1, 1], [1, 1, 9]) == 0


def test_a_constant_prediction_spans_the_whole_range():
    assert [one(L, [7] * 10, ties=ties) for ties in ("worst", "mean", "best")] == [0, pytest.approx(0.4), 1]


@pytest.mark.parametrize("cutoff", [None, 1, 2, 3, 6, 7, 100])
@pytest.mark.parametrize(
    "score", [(1, 2, 3, 4, 5, 6, 7), (1, 1, 0, 0, 0, 2, 2), (0, 0, 0, 0, 0, 0, 0), (5, 0, 0, 0, 0, 0, 9)]
)
@pytest.mark.parametrize("truth", [(3, 1, 1, 0, 7, -2, 1), (0, 0, 0, 0, 0, 0, 1), (1, 2, 3, 4, 5, 6, 7)])
def test_tie_rules_are_the_ends_and_the_mean_of_all_orders(truth, score, cutoff):
    values = [of_order(order, cutoff) for order in orders_by(truth, score)]
    assert one(truth, score, ties="worst", cutoff=cutoff) == pytest.approx(min(values), abs=1e-12)
    assert one(truth, score, ties="best", cutoff=cutoff) == pytest.approx(max(values), abs=1e-12)
    assert one(truth, score, ties="mean", cutoff=cutoff) == pytest.approx(np.mean(values), abs=1e-12)


@pytest.mark.parametrize("truth", [[], [5], [2, 2, 2], [0.0, -0.0]])
@pytest.mark.parametrize("cutoff", [None, 1])
def test_a_list_without_two_different_values_is_undefined(truth, cutoff):
    assert math.isnan(one(truth, range(len(truth)), cutoff=cutoff))


def test_no_lists_have_no_values():
    assert rank_dcg(np.array([]), np.array([]), np.array([0])).shape == (0,)


@pytest.mark.parametrize("ties", ["worst", "mean", "best"])
@pytest.mark.parametrize("groups", [300, 70_000])
def test_lists_do_not_see_each_other(groups, ties):
    draw = np.random.default_rng(groups)
    sizes = draw.integers(0, 9, groups)
    offsets = np.r_[0, np.cumsum(sizes)]
    truth, score = draw.integers(-2, 3, offsets[-1]), draw.integers(0, 5, offsets[-1]) / 8
    values = rank_dcg(truth, score, offsets, cutoff=4, ties=ties)
    for group in range(0, groups, groups // 100):
        inside = slice(offsets[group], offsets[group + 1])
        alone = one(truth[inside], score[inside], cutoff=4, ties=ties)
        assert values[group] == alone or (math.isnan(values[group]) and math.isnan(alone))


@pytest.mark.parametrize(
    "dtype", [np.int8, np.uint8, np.int64, np.uint64, np.float16, np.float32, np.float64, np.longdouble]
)
def test_numbers_of_any_kind_are_compared_as_they_are(dtype):
    assert one(np.array(L, dtype), np.array(TABLE_1[2], dtype)) == pytest.approx(0.65)


def test_neighbouring_large_integers_are_different():
    assert one([2**62, 2**62 + 1], [2**62, 2**62 + 1]) == 1


def test_zeros_of_both_signs_are_one_value_and_one_score():
    assert one([1, 0.0, -0.0], [0.0, -0.0, 0.0], ties="best") == 1
    assert one([1, 0.0, -0.0], [0.0, -0.0, 0.0], ties="worst") == 0


def test_items_that_were_not_returned_can_have_the_score_minus_infinity():
    assert one([3, 2, 1, 1], [0.5, 0.7, -np.inf, -np.inf]) == one([3, 2, 1, 1], [1, 2, 0, 0])


def test_an_unknown_tie_rule_is_refused():
    with pytest.raises(UsageError, match="known: worst, mean, best"):
        one([1, 2], [1, 2], ties="order")


def test_few_items_above_a_million_equals_lose_no_precision():
    rest = np.zeros(999_993)
    truth, score = np.r_[7:0:-1, rest], np.r_[6, 7, 5:0:-1, rest]
    # Levels 8 … 2, 1, 1, … on weights 1 … 1/7, 1/8, 1/8, …: exchanging the first two costs 8 + 7/2 - (7 + 8/2).
    most = sum((9 - rank) / rank for rank in range(1, 8))
    least = sum(1 / rank for rank in range(1, 8))
    assert one(truth, score, cutoff=7) == pytest.approx(1 - 0.5 / (most - least), rel=1e-14, abs=0)
    moved = sum(range(2, 9)) - 7
    assert one(truth, score) == pytest.approx(1 - 0.5 / (most - least - moved / 8), rel=1e-14, abs=0)


@pytest.fixture
def reference_cases(collections):
    return json.loads((collections / "rankdcg" / "reference_outputs.json").read_text())


def test_the_authors_program_agrees_wherever_it_answers(reference_cases):
    assert len(reference_cases) == 17
    for case in reference_cases:
        value = one(case["reference"], case["hypothesis"])
        if isinstance(case["rankdcg"], str):
            assert case["case"] in {"all reference tied", "empty"}
            assert math.isnan(value), case["case"]
        else:
            assert value == pytest.approx(case["rankdcg"], abs=1e-12), case["case"]


def of_hits(*grades, unretrieved=(), cutoff=None):
    return rank_dcg_of_hits(*ranked(*grades, unretrieved=unretrieved), cutoff=cutoff)[0]


def test_of_a_run_unjudged_documents_play_no_part_and_what_was_not_returned_is_last():
    assert of_hits(3, None, 2, 1) == of_hits(3, 2, 1) == 1
    assert of_hits(1, 2, None, 3) == 0
    assert of_hits(2, 3, None, 1) == pytest.approx(of_order([2, 3, 1]))
    assert of_hits(2, 3, unretrieved=(1,)) == pytest.approx(of_order([2, 3, 1]))
    assert of_hits(3, unretrieved=(1, 2)) == pytest.approx(of_order([3, 1, 2]))  # the worst order
    assert of_hits(2, 3, 1, cutoff=1) == pytest.approx(of_order([2, 3, 1], cutoff=1))


def test_of_a_run_without_documents_the_value_is_0_unless_there_is_nothing_to_order():
    assert of_hits(unretrieved=(1, 2)) == 0
    assert np.isnan(of_hits(unretrieved=(1, 1)))
    assert np.isnan(of_hits())
    assert of_hits(None, unretrieved=(1, 2)) == 0


def test_of_a_run_open_ties_count_with_their_mean():
    hits = open_hits([[1, 3], [2]])
    expected = (of_order([1, 3, 2]) + of_order([3, 1, 2])) / 2
    assert rank_dcg_of_hits(hits, pool_for(hits), cutoff=None)[0] == pytest.approx(expected)
    beside = replace(hits, retrieved=np.array([3, 0]))  # a second query, for which nothing was returned
    pool = pool_of(np.array([0, 0, 0, 1, 1]), np.array([3.0, 2, 1, 2, 1]), 2)
    assert rank_dcg_of_hits(beside, pool, cutoff=None).tolist() == [pytest.approx(expected), 0.0]


def test_two_lists_whose_values_lie_between_each_other_are_ordered_apart():
    truth, score = np.array([1.0, 5, 3, 2, 6, 4]), np.array([0.5, 0.1, 0.9, 0.2, 0.8, 0.4])
    both = rank_dcg(truth, score, np.array([0, 3, 6]))
    alone = [rank_dcg(truth[part], score[part], np.array([0, 3]))[0] for part in (slice(0, 3), slice(3, 6))]
    assert both.tolist() == alone
    assert alone[1] == 1
    assert alone[0] < 1


@pytest.mark.parametrize(
    ("scores", "value"), [({"a": -1.0, "b": 0.5}, 0.0), ({"a": 0.5, "b": -1.0}, 1.0), ({"a": -1.0, "b": -2.0}, 0.0)]
)
@pytest.mark.parametrize("pool", ["judged", "returned"])
def test_what_counts_as_not_relevant_is_below_what_was_returned(scores, value, pool):
    found = evaluate({"q": {"a": 1, "b": 0}}, {"q": scores}, "rankDCG", policy=Policy(floor="zero", pool=pool))
    assert found.mean() == {"run": {"rankDCG": value}}
