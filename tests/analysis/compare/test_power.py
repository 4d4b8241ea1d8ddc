import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr

from rankgauge import Scores
from rankgauge.analysis.compare.statistics.power import (
    assured_queries,
    detectable_difference,
    pair_deviations,
    plan_queries,
    queries_needed,
)
from rankgauge.analysis.compare.statistics.shrinkage import scatter_of
from rankgauge.analysis.compare.statistics.studentized import t_test_power
from rankgauge.analysis.compare.statistics.tests import t_test
from rankgauge.errors import UsageError
from rankgauge.evaluation.intervals import moments


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


@pytest.mark.parametrize("difference", [0.0, math.nan, math.inf, 1e-12])
def test_no_number_of_queries_finds_nothing(difference):
    assert queries_needed(1.0, difference) is None


def test_without_variance_a_few_queries_are_enough():
    assert queries_needed(0.0, 0.1) == 6  # 2^(1-6) < 0.05
    assert queries_needed(0.0, 0.1, alpha=0.5) == 2


def test_one_query_detects_nothing():
    assert math.isnan(detectable_difference(0.2, 1))
    assert math.isnan(detectable_difference(math.nan, 10))


@pytest.mark.parametrize(
    ("power", "alpha", "word"), [(1.0, 0.05, "power"), (0.01, 0.05, "power"), (0.8, 0.0, "alpha"), (0.8, 1.0, "alpha")]
)
def test_impossible_demands_are_refused(power, alpha, word):
    with pytest.raises(UsageError, match=f"{word} is"):
        queries_needed(1.0, 0.1, power=power, alpha=alpha)


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
