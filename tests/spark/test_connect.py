"""Spark Connect: tables of a client without a JVM. A process of its own, for a process has one kind of session."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from conftest import missing
from spark.conftest import need_spark

pytestmark = pytest.mark.slow

JOB = """
from evaluation.spark.awkward import awkward, same
from pyspark.sql import SparkSession
from rankgauge import evaluate
from rankgauge.errors import DataError

session = SparkSession.builder.remote("local[2]").config("spark.sql.shuffle.partitions", "4").getOrCreate()
data = awkward(queries=12)
judged, runs = (session.createDataFrame(frame.to_arrow()) for frame in (data.judged, data.returned))
here = evaluate(data.judgments, data.runs, "nDCG@10 AP ERR@10")
for _ in range(2):
    assert same(here, evaluate(judged, runs, "nDCG@10 AP ERR@10", buckets=3))
try:
    evaluate(judged, runs.union(runs.limit(1)))
except DataError as error:
    assert "repeats a document" in str(error)
    print("the same")
"""


def test_tables_of_spark_connect_have_the_same_bits():
    need_spark()
    if find_spec("grpc") is None:
        missing("Spark Connect is not installed: pip install 'pyspark[connect]'")
    paths = [str(Path(__file__).parents[1]), *(path for path in sys.path if path)]
    result = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", JOB],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths), "PYSPARK_PYTHON": sys.executable},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.stdout.endswith("the same\n"), result.stderr
