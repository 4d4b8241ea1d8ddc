import numpy as np
import pytest
from scipy import stats

import rankgauge
from cubes import scores_of
from rankgauge.analysis.compare.statistics.families import (
    complete_queries,
    randomised_tukey_test,
    tukey_test,
    two_way,
)
from rankgauge.analysis.compare.statistics.tests import paired_differences, sign_flip_test, t_test
from rankgauge.errors import AnalysisError
from sakai import GOLDEN, A, B, C

THREE = np.array([A, B, C])
PLACES = {"ab": (0, 1), "ac": (0, 2), "bc": (1, 2)}
SAMPLES = 20_000


def dealt_whole_numbers(samples):
    """The largest difference of sums, in exact arithmetic, when each query's scores are dealt out anew."""
    tenths = np.rint(10 * THREE).astype(int)
    random = np.random.default_rng(99)
    sums = np.array([random.permuted(tenths, axis=0).sum(axis=1) for _ in range(samples)])
    totals = tenths.sum(axis=1)
    return sums.max(axis=1) - sums.min(axis=1), np.abs(totals[:, np.newaxis] - totals)


def test_the_two_way_analysis_of_sakais_three_systems():
    study = two_way(THREE)
    assert study.systems_mean_square / study.residual_mean_square == pytest.approx(
        GOLDEN["family"]["f_systems"], abs=5e-4
    )
    assert study.freedom == 38
    for pair, expected in GOLDEN["family"]["effect_sizes"].items():
        assert study.effect_sizes[PLACES[pair]] == pytest.approx(expected, abs=5e-4)


def test_tukeys_p_values_are_the_studentized_range_of_the_blocked_error():
    # Written out: q = |difference| / √(MSe/n), three groups, 38 degrees of freedom.
    residuals = THREE - THREE.mean(axis=1, keepdims=True) - THREE.mean(axis=0) + THREE.mean()
    error = (residuals**2).sum() / 38
    for first, second in PLACES.values():
        q = abs(THREE[first].mean() - THREE[second].mean()) / np.sqrt(error / 20)
        assert tukey_test(THREE)[first, second] == pytest.approx(stats.studentized_range.sf(q, 3, 38), abs=1e-10)


def test_the_randomised_p_values_of_sakais_three_systems():
    p = randomised_tukey_test(THREE, samples=SAMPLES, seed=3)
    spans, gaps = dealt_whole_numbers(SAMPLES)
    for pair, printed in GOLDEN["family"]["randomised_p"].items():
        place = PLACES[pair]
        error = 4 * np.sqrt(2 * 0.25 / SAMPLES)
        with_equal, without = np.mean(spans >= gaps[place]), np.mean(spans > gaps[place])
        assert p[place] == pytest.approx(with_equal, abs=error)
        # Between counting every tie and none, depending on the last bits of the program that printed it.
        assert without - error < printed < with_equal + error
    for pair in ("ac", "bc"):
        assert p[PLACES[pair]] == pytest.approx(GOLDEN["family"]["randomised_p"][pair], abs=error)


def test_two_systems_give_the_paired_t_test():
    assert tukey_test(THREE[:2])[0, 1] == pytest.approx(t_test(paired_differences(A, B)[np.newaxis])[0], abs=1e-12)


def test_two_systems_dealt_anew_give_the_sign_flip_test():
    exact = sign_flip_test(paired_differences(A, B)[np.newaxis], samples=1, seed=1)[0]
    sampled = randomised_tukey_test(THREE[:2], samples=SAMPLES, seed=1)[0, 1]
    assert sampled == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / SAMPLES))


@pytest.mark.parametrize("test", [tukey_test, lambda values: randomised_tukey_test(values, samples=500, seed=1)])
def test_the_table_is_symmetric_and_identical_systems_give_1(test):
    p = test(np.array([A, B, A]))
    np.testing.assert_array_equal(p, p.T)
    assert p[0, 2] == 1.0
    assert (np.diag(p) == 1.0).all()
    assert 0 < p[0, 1] < 1


def test_no_p_value_is_0_without_residual_variance():
    values = np.array([[0.1, 0.5, 0.3], [0.2, 0.6, 0.4], [0.1, 0.5, 0.3]])
    p = tukey_test(values)
    assert p[0, 1] == 2.0**-2
    assert p[0, 2] == 1.0
    study = two_way(values)
    assert study.residual_mean_square == 0.0
    assert np.isnan(study.effect_sizes[0, 1])
    assert study.effect_sizes[0, 2] == 0.0


def test_no_p_value_is_0_for_systems_far_apart():
    values = np.random.default_rng(1).normal(size=(3, 40)) * 0.001 + np.array([[0.0], [0.5], [1.0]])
    assert tukey_test(values)[0, 2] == 1e-12
    assert randomised_tukey_test(values, samples=99, seed=1)[0, 2] == 0.01


def test_a_query_that_one_system_lacks_is_left_out_for_all():
    gaps = THREE.copy()
    gaps[1, 3] = np.nan
    np.testing.assert_array_equal(tukey_test(gaps), tukey_test(np.delete(THREE, 3, axis=1)))


def test_too_few_complete_queries_are_an_error():
    values = np.full((2, 3), np.nan)
    values[0, :2], values[1, 1:] = 0.5, 0.5
    with pytest.raises(AnalysisError, match="only 1 of 3 queries have a score of every system"):
        complete_queries(values)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_means_that_differ_by_rounding_alone_are_equal(scale):
    values = scale * np.array([[0.1 + 0.2] * 4, [0.3] * 4, [0.5] * 4])
    p = tukey_test(values)
    assert p[0, 1] == 1
    assert p[0, 2] == p[1, 2] == 1 / 8


def test_the_clearest_differences_of_many_queries_are_found():
    """Seen red: p was nan, and the verdict undecided."""
    values = np.random.default_rng(1).random((4, 1100)) * 0.8
    values[0] += 3.0
    found = rankgauge.compare(scores_of(values), test="tukey", all_pairs=True)
    decided = {(pair.system, pair.baseline): pair for pair in found.parts[0].pairs}
    for other in ("system2", "system3", "system4"):
        assert 0.0 < decided[other, "system1"].p_adjusted < 1e-10
        assert decided[other, "system1"].verdict == "worse"
