from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest

import rankgauge
from rankgauge import Judgments, Policy, Run, evaluate
from rankgauge.errors import DataError, PolicyError, UsageError

JUDGED = {"q1": {"a": 1, "b": 0}, "q2": {"a": 2, "c": 1}, "q3": {"a": 0}}
RUN = {"q1": {"a": 1.0, "b": 2.0}, "q3": {"a": 1.0}, "q9": {"z": 1.0}}


def kinds(scores):
    return {note.kind: note for note in scores.notes}


def test_missing_queries_score_0_and_are_counted_and_named():
    scores = evaluate(JUDGED, RUN, "P@1")
    assert scores.per_query()["run"]["q2"] == {"P@1": 0.0}
    note = kinds(scores)["missing-queries"]
    assert (note.count, note.examples, note.system) == (1, ("q2",), "run")


def test_missing_queries_are_left_out_on_demand():
    scores = evaluate(JUDGED, RUN, "P@2", policy=Policy(missing="drop"))
    assert scores.per_query()["run"]["q2"] == {}
    assert scores.mean()["run"]["P@2"] == (1 / 2 + 0) / 2
    assert scores.means().counts.tolist() == [[2]]


def test_missing_queries_are_an_error_on_demand():
    with pytest.raises(PolicyError, match=r"lacks 1 judged query \(q2\)"):
        evaluate(JUDGED, RUN, policy=Policy(missing="error"))


def test_queries_without_a_relevant_document_score_0_and_are_named():
    scores = evaluate(JUDGED, RUN, "nDCG")
    assert scores.per_query()["run"]["q3"] == {"nDCG": 0.0}
    assert kinds(scores)["no-relevant-documents"].examples == ("q3",)
    assert kinds(scores)["no-relevant-documents"].measure is None
    assert kinds(evaluate(JUDGED, RUN, "P(rel=9)@5"))["no-relevant-documents"].measure == "P(rel=9)@5"
    assert kinds(evaluate(JUDGED, RUN, "P(rel=9)@5 AP(rel=9)"))["no-relevant-documents"].measure is None


def test_undefined_values_are_left_out_or_refused_on_demand():
    assert evaluate(JUDGED, RUN, "nDCG", policy=Policy(undefined="drop")).per_query()["run"]["q3"] == {}
    with pytest.raises(PolicyError, match="nDCG is undefined on 1 query, the first q3"):
        evaluate(JUDGED, RUN, "nDCG", policy=Policy(undefined="error"))


def test_queries_of_the_run_without_judgments_are_ignored_and_counted():
    assert kinds(evaluate(JUDGED, RUN))["unjudged-queries"].examples == ("q9",)


def test_unjudged_documents_in_the_top_k_are_noted():
    scores = evaluate({"q": {"a": 1}}, {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}, "nDCG@2")
    note = kinds(scores)["unjudged-documents"]
    assert (note.count, note.measure) == (1, "Judged@2")


def test_negative_values_are_noted():
    assert kinds(evaluate({"q": {"a": 1, "b": -2}}, {"q": {"a": 1.0}}))["negative-values"].count == 1


def test_unjudged_documents_are_dropped_on_demand():
    judged, run = {"q": {"a": 1, "b": 0}}, {"q": {"x": 9.0, "b": 2.0, "a": 1.0}}
    assert evaluate(judged, run, "RR", policy=Policy(unjudged="drop")).values[0, 0, 0] == 1 / 2
    assert evaluate(judged, run, "RR").values[0, 0, 0] == 1 / 3


def test_a_depth_cuts_the_run_and_not_the_ideal():
    judged, run = {"q": {"a": 1, "b": 1}}, {"q": {"a": 2.0, "b": 1.0}}
    assert evaluate(judged, run, "R", policy=Policy(depth=1)).values[0, 0, 0] == 1 / 2


def test_a_default_threshold_serves_measures_that_do_not_say_their_own():
    judged, run = {"q": {"a": 1, "b": 2}}, {"q": {"a": 2.0, "b": 1.0}}
    scores = evaluate(judged, run, "P@1 P(rel=1)@1 nDCG", policy=Policy(rel=2))
    assert list(scores.mean()["run"]) == ["P(rel=2)@1", "P(rel=1)@1", "nDCG"]
    assert scores.values[0, 0, :2].tolist() == [0, 1]


def test_ties_fall_by_document_id_descending_or_as_given_or_are_refused():
    judged, run = {"q": {"a": 1}}, {"q": {"a": 1.0, "b": 1.0}}
    assert evaluate(judged, run, "RR").values[0, 0, 0] == 1 / 2
    assert evaluate(judged, run, "RR", policy=Policy(ties="order")).values[0, 0, 0] == 1
    with pytest.raises(PolicyError, match="query q has equal scores at ranks 1 to 2"):
        evaluate(judged, run, "RR", policy=Policy(ties="error"))
    frames = [
        pl.DataFrame({"query": ["q"] * 2, "document": ["a", "b"], name: [1.0, 1.0]}) for name in ("grade", "score")
    ]
    with pytest.raises(PolicyError, match="query q has equal scores at ranks 1 to 2"):
        evaluate(*frames, "RR", policy=Policy(ties="error"))


def test_scores_that_differ_beyond_single_precision_tie_only_as_trec_eval_9():
    judged, run = {"q": {"a": 1}}, {"q": {"a": 10 + 1e-9, "b": 10.0}}
    assert evaluate(judged, run, "RR").values[0, 0, 0] == 1
    assert evaluate(judged, run, "RR", like="trec_eval-9").values[0, 0, 0] == 1 / 2
    assert evaluate(judged, run, "RR", like="trec_eval-10").values[0, 0, 0] == 1


def test_what_is_set_overrides_the_preset_even_when_it_is_the_default():
    assert (
        evaluate(JUDGED, RUN, "P@2", like="trec_eval-9", policy=Policy(missing="zero")).mean()["run"]["P@2"] == 0.5 / 3
    )
    assert evaluate(JUDGED, RUN, "P@2", like="trec_eval-9").mean()["run"]["P@2"] == 0.5 / 2


@pytest.mark.parametrize(
    "runs",
    [
        [Run(RUN, name="a"), Run(RUN, name="b")],
        {"a": RUN, "b": RUN},
        {"a": Run(RUN, name="a"), "b": Run(RUN, name="b")},
        {"a": pl.DataFrame({"query": ["q1"], "document": ["a"], "score": [1.0]}), "b": RUN},
    ],
)
def test_many_runs_come_as_a_list_or_by_name(runs):
    assert evaluate(JUDGED, runs).systems == ("a", "b")


def test_two_runs_of_one_name_are_refused():
    with pytest.raises(DataError, match="two runs are called 'run'"):
        evaluate(JUDGED, [RUN, RUN])


def test_a_run_of_another_collection_is_refused_with_the_nearest_ids():
    with pytest.raises(DataError, match="nearest: 'Q1' in the run, 'q1' in the judgments"):
        evaluate(JUDGED, {"Q1": {"a": 1.0}})


@pytest.mark.parametrize(
    ("judged", "run", "message"),
    [
        ({"q": {"a": 1}}, {"q": {"a": math.nan}}, "1 of 1 row has a score that is not a finite number"),
        ({"q": {"a": math.inf}}, {"q": {"a": 1.0}}, "value inf of query q, document a"),
        ({"q": {"a": 1}}, {"q": {"a": "high"}}, "score 'high' of query q, document a is not a number"),
        ({"q": {"a": None}}, {"q": {"a": 1.0}}, "value nan of query q, document a"),
        ({"q": {"a": [1]}}, {"q": {"a": 1.0}}, r"value \[1\] of query q, document a is not a number"),
        ({}, {"q": {"a": 1.0}}, "contains no judgments"),
    ],
)
def test_numbers_that_are_none_are_refused_with_query_and_document(judged, run, message):
    with pytest.raises(DataError, match=message):
        evaluate(judged, run)


def test_dicts_and_frames_may_be_mixed():
    frame = pl.DataFrame({"query": ["q1", "q1"], "document": ["a", "b"], "score": [1.0, 2.0]})
    by_dicts = evaluate(JUDGED, {"q1": RUN["q1"]}, "nDCG AP").values
    assert np.array_equal(evaluate(JUDGED, Run(frame), "nDCG AP").values, by_dicts)
    judged = Judgments(
        pl.DataFrame(
            [(q, d, v) for q, f in JUDGED.items() for d, v in f.items()],
            schema=["query", "document", "value"],
            orient="row",
        )
    )
    assert np.array_equal(evaluate(judged, {"q1": RUN["q1"]}, "nDCG AP").values, by_dicts)
    assert judged.queries == ["q1", "q2", "q3"]


def test_ids_that_are_numbers_become_text():
    scores = evaluate({1: {7: 1}}, {1: {7: 1.0, 8: 0.5}}, "RR")
    assert scores.queries == ("1",)
    assert scores.mean() == {"run": {"RR": 1.0}}


def test_progress_is_told_for_every_run():
    seen = []
    evaluate(JUDGED, {"a": RUN, "b": RUN}, progress=lambda done, of: seen.append((done, of)))
    assert seen == [(0, 2), (1, 2), (2, 2)]


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: evaluate(JUDGED, []), UsageError),
        (lambda: evaluate(JUDGED, 3), UsageError),
        (lambda: evaluate(JUDGED, RUN, like="trec_evil"), UsageError),
        (lambda: evaluate(JUDGED, RUN, []), UsageError),
        (lambda: Policy(ties="documents"), UsageError),
        (lambda: Policy(depth=0), UsageError),
        (lambda: Policy(rel=0), UsageError),
    ],
)
def test_wrong_arguments_are_refused(call, error):
    with pytest.raises(error):
        call()


def test_duplicate_rows_are_refused_with_query_and_document():
    frame = pl.DataFrame({"query": ["q1", "q1"], "document": ["z", "z"], "score": [1.0, 2.0]})
    with pytest.raises(
        DataError, match="1 of 2 rows repeats a document within a query\n    row 1: query q1, document z"
    ):
        evaluate(JUDGED, Run(frame))


def test_every_public_name_is_documented_and_loads():
    for name in rankgauge.__all__:
        assert getattr(rankgauge, name) is not None
    with pytest.raises(AttributeError):
        rankgauge.evaluated  # noqa: B018 - the look-up is the test


def test_a_note_says_where_tiers_divide_equal_values():
    judged = {"q1": {"a": 3, "b": 3, "c": 1}, "q2": {"a": 3, "b": 2, "c": 1}}
    run = {"q1": {"a": 1.0}, "q2": {"a": 1.0}}
    found = evaluate(judged, run, ["nDCG(relevance=tiers(1))", "nDCG"])
    notes = [note for note in found.notes if note.kind == "tied-tiers"]
    assert [(note.count, note.examples, note.measure) for note in notes] == [(1, ("q1",), "nDCG(relevance=tiers(1))")]
    assert found.mean()["run"]["nDCG(relevance=tiers(1))"] == pytest.approx((0.5 / (0.5 + 0.5 / np.log2(3)) + 1) / 2)
