"""Several collections, slices of the queries, and what goes with what: each rule at its limit."""

from __future__ import annotations

import numpy as np
import pytest

from rankgauge import Policy, Scores, compare
from rankgauge.errors import AnalysisError, UsageError

NAN = float("nan")


def scores(*rows, systems=("base", "new", "other"), measures=None):
    values = np.array(rows)
    return Scores.from_matrix(
        values, systems[: len(rows)], [f"q{at}" for at in range(values.shape[1])], measures, rows="systems"
    )


def test_collections_with_both_systems_and_two_queries_count():
    tables = {
        "one": scores([0.1, 0.2, 0.3], [0.2, 0.4, 0.3], [0.1, 0.1, 0.2]),
        "two": scores([0.5, 0.6], [0.4, 0.8], [NAN, 0.3]),
        "three": scores([0.5, 0.6, 0.1], [0.7, 0.7, 0.3]),
    }
    found = compare(collections=tables, correction="none")
    (pair,) = found.parts[0].pairs  # the third system has two queries on one collection alone
    assert (pair.system, pair.baseline) == ("new", "base")
    assert [part.collection for part in pair.collections] == ["one", "two", "three"]
    assert [part.query_count for part in pair.collections] == [3, 2, 3]
    assert [part.difference for part in pair.collections] == pytest.approx([0.1, 0.05, 0.5 / 3])
    assert sum(part.weight for part in pair.collections) == pytest.approx(1)
    assert pair.difference == pytest.approx(sum(part.weight * part.difference for part in pair.collections))
    assert found.interval_confidence == pytest.approx(0.95)
    assert [note.kind for note in found.notes].count("few-collections") == 1
    assert found.summary.startswith("new is better than base over 3 collections, on score: +0.1464")
    assert "p not adjusted" in found.method


def four(**changes):
    random = np.random.default_rng(2)
    tables = {}
    for name in "abcd":
        base = random.uniform(size=30)
        tables[name] = scores(base, base + random.normal(0.2, 0.1, 30), base + random.normal(0.0, 0.3, 30))
    return compare(collections=tables, **changes)


def test_two_systems_over_four_collections():
    found = four()
    new, other = found.parts[0].pairs
    assert (new.verdict, other.verdict) == ("better", "undecided")
    assert new.p_adjusted == pytest.approx(2 * new.p)
    assert other.p_adjusted == pytest.approx(other.p)
    assert found.interval_confidence == pytest.approx(0.95)  # one is found, and one is left to find
    assert found.summary == "Of 2 systems against base over 4 collections, on score: 1 better, the others undecided."
    assert "few-collections" not in {note.kind for note in found.notes}
    assert np.isnan(new.p_equivalence)
    table = found.table()
    assert sorted(table.marked) == [0, 5]
    assert len(table.rows) == len(found.wide_table().rows) == 10
    assert [column.name for column in table.columns][:2] == ["system", "collection"]
    assert [column.name for column in table.columns if column.signed] == ["difference", "low", "high"]
    assert [column.name for column in table.columns if column.is_verdict] == ["verdict"]
    with pytest.raises(UsageError, match="confidence is"):
        four(confidence=1.5)
    turned = four(baseline="new")
    assert [pair.verdict for pair in turned.parts[0].pairs] == ["worse", "worse"]
    assert "none better, 2 worse" in turned.summary


def test_equivalence_over_collections():
    found = four(equivalence=0.5)
    assert [pair.verdict for pair in found.parts[0].pairs] == ["equivalent", "equivalent"]
    for wrong in (0.0, -0.5, NAN):
        with pytest.raises(UsageError, match="must be a difference above 0"):
            four(equivalence=wrong)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"a": scores([0.1, 0.2], [0.3, 0.4])}, "two or more"),
        ([1, 2], "must be a dict"),
        ({"a": (1, 2, 3), "b": scores([0.1, 0.2], [0.3, 0.4])}, "not 3 things"),
    ],
)
def test_what_is_no_set_of_collections_is_refused(given, words):
    with pytest.raises(UsageError, match=words):
        compare(collections=given)


def test_collections_without_anything_in_common_are_refused():
    one = scores([0.1, 0.2], [0.3, 0.4])
    with pytest.raises(AnalysisError, match="no measure in common"):
        compare(collections={"a": one, "b": scores([[0.1], [0.2]], [[0.3], [0.4]], measures=["N"])})
    with pytest.raises(UsageError, match="has no run of the baseline 'base'"):
        compare(collections={"a": one, "b": scores([0.1, 0.2], [0.3, 0.4], systems=("x", "new"))})
    with pytest.raises(AnalysisError, match="no system but base has scores on two collections"):
        compare(collections={"a": one, "b": scores([0.1, 0.2], [0.3, 0.4], systems=("base", "x"))})
    with pytest.raises(UsageError, match="unknown correction 'max-t'"):
        compare(collections={"a": one, "b": one}, correction="max-t")


def test_a_slice_has_two_queries_or_is_too_small():
    random = np.random.default_rng(3)
    base = random.uniform(size=24)
    table = scores(base, base + np.where(np.arange(24) < 20, 0.5, -0.2) + random.normal(0, 0.01, 24))
    labels = {f"q{at}": "easy" if at < 20 else "hard" if at < 22 else "odd" for at in range(23)}
    found = compare(table, by=labels)
    assert [(part.value, part.query_count) for part in found.slices] == [("easy", 20), ("hard", 2)]
    assert [(part.value, part.query_count) for part in found.too_small] == [("odd", 1)]
    assert found.unlabeled == 1
    assert found.overall.scores.queries == table.queries
    assert "new is better than base for easy." in found.summary
    assert len(found.remarks()) == 3
    assert "single query, not compared: odd" in found.remarks()[1]
    assert "1 query without" in found.remarks()[2]
    assert found.remarks()[1] in str(found)
    assert found.remarks()[1] not in found.text(notes=False)
    assert found.remarks()[0] in found.text(notes=False)
    read = found.table()
    assert (read.legend, read.notes) == (found.remarks()[:1], found.remarks()[1:])
    assert {row[0] for row in read.rows} == {"easy", "hard"}
    assert sorted(read.marked) == [0, 2]
    assert "score: " in str(found)
    whole = compare(table, by=dict.fromkeys(labels, "all"))
    assert whole.remarks() == (found.remarks()[0], "1 query without label, left out.")
    with pytest.raises(AnalysisError, match="has two queries"):
        compare(table, by={"q0": "a", "q1": "b"})
    with pytest.raises(UsageError, match="needs the queries"):
        compare(table, by="kind")


def test_slices_without_a_difference_say_so():
    table = scores([0.1, 0.2, 0.3, 0.4], [0.4, 0.1, 0.4, 0.2])
    found = compare(table, by={"q0": "a", "q1": "a", "q2": "b", "q3": "b"})
    assert found.summary.endswith("on score: no slice shows a difference.")
    assert len(found.remarks()) == 1


def test_one_system_alone_has_a_mean_and_no_pair():
    found = compare(scores([0.1, 0.3]))
    assert found.parts[0].pairs == ()
    assert found.parts[0].systems[0].mean == pytest.approx(0.2)
    assert found.correction == "none"
    with pytest.raises(AnalysisError, match="at least two systems"):
        compare(scores([0.1, 0.3]), bayes=True)


def test_measures_are_those_of_all_collections_in_the_order_of_the_first():
    cube = np.random.default_rng(5).uniform(size=(2, 4, 3))
    first = scores(*cube, measures=["M", "N", "O"])
    second = scores(*cube[:, :, :2], measures=["N", "M"])
    found = compare(collections={"a": first, "b": second})
    assert [part.measure for part in found.parts] == ["M", "N"]


def test_policies_are_for_collections_of_judgments_and_are_noted_once_where_all_agree():
    judgments = {query: {"x": 1, "y": 0} for query in "abcd"}
    runs = {
        "base": {query: {"y": 1.0, "x": 0.5} for query in "abc"},
        "new": {query: {"x": 1.0, "y": 0.5} if query < "c" else {"y": 1.0, "x": 0.5} for query in "abc"},
    }
    given = {"one": (judgments, runs), "two": (judgments, runs)}
    for missing, queries in (("drop", 3), ("zero", 4)):
        found = compare(collections=given, measures="RR", policy=Policy(missing=missing))
        assert [part.query_count for part in found.parts[0].pairs[0].collections] == [queries, queries]
        noted = [note.text for note in found.notes if note.kind == "policy"]
        assert noted
        assert not any(text.startswith("one, two: ") for text in noted)


def test_the_widest_level_of_several_families_is_shown():
    random = np.random.default_rng(6)
    base = random.uniform(size=40)
    found_ones = np.stack([base + shift + random.normal(0, 0.02, 40) for shift in (0.0, 0.3, 0.3)])
    open_ones = random.uniform(size=(3, 40))
    table = scores(*np.stack([found_ones, open_ones], axis=2), measures=["M", "N"])
    found = compare(table, test="t", correction="holm", correction_within="measure")
    assert found.interval_confidence == pytest.approx(0.975)


def test_systems_on_one_collection_are_counted_and_five_are_named():
    names = [f"alone{at}" for at in range(7)]
    tables = {
        "one": scores([0.1, 0.2, 0.3], [0.2, 0.4, 0.3]),
        "two": scores(*np.random.default_rng(8).uniform(size=(9, 3)), systems=("base", "new", *names)),
    }
    (note,) = [note for note in compare(collections=tables).notes if note.kind == "one-collection"]
    assert (note.count, note.examples) == (7, tuple(names[:5]))
