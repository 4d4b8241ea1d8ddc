import numpy as np
import pytest
from scipy import stats

from rankgauge.analysis.compare.statistics.random_effects import RandomEffects, random_effects

# Thirteen trials of the BCG vaccine: log relative risks and their variances, the textbook case of random effects.
RISKS = [
    -0.8893,
    -1.5854,
    -1.3481,
    -1.4416,
    -0.2175,
    -0.7861,
    -1.6209,
    0.0120,
    -0.4694,
    -1.3713,
    -0.3394,
    0.4459,
    -0.0173,
]
VARIANCES = [0.3256, 0.1946, 0.4154, 0.0200, 0.0512, 0.0069, 0.2230, 0.0040, 0.0564, 0.0730, 0.0124, 0.5325, 0.0714]


def test_the_textbook_case_has_its_published_numbers():
    found = random_effects(np.array(RISKS), np.sqrt(VARIANCES))
    assert found.between**2 == pytest.approx(0.3181, abs=2e-4)
    assert found.mean == pytest.approx(-0.715, abs=1e-3)
    # Q = 152.233 with 12 degrees of freedom.
    assert found.heterogeneity == pytest.approx(1 - 12 / 152.233, abs=5e-4)
    assert found.p_heterogeneity < 1e-20


def test_with_equal_errors_the_interval_is_that_of_a_t_test_over_collections():
    values, error = np.array([0.1, 0.3, 0.2, 0.5]), np.full(4, 0.01)
    found = random_effects(values, error)
    assert found.mean == pytest.approx(values.mean())
    assert found.error == pytest.approx(values.std(ddof=1) / 2)
    assert found.between**2 + 0.01**2 == pytest.approx(values.var(ddof=1))
    low, high = found.interval(found.p)
    assert min(abs(low), abs(high)) == pytest.approx(0, abs=1e-9)


def test_where_errors_explain_the_scatter_nothing_lies_between_collections_and_precise_ones_weigh_more():
    found = random_effects(np.array([0.10, 0.11]), np.array([0.05, 0.1]))
    assert (found.between, found.heterogeneity) == (0, 0)
    assert found.shares == pytest.approx([0.8, 0.2])
    assert found.error == pytest.approx(1 / np.sqrt(1 / 0.05**2 + 1 / 0.1**2))


@pytest.mark.parametrize(
    ("values", "errors", "p"),
    [([0.0, 0.0], [0, 0], 1.0), ([0.1, 0.1, 0.1], [0, 0, 0], 0.25), ([0.0, 0.2], [0, 0.1], None)],
)
def test_collections_without_any_scatter_end_in_numbers(values, errors, p):
    found = random_effects(np.array(values), np.array(errors, dtype=float))
    assert np.isfinite([found.mean, found.error, *found.interval(0.05), *found.predicted(0.05)]).all()
    assert found.p == pytest.approx(p) if p is not None else 0 < found.p < 1
    assert found.p_within(1.0) <= 1


@pytest.mark.parametrize(("between", "most"), [(0.0, 1.0), (0.05, 0.975)])
def test_the_interval_holds_the_mean_in_95_of_100_cases_and_more_where_collections_are_alike(between, most):
    random, held, trials = np.random.default_rng(3), 0, 600
    for _ in range(trials):
        errors = random.uniform(0.01, 0.05, 6)
        low, high = random_effects(0.02 + random.normal(0, np.hypot(between, errors)), errors).interval(0.05)
        held += low <= 0.02 <= high
    assert 0.93 <= held / trials <= most


def test_p_and_intervals_are_students():
    found = RandomEffects(0.3, 0.1, 0.2, 0.5, 0.01, np.ones(4) / 4)
    assert found.freedom == 3
    assert found.p == pytest.approx(2 * stats.t.sf(3.0, 3))
    assert found.p_beyond(0.1) == pytest.approx(2 * stats.t.sf(2.0, 3))
    arm = stats.t.ppf(0.975, 3)
    assert found.interval(0.05) == pytest.approx((0.3 - 0.1 * arm, 0.3 + 0.1 * arm))
    assert found.predicted(0.05) == pytest.approx((0.3 - np.sqrt(0.05) * arm, 0.3 + np.sqrt(0.05) * arm))
    sure = RandomEffects(0.3, 0.0, 0.0, 0.0, 1.0, np.ones(4) / 4)
    assert (sure.p, sure.p_beyond(0.3), sure.p_beyond(0.2)) == (1 / 8, 1, 0)
    assert RandomEffects(0.0, 0.0, 0.0, 0.0, 1.0, np.ones(4) / 4).p == 1
