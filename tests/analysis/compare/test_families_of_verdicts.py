"""Many pairs and tables at once: which p-values are adjusted together, and which are made sharper before a verdict."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.compare.evidences import between, design_of, evidence_of
from rankgauge.analysis.compare.statistics.shares import exactly
from rankgauge.analysis.compare.verdicts import conclude, settle

ALPHA = design_of(1).alpha


class Finer:
    """Sharper p-values that are known beforehand; remembers which were asked for."""

    def __init__(self, *bounds: tuple[float, float]) -> None:
        self.bounds, self.asked = bounds, []

    def __call__(self, places):
        self.asked.append(places.tolist())
        return between(*(self.bounds[place] for place in places)) if self.bounds else None


def table(bounds, refine=None, **changes):
    return evidence_of([0.5] * len(bounds), between(*bounds), refine=refine, **changes)


def test_all_tables_are_one_family():
    tables = [evidence_of([0.5], [p], measure=name) for p, name in ((0.01, "M"), (0.02, "N"), (0.2, "M"))]
    found, _ = conclude(tables, design_of(1, measures=("M", "N"), correction="holm"))
    assert [part.pairs[0].p_adjusted for part in found] == pytest.approx([0.03, 0.04, 0.2])
    assert [part.measure for part in found] == ["M", "N", "M"]


def test_a_family_of_each_measure_keeps_the_order_of_the_tables():
    p_values = (("M", 0.01), ("N", 0.02), ("M", 0.03), ("N", 0.2))
    tables = [evidence_of([0.5], [p], measure=name) for name, p in p_values]
    design = design_of(1, measures=("M", "N"), correction="holm", correction_within="measure")
    found, confidences = conclude(tables, design)
    assert [(part.measure, part.pairs[0].p) for part in found] == list(p_values)
    assert [part.pairs[0].p_adjusted for part in found] == pytest.approx([0.02, 0.04, 0.03, 0.2])
    assert confidences == pytest.approx([0.95, 0.95, 0.95, 0.95])


def test_pairs_of_tables_of_different_sizes_go_back_to_their_tables():
    tables = [evidence_of([0.5] * len(p), p) for p in ([0.01], [0.3, 0.02], [0.03, 0.4, 0.5])]
    settled = settle(tables, design_of(3))
    assert settled.adjusted.tolist() == [0.01, 0.3, 0.02, 0.03, 0.4, 0.5]
    assert not settled.at_limit.any()


def test_a_confidence_for_every_table():
    tables = [evidence_of([0.5], [p]) for p in (0.4, 0.3, 0.5)]
    _, confidences = conclude(tables, design_of(1, correction="holm"))
    assert confidences == pytest.approx([1 - 0.05 / 3] * 3)


def test_an_exact_p_is_never_at_the_limit():
    settled = settle([evidence_of([0.5] * 3, [ALPHA, 0.01, 0.9])], design_of(3))
    assert settled.at_limit.tolist() == [False, False, False]


def test_bounds_that_touch_alpha_from_below_are_at_the_limit_and_count_as_not_found():
    settled = settle([table([(0.04, ALPHA), (ALPHA, 0.06), (0.04, 0.049), (0.06, 0.07)])], design_of(4))
    assert settled.at_limit.tolist() == [True, False, False, False]
    assert settled.adjusted.tolist() == [ALPHA, (ALPHA + 0.06) / 2, 0.0445, 0.065]


def test_only_open_pairs_are_sharpened_and_each_only_once():
    first, second, third = Finer((0.01, 0.02)), Finer((0, 0), (0.041, 0.042)), Finer((0.0, 0.0))
    tables = [table([(0.01, 0.02)], first), table([(0.01, 0.02), (0.04, 0.06)], second), table([(0.2, 0.3)], third)]
    settled = settle(tables, design_of(2))
    assert (first.asked, second.asked, third.asked) == ([], [[1]], [])
    assert not settled.at_limit.any()
    assert settled.adjusted.tolist() == pytest.approx([0.015, 0.015, 0.0415, 0.25])


def test_open_pairs_of_several_tables_are_sharpened_in_their_own_table():
    parts = [Finer((0.01, 0.02), (0.03, 0.031)), Finer((0.045, 0.046)), Finer((0.06, 0.07), (0.8, 0.9))]
    bounds = ([(0.01, 0.02), (0.03, 0.08)], [(0.04, 0.06)], [(0.04, 0.08), (0.8, 0.9)])
    tables = [table(one, part) for one, part in zip(bounds, parts, strict=True)]
    settled = settle(tables, design_of(2))
    assert [part.asked for part in parts] == [[[1]], [[0]], [[0]]]
    assert settled.adjusted.tolist() == pytest.approx([0.015, 0.0305, 0.0455, 0.065, 0.85])


def test_what_cannot_be_sharpened_stays_at_the_limit_and_ends_the_search():
    nothing = Finer()
    settled = settle([table([(0.04, 0.06), (0.03, 0.045)], nothing)], design_of(2))
    assert nothing.asked == [[0]]
    assert settled.at_limit.tolist() == [True, False]
    assert settled.adjusted.tolist() == [0.06, 0.0375]


def test_by_holm_all_pairs_whose_place_decides_are_sharpened_together():
    # 0.03 is a finding as the larger of two, and none as the smaller; which it is, the other one says.
    finer = Finer((0.03, 0.03), (0.01, 0.01), (0.0, 0.0))
    settled = settle([table([(0.03, 0.03), (0.01, 0.04), (0.001, 0.01)], finer)], design_of(3, correction="holm"))
    assert finer.asked == [[0, 1]]
    assert not settled.at_limit.any()
    assert settled.adjusted.tolist() == pytest.approx([0.03, 0.02, 0.0165])


def test_a_pair_that_is_still_open_is_not_sharpened_again():
    finer = Finer((0.045, 0.055), (0.0, 0.0))
    settled = settle([table([(0.04, 0.06), (0.03, 0.049)], finer)], design_of(2))
    assert finer.asked == [[0]]
    assert settled.at_limit.tolist() == [True, False]
    assert settled.adjusted.tolist() == pytest.approx([0.055, 0.0395])


def test_tests_of_all_systems_together_have_nothing_sharper():
    bounds = [(0.04, 0.06)]
    for test, asked in (("tukey", []), ("t", [[0]])):
        finer = Finer((0.045, 0.046))
        settle([table(bounds, finer, family=between(*bounds))], design_of(1, test=test))
        assert finer.asked == asked


def test_a_table_without_sharper_values_is_left_out():
    finer = Finer((0.045, 0.046))
    settled = settle([table([(0.04, 0.06)]), table([(0.04, 0.06)], finer)], design_of(1))
    assert finer.asked == [[0]]
    assert settled.at_limit.tolist() == [True, False]


def joint(together, alone, *, queries=25, **changes):
    family = between(*together) if isinstance(together[0], tuple) else exactly(np.array(together))
    p = between(*alone) if isinstance(alone[0], tuple) else exactly(np.array(alone))
    return evidence_of([0.5] * len(family.p), p, queries=queries, family=family, **changes)


def adjusted(tables, **options):
    return settle(tables, design_of(len(tables[0].p.p), **options)).adjusted.tolist()


def test_max_t_takes_the_p_of_the_family_but_none_below_that_of_the_pair():
    assert adjusted([joint([0.02, 0.01, 0.3], [0.001, 0.04, 0.1])], correction="max-t") == [0.02, 0.04, 0.3]


@pytest.mark.parametrize(("queries", "expected"), [(14, [0.04, 0.04]), (15, [0.02, 0.03])])
def test_max_t_on_a_handful_of_queries_must_be_a_finding_by_holm_as_well(queries, expected):
    differing = {"wins": np.full(2, queries), "losses": np.zeros(2, np.int64)}
    table = joint([0.02, 0.001], [0.02, 0.03], queries=queries, **differing)
    assert adjusted([table], correction="max-t") == expected


def test_max_t_is_repeated_for_every_slice():
    tables = [joint([p], [0.001], measure=name) for name, p in (("M", 0.02), ("N", 0.03), ("M", 0.7), ("N", 0.04))]
    assert adjusted(tables, correction="max-t", measures=("M", "N")) == pytest.approx([0.04, 0.06, 1.0, 0.08])


def test_tukeys_p_is_corrected_for_the_number_of_tables_alone():
    tables = [joint([0.02, 0.01], [0.5, 0.6]), joint([0.03, 0.7], [0.5, 0.6])]
    assert adjusted(tables, test="tukey", correction="holm") == pytest.approx([0.04, 0.02, 0.06, 1.0])
    assert adjusted(tables, test="tukey", correction="none") == [0.02, 0.01, 0.03, 0.7]


@pytest.mark.parametrize(("high", "asked"), [(0.049, []), (ALPHA, [[0]]), (0.06, [[0]])])
def test_under_max_t_only_the_test_of_the_pair_can_be_made_sharper(high, asked):
    finer = Finer((0.03, 0.031), (0.03, 0.031))
    both = joint([(0.04, 0.06), (0.2, 0.3)], [(0.03, high), (0.03, 0.06)], refine=finer)
    settled = settle([both], design_of(2, correction="max-t"))
    assert finer.asked == asked
    assert settled.at_limit.tolist() == [True, False]
