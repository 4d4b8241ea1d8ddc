import itertools

import numpy as np
import pytest
from scipy import stats

from rankgauge import evaluate, examples
from rankgauge.analysis.compare.statistics.tests import (
    bootstrap_test,
    effect_errors,
    effect_sizes,
    equivalence_test,
    paired_differences,
    sign_flip_test,
    squared_t,
    t_test,
    wilcoxon_test,
)
from rankgauge.evaluation.intervals import moments
from sakai import GOLDEN, A, B

PAIR = paired_differences(A, B)[np.newaxis]

TESTS = {
    "sign-flip": lambda rows: sign_flip_test(rows, samples=2_000, seed=1),
    "bootstrap": lambda rows: bootstrap_test(rows, samples=2_000, seed=1),
    "t": t_test,
    "wilcoxon": wilcoxon_test,
}
every_test = pytest.mark.parametrize("test", TESTS.values(), ids=TESTS.keys())


@pytest.fixture(params=["example", "trec-web"])
def real_scores(request):
    if request.param == "example":
        collection = examples.load()
        return evaluate(collection.judgments, collection.runs, "nDCG@20").matrix()
    path = request.getfixturevalue("gtheory") / "trec-web" / "web2010_ndcg20.csv"
    return np.loadtxt(path, delimiter=",", skiprows=1).T


def all_pairs(scores):
    first, second = np.triu_indices(len(scores), 1)
    return paired_differences(scores[first], scores[second])


def test_the_paired_t_of_sakais_example():
    assert np.sqrt(squared_t(moments(PAIR)))[0] == pytest.approx(GOLDEN["pair"]["t"], abs=5e-7)
    assert t_test(PAIR)[0] == pytest.approx(GOLDEN["pair"]["p"], abs=5e-7)


def test_the_bootstrap_level_of_sakais_example():
    p = bootstrap_test(PAIR, samples=100_000, seed=1)[0]
    asl = round(p * 100_001 - 1) / 100_000
    assert asl == pytest.approx(GOLDEN["pair"]["asl"], abs=0.0021)  # three standard errors
    assert p == (1 + asl * 100_000) / 100_001


@pytest.mark.parametrize("queries", [2, 5, 10])
def test_exact_sign_flips_equal_scipys_permutation_test(queries):
    first, second = np.random.default_rng(queries).normal(size=(2, queries))
    peer = stats.permutation_test(
        (first, second), lambda x, y, axis: np.mean(x - y, axis=axis), permutation_type="samples", n_resamples=np.inf
    )
    ours = sign_flip_test(paired_differences(first, second)[np.newaxis], samples=1, seed=1)[0]
    assert ours == pytest.approx(peer.pvalue, abs=1e-12)


def test_exact_sign_flips_of_sakais_example_equal_scipys_permutation_test_on_whole_numbers():
    # As tenths the sums tie by rounding only, where SciPy needs whole numbers to see it.
    tenths = np.rint(10 * (A - B))
    share = np.mean(
        [
            abs(np.dot(signs, tenths[tenths != 0])) >= abs(tenths.sum())
            for signs in itertools.product((1, -1), repeat=15)
        ]
    )
    assert sign_flip_test(PAIR, samples=1, seed=1)[0] == share


def test_t_tests_equal_scipys():
    first, second = np.random.default_rng(1).normal(size=(2, 30, 17))
    np.testing.assert_allclose(t_test(first - second), stats.ttest_rel(first, second, axis=1).pvalue, rtol=1e-12)


@pytest.mark.parametrize("queries", [3, 8, 25, 50])
def test_wilcoxon_without_ties_equals_scipys_exact_test(queries):
    differences = np.random.default_rng(queries).normal(0.2, 1.0, size=(20, queries))
    peer = [stats.wilcoxon(row, method="exact").pvalue for row in differences]
    np.testing.assert_allclose(wilcoxon_test(differences), peer, rtol=1e-12)


def test_wilcoxon_with_ties_equals_walking_through_all_signs():
    row = np.array([0.1, -0.1, 0.3, 0.3, 0.2, -0.4, 0.0, 0.3, 0.1])
    ranks = stats.rankdata(np.abs(row[row != 0]))
    observed = abs(np.dot(np.sign(row[row != 0]), ranks))
    share = np.mean([abs(np.dot(signs, ranks)) >= observed - 1e-9 for signs in itertools.product((1, -1), repeat=8)])
    assert wilcoxon_test(row[np.newaxis])[0] == pytest.approx(share, abs=1e-12)


def test_long_wilcoxon_tests_equal_scipys_approximation_with_ties():
    differences = np.round(np.random.default_rng(3).normal(0.1, 1.0, size=(10, 120)), 1)
    peer = [stats.wilcoxon(row, method="approx", correction=False).pvalue for row in differences]
    np.testing.assert_allclose(wilcoxon_test(differences), peer, rtol=1e-10)


@every_test
def test_identical_systems_give_1(test):
    assert test(np.zeros((1, 40))).tolist() == [1.0]


@every_test
def test_no_p_value_is_0(test):
    rows = np.array([np.full(30, 0.2), np.linspace(0.1999999, 0.2, 30), np.full(30, 1e-7)])
    p = test(rows)
    assert (p > 0).all()
    assert (p < 0.01).all()


def test_a_t_test_does_not_underflow_to_0():
    rows = np.random.default_rng(1).normal(1.0, 0.01, size=(1, 5_000))
    assert 0 < t_test(rows)[0] < 1e-300
    assert 0 < wilcoxon_test(rows)[0] < 1e-300


def test_two_equal_differences_prove_nothing():
    # Student's formula would say p = 0.
    assert t_test(np.array([[0.2, 0.2], [0.3 - 0.2, 0.7 - 0.6]])).tolist() == [0.5, 0.5]


@every_test
def test_the_order_of_the_two_systems_does_not_matter(test):
    differences = np.random.default_rng(2).normal(0.1, 1.0, size=(6, 33))
    np.testing.assert_array_equal(test(differences), test(-differences))


@every_test
def test_a_pair_is_not_changed_by_other_pairs(test):
    differences = np.random.default_rng(2).normal(0.1, 1.0, size=(6, 33))
    np.testing.assert_array_equal(test(differences)[::-1], test(differences[::-1]))


@pytest.mark.parametrize("name", ["t", "wilcoxon"])
def test_missing_queries_are_the_same_as_shorter_rows(name):
    differences = np.random.default_rng(2).normal(0.3, 1.0, size=(1, 33))
    gaps = differences.copy()
    gaps[0, 5:9] = np.nan
    short = np.delete(differences, range(5, 9), axis=1)
    assert TESTS[name](gaps)[0] == pytest.approx(TESTS[name](short)[0], rel=1e-12)


@pytest.mark.parametrize("name", ["sign-flip", "bootstrap"])
def test_missing_queries_are_left_out_of_sampled_tests(name):
    differences = np.random.default_rng(2).normal(0.3, 1.0, size=(1, 33))
    gaps = differences.copy()
    gaps[0, 5:9] = np.nan
    short = np.delete(differences, range(5, 9), axis=1)
    assert TESTS[name](gaps)[0] == pytest.approx(TESTS[name](short)[0], abs=0.03)
    assert TESTS[name](gaps)[0] != pytest.approx(TESTS[name](np.nan_to_num(gaps, nan=-1.0))[0], abs=0.03)


@every_test
def test_fewer_than_two_queries_cannot_be_tested(test):
    assert np.isnan(test(np.array([[np.nan, 0.3, np.nan], [np.nan, np.nan, np.nan]]))).all()


def test_bootstrap_levels_of_real_systems_are_near_the_t_test(real_scores):
    # At most 0.03 apart on 251 queries, 0.06 on 50. Runs that are nearly the same, with few differences, are another matter.
    pairs, apart = (45, 0.03) if len(real_scores) == 10 else (500, 0.06)
    differences = all_pairs(real_scores[:40])
    differences = differences[np.count_nonzero(differences, axis=1) >= 40]
    assert len(differences) >= pairs
    assert np.abs(bootstrap_test(differences, samples=1_000, seed=1) - t_test(differences)).max() < apart


def test_p_values_of_real_systems_equal_scipys(real_scores):
    scores = real_scores[:20]
    first, second = np.triu_indices(len(scores), 1)
    peer = stats.ttest_rel(scores[first], scores[second], axis=1).pvalue
    ours = t_test(all_pairs(scores))
    compared = ~np.isnan(peer)  # SciPy has no answer for identical runs
    np.testing.assert_allclose(ours[compared], peer[compared], rtol=1e-9)
    assert (ours[~compared] == 1.0).all()


def test_two_one_sided_tests_equal_scipys():
    differences = np.random.default_rng(6).normal(0.002, 0.05, size=60)
    lower = stats.ttest_1samp(differences, -0.02, alternative="greater").pvalue
    upper = stats.ttest_1samp(differences, 0.02, alternative="less").pvalue
    assert equivalence_test(differences[np.newaxis], 0.02)[0] == pytest.approx(max(lower, upper), rel=1e-12)


def test_identical_systems_are_equivalent_once_there_are_a_few_queries():
    assert equivalence_test(np.zeros((1, 10)), 0.01).tolist() == [2.0**-9]
    assert equivalence_test(np.full((1, 10), 0.01), 0.01).tolist() == [0.5]
    assert equivalence_test(np.full((1, 10), 0.02), 0.01).tolist() == [1.0]


@pytest.mark.parametrize(("queries", "method"), [(50, "exact"), (51, "asymptotic")])
def test_wilcoxons_test_is_exact_up_to_fifty_differences(queries, method):
    row = np.random.default_rng(queries).normal(0.2, 1.0, queries)
    expected = stats.wilcoxon(row, method=method, correction=False).pvalue
    assert wilcoxon_test(row[None])[0] == pytest.approx(expected, rel=1e-9)


@every_test
def test_the_unit_of_the_scores_does_not_matter(test):
    row = np.array([[0.3, 0.2, -0.1, 0.4, 0.2, -0.3, 0.5]])
    assert test(row * 2.0**-40)[0] == test(row)[0]


def test_the_error_of_an_effect_size_takes_in_skew_and_tails():
    row = np.array([0.1, 0.5, 0.3, 0.2, 1.4, np.nan])
    known = row[:5]
    standard = (known - known.mean()) / known.std(ddof=1)
    effect = known.mean() / known.std(ddof=1)
    skew, tails = (standard**3).mean(), (standard**4).mean()
    expected = np.sqrt((1 - effect * skew + effect**2 * (tails - 1) / 4) / 5)
    sample = moments(row[np.newaxis])
    assert effect_sizes(sample)[0] == pytest.approx(effect)
    assert effect_errors(row[np.newaxis], sample, effect_sizes(sample))[0] == pytest.approx(expected)


@pytest.mark.parametrize("largest", [1e3, 1e13, 1e90])
def test_ranks_do_not_depend_on_how_far_apart_the_sizes_are(largest):
    """Seen red: from a ratio of 1e12 on, the smallest difference had no rank."""
    row = np.array([[0.5, -2.0, largest, 3.0 * largest]])
    assert wilcoxon_test(row)[0] == wilcoxon_test(np.array([[1.0, -2.0, 3.0, 4.0]]))[0]
