"""The margin that holds for all pairs at once."""

import numpy as np
import pytest
from scipy import stats

from cubes import scores_of
from rankgauge import Scores, compare
from rankgauge.analysis.compare.statistics.corrections import t_quantile
from rankgauge.analysis.compare.statistics.max_t import (
    NORMAL_FROM,
    max_t,
)
from rankgauge.errors import UsageError
from rankgauge.evaluation.intervals import moments


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
