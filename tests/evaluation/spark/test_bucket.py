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
from rankgauge.evaluation.spark.bucket import BucketTask, Shipped, joined, score_bucket


def task_for(data, measures, policy, buckets, **changes):
    chosen, rule = settle_call(measures, policy, None)
    highest = max(value for found in data.judgments.values() for value in found.values())
    shipped = tuple(Shipped.of(measure, rule, highest) for measure in chosen)
    return replace(BucketTask(shipped, rule, tuple(data.runs), buckets, per_query=True), **changes), chosen


def journey(thing):
    return pickle.loads(pickle.dumps(thing))  # noqa: S301 - as Spark sends it


def scored(data, task, chosen):
    """What every bucket says after a journey by pickle, joined; queries are dealt out by a hash of their names."""
    task = journey(task)
    parts = []
    for bucket in range(task.buckets):
        mine = pl.col("query").hash(7) % task.buckets == bucket
        found = score_bucket(task, bucket, data.judged.filter(mine), data.returned.filter(mine))
        parts.append(journey(found))
    return joined(parts, task, chosen)


def accepted(data, policy):
    """The measures that the policy allows."""
    query = next(iter(data.runs["system-01"]))
    for measure in every_measure():
        try:
            evaluate({query: data.judgments[query]}, {query: data.runs["system-01"][query]}, measure, policy=policy)
        except RankgaugeError:
            continue
        yield measure


@pytest.mark.parametrize(
    "policy",
    [
        Policy(),
        Policy(ties="mean"),
        Policy(ties="worst", missing="drop", undefined="drop"),
        Policy(unjudged="drop", depth=7, precision="single"),
        Policy(fraction="below-1", negative="keep"),
    ],
    ids=["default", "mean", "drop", "condensed", "graded"],
)
def test_every_measure_has_the_same_bits_in_any_number_of_buckets(policy):
    data = awkward(systems=2, queries=16)
    measures = list(accepted(data, policy))
    assert len(measures) > 30
    whole = evaluate(data.judgments, data.runs, measures, policy=policy)
    for buckets in (1, 7):
        task, chosen = task_for(data, measures, policy, buckets)
        there = scored(data, task, chosen)
        assert same(whole, there)
        assert told(there.notes) == told(whole.notes)
        means = scored(data, replace(task, per_query=False), chosen)
        assert means.mean() == whole.mean()
        assert (means.queries, told(means.notes)) == (len(whole.queries), told(whole.notes))


@pytest.mark.parametrize("grade", [None, 0.0, -1.0])
def test_notes_are_the_same_where_only_the_top_counts_and_where_nothing_is_relevant(grade):
    data = awkward(systems=2, queries=16)
    if grade is not None:
        data = replace(data, judgments={q: dict.fromkeys(found, grade) for q, found in data.judgments.items()})
    whole = evaluate(data.judgments, data.runs, "nDCG@5 RR@3")
    task, chosen = task_for(data, "nDCG@5 RR@3", Policy(), 3)
    assert told(scored(data, task, chosen).notes) == told(whole.notes)


def test_weighted_means_have_the_same_bits_too():
    data = awkward(systems=2, queries=16)
    measures = "nDCG@10 GMAP NumRel AP"
    weights = {query: 1 / (at + 3) for at, query in enumerate(data.judgments)}
    whole = evaluate(data.judgments, data.runs, measures, weights=weights)
    task, chosen = task_for(data, measures, Policy(), 5, per_query=False, weights=weights)
    there = scored(data, task, chosen)
    assert there.mean() == whole.mean()
    assert told(there.notes) == told(whole.notes)


def test_a_fault_names_query_and_document_and_the_same_ones_in_any_order_of_rows():
    data = awkward(queries=12)
    query = next(iter(data.runs["system-01"]))
    bad = (pl.col("query") == query) & pl.col("document").str.ends_with("2") & (pl.col("system") == "system-01")
    task, _ = task_for(data, "nDCG@10", Policy(), 1)
    messages = set()
    for seed in range(3):
        runs = data.returned.with_columns(score=pl.when(bad).then(float("nan")).otherwise(pl.col("score")))
        fault = score_bucket(task, 0, data.judged, runs.sample(fraction=1, shuffle=True, seed=seed))
        error = journey(fault)
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
    assert f"query {query}, document {document}\n" in str(fault)
    assert "dropDuplicates" in str(fault)


def test_a_word_as_value_is_told_with_its_query():
    data = awkward(queries=12)
    task, chosen = task_for(data, "nDCG@10", Policy(), 1)
    judged = data.judged.with_columns(pl.col("value").cast(pl.String))
    query, document = judged.row(4)[:2]
    wrong = judged.with_columns(
        value=pl.when((pl.col("query") == query) & (pl.col("document") == document))
        .then(pl.lit("good"))
        .otherwise(pl.col("value"))
    )
    fault = score_bucket(task, 0, wrong, data.returned)
    assert f"value 'good' of query {query}, document {document}" in str(fault)
    found = score_bucket(task, 0, judged, data.returned)
    assert joined([found], task, chosen).queries == tuple(sorted(data.judgments))
