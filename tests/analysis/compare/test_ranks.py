import numpy as np
import pytest
from scipy.stats import ttest_1samp

from rankgauge import compare
from rankgauge.analysis.compare.statistics import ranks
from rankgauge.analysis.compare.statistics.corrections import adjust
from rankgauge.analysis.compare.statistics.ranks import _tested, rank_intervals, ranks_from_means
from rankgauge.evaluation.scores import Scores
from rankgauge.measures.measure import labeled


def test_the_highest_mean_has_rank_1_and_equal_means_share_the_better_rank():
    assert ranks_from_means(np.array([[0.2, 0.5, 0.1 + 0.2, 0.3, 0.1]])).tolist() == [[4, 1, 2, 2, 5]]


def test_a_system_without_scores_comes_last():
    assert ranks_from_means(np.array([[np.nan, 0.0, np.nan, 0.1]])).tolist() == [[3, 2, 3, 1]]


def test_systems_far_apart_keep_their_ranks_and_close_ones_do_not():
    random = np.random.default_rng(1)
    difficulty = random.normal(size=40)
    values = np.array([difficulty + shift + 0.3 * random.normal(size=40) for shift in (5.0, 0.0, 0.0, -5.0)])
    ranks = rank_intervals(values)
    assert (ranks.rank[0], ranks.low[0], ranks.high[0]) == (1, 1, 1)
    assert (ranks.rank[3], ranks.low[3], ranks.high[3]) == (4, 4, 4)
    assert ranks.low[1:3].tolist() == [2, 2]
    assert ranks.high[1:3].tolist() == [3, 3]


@pytest.mark.parametrize("seed", range(5))
def test_rank_intervals_follow_the_definition(seed):
    values = np.random.default_rng(seed).normal(size=(6, 20))
    values += np.linspace(0, 1.5, 6)[:, np.newaxis]
    values[0, :3] = values[2, 2:6] = np.nan
    ranks = rank_intervals(values, confidence=0.8)
    for one in range(6):
        others = [other for other in range(6) if other != one]
        gaps = values[one] - values[others]
        surely = adjust(ttest_1samp(gaps, 0, axis=1, nan_policy="omit").pvalue, "holm") < 0.2
        assert ranks.low[one] == 1 + np.sum(surely & (np.nanmean(gaps, axis=1) < 0))
        assert ranks.high[one] == 6 - np.sum(surely & (np.nanmean(gaps, axis=1) > 0))


def test_identical_systems_share_rank_and_interval():
    values = np.random.default_rng(2).normal(size=(3, 20))
    ranks = rank_intervals(np.concatenate([values, values[:1]]))
    assert (ranks.rank[0], ranks.low[0], ranks.high[0]) == (ranks.rank[3], ranks.low[3], ranks.high[3])


def test_means_over_the_queries_present_decide():
    values = np.array([[0.9, np.nan, np.nan, 0.9], [0.5, 0.5, 0.6, 0.5], [np.nan] * 4])
    ranks = rank_intervals(values)
    assert ranks.rank.tolist() == [1, 2, 3]
    # Two shared queries cannot rank the first above the second; without any, nothing is known of the third.
    assert ranks.high.tolist() == [3, 3, 3]


@pytest.mark.parametrize("seed", range(3))
def test_the_interval_holds_the_rank_shown(seed):
    values = np.round(np.random.default_rng(seed).uniform(size=(8, 4)), 1)
    ranks = rank_intervals(values, confidence=0.5)
    assert (ranks.low <= ranks.rank).all()
    assert (ranks.rank <= ranks.high).all()


@pytest.mark.parametrize(
    ("queries", "confidence", "open_ranks"),
    [(3, 0.7, False), (3, 0.75, True), (3, 0.8, True), (2, 0.4, False), (2, 0.5, True), (1, 0.01, True)],
)
def test_equal_differences_prove_as_much_as_as_many_equal_signs(queries, confidence, open_ranks):
    # p is 2^(1-n), and a finding must be below 1 - confidence.
    found = rank_intervals(np.array([[0.75] * queries, [0.25] * queries]), confidence=confidence)
    assert (found.low.tolist(), found.high.tolist()) == (([1, 1], [2, 2]) if open_ranks else ([1, 2], [1, 2]))


def test_means_of_zero_share_a_rank():
    assert ranks_from_means(np.array([[0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])).tolist() == [[1, 1, 3], [2, 1, 2]]


def test_the_blocks_of_rows_do_not_matter(monkeypatch):
    values = np.random.default_rng(6).normal(np.linspace(0, 0.5, 7)[:, None], 0.3, (7, 20))
    values[2, :4] = np.nan
    pairs = np.column_stack(np.triu_indices(7, 1))
    whole = rank_intervals(values, pairs=pairs)
    assert set(whole.sure.ravel()) == {-1, 0, 1}
    monkeypatch.setattr(ranks, "_BLOCK", 3)
    parts = rank_intervals(values, pairs=pairs)
    for name in ("rank", "low", "high", "sure"):
        assert getattr(parts, name).tolist() == getattr(whole, name).tolist()


def test_t_and_p_of_three_differences_by_hand():
    """1, 2, 3: the sum is 6, the squares 14; with 2 degrees of freedom p = 1 - t / √(t² + 2)."""
    t, p = _tested(np.array([3.0]), np.array([6.0]), np.array([14.0]), 0.0)
    assert t[0] == pytest.approx(12**0.5, rel=1e-14)
    assert p[0] == pytest.approx(1 - (12 / 14) ** 0.5, rel=1e-12)


def test_equal_differences_prove_as_much_as_equal_signs_up_to_a_thousand():
    queries = np.array([1.0, 2.0, 5.0, 1000.0, 1001.0, 2000.0])
    _, p = _tested(queries, queries, queries, 1e-9)
    np.testing.assert_array_equal(p, [np.nan, 0.5, 2.0**-4, 2.0**-999, 2.0**-999, 2.0**-999])


def test_a_pair_that_is_opened_again_is_no_longer_counted_in_either_range():
    values = np.random.default_rng(1).normal(np.array([[5.0], [0.0], [-5.0]]), 0.3, (3, 40))
    pairs = np.array([[1, 0], [1, 2]])
    found = rank_intervals(values, pairs=pairs)
    assert found.sure.tolist() == [[-1, 1], [1, -1]]
    opened = found.reopened(pairs, np.array([True, False]))
    assert (opened.low.tolist(), opened.high.tolist()) == ([1, 1, 3], [2, 2, 3])
    assert opened.sure.tolist() == [[0, 0], [1, -1]]


def test_ranges_that_are_opened_again_stay_among_the_systems():
    # By the mean over its own queries the last leads, on shared queries it is worse: its range was stretched to its rank.
    values = np.array([[0.9] * 8 + [0.0] * 40, [0.7] * 8 + [np.nan] * 40]) + np.linspace(0, 0.01, 96).reshape(2, 48)
    pairs = np.array([[0, 1]])
    found = rank_intervals(values, pairs=pairs)
    assert (found.low.tolist(), found.high.tolist(), found.sure.tolist()) == ([1, 1], [2, 2], [[1, -1]])
    opened = found.reopened(pairs, np.array([True]))
    assert (opened.low.tolist(), opened.high.tolist()) == ([1, 1], [2, 2])


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("options", [{}, {"all_pairs": True}, {"correction": "holm"}, {"equivalence": 0.05}])
def test_no_range_rules_out_what_a_verdict_leaves_open(seed, options):
    random, systems = np.random.default_rng(seed), 6
    values = random.normal(np.linspace(0, 0.25, systems)[:, None], 0.3, (systems, 40)) + random.normal(size=40)
    part = compare(
        Scores.from_matrix(values, measures=labeled("score"), rows="systems"), confidence=0.9, **options
    ).parts[0]
    alone = rank_intervals(values, confidence=0.9)
    for at, own in enumerate(part.systems):
        signs = [
            1 if pair.system == own.name else -1 for pair in part.pairs if own.name in (pair.system, pair.baseline)
        ]
        pairs = [pair for pair in part.pairs if own.name in (pair.system, pair.baseline)]
        sides = [
            sign * np.sign(pair.difference) * (pair.p_adjusted < 0.1) for sign, pair in zip(signs, pairs, strict=True)
        ]
        unseen = systems - 1 - len(pairs)
        assert own.rank_low <= 1 + sides.count(-1) + unseen
        assert own.rank_high >= systems - sides.count(1) - unseen
        # Wider, never narrower, than by the comparisons of this system alone.
        assert own.rank_low <= alone.low[at]
        assert own.rank_high >= alone.high[at]


def test_queries_with_scores_far_from_0_lose_no_digits():
    random = np.random.default_rng(3)
    values = random.normal(size=(6, 30)) + np.array([[2.0], [1.0], [0.5], [0.0], [-0.5], [-2.0]])
    near, far = rank_intervals(values), rank_intervals(values + 1e8 * random.normal(size=30))
    assert (far.low.tolist(), far.high.tolist()) == (near.low.tolist(), near.high.tolist())
    assert near.low.tolist() != near.high.tolist()


def test_queries_far_from_0_that_some_systems_miss_lose_no_digits():
    random = np.random.default_rng(3)
    values = random.normal(size=(6, 30)) + np.array([[2.0], [1.0], [0.5], [0.0], [-0.5], [-2.0]])
    values[0, 3:6] = values[4, 5:9] = np.nan
    values[1:, 0] = np.nan  # one system alone has this query
    pairs = np.column_stack(np.triu_indices(6, 1))
    near, far = (
        rank_intervals(values + shift, pairs=pairs).sure.tolist() for shift in (0.0, 1e9 + 1e8 * np.arange(30))
    )
    assert near == far
    assert [0, 0] in near
    assert [1, -1] in near


def test_what_rounding_leaves_of_equal_differences_is_no_variance():
    """2, 2, 2: the squares add up to 12."""
    for rest in (1e-13, 0.0, -1e-13):
        t, p = _tested(np.array([3.0]), np.array([6.0]), np.array([12.0 + rest]), 1e-12)
        assert t[0] > 1e300
        assert p[0] == 2.0**-2


def test_the_p_value_of_two_differences_has_one_degree_of_freedom():
    """1 and 3: t is 2."""
    t, p = _tested(np.array([2.0]), np.array([4.0]), np.array([10.0]), 0.0)
    assert t[0] == pytest.approx(2.0)
    assert p[0] == pytest.approx(1 - 2 * np.arctan(2.0) / np.pi)


def test_rounding_is_a_share_of_a_mean_and_not_of_the_largest():
    assert ranks_from_means(np.array([[1e13, 0.1, 0.3]])).tolist() == [[1, 3, 2]]


def test_without_pairs_to_remember_none_are():
    assert rank_intervals(np.array([[0.1, 0.2], [0.3, 0.1]])).sure.shape == (0, 2)
