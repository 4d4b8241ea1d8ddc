import re

import numpy as np
import pytest

from cubes import compare_cube as compare
from rankgauge.analysis.compare.tables import p_text, signed
from rankgauge.errors import plural


def cube(shifts, queries=60, measures=1, spread=0.05):
    random = np.random.default_rng(1)
    values = random.normal(size=(len(shifts), queries, measures)) * spread + 0.5
    return values + np.array(shifts)[:, np.newaxis, np.newaxis]


def test_a_better_system():
    text = compare(cube([0, 0.1]), ["bm25", "ltr"], ["nDCG@10"]).summary
    interval = r"\(95% interval \+0\.\d{4} to \+0\.\d{4}, p < 0\.0001\)"
    claim = r"ltr is better than bm25: nDCG@10 differs by \+0\.\d{4}"
    assert re.fullmatch(f"{claim} {interval} on 60 queries, which can detect a difference of 0\\.0\\d+\\.", text)


def test_a_p_value_too_small_to_print():
    assert "p < 0.0001" in compare(cube([0, 0.1]), ["bm25", "ltr"], ["nDCG@10"], test="t").summary


def test_an_undecided_pair_names_the_queries_that_would_settle_it():
    text = compare(cube([0, 0.005]), ["bm25", "ltr"], ["nDCG@10"]).summary
    assert text.startswith("Undecided between ltr and bm25: nDCG@10 differs by")
    assert re.search(r"; [\d,]+ queries would settle it with 80% assurance \([\d,]+ to [^)]+\)\.$", text)


def test_identical_systems_are_the_same_and_not_undecided():
    text = compare(np.ones((2, 9, 1)), ["bm25", "ltr"], ["nDCG@10"]).summary
    assert text == "ltr and bm25 are the same on all 9 queries (nDCG@10)."


def test_equivalent_systems_name_the_margin():
    text = compare(cube([0, 0], queries=900), ["bm25", "ltr"], ["nDCG@10"], equivalence=0.02).summary
    assert text.startswith("ltr and bm25 are equivalent: nDCG@10 differs by")
    assert text.endswith("within ±0.02.")


def test_several_systems_are_counted():
    text = compare(cube([0, 0.1, 0.2, -0.1, 0.001]), ["bm25", "b", "c", "d", "e"], ["nDCG@10"]).summary
    assert text.startswith("2 of 4 systems are better than bm25 on nDCG@10 (most: c, +0.")
    assert ", 1 is worse, 1 is undecided; 60 queries can detect a difference of" in text
    assert text.endswith("would settle e against bm25.")


def test_no_better_system():
    text = compare(cube([0, -0.2, -0.1]), ["bm25", "b", "c"], ["nDCG@10"]).summary
    assert text.startswith("None of 2 systems is better than bm25 on nDCG@10, 2 are worse; 60 queries")


def test_all_pairs_name_the_leader_and_its_ranks():
    text = compare(cube([0, 0.2, 0.1]), ["x", "y", "z"], ["nDCG@10"], all_pairs=True).summary
    assert text.startswith("3 of 3 pairs of systems differ significantly on nDCG@10; y has the highest mean, 0.6973")
    assert "(rank 1 on other queries of this kind); 60 queries can detect" in text


def test_all_pairs_count_equivalent_ones():
    text = compare(cube([0, 0, 0.2], queries=500), ["x", "y", "z"], ["AP"], all_pairs=True, equivalence=0.03).summary
    assert text.startswith("2 of 3 pairs of systems differ significantly on AP, 1 is equivalent; z has")


def test_other_measures_agree_or_not():
    values = cube([0, 0.1], measures=3)
    values[1, :, 2] -= 0.1
    text = compare(values, ["bm25", "ltr"], ["nDCG@10", "AP", "RR"]).summary
    assert text.endswith("; AP +0.0921 (better too); RR -0.0039 (undecided).")
    values[1, :, 1] = values[0, :, 1]
    assert (
        "; AP +0.0000 (the same on every query); RR" in compare(values, ["bm25", "ltr"], ["nDCG", "AP", "RR"]).summary
    )
    values = cube([0, 0.1, 0.1], measures=2)
    values[1, :, 1] -= 0.1
    assert compare(values, ["x", "y", "z"], ["nDCG@10", "AP"]).summary.endswith("; AP says otherwise for 1 of 2.")


@pytest.mark.parametrize("options", [{}, {"all_pairs": True}, {"all_pairs": True, "baseline": "s1"}])
def test_the_text_fits_80_columns(options):
    systems = [
        "s1",
        "a-system-with-quite-a-long-name.and.a.version-17",
        "another-long-name-that-goes-on-for-ever",
        "s2",
    ]
    text = str(compare(cube([0, -0.1, 0.1, 0], queries=324), systems, ["nDCG@10"], **options))
    assert max(map(len, text.splitlines())) <= 80
    assert "better" in text
    assert "…" in text
    assert "max-t" in text


def test_the_table_starts_with_the_baseline_and_goes_by_rank():
    text = str(compare(cube([0, 0.1, 0.2]), ["base", "good", "best"], ["nDCG@10"], correction="none"))
    lines = text.splitlines()
    start = lines.index("nDCG@10")
    assert [line.split()[0] for line in lines[start + 1 : start + 5]] == ["system", "base", "best", "good"]
    assert lines[start + 2].endswith("baseline")
    assert "p not adjusted" in text


def test_notes_are_printed():
    values = cube([0, 0.1])
    values[0, 0] = np.nan
    assert "1 of 60 queries lack a score" in str(compare(values, ["x", "y"], ["nDCG@10"])).replace("\n", " ")


def test_numbers_in_words():
    assert plural(1, "query") == "1 query"
    assert plural(2_000, "query") == "2,000 queries"
    assert plural(3, "pair") == "3 pairs"
    assert signed(-0.0) == "+0.0000"
    assert signed(float("nan")) == "-"
    assert (p_text(0.00004), p_text(0.5), p_text(float("nan"))) == ("<0.0001", "0.5000", "-")
