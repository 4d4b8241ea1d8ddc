"""One run seen through judgments: what is undefined, what is divided by, and what notes say of it."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.tied import open_hits, pool_for
from rankgauge import Policy, evaluate
from rankgauge.data.matching import Match
from rankgauge.evaluation.counted.facts import Names, RunFacts, Unjudged
from rankgauge.evaluation.counted.run import decide, evaluate_match, evaluate_matches
from rankgauge.measures import AP, P


@pytest.mark.parametrize(("unjudged", "answered", "asks"), [(4.0, 2, True), (4.0, 3, False), (3.0, 2, False)])
def test_where_nothing_of_a_few_queries_is_judged_the_note_asks_about_the_ids(unjudged, answered, asks):
    seen = Unjudged(cutoff=2, unjudged=unjudged, returned=4, shares=0.0)
    facts = RunFacts(answered, Names(), Names(), (), (seen,), tied=0, spans=())
    (note,) = facts.notes("run", (), Policy())
    assert note.text.startswith(f"run: {unjudged / 4:.1%} of the documents in the top 2 are unjudged")
    assert ("written the same way" in note.text) == asks
    assert (note.count, note.severity) == (unjudged, unjudged / 4)


def test_a_missing_query_that_is_left_out_is_not_undefined_too():
    values, undefined = decide(
        np.array([np.nan, np.nan, 0.5]),
        AP,
        Policy(missing="drop", undefined="zero"),
        np.array([True, False, False]),
        None,
    )
    np.testing.assert_array_equal(values, [np.nan, 0.0, 0.5])
    assert undefined.tolist() == [False, True, False]


def test_a_whole_run_without_ties_has_no_spans_of_ties():
    hits = open_hits([[1], [0], [None]])
    matched = Match(hits, pool_for(hits), ["q"], [])
    (found,) = evaluate_matches([matched], (P @ 2,), Policy(unjudged="zero", missing="zero", precision="double"))
    assert (found.facts.tied, found.facts.spans) == (0, ())
    assert found.values.tolist() == [[0.5]]
    assert evaluate_match(matched, (P @ 2,), Policy(unjudged="zero", missing="zero")).facts.spans == ()


def test_of_two_runs_only_the_one_with_ties_has_spans_of_them():
    tied, settled = open_hits([[1, 0]]), open_hits([[1], [0]])
    pool = pool_for(tied)
    matches = [Match(hits, pool, ["q"], []) for hits in (tied, settled)]
    found = evaluate_matches(matches, (P @ 1,), Policy(unjudged="zero", missing="zero", precision="double"))
    assert [one.facts.tied for one in found] == [1, 0]
    ((span,), none) = (one.facts.spans for one in found)
    assert (span.worst.aggregate(), span.best.aggregate(), none) == (0.0, 1.0, ())


def test_the_share_of_judged_documents_is_the_mean_over_the_queries_of_the_run():
    judged = {query: {"x": 1} for query in "abc"}
    run = {"a": {"x": 1.0}, "b": {"x": 2.0, "y": 1.0}}  # one judged document; one of two; and nothing for c
    notes = {note.kind: note.text for note in evaluate(judged, run, "P@2").notes}
    assert notes["unjudged-documents"] == "run: 33.3% of the documents in the top 2 are unjudged (Judged@2 = 0.7500)"


def test_queries_without_judgments_come_last_where_they_count():
    judged, run = {"a": {"x": 1}}, {"b": {"y": 1.0}, "a": {"x": 1.0}}
    found = evaluate(judged, run, "P@1", policy=Policy(extra="zero"))
    assert list(found.queries) == ["a", "b"]
    assert found.matrix("P@1").tolist() == [[1.0, 0.0]]
    assert found.mean() == {"run": {"P@1": 0.5}}


def test_a_mean_of_all_queries_together_leaves_out_queries_without_a_relevant_document():
    judged = {"a": {"x": 1, "y": 0}, "b": {"x": 0, "y": 0}}
    run = {query: {"x": 2.0, "y": 1.0} for query in judged}
    assert evaluate(judged, run, "P@2", policy=Policy(mean="micro")).mean() == {"run": {"P@2": 0.5}}
