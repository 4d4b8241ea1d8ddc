import numpy as np
import pytest
from scipy.stats import ttest_1samp

from rankgauge import compare
from rankgauge.analysis.compare.statistics.corrections import adjust
from rankgauge.analysis.compare.statistics.ranks import rank_intervals, ranks_from_means
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
