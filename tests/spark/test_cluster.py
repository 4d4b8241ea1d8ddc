"""Spark with executors in processes of their own, as on a cluster."""

from __future__ import annotations

import pytest

from evaluation.spark.awkward import awkward, every_measure, same
from rankgauge import evaluate
from rankgauge.errors import UsageError
from spark.processes import ended_halfway, executors, is_running

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def data():
    return awkward()


@pytest.fixture(scope="module")
def tables(cluster, data):
    return tuple(cluster.createDataFrame(frame.to_arrow()) for frame in (data.judged, data.returned))


def test_every_measure_has_the_same_bits_as_in_one_process(tables, data):
    there = evaluate(*tables, every_measure(), buckets=8)
    assert same(evaluate(data.judgments, data.runs, every_measure()), there)


def test_an_executor_killed_halfway_changes_nothing(cluster, tables, data):
    with ended_halfway(cluster, lambda: executors()[:1]) as happened:
        there = evaluate(*tables, every_measure(), buckets=64)
    (killed,) = happened["killed"]
    assert not is_running(killed)
    assert happened["done"] < happened["tasks"]
    assert same(evaluate(data.judgments, data.runs, every_measure()), there)


def test_more_scores_than_the_driver_takes_are_refused_before_the_work(cluster):
    judged = cluster.range(100_000).selectExpr("id as query", "'d' as document", "1 as value")
    runs = judged.selectExpr("query", "document", "0.5 as score")
    with pytest.raises(UsageError, match=r"spark.driver.maxResultSize=2m lets the driver take no more\nUse per_query"):
        evaluate(judged, runs, "nDCG@10 AP")
    means = evaluate(judged, runs, "nDCG@10 AP", per_query=False, buckets=4)
    assert means.mean() == {"run": {"nDCG@10": 1.0, "AP": 1.0}}
    assert means.queries == 100_000
