"""Judgments and runs in; what real files have that tables of grades have not."""

from __future__ import annotations

import json

import numpy as np
import pytest

from rankgauge import Policy, evaluate, optimize, simulate, stability
from rankgauge.analysis.optimize.ranked_grades import read_collection
from rankgauge.analysis.optimize.search.weighting import weighting_of
from rankgauge.errors import AnalysisError, PolicyError, RankgaugeError, UsageError
from rankgauge.measures import parse

COLLECTION = simulate(systems=6, queries=16, documents=60, highest_grade=3, seed=3)
JUDGED, RUNS = COLLECTION.judgments(), COLLECTION.runs(depth=20)


def kinds(found):
    return [note.kind for note in found.notes]


@pytest.mark.parametrize("over", ["discount", "gain", "both"])
def test_the_optimum_is_a_measure_that_evaluate_finds_as_stable_as_claimed(over):
    found = optimize(JUDGED, RUNS, "nDCG@10", over=over, folds=0)
    assert found.measure == parse(found.optimum.measure)
    scores = evaluate(JUDGED, RUNS, [one.measure for one in found.candidates])
    for one in found.candidates:
        measured = stability(scores)[one.measure]
        assert measured.dependability(1).value == pytest.approx(one.dependability, abs=1e-8)
        assert found.optimum.dependability >= one.dependability - 1e-9


def test_the_table_holds_what_evaluate_sees():
    asked = read_collection(JUDGED, RUNS, "nDCG(gain=exp, discount=zipf)@12")
    codes = asked.grades.codes
    assert codes.shape == (6, 16, 12)
    for at, (run, ranking) in enumerate(RUNS.items()):
        query = COLLECTION.queries[at]
        expected = [JUDGED[query][document] for document in list(ranking[query])[:12]]
        assert codes[list(RUNS).index(run), at].tolist() == expected
    start = weighting_of(asked.measure, asked.grades)
    assert start.gain.tolist() == [1, 3, 7]
    assert start.discount.tolist() == [1 / rank for rank in range(1, 13)]


def test_negative_grades_missing_queries_and_empty_ones_are_counted_and_told():
    judged = {query: {d: g - (g == 0) for d, g in found.items()} for query, found in JUDGED.items()}
    judged["empty"] = {"d": 0}
    runs = {name: {**run, "empty": {"d": 1.0}} for name, run in RUNS.items()}
    del runs["system-02"]["q03"]
    found = optimize(judged, runs, "nDCG@10", folds=0)
    assert found.query_count == 16
    assert {"missing-queries", "no-relevant-documents", "negative-values", "policy"} <= set(kinds(found))
    text = str(found)
    assert "system-02: 1 judged query missing from the run, counted as 0 (q03)" in text
    assert "1 query without a relevant document, left out where a measure is undefined (empty)" in " ".join(
        text.split()
    )
    dropped = optimize(judged, runs, "nDCG@10", folds=0, policy=Policy(missing="drop"))
    assert dropped.query_count == 15
    assert "1 query that some run lacks, left out for all (q03)" in str(dropped)
    with pytest.raises(PolicyError, match="system-02 lacks 1"):
        optimize(judged, runs, "nDCG@10", policy=Policy(missing="error"))
    with pytest.raises(PolicyError, match="undefined on 1 query"):
        optimize(judged, RUNS, "nDCG@10", policy=Policy(undefined="error"))


def test_a_cutoff_beyond_every_list_is_noted():
    short = optimize(JUDGED, COLLECTION.runs(depth=8), "nDCG@12", folds=0)
    assert "the longest list has 8 documents: beyond that, weights act on the ideal alone" in " ".join(
        str(short).split()
    )
    assert "no-hits-below" not in kinds(short)
    assert "cutoff-beyond-lists" not in kinds(optimize(JUDGED, RUNS, "nDCG@12", folds=0))
    assert "the longest list has 5 documents" in " ".join(
        str(optimize(JUDGED, RUNS, "nDCG@12", folds=0, policy=Policy(depth=5))).split()
    )


def test_a_start_that_the_search_may_not_reach_is_noted():
    found = optimize(JUDGED, RUNS, "nDCG(discount=weights(0.2, 1, 1, 1))@4", folds=0)
    assert "start-not-allowed" in kinds(found)
    assert "start-not-allowed" not in kinds(optimize(JUDGED, RUNS, "nDCG@4", folds=0))


@pytest.mark.parametrize(
    ("judged", "runs", "options", "error", "message"),
    [
        (
            {q: dict.fromkeys(f, 0) for q, f in JUDGED.items()},
            RUNS,
            {},
            AnalysisError,
            "no document is judged relevant",
        ),
        (JUDGED, dict(list(RUNS.items())[:2]), {}, AnalysisError, "2 systems are too few"),
        (JUDGED, next(iter(RUNS.values())), {}, AnalysisError, "1 system is too few"),
        (
            {q: {d: min(g, 1) for d, g in f.items()} for q, f in JUDGED.items()},
            RUNS,
            {"over": "gain"},
            AnalysisError,
            "only one grade",
        ),
        (JUDGED, RUNS, {"policy": Policy(ties="mean")}, UsageError, "one order"),
        (JUDGED, RUNS, {"policy": Policy(unjudged="bounds")}, UsageError, "gives no single order"),
        (
            {q: {d: i + n / 61 for n, d in enumerate(f)} for i, (q, f) in enumerate(JUDGED.items())},
            RUNS,
            {},
            AnalysisError,
            "different grades",
        ),
        (JUDGED, RUNS, {"measure": "nDCG"}, UsageError, "name an nDCG with a cutoff"),
        (JUDGED, {n: {"q": {"x": 1}} for n in RUNS}, {}, RankgaugeError, "quer"),
        (
            JUDGED,
            {n: {q: {f"other {d}": s for d, s in f.items()} for q, f in r.items()} for n, r in RUNS.items()},
            {},
            AnalysisError,
            "document ids",
        ),
    ],
)
def test_questions_without_an_answer_are_refused_with_the_reason(judged, runs, options, error, message):
    with pytest.raises(error, match=message):
        optimize(judged, runs, **({"measure": "nDCG@5", "folds": 0} | options))


def test_one_grade_only_is_no_hindrance_for_the_discount():
    binary = {query: {d: min(g, 1) for d, g in found.items()} for query, found in JUDGED.items()}
    found = optimize(binary, RUNS, "nDCG@10", over="both", folds=2, repeats=1)
    assert found.over == ("discount",)
    assert "one-grade" in kinds(found)
    assert found.gap <= 1e-7


def test_the_result_shows_itself_in_every_form():
    found = optimize(JUDGED, RUNS, "nDCG@5", folds=2, repeats=1)
    assert found.to_markdown().startswith("**the most dependable discount for nDCG@5")
    assert "\\begin{tabular}{lrrrrrr}" in found.to_latex()
    assert "<table" in found._repr_html_()
    assert found.optimum.measure in repr(found)
    frame = found.to_polars()
    assert frame["candidate"].to_list() == [one.name for one in found.candidates]
    assert frame["dependability_per_query"].to_list() == [one.dependability for one in found.candidates]
    assert json.loads(json.dumps(found.to_dict())) == found.to_dict()
    assert max(map(len, str(found).splitlines())) <= 80


def test_gains_by_cutoff_are_the_optimum_of_each_cutoff():
    found = optimize(JUDGED, RUNS, "nDCG@10", cutoffs=(5, 10))
    assert [row.cutoff for row in found.rows] == [5, 10]
    for row in found.rows:
        alone = optimize(JUDGED, RUNS, f"nDCG@{row.cutoff}", over="gain", folds=0)
        assert row.gain == tuple(value for _, value in alone.gain)
        assert row.optimum == alone.optimum.dependability
        assert row.gap <= 1e-7
    assert [row.cutoff for row in optimize(JUDGED, RUNS, "nDCG@12", folds=0).gains_by_cutoff().rows] == [5, 10, 12]
    assert json.loads(json.dumps(found.to_dict()))["cutoffs"]["5"]["gain"]["1"] == 1
    assert "gain of 3" in str(found)
    assert repr(found) == "GainsByCutoff(nDCG@10; 5, 10)"
    with pytest.raises(UsageError, match="between 1 and 10"):
        optimize(JUDGED, RUNS, "nDCG@10", cutoffs=(5, 20))
    binary = {query: {d: min(g, 1) for d, g in judged.items()} for query, judged in JUDGED.items()}
    with pytest.raises(AnalysisError, match="only one grade"):
        optimize(binary, RUNS, "nDCG@10", cutoffs=[5, 10])


def test_a_compromise_serves_collections_of_different_sizes_and_grades():
    other = simulate(systems=5, queries=10, documents=40, highest_grade=2, seed=4)
    pairs = {"one": (JUDGED, RUNS), "other": (other.judgments(), other.runs(depth=20))}
    found = optimize(pairs, measure="nDCG@10")
    assert [one.name for one in found.served] == ["one", "other"]
    for one, (judged, runs) in zip(found.served, pairs.values(), strict=True):
        alone = optimize(judged, runs, "nDCG@10", folds=0)
        assert one.own_optimum == pytest.approx(alone.optimum.dependability, abs=1e-9)
        measured = stability(evaluate(judged, runs, found.measure))[found.measure].dependability(1).value
        assert measured == pytest.approx(one.dependability, abs=1e-8)
    assert found.worst == min(one.efficiency for one in found.served)
    assert found.worst <= 1
    assert "common measure: nDCG(" in str(found)
    assert json.loads(json.dumps(found.to_dict()))["worst"] == found.worst
    assert found.measure in repr(found)


def test_a_compromise_between_cutoffs_names_each():
    found = optimize({"one": (JUDGED, RUNS)}, measure="nDCG@10", cutoffs=(5, 10))
    assert [one.name for one in found.served] == ["one@5", "one@10"]
    assert found.measure.endswith("@10")
    with pytest.raises(UsageError, match="no collection"):
        optimize({}, measure="nDCG@10")


def test_ties_follow_the_policy():
    tied = {name: {q: dict.fromkeys(f, 1.0) for q, f in run.items()} for name, run in RUNS.items()}
    best, worst = (
        read_collection(JUDGED, tied, "nDCG@5", policy=Policy(ties=rule)).grades.codes for rule in ("best", "worst")
    )
    assert best.sum() > worst.sum()
    assert np.all(np.diff(best.astype(int), axis=2) <= 0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: optimize(JUDGED), "give judgments and runs, or several collections"),
        (lambda: optimize(7), "give judgments and runs, or several collections"),
        (lambda: optimize(JUDGED, 7), " int"),
        (lambda: optimize(JUDGED, RUNS, cutoffs=[5], over="discount"), "cutoffs are for the gain"),
        (lambda: optimize(JUDGED, RUNS, cutoffs=[]), "cutoffs lie between 1 and 10"),
    ],
)
def test_what_cannot_be_optimized_is_refused(call, message):
    with pytest.raises(RankgaugeError, match=message):
        call()
