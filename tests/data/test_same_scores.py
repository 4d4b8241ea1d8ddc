"""The same collection through every format and type gives the same Scores, bit for bit."""

from __future__ import annotations

import io
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from data.collection import JUDGED, MEASURES, SCORED, bare, files, trec_files, triples, write
from rankgauge import Judgments, Run, evaluate, read_judgments, read_run


def same(scores, expected):
    assert scores.queries == expected.queries
    assert scores.values.tobytes() == expected.values.tobytes()


@pytest.fixture(scope="module")
def expected():
    return evaluate(JUDGED, SCORED, MEASURES)


@pytest.mark.parametrize("name", files("value"))
def test_every_file_of_judgments(tmp_path, expected, name):
    path = write(tmp_path / name, files("value")[name](JUDGED))
    same(evaluate(read_judgments(path), Run(SCORED), MEASURES), expected)


@pytest.mark.parametrize("name", files("score"))
def test_every_file_of_a_run(tmp_path, expected, name):
    path = write(tmp_path / name, files("score")[name](SCORED))
    same(evaluate(JUDGED, read_run(path), MEASURES), expected)


@pytest.mark.parametrize("name", trec_files("value"))
def test_trec_text(tmp_path, name):
    expected = evaluate(bare(JUDGED), bare(SCORED), MEASURES)
    judged = write(tmp_path / f"qrels.{name}", trec_files("value")[name](bare(JUDGED)))
    run = write(tmp_path / name, trec_files("score")[name](bare(SCORED)))
    same(evaluate(read_judgments(judged), read_run(run), MEASURES), expected)


def test_standard_input(tmp_path, expected, monkeypatch):
    for name in ("plain.csv", "table.parquet", "packed.csv.gz", "packed.csv.zst", "lines.jsonl", "dicts.json"):
        data = files("score")[name](SCORED)
        raw = data if isinstance(data, bytes) else data.encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))
        run = read_run("-")
        same(evaluate(JUDGED, run, MEASURES), expected)
        same(evaluate(JUDGED, run, MEASURES), expected)  # what can be read only once is kept
        assert run.name == "stdin"


def columns(rows, number):
    queries, documents, numbers = zip(*triples(rows), strict=True)
    return {"query": list(queries), "document": list(documents), number: [float(value) for value in numbers]}


TABLES = {
    "polars": pl.DataFrame,
    "polars, lazy": pl.LazyFrame,
    "polars, categorical": lambda data: pl.DataFrame(data, schema_overrides={"query": pl.Categorical}),
    "pandas": pd.DataFrame,
    "pandas, categorical": lambda data: pd.DataFrame(data).astype({"query": "category", "document": "category"}),
    "pandas, object": lambda data: pd.DataFrame(data).astype(object),
    "arrow": pa.table,
    "arrow, dictionary": lambda data: pa.table({**data, "query": pa.array(data["query"]).dictionary_encode()}),
    "arrow, large strings": lambda data: pa.table({**data, "document": pa.array(data["document"], pa.large_string())}),
}


@pytest.mark.parametrize("kind", TABLES)
def test_every_table_in_memory(expected, kind):
    judged, run = (TABLES[kind](columns(*pair)) for pair in ((JUDGED, "value"), (SCORED, "score")))
    same(evaluate(Judgments(judged), Run(run), MEASURES), expected)
    same(evaluate(judged, {"run": run}, MEASURES), expected)


def test_rows_in_any_order(tmp_path, expected):
    frame = pl.DataFrame(columns(SCORED, "score")).sample(fraction=1, shuffle=True, seed=3)
    frame.write_csv(tmp_path / "run.csv")
    same(evaluate(JUDGED, read_run(tmp_path / "run.csv"), MEASURES), expected)


ORDERED = {"q1": ["b", "a", "c"], "q2": ["x", "a"]}
GRADES = {"q1": {"a": 1, "c": 2}, "q2": {"a": 1}}


def test_ranks_and_lists_give_one_order(tmp_path):
    expected = evaluate(GRADES, {"q1": {"b": 3, "a": 2, "c": 1}, "q2": {"x": 2, "a": 1}}, MEASURES)
    ranked = [(query, document, at) for query, ids in ORDERED.items() for at, document in enumerate(ids, start=1)]
    frame = pl.DataFrame(ranked, schema=["query", "document", "rank"], orient="row")
    frame.write_csv(tmp_path / "ranks.csv")
    frame.write_csv(tmp_path / "ranks.txt", separator="\t", include_header=False)
    frame.write_parquet(tmp_path / "ranks.parquet")
    (tmp_path / "ranks.jsonl").write_text(
        "\n".join(f'{{"qid": "{q}", "docno": "{d}", "rank": {r}}}' for q, d, r in ranked)
    )
    (tmp_path / "lists.json").write_text(str(ORDERED).replace("'", '"'))
    for path in tmp_path.iterdir():
        same(evaluate(GRADES, read_run(path), MEASURES), expected)
    for run in (ORDERED, {q: tuple(ids) for q, ids in ORDERED.items()}, frame, frame.to_pandas(), frame.to_arrow()):
        same(evaluate(GRADES, Run(run), MEASURES), expected)


def test_whole_numbers_as_ids_become_text():
    expected = evaluate({"7": {"1": 1, "2": 0}}, {"7": {"1": 0.5, "2": 0.7}}, MEASURES)
    judged, run = {"query": [7, 7], "document": [1, 2]}, {"query": [7, 7], "document": np.array([1, 2], np.uint64)}
    same(evaluate({7: {1: 1, 2: 0}}, {7: {1: 0.5, 2: 0.7}}, MEASURES), expected)
    same(
        evaluate(pl.DataFrame({**judged, "grade": [1, 0]}), pd.DataFrame({**run, "score": [0.5, 0.7]}), MEASURES),
        expected,
    )
    same(evaluate({np.int64(7): {np.int32(1): True, 2: False}}, {"7": {"1": 0.5, "2": 0.7}}, MEASURES), expected)
