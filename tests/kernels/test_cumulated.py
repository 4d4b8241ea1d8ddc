from __future__ import annotations

import tomllib
from dataclasses import replace
from math import log2
from pathlib import Path

import numpy as np
import pytest

from kernels.examples import ranked
from rankgauge import measures
from rankgauge.errors import MeasureError
from rankgauge.kernels.cumulated import best_first, best_weights, gains_of, weights_to
from rankgauge.kernels.hits import Hits, pool_of
from rankgauge.measures import DCG, nDCG, parse

GOLDEN = tomllib.loads((Path(__file__).parents[1] / "golden" / "ndcg.toml").read_text())


def value(measure, *grades, unretrieved=()):
    return measure.compute(*ranked(*grades, unretrieved=unretrieved))[0]


def test_dcg_divides_each_gain_by_the_logarithm_of_its_rank():
    assert value(DCG, 3, 0, 2) == pytest.approx(3 / log2(2) + 2 / log2(4))


def test_the_exponential_gain_is_two_to_the_grade_minus_one():
    assert value(DCG(gain="exp"), 1, None, 2) == pytest.approx((2**1 - 1) / log2(2) + (2**2 - 1) / log2(4))


def test_ndcg_divides_by_the_best_order_of_everything_judged():
    ideal = 3 / log2(2) + 2 / log2(3) + 1 / log2(4)
    assert value(nDCG, 2, None, 1, unretrieved=(3,)) == pytest.approx((2 / log2(2) + 1 / log2(4)) / ideal)


def test_the_ideal_is_cut_at_the_cutoff_and_not_at_the_number_retrieved():
    assert value(nDCG @ 1, 1, unretrieved=(1, 1)) == 1
    assert value(nDCG @ 10, 1, unretrieved=(1, 1)) == pytest.approx(1 / (1 + 1 / log2(3) + 1 / log2(4)))


def test_ndcg_without_anything_relevant_is_undefined():
    assert np.isnan(value(nDCG @ 10, 0, 0, None))


def test_negative_values_count_as_0():
    assert value(nDCG, 1, -2) == 1


def test_the_form_of_2002_reproduces_its_worked_example():
    golden = GOLDEN["jarvelin_kekalainen_2002"]
    rest = tuple(golden["ideal"])
    for at in range(10):
        got = value(DCG(discount="jk(2)") @ (at + 1), *golden["gains"])
        assert got == pytest.approx(golden["dcg"][at], abs=5e-7)
        best = value(DCG(discount="jk(2)") @ (at + 1), *rest)
        assert best == pytest.approx(golden["idcg"][at], abs=5e-7)
        assert got / best == pytest.approx(golden["ndcg"][at], abs=5e-7)


def test_the_weights_of_ranks_2_10_and_100_are_the_ones_practitioners_quote():
    golden = GOLDEN["log2_weights"]
    for rank, weight in zip(golden["rank"], golden["weight"], strict=True):
        assert value(DCG, *[None] * (rank - 1), 1) == pytest.approx(weight, abs=5e-7)


@pytest.mark.parametrize("day", ["day1", "day2"])
def test_rank_grades_are_blind_to_the_gap_between_items(day):
    scores = GOLDEN["two_days"][day]
    grades = [sorted(scores).index(score) for score in scores]
    if day == "day2":  # the same swap on both days: the second and third item change places
        assert [sorted(GOLDEN["two_days"]["day1"]).index(s) for s in GOLDEN["two_days"]["day1"]] == [4, 2, 3, 1, 0]
    assert value(nDCG(gain="exp"), *grades) == pytest.approx(GOLDEN["two_days"]["rank_grades_exp"], abs=5e-7)
    assert value(nDCG, *grades) == pytest.approx(GOLDEN["two_days"]["rank_grades_linear"], abs=5e-7)


def test_raw_scores_as_linear_gains_see_the_gap():
    golden = GOLDEN["two_days"]
    assert value(nDCG, *golden["day1"]) == pytest.approx(golden["raw_day1"], abs=5e-7)
    assert value(nDCG, *golden["day2"]) == pytest.approx(golden["raw_day2"], abs=5e-7)


@pytest.mark.parametrize("gain", ["exp", "linear"])
def test_tiers_reproduce_the_ad_hoc_grades_of_scenario_1(gain):
    scores = list(range(100, 0, -1))
    shown = [*scores[:9], scores[10]]
    measure = parse(f"nDCG(relevance=tiers(10,25,50), gain={gain})@10")
    got = value(measure, *shown, unretrieved=(scores[9], *scores[11:]))
    assert got == pytest.approx(GOLDEN["scenario_1"][gain], abs=5e-7)
    assert value(measure, *scores[9::-1], unretrieved=tuple(scores[10:])) == 1


def test_items_tied_at_a_tier_boundary_share_the_mean_of_the_tiers_they_span():
    measure = parse("DCG(relevance=tiers(1, 3), discount=none)")
    assert value(measure, 5, 5, 4, 3) == pytest.approx(1.5 + 1.5 + 1)
    assert value(measure, 5, unretrieved=(5, 5, 5, 5)) == pytest.approx((2 + 1 + 1) / 5)
    assert value(measure, 5, unretrieved=()) == 2


def test_zeros_ranked_first_do_not_earn_the_tiers_of_popular_items():
    """Eight shared items among 92 zeros, the zeros first: once the value of a perfect ranking."""
    shared = tuple(range(9, 1, -1))
    measure = parse("nDCG(relevance=tiers(10, 25, 50), gain=exp)@10")
    zeros = (2 ** (61 / 92) - 1) * sum(1 / log2(rank + 1) for rank in range(1, 11))
    ideal = 7 * sum(1 / log2(rank + 1) for rank in range(1, 9)) + (2 ** (61 / 92) - 1) * (1 / log2(10) + 1 / log2(11))
    assert value(measure, *[0] * 92, *shared[::-1]) == pytest.approx(zeros / ideal, abs=1e-12)
    assert value(measure, *shared, *[0] * 92) == pytest.approx(1)


@pytest.mark.parametrize(
    ("discount", "expected"),
    [
        ("log2", [1, 1 / log2(3), 1 / log2(4), 1 / log2(5)]),
        ("jk(2)", [1, 1, 1 / log2(3), 1 / 2]),
        ("jk(3)", [1, 1, 1, log2(3) / log2(4)]),
        ("zipf", [1, 1 / 2, 1 / 3, 1 / 4]),
        ("zipf(2)", [1, 1 / 4, 1 / 9, 1 / 16]),
        ("zipf(1, 3)", [1 / 4, 1 / 5, 1 / 6, 1 / 7]),
        ("linear", [1, 3 / 4, 2 / 4, 1 / 4]),
        ("rbp(0.8)", [1, 0.8, 0.64, 0.512]),
        ("none", [1, 1, 1, 1]),
        ("weights(1, 0.5)", [1, 0.5, 0, 0]),
        ("steps(1:1, 3:0.6)", [1, 1, 0.6, 0.6]),
    ],
)
def test_each_discount_gives_each_rank_its_weight(discount, expected):
    for rank, weight in enumerate(expected, 1):
        got = value(DCG(discount=discount) @ 4, *[None] * (rank - 1), 1, *[None] * (4 - rank))
        assert got == pytest.approx(weight, rel=1e-14)


@pytest.mark.parametrize(
    ("gain", "expected"),
    [
        ("linear", [1, 2, 4]),
        ("exp", [1, 3, 15]),
        ("power(2)", [1, 4, 16]),
        ("levels(1, 3, 5, 9)", [1, 3, 9]),
        ("table(1:3, 2:9)", [3, 9, 4]),
        ([1, 3, 5, 9], [1, 3, 9]),
        ({1: 3, 2: 9}, [3, 9, 4]),
        (lambda v: v + 1, [2, 3, 5]),
    ],
)
def test_each_gain_gives_each_grade_its_worth(gain, expected):
    for grade, worth in zip([1, 2, 4], expected, strict=True):
        assert value(DCG(gain=gain), grade) == worth


def test_arrays_and_functions_serve_as_discounts():
    assert value(DCG(discount=[1, 0.5, 0.25]), 1, 1, 1, 1) == 1.75
    assert value(DCG(discount=lambda rank: 1 / rank**2), 1, 1) == 1.25


def test_a_function_serves_as_relevance():
    assert value(DCG(relevance=lambda v: v / 10), 5, 10) == pytest.approx(0.5 + 1 / log2(3))


def test_the_ideal_pairs_the_largest_gains_with_the_largest_weights():
    measure = nDCG(discount=[0.2, 1.0])
    assert value(measure, 1, 3) == 1
    assert value(measure, 3, 1) == pytest.approx((3 * 0.2 + 1) / (3 + 0.2))


def test_the_ideal_is_by_gain_where_gain_does_not_grow_with_the_grade():
    assert value(nDCG(gain="levels(3, 1)"), 1, 2) == 1


def test_steps_that_rise_reach_beyond_their_last_step():
    measure = nDCG(discount="steps(1:0.5, 3:1)")
    assert value(measure, None, None, 1, 1, 1) == 1


def test_rising_functions_without_a_cutoff_are_refused():
    measure = nDCG(discount=lambda rank: rank)
    with pytest.raises(MeasureError, match="needs a cutoff"):
        value(measure, 1, 2)
    assert value(measure @ 2, 1, 2) == 1


@pytest.mark.parametrize(
    ("measure", "grades", "message"),
    [
        (DCG(discount="linear"), (1,), "needs a cutoff"),
        (DCG(gain="exp"), (1024,), "beyond double precision"),
        (DCG(gain="levels(1, 2)"), (3,), "grade 3 was judged"),
        (DCG(gain="levels(1, 2)"), (1.5,), "whole grades"),
        (DCG(gain=lambda v: -v), (1,), "not negative"),
        (DCG(gain=lambda v: v * np.inf), (1,), "finite"),
        (DCG(discount=lambda rank: -rank), (1,), "not negative"),
        (DCG(discount=lambda rank: rank[:0]), (1,), "each rank"),
    ],
)
def test_what_cannot_be_a_gain_or_a_weight_is_refused(measure, grades, message):
    with pytest.raises(MeasureError, match=message):
        value(measure, *grades)


def test_an_empty_run_scores_0():
    assert value(nDCG @ 10, unretrieved=(1,)) == 0


def test_every_definition_is_an_attribute_of_the_module():
    for definition in measures.catalogue():
        assert getattr(measures, definition.name).definition is definition
    with pytest.raises(AttributeError):
        measures.nDCGG  # noqa: B018 - the look-up is the test


def test_open_ties_give_each_hit_the_mean_weight_of_its_span():
    hits, pool = ranked(1, None, 2)
    tied = replace(hits, first=np.array([1, 3]), last=np.array([2, 3]))
    assert DCG.compute(tied, pool)[0] == pytest.approx(1 * (1 + 1 / log2(3)) / 2 + 2 / log2(4))
    assert (DCG @ 1).compute(tied, pool)[0] == 1 / 2


class Rising:
    """A discount that rises, and says nothing of where it stops."""

    reach = None

    def __call__(self, rank, cutoff):
        return np.array(rank)


def test_the_best_weights_may_lie_behind_all_documents():
    assert best_weights(1, 3, Rising()).tolist() == [3]
    assert best_weights(2, 3, Rising()).tolist() == [3, 2]
    with pytest.raises(MeasureError, match="needs a cutoff"):
        best_weights(2, None, Rising())


def test_the_best_weights_end_at_the_cutoff_or_with_the_documents():
    discount = nDCG.settings["discount"]
    assert best_weights(5, 2, discount).tolist() == [1, 1 / log2(3)]
    assert best_weights(2, 5, discount).tolist() == [1, 1 / log2(3)]


def test_the_gain_that_is_refused_is_named():
    with pytest.raises(MeasureError, match="a gain of -1 came up"):
        value(DCG(gain=lambda grades: grades - 2), 2, 1, 3)


def test_an_ideal_of_ones_needs_a_document_with_gain():
    assert value(nDCG(ideal="ones") @ 2, 1, 0) == pytest.approx(1 / (1 + 1 / log2(3)))
    assert np.isnan(value(nDCG(ideal="ones") @ 2, 0, 0))
    assert np.isnan(value(nDCG(ideal="ones"), 0, 0))
    assert np.isnan(value(nDCG(ideal="ones"), unretrieved=(1,)))  # an empty list has no ones


def test_a_cutoff_ends_the_weights():
    assert weights_to(4, 2, Rising()).tolist() == [1, 2, 0, 0]
    assert weights_to(4, None, Rising()).tolist() == [1, 2, 3, 4]
    assert weights_to(1, 2, Rising()).tolist() == [1]
    assert weights_to(0, None, Rising()).tolist() == []


def test_grades_that_add_up_to_0_are_taken_for_none_where_they_are_balanced():
    """As torchmetrics does: it asks whether the sum of the grades is 0, and has 0 where only the ideal is."""
    balanced = parse("nDCG(relevance=balanced)")
    assert np.isnan(value(balanced, -1, 1))
    assert np.isnan(value(balanced, 0, 0))
    assert value(balanced, -1, 2) == pytest.approx((-1 + 2 / log2(3)) / (2 - 1 / log2(3)))
    # In single precision this sum is 0, and in double precision it is not.
    assert np.isnan(value(balanced, 1.0 + 1e-9, -1.0))
    assert value(balanced @ 1, -1, unretrieved=(0,)) == 0


def test_an_ideal_of_0_or_less_is_undefined_where_grades_are_bounded():
    bounded = parse("nDCG(relevance=bounded)")
    assert np.isnan(value(bounded, -2, -1))
    assert value(bounded, 0.25, 0.5) == pytest.approx((0.25 + 0.5 / log2(3)) / (0.5 + 0.25 / log2(3)))
    assert value(bounded, -1, 2) == pytest.approx((-1 + 2 / log2(3)) / (2 - 1 / log2(3)))


def test_one_grade_for_all_is_worth_what_its_own_query_makes_of_it():
    """Queries with one and two documents of one grade, and one without any: a tier of one is shared by two."""
    query, rank = np.array([0, 1]), np.ones(2, np.int64)
    hits = Hits(query, rank, np.ones(2), rank, rank, np.array([1, 1, 1]))
    pool = pool_of(np.array([0, 1, 1]), np.ones(3), 3)
    assert pool.is_uniform
    plain, tiered = (parse(text).compute(hits, pool).tolist() for text in ("nDCG", "DCG(relevance=tiers(1))"))
    assert plain == pytest.approx([1, 1 / (1 + 1 / log2(3)), np.nan], nan_ok=True)
    assert tiered == [1, 0.5, 0]
    shared = parse("nDCG(relevance=tiers(1))").compute(hits, pool)
    assert shared[:2] == pytest.approx([1, 1 / (1 + 1 / log2(3))])


def test_the_best_order_is_by_gain_within_each_query():
    pool = pool_of(np.array([0, 0, 0, 1]), np.array([3.0, 2, 1, 1]), 2)
    assert best_first(np.array([2.0, 0, 1, 5]), pool).tolist() == [2, 1, 0, 5]


@pytest.mark.parametrize("wrong", [[1.0, np.inf], [np.inf, np.inf], [1.0, -1.0], [np.nan, 1.0]])
def test_gains_and_weights_are_finite_and_not_negative(wrong):
    with pytest.raises(MeasureError, match="came up; gains are finite"):
        gains_of(np.ones(2), np.zeros(2, np.int64), None, nDCG.settings["relevance"], lambda _: np.array(wrong))
    with pytest.raises(MeasureError, match="one finite weight that is not negative"):
        weights_to(2, None, lambda *_: np.array(wrong))


def test_the_best_weights_fall_where_a_discount_falls_and_rises():
    def waves(rank, _):
        return np.array([3.0, 1.0, 2.0])[: len(rank)]

    waves.reach = None
    assert best_weights(3, 3, waves).tolist() == [3, 2, 1]
