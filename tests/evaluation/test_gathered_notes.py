from __future__ import annotations

from rankgauge.tables.notes import LOUD, Note, gathered


def tie(system, count, severity, loud=""):
    return Note("ties", f"{loud}{system} could move", count, system, "AP", severity=severity)


def test_alike_notes_become_one_line_that_names_the_gravest_not_the_most_frequent():
    notes = [tie("a", 19, 0.001), tie("b", 19, 0.001), tie("c", 19, 0.001), tie("d", 2, 0.03)]
    assert gathered(notes) == ["ties (AP) in 4 systems, 2 to 19 each; most: d could move"]


def test_a_loud_note_is_never_folded_away():
    notes = [*(tie(name, 19, 0.001) for name in "abcd"), tie("e", 1, 0.25, LOUD)]
    assert gathered(notes) == [f"{LOUD}e could move", "ties (AP) in 5 systems, 1 to 19 each"]


def test_equal_counts_are_told_once():
    assert gathered([tie(name, 5, 0.001) for name in "abcd"])[0].startswith("ties (AP) in 4 systems, 5 each")


def test_a_loud_note_comes_first():
    quiet = Note("missing-queries", "a lacks a query", 1, "a")
    assert gathered([quiet, tie("e", 1, 0.25, LOUD)]) == [f"{LOUD}e could move", "a lacks a query"]
