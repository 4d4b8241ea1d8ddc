"""The margin that holds for all pairs at once."""

import numpy as np
import pytest
from scipy import stats

from cubes import scores_of
from rankgauge import Scores, compare
from rankgauge.analysis.compare.statistics import max_t as module
from rankgauge.analysis.compare.statistics.corrections import t_quantile
from rankgauge.analysis.compare.statistics.max_t import (
    NORMAL_FROM,
    _complete,
    _correlated,
    _in_own_order,
    _normal,
    _resampled,
    _with_gaps,
    max_t,
)
from rankgauge.errors import UsageError
from rankgauge.evaluation.intervals import moments
from rankgauge.kernels.resampling import centre, count_blocks


@pytest.fixture
def rows():
    random = np.random.default_rng(4)
    return random.gamma(2.0, 0.1, (12, 30)) - 0.2 + np.linspace(-0.1, 0.1, 12)[:, None]


def test_a_pair_is_a_finding_exactly_beyond_the_critical_t(rows):
    for alpha in (0.05, 0.2):
        found = max_t(rows, alpha=alpha, samples=2_000, seed=1, rounds=1)
        sample = moments(rows)
        beyond = np.abs(sample.mean / sample.error) >= found.critical
        assert (beyond == (found.p.p < alpha)).all()
        assert 0 < beyond.sum() < len(rows)


def test_the_critical_t_is_the_level_that_the_largest_exceeds_with_chance_alpha(rows):
    found = max_t(rows, alpha=0.1, samples=4_000, seed=1, rounds=1)
    centered, random, largest = rows - rows.mean(axis=1, keepdims=True), np.random.default_rng(9), []
    for _ in range(4_000):
        drawn = centered[:, random.integers(0, 30, 30)]
        largest.append(np.abs(drawn.mean(axis=1) / (drawn.std(axis=1, ddof=1) / np.sqrt(30))).max())
    assert found.critical == pytest.approx(np.quantile(largest, 0.9), rel=0.04)


def test_single_precision_and_double_agree(rows):
    centered, present = centre(rows), np.ones(rows.shape, dtype=bool)
    counts = next(count_blocks(30, 500, 3))
    expected = _with_gaps(centered, present, counts)
    for unit in (1.0, 2.0**-100, 2.0**100):  # whose squares are too small or too large for single precision
        np.testing.assert_allclose(_complete(unit * centered, present, counts), expected, rtol=1e-3)


def test_a_missing_query_is_left_out_of_every_resample(rows):
    """It is not a difference of 0, which would make the variance smaller and t larger or smaller with it."""
    gaps = rows[:1].copy()
    gaps[0, :10] = np.nan
    counts = next(count_blocks(30, 200, 5))
    expected = []
    for times in counts.astype(int):
        drawn = np.repeat(gaps[0] - np.nanmean(gaps[0]), times)
        drawn = drawn[~np.isnan(drawn)]
        expected.append(drawn.mean() ** 2 / (drawn.var(ddof=1) / len(drawn)))
    np.testing.assert_allclose(_resampled(gaps, 200, 5, None), expected)


def test_more_samples_are_drawn_while_a_pair_lies_at_the_limit(rows):
    first = max_t(rows, alpha=0.05, samples=1_000, seed=1, rounds=1)
    at = int(np.argmin(np.abs(np.log(first.p.p / 0.05))))
    alpha = float(first.p.p[at])
    finer = max_t(rows, alpha=alpha, samples=1_000, seed=1)
    assert finer.p.high[at] - finer.p.low[at] < 0.5 * (first.p.high[at] - first.p.low[at])


@pytest.mark.parametrize(
    ("systems", "options", "expected"),
    [
        (2, {}, "none"),
        (3, {}, "max-t"),
        (3, {"test": "t"}, "max-t"),
        (3, {"test": "bootstrap"}, "max-t"),
        (3, {"test": "wilcoxon"}, "holm"),
        (3, {"test": "tukey"}, "holm"),
        (3, {"correction": "holm"}, "holm"),
    ],
)
def test_max_t_is_the_correction_where_several_means_are_compared(systems, options, expected):
    scores = np.random.default_rng(1).random((systems, 30))
    assert compare(scores_of(scores), **options).correction == expected


def test_two_measures_of_one_pair_are_several_comparisons():
    values = np.random.default_rng(1).random((2, 30, 2))
    assert compare(scores_of(values, None, ["AP", "RR"])).correction == "max-t"
    assert compare(scores_of(values, None, ["AP", "RR"]), correction_within="measure").correction == "none"
    halves = {f"q{at}": at % 2 for at in range(30)}
    assert (
        compare(Scores.from_matrix(values[:, :, 0], queries=list(halves), rows="systems"), by=halves)
        .slices[0]
        .comparison.correction
        == "holm"
    )
    people, judge = (scores_of(part, None, ["AP", "RR"]) for part in (values[:, :20], values))
    with pytest.raises(UsageError, match="judge"):
        compare(people, judge=judge, correction="max-t")


@pytest.mark.parametrize("decimals", [2, 1, 0])
def test_neither_the_seed_nor_the_order_of_queries_or_systems_moves_an_interval(decimals):
    random = np.random.default_rng(3)
    values = np.round(random.random((8, 40)) + np.linspace(0, 0.3, 8)[:, None], decimals)
    usual = _intervals(compare(scores_of(values), baseline="system1"))
    assert usual == _intervals(compare(scores_of(values), baseline="system1", seed=99))
    assert usual == _intervals(compare(scores_of(values[:, random.permutation(40)]), baseline="system1"))
    turned = [f"system{at}" for at in range(8, 0, -1)]
    assert usual == _intervals(compare(Scores.from_matrix(values[::-1], turned, rows="systems"), baseline="system1"))


@pytest.mark.parametrize("gaps", [0.0, 0.3])
@pytest.mark.parametrize("count", [3, 10])
def test_rows_and_columns_have_an_order_of_their_own(count, gaps):
    random = np.random.default_rng(4)
    half = random.integers(-1, 2, (count, 15)).astype(float)
    rows = random.permuted(np.hstack([half, -half]), axis=1)  # of mean 0: a gap and a tie look alike
    rows[(rows == 0.0) & (random.random(rows.shape) < gaps)] = np.nan
    usual = np.abs(_in_own_order(rows))
    for _ in range(20):
        signs = random.choice([-1.0, 1.0], (count, 1))
        given = (signs * rows)[random.permutation(count)][:, random.permutation(30)]
        np.testing.assert_array_equal(np.abs(_in_own_order(given)), usual)


def _intervals(found):
    pairs = {pair.system: pair for pair in found.parts[0].pairs}
    return {name: (round(pair.low, 9), pair.verdict) for name, pair in sorted(pairs.items())}


def test_a_measure_given_twice_costs_nothing():
    values = np.random.default_rng(5).random((5, 40, 1)) + np.linspace(0, 0.2, 5)[:, None, None]
    once = compare(scores_of(values, None, ["AP"])).parts[0].pairs
    twice = compare(scores_of(np.repeat(values, 2, axis=2), None, ["AP", "RR"])).parts
    for part in twice:
        assert [pair.low for pair in part.pairs] == pytest.approx([pair.low for pair in once], rel=0.02)
    apart = (
        compare(scores_of(np.repeat(values, 2, axis=2), None, ["AP", "RR"]), correction_within="measure").parts[1].pairs
    )
    assert [pair.low for pair in apart] == pytest.approx([pair.low for pair in once], abs=1e-12)


def test_with_many_queries_t_is_normal():
    random = np.random.default_rng(6)
    values = random.beta(2, 2, (6, NORMAL_FROM)) + random.beta(2, 2, NORMAL_FROM)
    first, second = np.triu_indices(6, 1)
    rows = values[first] - values[second]
    normal, resampled = (max_t(rows[:, :queries], alpha=0.05).critical for queries in (NORMAL_FROM, NORMAL_FROM - 1))
    assert normal == pytest.approx(resampled, rel=0.02)
    assert normal < float(t_quantile(np.array([NORMAL_FROM]), 0.05 / len(rows))[0])
    gaps = rows.copy()
    gaps[:, 0] = np.nan
    assert max_t(gaps, alpha=0.05).critical == pytest.approx(normal, rel=0.02)


def test_a_finding_on_a_handful_of_queries_is_one_by_holm_too():
    """Three equal differences have no variance, and no resample reaches an infinite t: not on three queries."""
    found = compare(scores_of(np.array([[0.1, 0.2, 0.3], [0.6, 0.7, 0.8], [0.1, 0.5, 0.2]]))).parts[0].pairs
    assert [pair.verdict for pair in found] == ["undecided", "undecided"]
    assert found[0].p_adjusted >= found[0].p >= 0.25
    assert found[0].low <= 0.0


def test_with_few_queries_the_limit_is_at_least_bonferronis():
    rows = np.round(np.random.default_rng(2).random((10, 8)), 1) - 0.5
    assert max_t(rows, alpha=0.05).critical >= t_quantile(np.array([8]), 0.005)[0]


def test_six_queries_cannot_decide_among_ten_systems():
    """t is beyond every limit, but 64 sign patterns cannot show it for ten comparisons."""
    random = np.random.default_rng(8)
    values = random.random((11, 6))
    values[1] = values[0] + 0.5 + 0.01 * random.random(6)
    pair = compare(scores_of(values)).parts[0].pairs[0]
    assert pair.p == pytest.approx(2 / 64)
    assert (pair.verdict, pair.low <= 0.0) == ("undecided", True)
    assert compare(scores_of(values), correction="none").parts[0].pairs[0].verdict == "better"


def test_nineteen_samples_find_nothing_and_of_thirty_nine_the_largest_is_the_limit(rows):
    assert max_t(rows, alpha=0.05, samples=19, rounds=1).critical == np.inf
    ordered = rows[:, np.argsort(np.square(rows).sum(axis=0), kind="stable")]
    drawn = np.sort(_resampled(ordered, 59, 7, None))
    assert max_t(rows, alpha=0.05, samples=39, rounds=1).critical == np.sqrt(_resampled(ordered, 39, 7, None).max())
    assert max_t(rows, alpha=0.05, samples=59, rounds=1).critical == np.sqrt(drawn[-2])


@pytest.mark.parametrize("alpha", [0.05, 0.1, 0.013, 0.25])
def test_the_limit_is_the_largest_resampled_t_that_is_no_finding(rows, monkeypatch, alpha):
    drawn = np.random.default_rng(2).permutation(np.arange(100.0, 1100.0))
    monkeypatch.setattr(module, "_resampled", lambda *_: drawn)
    found = max_t(rows, alpha=alpha, rounds=1)
    no_finding = [one for one in drawn if (1 + np.count_nonzero(drawn >= one)) / 1001 >= alpha]
    assert found.critical**2 == pytest.approx(max(no_finding))


def test_the_smallest_p_counts_the_observed_scores_as_one_of_the_samples(rows):
    found = max_t(np.concatenate([rows, rows[:1] + 10.0]), alpha=0.05, samples=99, rounds=1)
    assert found.p.p[-1] == 1 / 100


@pytest.mark.parametrize(("queries", "comparisons"), [(14, 10), (15, 1)])
def test_bonferroni_bounds_what_fewer_than_fifteen_queries_find(queries, comparisons):
    # Ten comparisons that are one and the same: resampled together they cost no more than one.
    row = stats.norm.ppf((np.arange(queries) + 0.5) / queries)
    alike = np.tile(row + 0.6, (10, 1))
    found = max_t(alike, alpha=0.05, samples=2_000, rounds=1)
    alone = stats.ttest_1samp(alike[0], 0.0).pvalue
    if comparisons == 10:
        assert found.p.p == pytest.approx([10 * alone] * 10)
        assert found.critical == pytest.approx(stats.t.ppf(1 - 0.05 / 20, queries - 1))
    else:
        assert (found.p.p < 3 * alone).all()
        assert stats.t.ppf(0.975, queries - 1) <= found.critical < stats.t.ppf(1 - 0.05 / 20, queries - 1)


def test_a_resample_without_variance_says_nothing():
    rows = np.array([[-1.0, 1.0, np.nan]])
    counts = np.array([[2.0, 0.0, 1.0], [1.0, 1.0, 1.0]])
    assert _with_gaps(np.nan_to_num(rows), ~np.isnan(rows), counts).tolist() == [0, 0]


def test_normal_samples_do_not_depend_on_the_size_of_the_blocks(monkeypatch):
    factor = np.array([[1.0, 0.0], [0.6, 0.8]])
    whole = _normal(factor, 11, 3)
    assert (whole > 0).all()
    monkeypatch.setattr(module, "BLOCK", 8)
    assert _normal(factor, 11, 3).tolist() == whole.tolist()


@pytest.mark.parametrize(("queries", "is_normal"), [(NORMAL_FROM - 1, False), (NORMAL_FROM, True)])
def test_from_a_thousand_queries_on_t_is_normal(monkeypatch, queries, is_normal):
    asked = []
    monkeypatch.setattr(module, "_normal", lambda _, samples, seed: asked.append(seed) or np.ones(samples))
    monkeypatch.setattr(module, "_resampled", lambda _, samples, seed, progress: np.ones(samples))
    max_t(np.random.default_rng(1).normal(size=(2, queries)), alpha=0.05, samples=50, rounds=1)
    assert bool(asked) == is_normal


def test_near_the_limit_three_rounds_are_drawn():
    rows = np.random.default_rng(5).normal(0.3, 1.0, size=(4, 30))
    alpha = float(max_t(rows, alpha=1e-9, samples=800).p.p[0])  # so that its own p-value stays undecided
    usual = max_t(rows, alpha=alpha, samples=50)
    rounds = {number: max_t(rows, alpha=alpha, samples=50, rounds=number) for number in (2, 3, 4)}
    assert usual.critical == rounds[3].critical
    assert len({found.critical for found in rounds.values()}) == 3


def _near_copies(queries=40):
    """Six systems that differ everywhere, and a copy of the first: one query lost, seven others a little better."""
    random = np.random.default_rng(12)
    values = random.normal(np.linspace(0.0, 0.5, 6)[:, None], 0.25, (6, queries)) + random.normal(size=queries)
    copy = values[0].copy()
    copy[:8] += [-0.8, *np.linspace(0.01, 0.03, 7)]
    return values, np.vstack([values, copy])


def test_two_systems_that_are_nearly_the_same_do_not_decide_about_the_others():
    without, with_copy = ([*compare(scores_of(values), all_pairs=True).parts[0].pairs] for values in _near_copies())
    names = {(pair.system, pair.baseline) for pair in without}
    others = {(pair.system, pair.baseline): pair for pair in with_copy if (pair.system, pair.baseline) in names}
    assert sum(pair.verdict != "undecided" for pair in without) >= 5
    for pair in without:
        # Six more pairs cost a little, and no more than a little.
        arm = others[pair.system, pair.baseline]
        assert pair.high - pair.low <= arm.high - arm.low < 1.1 * (pair.high - pair.low)
    assert [pair.verdict for pair in with_copy if {pair.system, pair.baseline} == {"system1", "system7"}] == [
        "undecided"
    ]


def test_the_interval_of_nearly_the_same_systems_is_bonferronis():
    _, values = _near_copies()
    pairs = [pair for pair in compare(scores_of(values), all_pairs=True).parts[0].pairs if pair.verdict == "undecided"]
    copies = [pair for pair in pairs if {pair.system, pair.baseline} == {"system1", "system7"}]
    arms = [(pair.high - pair.low) / (2 * pair.deviation / np.sqrt(40)) for pair in copies]
    assert arms == pytest.approx([stats.t.ppf(1 - 0.05 / 42, 39)])


@pytest.mark.parametrize(
    ("queries", "differing", "is_sparse"), [(80, 14, True), (80, 15, False), (40, 11, True), (40, 12, False)]
)
def test_bonferroni_judges_a_pair_that_differs_on_few_queries_and_less_than_three_in_ten(queries, differing, is_sparse):
    # Nine comparisons that are one and the same cost no more than one, so that Bonferroni's bound is far above max-t's.
    same = np.tile(stats.norm.ppf((np.arange(queries) + 0.5) / queries), (9, 1))
    row = np.zeros((1, queries))
    row[0, :differing] = stats.norm.ppf((np.arange(differing) + 0.5) / differing) + 0.8
    alone = stats.ttest_1samp(row[0], 0.0).pvalue
    without, found = (max_t(each, alpha=0.05, samples=2_000, rounds=1) for each in (same, np.concatenate([same, row])))
    if is_sparse:
        assert found.critical == without.critical
        assert found.p.p[-1] == pytest.approx(10 * alone)
        assert found.limits[-1] == pytest.approx(stats.t.ppf(1 - 0.05 / 20, queries - 1))
        assert found.limits[:-1].tolist() == [found.critical] * 9
    else:
        assert found.limits.tolist() == [found.critical] * 10
        assert found.critical != without.critical
        assert found.p.p[-1] < 5 * alone


def test_where_all_pairs_are_nearly_the_same_the_limit_is_bonferronis():
    row = np.zeros((4, 50))
    row[:, :10] = np.random.default_rng(3).normal(size=(4, 10))
    found = max_t(row, alpha=0.05, samples=500, rounds=1)
    assert found.critical == pytest.approx(stats.t.ppf(1 - 0.05 / 8, 49))
    assert found.p.p == pytest.approx(np.minimum(4 * stats.ttest_1samp(row, 0.0, axis=1).pvalue, 1.0))


def test_a_finding_on_a_handful_of_differing_queries_is_one_by_holm_too():
    """Seven of forty queries differ, all the same way: 2 / 2⁷ by sign flips, and not below 0.05 for six comparisons."""
    random = np.random.default_rng(8)
    values = random.random((7, 40))
    values[1] = values[0]
    values[1, :7] += 0.5
    pair = compare(scores_of(values)).parts[0].pairs[0]
    assert pair.p == pytest.approx(2 / 2**7)
    assert (pair.verdict, pair.low <= 0.0) == ("undecided", True)
    assert pair.p_adjusted == pytest.approx(6 * 2 / 2**7)


def test_progress_of_the_resamples_reaches_their_number(rows):
    seen = []
    _resampled(rows, 300, 1, lambda *step: seen.append(step))
    assert seen[-1] == (300, 300)


def test_what_has_no_variance_has_a_largest_t_of_0():
    assert _normal(np.zeros((2, 1)), 5, 1).tolist() == [0, 0, 0, 0, 0]


def test_a_missing_query_is_none_on_which_systems_differ():
    same = np.tile(stats.norm.ppf((np.arange(80) + 0.5) / 80), (9, 1))
    row = np.zeros((1, 80))
    row[0, :14] = stats.norm.ppf((np.arange(14) + 0.5) / 14) + 0.8
    row[0, 70:] = np.nan
    found = max_t(np.concatenate([same, row]), alpha=0.05, samples=500, rounds=1)
    assert found.p.p[-1] == pytest.approx(10 * stats.ttest_1samp(row[0, :70], 0.0).pvalue)


@pytest.mark.parametrize(("most", "expected"), [(1e9, [100, 300, 1200]), (450, [100, 300]), (350, [100])])
def test_each_round_draws_three_times_as_many_as_there_are_until_they_are_too_many(rows, monkeypatch, most, expected):
    asked = []

    def half(_, samples, *others):
        asked.append(samples)
        return np.where(np.arange(samples) % 2, 0.0, 1e9)  # so that every p-value stays at 1/2

    monkeypatch.setattr(module, "_resampled", half)
    monkeypatch.setattr(module, "MOST_DRAWN", most * rows.size)
    max_t(rows, alpha=0.5, samples=100)
    assert asked == expected


def test_pairs_of_six_systems_have_five_independent_directions():
    values = np.random.default_rng(3).normal(size=(6, 50))
    first, second = np.triu_indices(6, 1)
    rows = values[first] - values[second]
    factor = _correlated(rows)
    assert factor.shape == (15, 5)
    np.testing.assert_allclose(factor @ factor.T, np.corrcoef(rows), atol=1e-12)


def test_systems_that_never_differ_on_many_queries_have_a_p_value_of_1():
    found = max_t(np.zeros((3, NORMAL_FROM)), alpha=0.05, samples=50)
    assert found.p.p.tolist() == [1, 1, 1]
