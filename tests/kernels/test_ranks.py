"""Rank correlations: written out, against SciPy, and at their ends."""

import math

import numpy as np
import pytest

from rankgauge.errors import UsageError
from rankgauge.kernels.ranks import exact_matches, kendall_tau, rmse, spearman, tau_ap
from rankgauge.kernels.ranks import rank_biased_overlap as overlaps

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


def test_tau_b_of_table_1():
    taus = [kendall_tau(L, row) for row in TABLE_1]
    assert taus == pytest.approx([1, 0.8, 0.742857, 0.285714, 0.285714, -0.8], abs=5e-7)


@pytest.mark.parametrize("measure", [kendall_tau, spearman])
@pytest.mark.parametrize(("truth", "predicted"), [([1, 2, 3], [5, 5, 5]), ([1, 1], [1, 2]), ([1], [2]), ([], [])])
def test_a_constant_vector_has_no_correlation(measure, truth, predicted):
    assert math.isnan(measure(truth, predicted))


def test_spearman_is_the_correlation_of_mean_ranks():
    # Ranks 1.5, 1.5, 3, 4 and 1, 2.5, 2.5, 4.
    expected = np.corrcoef([1.5, 1.5, 3, 4], [1, 2.5, 2.5, 4])[0, 1]
    assert spearman([0, 0, 7, 9], [-5, 1, 1, 8]) == pytest.approx(expected)
    assert spearman([1, 2, 3], [10, 20, 90]) == 1
    assert spearman([1, 2, 3], [3, 2, 1]) == -1


def test_spearman_agrees_with_scipy():
    stats = pytest.importorskip("scipy.stats")
    draw = np.random.default_rng(4)
    for levels in (2, 5, 1000):
        truth, predicted = draw.integers(0, levels, (2, 60))
        assert spearman(truth, predicted) == pytest.approx(stats.spearmanr(truth, predicted).statistic)


def test_tau_counts_pairs_in_order_and_in_reverse():
    # Of six pairs only (b, c) is turned round.
    assert kendall_tau([4, 3, 2, 1], [4, 2, 3, 1]) == pytest.approx((5 - 1) / 6)


def test_tau_b_leaves_tied_pairs_out_of_its_scale():
    # Pairs: one tied in the second only, two concordant, none discordant.
    assert kendall_tau([3, 2, 1], [2, 1, 1]) == pytest.approx(2 / math.sqrt(3 * 2))


def test_equal_and_reversed_orders_are_the_ends_of_every_scale():
    order, tied = [0.9, 0.5, 0.4, 0.1], [0.9, 0.5, 0.5, 0.1]
    for scores in (order, tied):
        backwards = [-score for score in scores]
        assert kendall_tau(scores, scores) == 1
        assert tau_ap(scores, scores) == 1
        assert kendall_tau(scores, backwards) == -1
        assert tau_ap(scores, backwards) == -1


def test_an_order_that_ties_everything_agrees_with_nothing():
    assert math.isnan(kendall_tau([1, 2, 3], [1, 1, 1]))
    assert math.isnan(tau_ap([1, 2, 3], [1, 1, 1]))
    assert tau_ap([1, 1, 1], [1, 2, 3]) == -1


def test_tau_ap_follows_its_formula():
    # Reference a b c d, estimate b a d c: C(i)/(i-1) is 0/1 for a, 2/2 for d, 2/3 for c.
    assert tau_ap([4, 3, 2, 1], [3, 4, 1, 2]) == pytest.approx(2 / 3 * (0 / 1 + 2 / 2 + 2 / 3) - 1)


def test_a_swap_at_the_top_costs_tau_ap_more_than_one_at_the_bottom():
    reference = [5, 4, 3, 2, 1]
    top, bottom = [4, 5, 3, 2, 1], [5, 4, 3, 1, 2]
    assert kendall_tau(reference, top) == kendall_tau(reference, bottom)
    assert tau_ap(reference, top) < tau_ap(reference, bottom)


def test_tau_ap_equals_its_definition_by_brute_force():
    random = np.random.default_rng(8)
    for _ in range(100):
        n = int(random.integers(2, 12))
        reference, estimate = random.permutation(n), random.permutation(n)
        ranked = sorted(range(n), key=lambda item: -estimate[item])
        total = 0.0
        for i in range(2, n + 1):
            item = ranked[i - 1]
            correct = sum(reference[other] > reference[item] for other in ranked[: i - 1])
            total += correct / (i - 1)
        assert tau_ap(reference, estimate) == pytest.approx(2 / (n - 1) * total - 1, abs=1e-12)


def test_tau_ap_compares_tied_items_with_those_strictly_above_only():
    random = np.random.default_rng(9)
    for _ in range(100):
        n = int(random.integers(2, 12))
        reference, estimate = random.integers(0, 4, n), random.integers(0, 4, n)
        shares = []
        for item in range(n):
            above = [other for other in range(n) if estimate[other] > estimate[item]]
            if above:
                shares.append(sum(reference[other] > reference[item] for other in above) / len(above))
        expected = 2 * sum(shares) / len(shares) - 1 if shares else math.nan
        assert tau_ap(reference, estimate) == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_rmse_is_the_root_of_the_mean_square():
    assert rmse([0.1, 0.5], [0.4, 0.1]) == pytest.approx(math.sqrt((0.3**2 + 0.4**2) / 2))


def rank_biased_overlap(first, second, persistence=0.9):
    """Of two lists, beside two that have nothing in common."""
    deeper = np.array([max(first.index(one), second.index(one)) + 1 for one in first if one in second], np.int64)
    sizes = np.array([[2, len(first)], [len(second) or 1, len(second)]])
    found = overlaps(np.ones_like(deeper), deeper, sizes, persistence)
    assert found[0] == 0
    return found[1]


def test_rank_biased_overlap_follows_its_formula():
    # Overlaps of "abc" and "bad" at depths 1, 2, 3: 0, 2, 2.
    p = 0.8
    expected = (1 - p) / p * (0 / 1 * p + 2 / 2 * p**2 + 2 / 3 * p**3) + 2 / 3 * p**3
    assert rank_biased_overlap("abc", "bad", p) == pytest.approx(expected)


def test_rank_biased_overlap_of_lists_of_different_length_extrapolates_the_shorter():
    # Overlaps of "ab" within "acbd": 1, 1, 2, 2; agreement at the shorter's end is 1/2 and goes on beyond it.
    p = 0.9
    seen = 1 / 1 * p + 1 / 2 * p**2 + (2 + 1 * 1 / 2) / 3 * p**3 + (2 + 1 * 2 / 2) / 4 * p**4
    expected = (1 - p) / p * seen + ((2 - 1) / 4 + 1 / 2) * p**4
    assert rank_biased_overlap("ab", "acbd", p) == pytest.approx(expected)
    assert rank_biased_overlap("acbd", "ab", p) == pytest.approx(expected)


def test_rank_biased_overlap_of_equal_disjoint_and_empty_lists():
    assert rank_biased_overlap("abcd", "abcd") == pytest.approx(1)
    assert rank_biased_overlap("abcd", "efgh") == 0
    assert rank_biased_overlap("", "efgh") == 0
    assert rank_biased_overlap("", "") == 1


@pytest.mark.parametrize(
    ("first", "second", "error", "message"),
    [
        ([1, 2], [1, 2, 3], UsageError, "one length"),
        ([1, math.nan], [1, 2], UsageError, "nan or infinite"),
    ],
)
def test_vectors_that_are_no_orders_are_refused(first, second, error, message):
    for coefficient in (kendall_tau, tau_ap, rmse):
        with pytest.raises(error, match=message):
            coefficient(first, second)


def rbo_step_by_step(first, second, p):
    """Equation 32 of Webber, Moffat & Zobel (2010), term by term."""
    short, long = sorted([first, second], key=len)
    s, l = len(short), len(long)

    def common(d):
        return len(set(short[:d]) & set(long[:d]))

    total = sum(common(d) / d * p**d for d in range(1, l + 1))
    total += sum(common(s) * (d - s) / (s * d) * p**d for d in range(s + 1, l + 1))
    return (1 - p) / p * total + ((common(l) - common(s)) / l + common(s) / s) * p**l


@pytest.mark.parametrize(
    ("first", "second"),
    [("abcdef", "bacxye"), ("abc", "abc"), ("abc", "xyz"), ("abcdefgh", "ba"), ("a", "xbcda"), ("abcd", "dcba")],
)
@pytest.mark.parametrize("p", [0.5, 0.9])
def test_rbo_is_the_published_sum(first, second, p):
    expected = rbo_step_by_step(list(first), list(second), p)
    assert rank_biased_overlap(list(first), list(second), p) == pytest.approx(expected, abs=1e-14)
    assert rank_biased_overlap(list(second), list(first), p) == pytest.approx(expected, abs=1e-14)


def test_rbo_of_two_documents_written_out():
    # Swapped: X₁ = 0, X₂ = 2: (1-p)/p · (0 + 2/2·p²) + 2/2·p² = (1-p)·p + p²
    assert rank_biased_overlap(["a", "b"], ["b", "a"], 0.9) == pytest.approx(0.1 * 0.9 + 0.81)


def test_rbo_of_equal_and_of_empty_lists():
    assert rank_biased_overlap(list("abcde"), list("abcde")) == pytest.approx(1.0)
    assert rank_biased_overlap([], []) == 1.0
    assert rank_biased_overlap([], ["a"]) == 0.0


def test_changes_near_the_top_weigh_more():
    first = list("abcdefghij")
    assert rank_biased_overlap(first, list("bacdefghij")) < rank_biased_overlap(first, list("abcdefghji"))


def test_exact_matches_average_the_share_of_equal_values_over_every_prefix():
    assert exact_matches([3, 2, 2, 1], [3, 1, 2, 1]) == pytest.approx((1 / 1 + 1 / 2 + 2 / 3 + 3 / 4) / 4)
    assert exact_matches([1], [1]) == 1
    assert exact_matches([1, 2], [2, 1]) == 0
    assert math.isnan(exact_matches([], []))


def test_no_correlation_leaves_its_scale_by_rounding():
    draw = np.random.default_rng(11)
    for _ in range(200):
        x = draw.integers(0, draw.integers(2, 9), draw.integers(1, 40))
        y = np.where(draw.random(len(x)) < 0.1, draw.integers(0, 9, len(x)), 3 * x)
        for measure in (kendall_tau, spearman):
            for other in (y, -y, x, -x):
                assert math.isnan(measure(x, other)) or -1 <= measure(x, other) <= 1
    for size in range(1, 40):
        for persistence in (0.1, 0.5, 0.8, 0.9, 0.99):
            same = rank_biased_overlap(range(size), range(size), persistence)
            assert 1 - 1e-12 < same <= 1
