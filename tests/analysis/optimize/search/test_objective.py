"""The three objectives: their values by other programs, their slopes by differences."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import norm, ttest_rel
from scipy.stats import t as student

from grade_tables import random_table
from rankgauge.analysis.optimize.search.form import scores_of
from rankgauge.analysis.optimize.search.objective import ERHO, OBJECTIVES, PHI, POWER
from rankgauge.analysis.optimize.search.search import search
from rankgauge.analysis.optimize.search.weighting import Question, named_weighting
from rankgauge.analysis.stability.variance import mean_squares


def matrix(seed, systems=6, queries=9):
    random = np.random.default_rng(seed)
    return random.normal(0, 0.05, (systems, 1)) + random.normal(0, 0.1, queries) + random.random((systems, queries)) / 3


@pytest.mark.parametrize("name", OBJECTIVES)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_slopes_are_those_of_small_differences(name, seed):
    objective, scores = OBJECTIVES[name], matrix(seed)
    value, slope = objective.slope(scores)
    assert value == pytest.approx(objective.value(scores), abs=1e-14)
    for at in np.ndindex(scores.shape):
        offset = np.zeros_like(scores)
        offset[at] = 1e-6
        rise = (objective.value(scores + offset) - objective.value(scores - offset)) / 2e-6
        assert slope[at] == pytest.approx(rise, abs=1e-6)


def test_shares_of_variance_are_those_of_the_components():
    scores = matrix(4)
    found = mean_squares(scores).components()
    assert PHI.value(scores) == pytest.approx(found.system / (found.system + found.query + found.residual), abs=1e-12)
    assert ERHO.value(scores) == pytest.approx(found.system / (found.system + found.residual), abs=1e-12)


def test_generalizability_does_not_see_how_hard_queries_are():
    scores = matrix(5)
    assert ERHO.value(scores + np.linspace(0, 3, 9)) == pytest.approx(ERHO.value(scores), abs=1e-12)
    assert PHI.value(scores + np.linspace(0, 3, 9)) < PHI.value(scores)


def test_power_counts_the_pairs_that_paired_t_tests_tell_apart():
    scores = matrix(6, systems=12, queries=20)
    one, two = np.triu_indices(12, 1)
    tested = ttest_rel(scores[one], scores[two], axis=1)
    assert 0 < POWER.seen(scores) < 1
    assert POWER.seen(scores) == np.mean(tested.pvalue < 0.05)
    limit = student.ppf(0.975, 19)
    expected = norm.cdf(tested.statistic - limit) + norm.cdf(-tested.statistic - limit)
    assert POWER.value(scores) == pytest.approx(expected.mean(), abs=1e-12)


def test_expected_power_is_what_fresh_queries_tell_apart():
    # Normal scores: 400 fresh samples of the same systems, whose true t is the observed one.
    random = np.random.default_rng(7)
    means = np.array([0.0, 0.1, 0.2, 0.3])[:, None]
    noise = random.normal(0, 0.2, (4, 40))
    noise = (noise - noise.mean(axis=1)[:, None]) / noise.std(axis=1, ddof=1)[:, None] * 0.2
    noise = np.linalg.solve(np.linalg.cholesky(np.cov(noise)), noise) * 0.2  # no correlation left
    promised = POWER.value(means + noise)
    seen = [POWER.seen(means + random.normal(0, 0.2, (4, 40))) for _ in range(400)]
    assert np.mean(seen) == pytest.approx(promised, abs=0.02)


@pytest.mark.parametrize("objective", OBJECTIVES.values(), ids=list(OBJECTIVES))
def test_a_matrix_without_variance_has_no_value(objective):
    for scores in (np.full((4, 3), 0.1 + 0.2), np.full((4, 3), np.nan)):
        assert objective.value(scores) == -inf
        value, slope = objective.slope(scores)
        assert (value, slope.any()) == (-inf, False)


def test_systems_that_are_the_same_are_never_told_apart():
    queries = np.random.default_rng(8).random(7)
    same = np.tile(queries, (3, 1)) * np.array([[1.0], [1.0 + 1e-16], [1.0]])
    assert POWER.seen(same) == 0
    assert ERHO.value(same) == -inf  # rounding is not a difference of systems
    value, slope = POWER.slope(np.vstack([same, same[:1] + 0.1]))  # the last: always 0.1 better, a sure difference
    assert POWER.seen(np.vstack([same, same[:1] + 0.1])) == 0.5
    assert value == pytest.approx(0.5 + 0.5 * 2 * norm.cdf(-student.ppf(0.975, 6)), abs=1e-12)
    assert np.isfinite(slope).all()


@pytest.mark.parametrize("objective", [ERHO, POWER], ids=["erho", "power"])
@pytest.mark.parametrize("over", [("discount",), ("gain",), ("discount", "gain")])
def test_no_random_weighting_beats_the_search(objective, over):
    table = random_table(11, systems=7, queries=12, ranks=6)
    start = named_weighting(table)
    best = search(table, Question(start, over, objective=objective))[0]
    assert best.gap <= 1e-7
    random = np.random.default_rng(0)
    for _ in range(300):
        discount = np.sort(random.dirichlet(np.full(6, 0.5)))[::-1] if "discount" in over else start.discount
        gain = np.sort(random.random(2)) if "gain" in over else start.gain
        assert objective.value(scores_of(table, discount, gain)) <= best.value + 1e-9
    assert_allclose(objective.value(scores_of(table, best.discount, best.gain)), best.value, atol=1e-12)
