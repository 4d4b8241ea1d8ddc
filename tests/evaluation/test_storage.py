from __future__ import annotations

import datetime as dt
import gzip
import io
import json

import numpy as np
import polars as pl
import pytest

from rankgauge import Policy, Scores, evaluate, measures, read_scores
from rankgauge.errors import DataError, UsageError
from rankgauge.evaluation.scores import weighted

JUDGED = {"007": {"a": 1, "b": -2}, "q2": {"a": 0}}
RUNS = {"one": {"007": {"a": 2.0, "b": 1.0}}, "two": {"007": {"b": 2.0}, "q2": {"a": 1.0}}}


@pytest.fixture
def scores():
    return evaluate(JUDGED, RUNS, "nDCG(discount=zipf(1.2))@10 AP", policy=Policy(undefined="drop"))


def test_parquet_keeps_numbers_policy_and_notes(scores, tmp_path):
    scores.save(tmp_path / "s.parquet")
    back = read_scores(tmp_path / "s.parquet")
    assert np.array_equal(back.values, scores.values, equal_nan=True)
    assert (back.systems, back.queries, back.measures) == (scores.systems, scores.queries, scores.measures)
    assert back.policy == scores.policy
    assert back.notes == scores.notes


def test_csv_keeps_the_numbers_and_ids_as_text(scores, tmp_path):
    scores.save(tmp_path / "s.csv")
    back = read_scores(tmp_path / "s.csv")
    assert np.array_equal(back.values, scores.values, equal_nan=True)
    assert back.queries == ("007", "q2")


def test_the_case_of_the_first_columns_does_not_matter(tmp_path):
    (tmp_path / "s.csv").write_text("System,Query,nDCG@10\na,q,1\n")
    assert read_scores(tmp_path / "s.csv").mean() == {"a": {"nDCG@10": 1.0}}


def test_what_no_file_can_keep_is_refused(scores, tmp_path):
    own = measures.define("Own", lambda ranked, judged: 1.0)
    with pytest.raises(UsageError, match="<Own> is a Python function"):
        evaluate(JUDGED, RUNS, own).save(tmp_path / "s.csv")
    with pytest.raises(UsageError, match=r"not as \.txt"):
        scores.save(tmp_path / "s.txt")
    with pytest.raises(UsageError, match="cannot be written"):
        scores.save(tmp_path / "nowhere" / "s.csv")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a,b,c\n1,2,3\n", "rows of scores: 1"),
        ("system,query\na,q\n", "columns system, query"),
        ("system,query,nDCG@10\na,q,1\na,r,high\n", r"'nDCG@10' is not numeric\n    row 2: a, r, high"),
        ("system,query,AP\na,q,1\nb,q,0,2\n", "line 3 has 4 cells, the header 3"),
        ("system,query,AP\na,q,1,\r,2\n", "line 2 has 5 cells, the header 3"),
        ("system,query,AP\na,q,1\na,r", "line 3 has 2 cells, the header 3\nSave the scores again"),
        ('system,query,AP\n"a",q,1\n"a",r', "line 3 has 2 cells, the header 3"),
        ('system,query,AP\na,q,",r,1.0\nb,q,1\n', "cannot be read after line 1"),
        ("system,query,AP,AP\na,q,1,0\n", r"two columns have the same name \(AP\)"),  # seen red: AP_duplicated_0
        ("system,query,AP\na,q,inf\n", "a score is infinite\n    row 1: a, q"),
        ("system,query,AP\na,q,1\na,,1\n", "no system or no query\n    row 2: a, None"),
        (b"system,query,AP\na,q,1\na,\xff,1\n", "not UTF-8 text\n    line 3"),
        (b"q,a,b\n1,0.5,0.5\n2,\xff,1\n", "not UTF-8 text\n    line 3"),
        ("system,query,nDCGG@10\na,q,1\n", "unknown measure"),
        ("system,query,nDCG@10,date\na,q,1,20200101\n", "column 'date' is not a measure"),
        (
            "system,query,nDCG@10,ndcg_cut_10\na,q,1,1\n",
            r"duplicate measure nDCG@10\n    columns: nDCG@10, ndcg_cut_10",
        ),
        ("system,query,AP\na,q,1\na,all,1\n", "the last query is called 'all', so it seems to sum up"),
        ("query,a,b\nq1,.1,.2\nq2,.3,.4\nTotal,.4,.6\n", "the last query is called 'Total', so it seems to sum up"),
        ("query,a,b,mean\nq1,.1,.2,.15\nq2,.3,.4,.35\n", "the last system is called 'mean', so it seems to sum up"),
        ("", "is empty"),
    ],
)
def test_files_that_hold_no_scores_are_refused(tmp_path, content, message):
    (tmp_path / "s.csv").write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(DataError, match=message):
        read_scores(tmp_path / "s.csv")


TWO = {"system": ["a", "b"], "query": ["q", "q"]}


@pytest.mark.parametrize(
    ("column", "cells", "message"),
    [
        ("AP", [dt.date(2020, 1, 1)] * 2, r"column 'AP' is not numeric \(Date\)"),
        ("AP", [dt.timedelta(1)] * 2, r"column 'AP' is not numeric \(Duration"),
        ("AP", [dt.time(1)] * 2, r"column 'AP' is not numeric \(Time"),
        ("AP", [{"x": 1}] * 2, r"column 'AP' is not numeric \(Struct"),
        ("AP", [None, None], "column 'AP' has no scores"),
        ("AP", [float("nan")] * 2, "column 'AP' has no scores"),
        ("AP", [1e308, 1.0], "a score of 1e[+]308 is too large"),
        ("", [1.0, 2.0], "a column has no name"),
        ("query", [{"x": 1}] * 2, "column 'query' is neither text nor whole numbers"),
    ],
)
def test_a_frame_whose_columns_are_not_scores_is_refused(tmp_path, column, cells, message):
    """Seen red: days since 1970 as scores, or a raw error of Polars, NumPy or the report."""
    frame = pl.DataFrame({**TWO, "P@5": [1.0, 0.5], column: cells})
    frame.write_parquet(tmp_path / "s.parquet")
    for source in (frame, tmp_path / "s.parquet"):
        with pytest.raises(DataError, match=message):
            read_scores(source)


@pytest.mark.parametrize(
    "about",
    [
        {"weights": [1, -1]},
        {"weights": [float("inf"), 1]},
        {"weights": [float("nan"), 1]},
        {"weights": [1e308, 1]},
        {"weights": [1]},
        {"weights": 5},
        {"notes": [{"kind": "x", "text": 5, "count": 1, "examples": []}]},
        {"notes": [{"kind": "x", "text": "t", "count": "1", "examples": []}]},
        {"notes": [{"kind": "x", "text": "t", "count": 1, "examples": [], "system": {}}]},
        {"policy": {"ties": 5}},
        {"noun": 5},
        {"whole": "yes"},
        {"bounds": True},
        {"queries": {"text": ["only one"]}},
        [1],
        '{"notes":' + "[" * 100_000,
    ],
    ids=lambda about: str(about)[:50],
)
def test_what_was_changed_beside_saved_numbers_is_refused(tmp_path, about):
    """Seen red: used as it was, or a raw error once something is printed."""
    text = about if isinstance(about, str) else json.dumps(about)
    frame = pl.DataFrame({"system": ["a", "a"], "query": ["q", "r"], "AP": [1.0, 0.5]})
    frame.write_parquet(tmp_path / "s.parquet", metadata={"rankgauge": text})
    with pytest.raises(DataError, match="what was saved beside the numbers is damaged"):
        read_scores(tmp_path / "s.parquet")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(DataError, match="no such file"):
        read_scores(tmp_path / "s.parquet")


def test_a_csv_does_not_claim_a_policy_nor_lose_weights(scores, tmp_path):
    path = tmp_path / "kept.csv"
    scores.save(path)
    assert read_scores(path).table().notes[0] == f"policy: not recorded in {path}"
    with pytest.raises(UsageError, match="cannot hold query weights"):
        weighted(scores, np.arange(1.0, 1 + len(scores.queries))).save(path)


def test_two_rows_of_one_query_are_refused(tmp_path):
    path = tmp_path / "twice.csv"
    path.write_text("system,query,AP\na,q1,0.1\nb,q1,0.2\na,q1,0.9\n")
    with pytest.raises(DataError, match="duplicate query") as caught:
        read_scores(path)
    assert "row 1: a, q1" in str(caught.value)
    assert "row 3: a, q1" in str(caught.value)


MATRIX = "topic,bm25,ltr\n301,.1,.2\n302,.3,\n303,.5,.6\n"


def test_a_matrix_is_opened_by_the_same_function(tmp_path):
    (tmp_path / "web.csv.gz").write_bytes(gzip.compress(MATRIX.encode()))
    scores = read_scores(tmp_path / "web.csv.gz", missing="drop")
    assert (scores.systems, scores.queries) == (("bm25", "ltr"), ("301", "302", "303"))
    assert [str(measure) for measure in scores.measures] == ["web"]
    assert np.isnan(scores.matrix("web")[1, 1])
    named = read_scores(tmp_path / "web.csv.gz", missing="zero", measures="nDCG@20")
    assert named.measures == (measures.nDCG @ 20,)
    assert named.matrix()[1, 1] == 0
    scores.save(tmp_path / "kept.parquet")
    assert read_scores(tmp_path / "kept.parquet").measures == scores.measures


def test_a_matrix_comes_through_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"a;b\n.1;.2\n.3;.4\n")))
    assert read_scores("-").matrix().tolist() == [[0.1, 0.3], [0.2, 0.4]]


def test_frames_and_arrays_are_scores_too(scores):
    pandas = pytest.importorskip("pandas")
    for frame in (scores.to_polars(), scores.to_pandas()):
        back = read_scores(frame)
        assert np.array_equal(back.values, scores.values, equal_nan=True)
        assert back.measures == scores.measures
    assert read_scores(np.array([[0.1, 0.2, 0.3]]), rows="queries").systems == ("system1", "system2", "system3")
    own = read_scores(pandas.DataFrame({"system": ["a", "b"], "query": [1, 1], "clicks": [3, 4]}))
    assert own.queries == ("1",)
    assert own.matrix("clicks").tolist() == [[3.0], [4.0]]
    assert read_scores(scores) is scores


def test_options_of_a_matrix_are_refused_elsewhere(scores, tmp_path):
    scores.save(tmp_path / "s.parquet")
    with pytest.raises(UsageError, match="header has no effect"):
        read_scores(tmp_path / "s.parquet", header=True)
    with pytest.raises(UsageError, match="cannot read scores from int"):
        read_scores(3)


def test_no_cut_of_a_saved_file_gives_another_number(tmp_path):
    """Seen red: 0.12 of 0.125, without a word."""
    whole = Scores.from_matrix([[0.125, 0.0625], [1 / 3, 1.0]], ["a", "b"], ["q1", "q2"], "AP", rows="systems")
    whole.save(tmp_path / "whole.csv")
    text = (tmp_path / "whole.csv").read_bytes()
    path = tmp_path / "cut.csv"
    for size in range(len(b"system,query,"), len(text)):
        path.write_bytes(text[:size])
        if text[size - 1 : size] != b"\n" or b"\n" not in text[: size - 1]:
            with pytest.raises(DataError, match=r"cut\.csv"):
                read_scores(path)
            continue
        found = read_scores(path)
        for at, system in enumerate(found.systems):
            kept = found.values[at][~np.isnan(found.values[at])]
            assert list(kept) == list(whole.values[whole.systems.index(system)][: len(kept), 0])
    path.write_bytes(text[:-1])
    with pytest.raises(DataError, match=r"cut.csv: line 5, the last one, has no line end"):
        read_scores(path)
