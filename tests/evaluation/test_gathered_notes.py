from __future__ import annotations

from rankgauge.tables.notes import LOUD, Note, gathered


def tie(system, count, severity, loud="", measure="AP"):
    return Note(
        "ties", f"{loud}{system}: {measure} could move by {severity}", count, system, measure, severity=severity
    )


def missing(system, *queries):
    text = f"{system}: {len(queries)} judged queries missing ({', '.join(queries)})"
    return Note("missing-queries", text, len(queries), system, examples=queries)


def test_many_notes_of_a_kind_become_one_line_that_names_the_gravest_not_the_most_frequent():
    notes = [tie("a", 19, 0.001), tie("b", 19, 0.001), tie("c", 19, 0.001), tie("d", 2, 0.03)]
    assert gathered(notes) == ["ties (AP) in 4 systems, 2 to 19 each; most: d: AP could move by 0.03"]


def test_measures_share_the_line_of_their_kind():
    notes = [tie(system, 19, 0.001, measure=measure) for system in "ab" for measure in ("AP", "RR")]
    assert gathered(notes) == ["ties in 2 systems, 19 each; most: a: AP could move by 0.001"]


def test_a_few_systems_share_a_line_that_says_once_what_they_share():
    assert gathered([tie("a", 1, 0.01), tie("b", 2, 0.02)]) == ["a and b: AP could move by 0.01 and 0.02"]
    three = [tie("a", 1, 0.01), tie("b", 2, 0.02), tie("c-3", 2, 0.04)]
    assert gathered(three) == ["a, b and c-3: AP could move by 0.01, 0.02 and 0.04"]
    assert gathered([tie("a", 1, 0.01), tie("b", 1, 0.01)]) == ["a and b: AP could move by 0.01"]


def test_ids_are_not_taken_for_numbers():
    assert gathered([missing("a", "1", "2"), missing("b", "3", "4")]) == [
        "a: 2 judged queries missing (1, 2); b: 2 judged queries missing (3, 4)"
    ]
    assert gathered([missing("a", "1", "2"), missing("b", "1", "2")]) == ["a and b: 2 judged queries missing (1, 2)"]


def test_a_loud_note_is_never_folded_away():
    notes = [*(tie(name, 19, 0.001) for name in "abcd"), tie("e", 1, 0.25, LOUD)]
    assert gathered(notes) == [
        f"{LOUD}e: AP could move by 0.25",
        "ties (AP) in 4 systems, 19 each; most: a: AP could move by 0.001",
    ]


def test_a_loud_note_comes_first():
    quiet = Note("missing-queries", "a lacks a query", 1, "a")
    assert gathered([quiet, tie("e", 1, 0.25, LOUD)]) == [f"{LOUD}e: AP could move by 0.25", "a lacks a query"]
    two = [quiet, tie("e", 1, 0.25, LOUD), tie("f", 1, 0.5, LOUD)]
    assert gathered(two) == [f"{LOUD}e and f: AP could move by 0.25 and 0.5", "a lacks a query"]
