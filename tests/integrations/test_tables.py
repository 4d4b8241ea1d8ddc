"""Tables of other libraries, handed over as they are."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys

import polars as pl

from conftest import missing
from rankgauge import compare, evaluate

JUDGED = pl.DataFrame({"query": ["q1", "q1", "q2"], "document": ["a", "b", "a"], "grade": [2, 1, 1]})
RUN = pl.DataFrame({"query": ["q1", "q1", "q2", "q2"], "document": ["b", "a", "c", "a"], "score": [0.9, 0.7, 0.5, 0.1]})
DUCKDB = """
import duckdb, json
from rankgauge import compare, evaluate, score

judged, run = duckdb.sql("from 'judged.parquet'"), duckdb.sql("from 'run.parquet' order by random()")
means = evaluate(judged, {"run": run}, "nDCG@10 AP").mean()
both = "select s as system, 'q' || q as query, (q * s) % 7 / 7.0 as AP from range(1, 3) t(s), range(30) u(q)"
queries = compare(duckdb.sql(both))["AP"].pairs[0].query_count
columns = duckdb.sql("select 1 as truth, 0.5 as predicted union all select 0, 0.7")
print(json.dumps([means, queries, score("RR", "truth", "predicted", file=columns)]))
"""
EXPECTED = evaluate(JUDGED, RUN, "nDCG@10 AP")


def test_duckdb_relations_are_judgments_runs_and_scores(tmp_path):
    """In a process of its own: DuckDB 2.0 reports leaks of its own when a process ends."""
    if importlib.util.find_spec("duckdb") is None:
        missing("DuckDB is not installed")
    JUDGED.write_parquet(tmp_path / "judged.parquet")
    RUN.write_parquet(tmp_path / "run.parquet")
    done = subprocess.run([sys.executable, "-c", DUCKDB], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    means, queries, value = json.loads(done.stdout)
    assert (means, queries, value) == (EXPECTED.mean(), 30, 0.5)


class Capsule:
    """Nothing but the Arrow stream that any library may offer."""

    def __init__(self, frame):
        self._frame = frame

    def __arrow_c_stream__(self, requested_schema=None):
        return self._frame.__arrow_c_stream__(requested_schema)


def test_anything_with_an_arrow_stream_is_a_table():
    found = evaluate(Capsule(JUDGED), {"run": Capsule(RUN)}, "nDCG@10 AP")
    assert found.mean() == EXPECTED.mean()
    assert compare(Capsule(EXPECTED.to_polars().vstack(EXPECTED.to_polars().with_columns(system=pl.lit("other")))))
