"""From evidence to verdicts, number by number: small cases whose outcome can be worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from analysis.compare.evidences import design_of, evidence_of
from rankgauge.analysis.compare.statistics.judged import combine
from rankgauge.analysis.compare.statistics.power import Needed, detectable_difference, queries_needed
from rankgauge.analysis.compare.statistics.shares import exactly
from rankgauge.analysis.compare.verdicts import _levels, _needed, _of_test, conclude
from rankgauge.errors import UsageError
from rankgauge.evaluation.intervals import Moments


def judged(evidence, **options):
    """The pairs of one table."""
    return conclude([evidence], design_of(len(evidence.p.p), **options))[0][0].pairs


def test_a_verdict_takes_a_small_p_and_the_sign_of_the_mean():
    pairs = judged(evidence_of([0.5, -0.5, 0.5, -0.5, 0.5], [0.01, 0.01, 0.9, 0.9, np.nan]))
    assert [pair.verdict for pair in pairs] == ["better", "worse", "undecided", "undecided", "undecided"]
    assert [(pair.system, pair.baseline) for pair in pairs[:2]] == [("s1", "base"), ("s2", "base")]


def test_p_must_be_below_alpha_not_at_it():
    alpha = design_of(1).alpha
    below, at = judged(evidence_of([0.5, 0.5], [np.nextafter(alpha, 0), alpha]))
    assert (below.verdict, at.verdict) == ("better", "undecided")


def test_ranks_that_point_away_from_the_mean_are_no_answer():
    table = evidence_of([0.5, 0.5, 0.0, 0.0], [0.001] * 4, direction=np.array([-1.0, 0.0, 1.0, -1.0]))
    for pair in judged(table):
        assert pair.verdict == "undecided"
        assert pair.low < 0 < pair.high


def test_equivalence_goes_before_significance_and_is_strict():
    alpha = design_of(1).alpha
    table = evidence_of([0.5, -0.5, 0.5, 0.5], [0.01] * 4, p_equivalence=np.array([0.01, 0.01, alpha, np.nan]))
    assert [pair.verdict for pair in judged(table)] == ["equivalent", "equivalent", "better", "better"]


def test_equivalence_is_corrected_as_well():
    table = evidence_of([0.0, 0.0], [0.9, 0.9], p_equivalence=np.array([0.03, 0.2]))
    assert [pair.verdict for pair in judged(table)] == ["equivalent", "undecided"]
    corrected = judged(table, correction="holm")
    assert [pair.verdict for pair in corrected] == ["undecided", "undecided"]
    assert [pair.p_equivalence for pair in corrected] == [0.06, 0.2]


def test_ties_and_dropped_queries_are_counted():
    table = evidence_of([0.5], [0.5], queries=25, wins=np.array([12]), losses=np.array([8]))
    (pair,) = judged(replace(table, queries=30))
    assert (pair.wins, pair.ties, pair.losses, pair.query_count, pair.dropped) == (12, 5, 8, 25, 5)
    assert pair.tally == "12 wins, 5 ties, 8 losses"


@pytest.mark.parametrize(
    ("p", "queries", "wins", "losses", "word"),
    [
        (1.0, 1, 0, 0, "the same"),
        (1.0, 0, 0, 0, "undecided"),
        (0.9, 25, 3, 3, "undecided"),
        (0.9, 25, 3, 0, "undecided"),
        (0.01, 25, 25, 0, "better"),
        (0.01, 25, 0, 0, "better"),
    ],
)
def test_only_an_open_pair_with_nothing_but_ties_is_the_same(p, queries, wins, losses, word):
    table = evidence_of([0.5], [p], queries=queries, wins=np.array([wins]), losses=np.array([losses]))
    (pair,) = judged(table)
    assert pair.word == word
    assert pair.is_same == (word == "the same")


def test_the_sign_error_is_half_of_students_p():
    sample = Moments(np.array([9, 9, 9, 9]), np.array([0.0, 1.0, -0.5, 0.0]), np.array([0.0, 1.5, 2.0, 1.0]))
    pairs = judged(evidence_of([0.0, 1.0, -0.5, 0.0], [0.5] * 4, queries=9, sample=sample))
    expected = [0.5, stats.t.sf(2.0, 8), stats.t.sf(0.75, 8), 0.5]
    assert [pair.sign_error for pair in pairs] == pytest.approx(expected, rel=1e-12)


def test_the_detectable_difference_grows_with_the_noise_and_is_unknown_without_any():
    noise = np.array([0.1, 0.2, 0.3, 0.0])
    found = conclude([evidence_of([0.1] * 4, [0.5] * 4, queries=199, noise=noise)], design_of(4))[0][0]
    shown = [pair.detectable_difference for pair in found.pairs]
    assert queries_needed(0.1, 0.02) == 199
    assert shown[:3] == pytest.approx([0.02, 0.04, 0.06], rel=5e-3)
    assert np.isnan(shown[3])
    assert found.detectable_difference == shown[1]


def test_the_detectable_difference_is_that_of_a_first_finding():
    (pair, _) = judged(evidence_of([0.9, 0.1], [0.001, 0.5]), correction="holm")
    assert pair.detectable_difference == detectable_difference(1.0, 25, alpha=design_of(2).alpha / 2)


def test_identical_systems_have_no_detectable_difference():
    found = conclude([evidence_of([0.0], [1.0], noise=np.zeros(1))], design_of(1))[0][0]
    assert np.isnan(found.detectable_difference)


def test_levels_of_the_next_finding_and_of_the_first():
    p = np.array([0.01, 0.02, 0.5, 0.6, np.nan])
    alpha = design_of(5).alpha
    for correction, further, planned in (("holm", 2, 4), ("none", 1, 1)):
        found = _levels(p, design_of(5, correction=correction))
        assert (found.verdict, found.further, found.planned) == (alpha, alpha / further, alpha / planned)
    found = _levels(p, design_of(5, correction="bh"))
    assert (found.further, found.planned) == (alpha * 3 / 4, alpha / 4)


def test_p_at_alpha_is_not_counted_among_the_findings():
    alpha = design_of(2).alpha
    assert _levels(np.array([0.01, alpha, 0.7]), design_of(3, correction="holm")).further == alpha / 2


def test_levels_where_nothing_could_be_tested_are_those_of_one_comparison():
    found = _levels(np.array([np.nan, np.nan]), design_of(2, correction="holm"))
    assert found.further == found.planned == design_of(2).alpha


def test_levels_where_all_pairs_are_judged_together():
    alpha = design_of(3).alpha
    together = _levels(np.zeros(6), design_of(3, correction="max-t"))
    assert together.further == together.planned == alpha / 6
    alone = _levels(np.zeros(6), design_of(3, test="tukey", correction="none"))
    assert alone.further == alone.planned == alpha / 3


def test_an_interval_at_the_level_that_decides_is_wider():
    tables = [evidence_of([0.1, -0.1], [0.4, 0.5], queries=6)]
    (found,), (confidence,) = conclude(tables, design_of(2, correction="holm"))
    arm = 0.4 * stats.t.ppf(0.9875, 5) / stats.t.ppf(0.975, 5)
    assert confidence == pytest.approx(0.975)
    for pair, mean in zip(found.pairs, (0.1, -0.1), strict=True):
        assert (pair.low, pair.high) == pytest.approx((mean - arm, mean + arm), rel=1e-12)
        reach = 0.2 * stats.t.ppf(0.9875, 5)
        assert (pair.effect_low, pair.effect_high) == pytest.approx((mean - reach, mean + reach), rel=1e-12)
        assert pair.alone == (mean - 0.4, mean + 0.4)


def test_an_interval_of_each_pair_alone_is_left_as_it_is():
    tables = [evidence_of([0.5, -0.1, 0.2], [0.9, 0.001, 0.8], queries=6)]
    (found,), (confidence,) = conclude(tables, design_of(3, correction="holm", interval_for="pair"))
    reach = 0.2 * stats.t.ppf(0.975, 5)
    assert confidence == 0.95
    for pair, mean in zip(found.pairs, (0.5, -0.1, 0.2), strict=True):
        assert (pair.low, pair.high) == (mean - 0.4, mean + 0.4)
        assert (pair.effect_low, pair.effect_high) == pytest.approx((mean - reach, mean + reach), rel=1e-12)


@pytest.mark.parametrize("options", [{"correction": "max-t"}, {"test": "tukey", "correction": "holm"}])
def test_intervals_that_hold_together_have_the_confidence_asked_for(options):
    table = evidence_of([0.1, 0.2], [0.5, 0.6], family=exactly(np.array([0.5, 0.6])), critical=3.0)
    assert conclude([table], design_of(2, **options))[1] == [0.95]


def test_max_t_stretches_the_interval_to_its_critical_value():
    table = evidence_of([0.1], [0.5], family=exactly(np.array([0.5])), critical=3.0)
    skewed = replace(table, interval=replace(table.interval, low=np.array([-0.1]), high=np.array([0.5])))
    factor = 3.0 / stats.t.ppf(0.975, 24)
    (found,), (confidence,) = conclude([skewed], design_of(1, correction="max-t"))
    (pair,) = found.pairs
    assert confidence == 0.95
    assert (pair.low, pair.high) == pytest.approx((0.1 - 0.2 * factor, 0.1 + 0.4 * factor), rel=1e-12)
    assert (pair.effect_low, pair.effect_high) == pytest.approx((0.1 - 0.6, 0.1 + 0.6), rel=1e-12)


@pytest.mark.parametrize("correction", ["none", "holm"])
def test_tukeys_interval_has_the_noise_of_all_systems(correction):
    table = evidence_of([0.1], [0.5], family=exactly(np.array([0.5])), critical=3.0, noise=np.array([2.0]))
    (pair,) = judged(table, test="tukey", correction=correction)
    assert (pair.low, pair.high) == pytest.approx((0.1 - 3.0 * 2.0 / 5.0, 0.1 + 3.0 * 2.0 / 5.0), rel=1e-12)


def test_tukeys_test_without_a_critical_value_widens_the_usual_interval():
    table = evidence_of([0.1], [0.5], family=exactly(np.array([0.5])), noise=np.array([2.0]))
    (pair,) = judged(table, test="tukey", correction="none")
    assert (pair.low, pair.high) == pytest.approx((-0.3, 0.5), rel=1e-12)


def test_an_interval_that_contradicts_its_test_takes_its_width_from_it():
    found, not_found = judged(evidence_of([0.39, 0.41], [0.04, 0.06], effect=np.array([0.2, 0.6])))
    for pair, value, p in ((found, 0.39, 0.04), (not_found, 0.41, 0.06)):
        ratio = stats.t.ppf(0.975, 24) / stats.t.ppf(1 - p / 2, 24)
        assert (pair.low, pair.high) == pytest.approx((value * (1 - ratio), value * (1 + ratio)), rel=1e-9)
    ratio = stats.t.ppf(0.975, 24) / stats.t.ppf(0.98, 24)
    assert (found.effect_low, found.effect_high) == pytest.approx((0.2 * (1 - ratio), 0.2 * (1 + ratio)), rel=1e-9)
    assert not_found.effect_low < 0 < not_found.effect_high


def test_more_queries_are_asked_for_only_where_a_pair_is_open():
    sample = Moments(np.array([25] * 3), np.array([0.5, 0.1, 0.0]), np.array([1.0] * 3))
    found, still_open, never = judged(evidence_of([0.5, 0.1, 0.0], [0.01, 0.6, 1.0], sample=sample))
    nothing = (None, None, None)
    assert (found.queries_needed, found.queries_needed_low, found.queries_needed_high) == nothing
    assert (never.queries_needed, never.queries_needed_low, never.queries_needed_high) == nothing
    assert 25 < still_open.queries_needed_low < still_open.queries_needed < still_open.queries_needed_high


def test_never_fewer_than_one_query_more():
    columns = ([np.nan, 10.0, 90.0, 90.0], [np.nan, 5.0, 50.0, 50.0], [np.nan, 60.0, 80.0, 200.0])
    needed = Needed(*map(np.array, columns))
    assert [_needed(needed, i, 40) for i in range(4)] == [(None,) * 3, (41, 41, 60), (90, 50, 90), (90, 50, 200)]


def test_a_judge_brings_its_own_plans():
    human = np.array([0.1, 0.3, -0.1, 0.2, 0.0, 0.15])
    judge = np.array([0.2, 0.4, 0.0, 0.1, 0.1, 0.25])
    others = np.array([0.3, 0.1, 0.2, 0.0, 0.4, 0.35, 0.05, 0.15, 0.25, 0.2])
    both = combine(human, judge, np.concatenate((judge, *[others] * 5)))
    alpha = design_of(1).alpha
    (still_open,) = judged(evidence_of([0.1], [0.6], queries=6, judged=(both,)))
    assert still_open.judge == both.judge
    assert still_open.sign_error == both.p / 2
    assert still_open.detectable_difference == both.detectable(alpha)
    assert still_open.queries_needed == both.needed(alpha) is not None
    assert still_open.queries_needed_low is still_open.queries_needed_high is None
    arm = 0.4  # The same quantile above and below, with the judge's own degrees of freedom.
    assert (still_open.low, still_open.high) == pytest.approx((0.1 - arm, 0.1 + arm), rel=1e-12)
    reach = 0.2 * stats.t.ppf(0.975, both.freedom)
    assert (still_open.effect_low, still_open.effect_high) == pytest.approx((0.1 - reach, 0.1 + reach), rel=1e-12)
    (found,) = judged(evidence_of([0.5], [0.01], queries=6, judged=(both,)))
    assert (found.verdict, found.queries_needed) == ("better", None)
    (plain,) = judged(evidence_of([0.5], [0.01], queries=6))
    assert plain.judge is plain.bayes is None


def test_plain_data_has_only_the_parts_that_were_asked_for():
    (pair,) = judged(evidence_of([0.5], [0.01]))
    assert {"judge", "robust", "bayes"}.isdisjoint(pair.to_dict())
    assert replace(pair, robust="open").to_dict()["robust"] == "open"
    assert pair.to_dict()["difference"] == 0.5


def test_a_pair_is_found_by_both_names_in_their_order():
    found = conclude([evidence_of([0.5, 0.2], [0.01, 0.5])], design_of(2))[0][0]
    assert found.pair("s2", "base") is found.pairs[1]
    with pytest.raises(UsageError, match="base was not compared with s2"):
        found.pair("base", "s2")


def test_queries_won_and_lost_are_queries_that_differ():
    """20 won and 15 lost are 35 differences, no near copy, so that Holm is not asked as well."""
    design = design_of(2, correction="max-t")
    counts = {"wins": np.array([20, 8]), "losses": np.array([15, 2])}
    evidence = evidence_of([0.1, 0.1], [0.02, 0.03], queries=100, **counts)
    assert _of_test([evidence], design, "p").tolist() == pytest.approx([0.02, 2 * 0.03 - 0.02])
