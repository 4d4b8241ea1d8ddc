"""The options of a comparison: which pairs, which correction, how many samples."""

from __future__ import annotations

import pytest

from analysis.compare.evidences import design_of
from rankgauge.analysis.compare.options import Design, Draws
from rankgauge.errors import UsageError
from rankgauge.kernels.resampling import lattice_cost


def three(**options):
    return Design(systems=("a", "b", "c"), measures=("M",), **options)


def test_pairs_are_against_the_first_system_the_named_one_or_each_other():
    assert three().named_pairs == [("b", "a"), ("c", "a")]
    assert three(baseline="b").named_pairs == [("a", "b"), ("c", "b")]
    assert three(all_pairs=True).named_pairs == [("b", "a"), ("c", "a"), ("c", "b")]
    assert three(all_pairs=True, baseline="c").named_pairs == [("a", "c"), ("b", "c"), ("b", "a")]


def test_all_pairs_have_no_baseline_unless_one_is_named():
    assert (three().reference, three(baseline="c").reference) == ("a", "c")
    assert three(all_pairs=True).reference is None
    assert three(all_pairs=True, baseline="c").reference == "c"


def test_defaults():
    usual = three()
    assert (usual.test, usual.confidence, usual.seed, usual.all_pairs, usual.bayes) == (
        "sign-flip",
        0.95,
        7,
        False,
        False,
    )
    assert usual.alpha == pytest.approx(0.05)


@pytest.mark.parametrize(
    "wrong",
    [
        {"correction": "max-t", "test": "wilcoxon"},
        {"correction": "max-t", "test": "tukey"},
        {"baseline": "d"},
    ],
)
def test_options_that_make_no_sense_are_refused(wrong):
    with pytest.raises(UsageError):
        three(**wrong)


@pytest.mark.parametrize(
    "right",
    [
        {"samples": 1},
        {"equivalence": 0.01},
        {"equivalence": 2.0},
        {"correction": "max-t", "test": "t"},
        {"correction": "holm", "test": "wilcoxon"},
        {"correction": "none", "test": "tukey"},
    ],
)
def test_options_at_the_edge_of_sense_are_taken(right):
    for name, value in right.items():
        assert getattr(three(**right), name) == value


def test_all_pairs_of_very_many_systems_are_refused():
    many = tuple(map(str, range(5_000)))
    with pytest.raises(UsageError, match="name a baseline"):
        Design(systems=many, measures=("M",), all_pairs=True)
    assert len(Design(systems=many, measures=("M",)).pairs) == 4_999


@pytest.mark.parametrize(
    ("pairs", "measures", "tables", "options", "expected"),
    [
        (1, 1, 1, {}, "none"),
        (2, 1, 1, {}, "max-t"),
        (3, 1, 1, {}, "max-t"),
        (1, 2, 2, {}, "max-t"),
        (1, 3, 3, {}, "max-t"),
        (1, 1, 2, {}, "holm"),
        (1, 1, 3, {}, "holm"),
        (2, 1, 2, {}, "max-t"),
        (1, 2, 2, {"correction_within": "measure"}, "none"),
        (1, 2, 4, {"correction_within": "measure"}, "holm"),
        (2, 2, 2, {"correction_within": "measure"}, "max-t"),
        (2, 1, 1, {"test": "wilcoxon"}, "holm"),
        (2, 1, 1, {"test": "tukey"}, "holm"),
        (2, 1, 1, {"test": "t"}, "max-t"),
        (2, 1, 1, {"test": "t", "correction": "bh"}, "bh"),
    ],
)
def test_the_usual_correction(pairs, measures, tables, options, expected):
    design = design_of(pairs, **{"measures": tuple("MNOP"[:measures]), "correction": ""} | options)
    assert design.corrected(tables, judge=False).correction == expected


def test_beside_a_judge_the_usual_correction_is_holms():
    assert design_of(2, correction="").corrected(1, judge=True).correction == "holm"
    assert design_of(1, correction="").corrected(1, judge=True).correction == "none"


def test_which_p_values_hold_for_a_whole_table():
    assert design_of(2, test="tukey").judged_together
    assert design_of(2, correction="max-t").judged_together
    assert not design_of(2, correction="holm").judged_together


def test_how_many_tables_are_one_family():
    two = {"measures": ("M", "N")}
    assert design_of(1, **two).family(6) == 6
    within = design_of(1, **two, correction_within="measure").family(6)
    assert (within, type(within)) == (3, int)


def test_the_largest_factor_of_a_correction():
    assert design_of(3).factor(4) == 1
    assert design_of(3, correction="holm").factor(4) == 12
    assert design_of(3, correction="holm", test="tukey").factor(4) == 4


def test_how_often_a_family_is_judged():
    two = {"measures": ("M", "N")}
    assert design_of(3, **two, correction="max-t").repeats(6) == 3
    assert isinstance(design_of(3, **two, correction="max-t").repeats(6), int)
    assert design_of(3, **two, correction="max-t", correction_within="measure").repeats(6) == 6
    assert design_of(3, **two, correction="holm", test="tukey").repeats(6) == 6
    assert design_of(3, **two, test="tukey").repeats(6) == 1


def test_tests_without_samples_draw_none():
    for test in ("t", "wilcoxon", "tukey"):
        assert design_of(2, test=test).draws(1, 50) is None
    assert design_of(2, test="sign-flip").draws(1, 50) is None
    assert design_of(2, test="sign-flip").draws(1, 20_000) is None
    assert design_of(2, test="sign-flip", samples=100).draws(1, 50) == Draws(100, 100)


def test_the_lattice_is_used_as_long_as_it_takes_two_seconds():
    queries = 1_000
    most = int(2e9 // lattice_cost(queries))
    assert design_of(1, test="sign-flip").draws(most, queries) is None
    assert design_of(1, test="sign-flip").draws(most + 1, queries) is not None
    assert design_of(most, test="sign-flip").draws(1, queries) is None
    assert design_of(most + 1, test="sign-flip").draws(1, queries) is not None
    assert design_of(most + 1, test="sign-flip").draws(1, 19_999) is not None


def test_the_lattice_of_few_queries_is_used_for_any_number_of_pairs():
    """Seen red: ten thousand systems on a hundred queries took three minutes."""
    assert lattice_cost(176) <= 1e6 < lattice_cost(177)
    assert design_of(100_000, test="sign-flip").draws(1, 176) is None
    assert design_of(100_000, test="sign-flip").draws(1, 177) is not None


def test_pairs_near_the_limit_are_sampled_twenty_times_finer():
    # 20 · 31 / 0.05 = 12,400, and a little more by rounding of 1 - 0.95.
    assert design_of(31, test="bootstrap", correction="holm").draws(1, 50) == Draws(10_000, 12_400)
    assert design_of(7, test="bootstrap", correction="holm", confidence=0.99).draws(1, 50) == Draws(10_000, 14_000)
    assert design_of(1, test="bootstrap").draws(1, 50) == Draws(10_000, 10_000)
    assert design_of(31, test="bootstrap", correction="holm", confidence=0.93).draws(1, 50).finer == 10_000
    # No more than 200 million numbers, nor a million samples, are drawn.
    many = design_of(5_000, test="bootstrap", correction="holm")
    assert many.draws(1, 15_000) == Draws(10_000, 13_333)
    assert many.draws(1, 50) == Draws(10_000, 1_000_000)
    tukey = design_of(4, test="randomised-tukey", correction="holm")
    assert tukey.draws(100, 2_000) == Draws(10_000, 20_000)


def test_a_number_of_samples_that_cannot_find_anything_is_noted():
    design = design_of(4, test="bootstrap", correction="holm", samples=79, confidence=0.95)
    (note,) = design.notes(Draws(78, 78), 1)
    assert note.kind == "few-samples"
    assert "78 samples cannot give an adjusted p below 0.051" in note.text
    assert "use 1,600" in note.text
    assert design.notes(Draws(79, 79), 1) == []
    assert design.notes(None, 1) == []
    (note,) = design.notes(Draws(2, 2), 1)
    assert "below 1," in note.text


def test_samples_at_the_limit_find_nothing():
    # 4 / (1 + 7) is 0.5, and a p-value must be below it.
    design = design_of(4, test="bootstrap", correction="holm", confidence=0.5)
    assert [note.kind for note in design.notes(Draws(7, 7), 1)] == ["few-samples"]
    assert design.notes(Draws(8, 8), 1) == []


def test_few_samples_of_max_t_count_families_not_pairs():
    design = design_of(4, test="bootstrap", correction="max-t")
    assert design.notes(Draws(30, 30), 1) == []
    assert [note.kind for note in design.notes(Draws(30, 30), 2)] == ["few-samples"]


def test_notes_and_cautions_of_what_was_chosen():
    assert [note.kind for note in design_of(1, bayes=True).notes(None, 1)] == ["bayes"]
    assert design_of(1).cautions == []
    for test in ("wilcoxon", "tukey", "randomised-tukey"):
        assert [note.kind for note in design_of(1, test=test).cautions] == ["test-caution"]


def test_two_pairs_on_two_measures_are_four_comparisons():
    design = Design(systems=("a", "b", "c"), measures=("M", "N"))
    assert design.corrected(2, judge=False).correction == "max-t"
