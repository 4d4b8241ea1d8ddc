"""Buckets of queries, scored one by one in this process: what Spark's workers do, without Spark."""

from __future__ import annotations

import pickle
from dataclasses import replace

import polars as pl
import pytest

from evaluation.spark.awkward import awkward, every_measure, same, told
from rankgauge import Policy, evaluate
from rankgauge.errors import DataError, RankgaugeError
from rankgauge.evaluation.evaluate import settle_call
from rankgauge.evaluation.scores import Scores
from rankgauge.evaluation.spark.bucket import BucketTask, Fault, gathered, score_bucket, sums_of, totals
from rankgauge.evaluation.spark.shipping import ship


def task_for(data, measures, policy, buckets, **changes):
    chosen, rule = settle_call(measures, policy, None)
    highest = max(value for found in data.judgments.values() for value in found.values())
    task = BucketTask(tuple(map(ship, chosen)), rule, tuple(data.runs), buckets, highest, per_query=True)
    return replace(task, **changes), chosen


def journey(thing):
    return pickle.loads(pickle.dumps(thing))  # noqa: S301 - as Spark sends it


def scored(data, task):
    """Every bucket after a journey by pickle; queries are dealt out by a hash of their names."""
    task = journey(task)
    parts = []
    for bucket in range(task.buckets):
        mine = pl.col("query").hash(7) % task.buckets == bucket
        found = score_bucket(task, bucket, data.judged.filter(mine), data.returned.filter(mine))
        parts.append(journey(found))
    return parts


def accepted(data, policy):
    """The measures that the policy allows."""
    query = next(iter(data.runs["system-01"]))
    for measure in every_measure():
        try:
            evaluate({query: data.judgments[query]}, {query: data.runs["system-01"][query]}, measure, policy=policy)
        except RankgaugeError:
            continue
        yield measure


def notes_of(parts, task, measures):
    pool, facts = totals(parts)
    notes = pool.notes(measures, task.policy)
    for system, fact in zip(task.systems, facts, strict=True):
        notes += fact.notes(system, measures, task.policy)
    return notes


@pytest.mark.parametrize(
    "policy",
    [
        Policy(),
        Policy(ties="mean"),
        Policy(ties="worst", missing="drop", undefined="drop"),
        Policy(unjudged="drop", depth=7, precision="single"),
    ],
    ids=["default", "mean", "drop", "condensed"],
)
def test_every_measure_has_the_same_bits_in_any_number_of_buckets(policy):
    data = awkward(systems=2, queries=16)
    measures = list(accepted(data, policy))
    assert len(measures) > 30
    whole = evaluate(data.judgments, data.runs, measures, policy=policy)
    for buckets in (1, 7):
        task, chosen = task_for(data, measures, policy, buckets)
        parts = scored(data, task)
        queries, values = gathered(parts, task)
        assert same(whole, Scores(task.systems, queries, chosen, values))
        assert told(notes_of(parts, task, chosen)) == told(whole.notes)
        sums = sums_of(scored(data, replace(task, per_query=False)))
        means = [[total.aggregate() for total in row] for row in sums]
        assert means == [list(row.values()) for row in whole.mean().values()]


@pytest.mark.parametrize("grade", [None, 0.0, -1.0])
def test_notes_are_the_same_where_only_the_top_counts_and_where_nothing_is_relevant(grade):
    data = awkward(systems=2, queries=16)
    if grade is not None:
        data = replace(data, judgments={q: dict.fromkeys(found, grade) for q, found in data.judgments.items()})
    whole = evaluate(data.judgments, data.runs, "nDCG@5 RR@3")
    task, chosen = task_for(data, "nDCG@5 RR@3", Policy(), 3)
    assert told(notes_of(scored(data, task), task, chosen)) == told(whole.notes)


def test_weighted_means_have_the_same_bits_too():
    data = awkward(systems=2, queries=16)
    measures = "nDCG@10 GMAP NumRel AP"
    weights = {query: 1 / (at + 3) for at, query in enumerate(data.judgments)}
    whole = evaluate(data.judgments, data.runs, measures, weights=weights)
    task, _ = task_for(data, measures, Policy(), 5, per_query=False, weights=weights)
    parts = scored(data, task)
    assert [[total.aggregate() for total in row] for row in sums_of(parts)] == [
        list(row.values()) for row in whole.mean().values()
    ]
    _, facts = totals(parts)
    ties = [note for note in facts[0].notes(task.systems[0], whole.measures, task.policy) if note.kind == "ties"]
    assert [note.text for note in ties] == [n.text for n in whole.notes if (n.kind, n.system) == ("ties", "system-01")]


def test_a_fault_names_query_and_document_and_the_same_ones_in_any_order_of_rows():
    data = awkward(queries=12)
    query = next(iter(data.runs["system-01"]))
    bad = (pl.col("query") == query) & pl.col("document").str.ends_with("2") & (pl.col("system") == "system-01")
    task, _ = task_for(data, "nDCG@10", Policy(), 1)
    messages = set()
    for seed in range(3):
        runs = data.returned.with_columns(score=pl.when(bad).then(float("nan")).otherwise(pl.col("score")))
        fault = score_bucket(task, 0, data.judged, runs.sample(fraction=1, shuffle=True, seed=seed))
        assert isinstance(fault, Fault)
        error = journey(fault).error
        assert isinstance(error, DataError)
        messages.add(str(error))
    (message,) = messages
    assert f"score nan of query {query}, document {query}-d" in message
    assert "system-01 (bucket 1 of 1)" in message
    assert "    row " not in message


def test_a_repeated_document_is_told_without_the_rows_of_the_bucket():
    data = awkward(queries=12)
    task, _ = task_for(data, "nDCG@10", Policy(), 1)
    fault = score_bucket(task, 0, data.judged, pl.concat([data.returned, data.returned.head(1)]))
    query, document = data.returned.row(0)[:2]
    assert isinstance(fault, Fault)
    assert f"query {query}, document {document}\n" in str(fault.error)
    assert "dropDuplicates" in str(fault.error)


def test_a_word_as_value_is_told_with_its_query():
    data = awkward(queries=12)
    task, _ = task_for(data, "nDCG@10", Policy(), 1)
    judged = data.judged.with_columns(pl.col("value").cast(pl.String))
    query, document = judged.row(4)[:2]
    wrong = judged.with_columns(
        value=pl.when((pl.col("query") == query) & (pl.col("document") == document))
        .then(pl.lit("good"))
        .otherwise(pl.col("value"))
    )
    fault = score_bucket(task, 0, wrong, data.returned)
    assert isinstance(fault, Fault)
    assert f"value 'good' of query {query}, document {document}" in str(fault.error)
    found = score_bucket(task, 0, judged, data.returned)
    assert gathered([found], task)[0] == tuple(sorted(data.judgments))
