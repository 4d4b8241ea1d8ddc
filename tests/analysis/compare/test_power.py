import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.special import ndtr

from rankgauge import Scores
from rankgauge.analysis.compare.statistics.power import (
    _possible_effects,
    _smallest,
    _weighted_quantiles,
    assured_queries,
    detectable_difference,
    few_systems,
    pair_deviations,
    plan_queries,
    queries_needed,
    sign_errors,
)
from rankgauge.analysis.compare.statistics.shrinkage import FEWEST_SYSTEMS, Scatter, scatter_of
from rankgauge.analysis.compare.statistics.studentized import detectable_shift, t_test_power
from rankgauge.analysis.compare.statistics.tests import t_test
from rankgauge.errors import AnalysisError, UsageError
from rankgauge.evaluation.intervals import Moments, moments


def test_known_sample_sizes_of_the_paired_t_test():
    # Cohen's tables, as printed by R: power.t.test(delta=, sd=1, power=, type="paired").
    assert queries_needed(1.0, 0.5) == 34
    assert queries_needed(1.0, 0.2) == 199
    assert queries_needed(1.0, 0.8) == 15
    assert queries_needed(1.0, 0.5, power=0.9) == 44
    assert queries_needed(1.0, 0.5, alpha=0.01) == 51


def test_the_detectable_difference_is_found_with_the_stated_power():
    difference = detectable_difference(0.2, 50)
    assert t_test_power(difference / (0.2 / math.sqrt(50)), 49, 0.05) == pytest.approx(0.8, abs=1e-8)
    random = np.random.default_rng(1)
    found = np.mean(t_test(random.normal(difference, 0.2, size=(4_000, 50))) < 0.05)
    assert found == pytest.approx(0.8, abs=4 * math.sqrt(0.16 / 4_000))


@settings(deadline=None)
@given(st.floats(0.003, 3.0), st.sampled_from([0.5, 0.8, 0.95]), st.sampled_from([0.05, 1e-4]))
def test_the_number_of_queries_is_the_smallest_that_is_enough(effect, power, alpha):
    n = queries_needed(1.0, effect, power=power, alpha=alpha)
    assert t_test_power(effect * math.sqrt(n), n - 1, alpha) >= power
    assert n == 2 or t_test_power(effect * math.sqrt(n - 1), n - 2, alpha) < power


@settings(deadline=None)
@given(st.integers(3, 5_000))
def test_the_two_functions_are_inverse(queries):
    assert queries_needed(1.0, detectable_difference(1.0, queries)) == queries


def test_the_sign_of_the_difference_does_not_matter():
    assert queries_needed(0.3, -0.1) == queries_needed(0.3, 0.1)


@pytest.mark.parametrize("difference", [0.0, math.nan, math.inf, 1e-12])
def test_no_number_of_queries_finds_nothing(difference):
    assert queries_needed(1.0, difference) is None


def test_without_variance_a_few_queries_are_enough():
    assert queries_needed(0.0, 0.1) == 6  # 2^(1-6) < 0.05
    assert queries_needed(0.0, 0.1, alpha=0.5) == 2


def test_one_query_detects_nothing():
    assert math.isnan(detectable_difference(0.2, 1))
    assert math.isnan(detectable_difference(math.nan, 10))


def test_the_deviations_are_those_of_all_pairs():
    values = np.random.default_rng(1).normal(size=(4, 30))
    values[2, 4] = np.nan
    expected = [np.nanstd(values[i] - values[j], ddof=1) for i in range(4) for j in range(i)]
    assert np.sort(pair_deviations(values)) == pytest.approx(np.sort(expected))


def test_deviations_need_two_systems_that_share_two_queries():
    with pytest.raises(AnalysisError, match="there are 1 × 5"):
        pair_deviations(np.zeros((1, 5)))
    with pytest.raises(AnalysisError, match="no two systems share two queries"):
        pair_deviations(np.array([[0.1, np.nan], [np.nan, 0.1]]))


@pytest.mark.parametrize(
    ("power", "alpha", "word"), [(1.0, 0.05, "power"), (0.01, 0.05, "power"), (0.8, 0.0, "alpha"), (0.8, 1.0, "alpha")]
)
def test_impossible_demands_are_refused(power, alpha, word):
    with pytest.raises(UsageError, match=f"{word} is"):
        queries_needed(1.0, 0.1, power=power, alpha=alpha)


def _drawn(random, systems, queries, spread):
    return spread * random.normal(size=(systems, 1)) + random.normal(size=(systems, queries))


def test_where_systems_hardly_differ_a_plan_gets_longer():
    random = np.random.default_rng(2)
    alike, apart = (_drawn(random, 20, 40, spread) for spread in (0.02, 0.8))
    sample = Moments(np.array([40]), np.array([0.2]), np.array([1.4]))
    alone, hardly, clearly = (
        assured_queries(sample, 0.05, scatter) for scatter in (None, *map(scatter_of, (alike, apart)))
    )
    assert hardly.queries[0] > 3 * alone.queries[0]
    assert clearly.queries[0] == pytest.approx(alone.queries[0], rel=0.15)
    assert (hardly.low < hardly.queries).all()
    assert (hardly.queries < hardly.high).all()


def test_few_systems_say_nothing_of_how_much_systems_differ():
    random = np.random.default_rng(2)
    assert scatter_of(_drawn(random, FEWEST_SYSTEMS - 1, 40, 0.3)) is None
    assert scatter_of(np.ones((8, 40))) is None
    gaps = _drawn(random, 8, 40, 0.3)
    gaps[0, :39] = np.nan
    assert scatter_of(gaps) is None


def test_plans_settle_as_many_pairs_as_they_say():
    """Normal systems: of the undecided pairs, 80 % are settled by the queries of the plan; of each pair alone, fewer."""
    random, chances = np.random.default_rng(5), []
    for _ in range(100):
        effects = 0.2 * random.normal(size=(20, 1))
        values = effects + random.normal(size=(20, 30))
        sample = moments(values[1:] - values[0])
        is_open = np.abs(sample.mean / sample.error) < 2.045
        truth = np.abs(effects[1:, 0] - effects[0, 0])[is_open] / np.sqrt(2.0)
        plans = (assured_queries(sample, 0.05, scatter) for scatter in (scatter_of(values), None))
        chances.append([ndtr(truth * np.sqrt(plan.queries[is_open]) - 1.96).mean() for plan in plans])
    together, alone = np.mean(chances, axis=0)
    assert together == pytest.approx(0.8, abs=0.05)
    assert alone < 0.7


@pytest.mark.parametrize("least", [1, 2, 3, 4, 7, 19, 64, 100, 1000])
@pytest.mark.parametrize("start", [2, 3, 5, 20, 65, 300])
def test_the_smallest_number_is_found_from_any_start(least, start):
    asked = []

    def enough(n):
        asked.append(n)
        return n >= least

    assert _smallest(enough, start) == max(2, least)
    assert len(asked) < 40
    assert min(asked) >= 1


def test_quantiles_lie_between_the_middles_of_the_steps():
    values = np.array([[3.0, 1.0, 2.0], [10.0, 30.0, 20.0]])
    low, middle, high = _weighted_quantiles(values, np.full(3, 1 / 3), (0.1, 0.5, 0.9))
    assert (low.tolist(), middle.tolist(), high.tolist()) == ([1, 10], pytest.approx([2, 20]), [3, 30])
    (between,) = _weighted_quantiles(values, np.full(3, 1 / 3), (1 / 3,))
    assert between == pytest.approx([1.5, 15])
    # The value 2 has half of the weight, from a quarter on: its middle is at 1/2, and that of 3 at 7/8.
    heavy = _weighted_quantiles(values[:1], np.array([0.25, 0.25, 0.5]), (0.5, 0.6875, 0.875))
    assert [float(one[0]) for one in heavy] == pytest.approx([2.0, 2.5, 3.0])


def test_the_chance_of_the_other_sign_is_students():
    found = sign_errors(np.array([0.5, -0.5, 0.0, 2.0]), np.array([16, 16, 16, 1]))
    assert found == pytest.approx([stats.t.sf(2.0, 15), stats.t.sf(2.0, 15), 0.5, stats.t.sf(2.0 * np.sqrt(2), 1)])


def test_possible_differences_scatter_about_the_observed_one_by_its_error():
    sample = Moments(np.array([25, 25]), np.array([0.4, 0.0]), np.array([2.0, 1.0]))
    sizes, weights = _possible_effects(sample, None)
    error = np.sqrt(1 / 25 + 0.2**2 / 48)
    expected = np.abs(0.2 + error * stats.t.ppf((np.arange(64) + 0.5) / 64, 24))
    assert sizes[0] == pytest.approx(expected)
    assert np.isnan(sizes[1]).all()
    assert weights == pytest.approx([1 / 64] * 64)


def test_possible_differences_shrink_by_what_systems_scatter():
    sample = Moments(np.array([25]), np.array([0.4]), np.array([2.0]))
    sizes, weights = _possible_effects(sample, Scatter(np.array([0.5, 2.0]), np.array([0.25, 0.75])))
    squared = 1 / 25 + 0.2**2 / 48
    steps = stats.t.ppf((np.arange(32) + 0.5) / 32, 24)
    for at, variance in enumerate((0.5 / 4, 2.0 / 4)):
        share = variance / (variance + squared)
        assert sizes[0, 32 * at : 32 * at + 32] == pytest.approx(np.abs(0.2 * share + np.sqrt(share * squared) * steps))
    assert weights == pytest.approx([0.25 / 32] * 32 + [0.75 / 32] * 32)


def test_assured_queries_are_the_fewest_that_settle_the_pair_with_the_assurance():
    sample = Moments(np.array([25, 100]), np.array([0.4, 0.5]), np.array([1.0, 1.0]))
    needed = assured_queries(sample, 0.05)
    sizes, weights = _possible_effects(sample, None)
    limit = stats.norm.ppf(0.975)
    for at, queries in enumerate(needed.queries):
        settled = [float(ndtr(sizes[at] * np.sqrt(n) - limit) @ weights) for n in (queries - 1, queries)]
        assert settled[0] < 0.8 <= settled[1]
    large, small = (np.sort(sizes, axis=1)[:, at] for at in (57, 6))
    factor = (limit + stats.norm.ppf(0.8)) ** 2
    assert needed.low == pytest.approx(np.ceil(factor / large**2), rel=0.05)
    assert needed.high == pytest.approx(np.ceil(factor / small**2), rel=0.3)
    assert (needed.low <= needed.queries).all()


def test_a_difference_that_a_billion_queries_do_not_settle_is_never_settled():
    sample = Moments(np.array([10**12, 25, 25]), np.array([1e-9, 0.0, 0.1]), np.array([1.0, 1.0, 0.0]))
    needed = assured_queries(sample, 0.05)
    for column in (needed.queries, needed.low, needed.high):
        assert np.isnan(column).all()


def test_a_plan_for_every_measure():
    values = np.random.default_rng(5).normal(0.5, 0.1, (4, 30, 2)) * [1.0, 2.0]
    values[0, 0, 0] = np.nan
    scores = Scores.from_matrix(values, list("abcd"), [f"q{at}" for at in range(30)], ["M", "N"], rows="systems")
    first, second = plan_queries(scores, 0.05, power=0.8, alpha=0.05).parts
    deviations = pair_deviations(values[:, :, 0])
    half, most = (np.quantile(deviations, share, method="median_unbiased") for share in (0.5, 0.95))
    assert (first.query_count, second.query_count) == (29, 30)
    assert first.deviation == pytest.approx(half)
    assert first.queries_needed == queries_needed(half, 0.05) <= first.queries_needed_80 <= first.queries_needed_95
    assert first.queries_needed_95 == queries_needed(most, 0.05)
    assert first.detectable_difference == pytest.approx(detectable_difference(half, 29))
    assert second.deviation > first.deviation
    for wrong in (0.0, -0.1, 1e100, math.inf, math.nan):
        with pytest.raises(UsageError, match="must be a number above 0"):
            plan_queries(scores, wrong, power=0.8, alpha=0.05)


def test_beyond_a_billion_queries_the_answer_is_never():
    assert queries_needed(1.0, 2.8016 / math.sqrt(0.9e9)) == pytest.approx(0.9e9, rel=1e-3)
    assert queries_needed(1.0, 2.8016 / math.sqrt(1.1e9)) is None


def test_from_ten_systems_on_plans_need_no_caution():
    (note,) = few_systems(9)
    assert note.count == 9
    assert note.text.startswith("the queries that would settle a pair are for 80% assurance; 9 systems say little")
    assert few_systems(10) == []


def test_two_queries_detect_a_difference_and_power_is_above_alpha():
    assert detectable_difference(0.2, 2) == pytest.approx(detectable_shift(1, 0.8, 0.05) * 0.2 / math.sqrt(2))
    with pytest.raises(UsageError, match="alpha is"):
        detectable_difference(0.2, 10, alpha=0.0)
    with pytest.raises(UsageError, match="power is"):
        queries_needed(1.0, 0.1, power=0.05, alpha=0.05)


def test_the_columns_of_a_plan_are_the_shares_of_pairs_that_it_is_for():
    scores = Scores.from_matrix(np.random.default_rng(1).random((3, 20)), rows="systems")
    names = [column.name for column in plan_queries(scores, 0.1, power=0.8, alpha=0.05).table().columns]
    assert [name for name in names if "pairs" in name] == ["50% of pairs", "80% of pairs", "95% of pairs"]


def test_possible_differences_of_two_queries_have_one_degree_of_freedom():
    sizes, _ = _possible_effects(Moments(np.array([2]), np.array([0.4]), np.array([2.0])), None)
    error = np.sqrt(1 / 2 + 0.2**2 / 2)
    assert sizes[0] == pytest.approx(np.abs(0.2 + error * stats.t.ppf((np.arange(64) + 0.5) / 64, 1)))


def test_a_plan_of_less_than_a_billion_queries_is_given():
    needed = (stats.norm.ppf(0.975) + stats.norm.ppf(0.8)) ** 2
    effects = np.sqrt(needed / np.array([0.9e9, 1.1e9]))
    plans = assured_queries(Moments(np.array([10**13] * 2), effects, np.ones(2)), 0.05)
    assert plans.queries == pytest.approx([0.9e9, np.nan], rel=0.01, nan_ok=True)
