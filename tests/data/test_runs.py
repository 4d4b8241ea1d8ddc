"""Several runs of one file, parts of a file, duplicates."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

from rankgauge import Judgments, Policy, Run, evaluate, read_judgments, read_run, read_runs
from rankgauge.errors import DataError, UsageError

GRADES = {"q1": {"a": 1, "b": 0}, "q2": {"a": 2}}
TABLE = pl.DataFrame(
    {
        "system": ["bm25", "bm25", "ltr", "ltr", "ltr"],
        "query": ["q1", "q2", "q1", "q1", "q2"],
        "document": ["b", "a", "a", "b", "z"],
        "score": [1.0, 2.0, 9.0, 8.0, 7.0],
        "other": [5, 4, 3, 2, 1],
    }
)


@pytest.fixture(params=["csv", "tsv", "parquet", "json", "jsonl"])
def path(tmp_path, request):
    path = tmp_path / f"runs.{request.param}"
    match request.param:
        case "csv":
            TABLE.write_csv(path)
        case "tsv":
            TABLE.write_csv(path, separator="\t")
        case "parquet":
            TABLE.write_parquet(path)
        case "json":
            path.write_text(json.dumps(TABLE.to_dicts()))
        case _:
            TABLE.write_ndjson(path)
    return path


def test_a_column_of_systems_gives_several_runs(path):
    expected = evaluate(
        GRADES, {"bm25": {"q1": {"b": 1}, "q2": {"a": 2}}, "ltr": {"q1": {"a": 9, "b": 8}, "q2": {"z": 7}}}
    )
    scores = evaluate(GRADES, read_runs(path))
    assert scores.systems == ("bm25", "ltr")
    assert scores.values.tobytes() == expected.values.tobytes()
    for runs in (path, str(path), TABLE, TABLE.to_pandas(), [TABLE]):
        assert evaluate(GRADES, runs).values.tobytes() == expected.values.tobytes()
    assert [run.name for run in read_runs(path, name="new")] == ["new:bm25", "new:ltr"]


def test_one_system_or_column_is_picked(path):
    for run in (read_run(path, part="bm25"), Run(f"{path}:bm25")):
        assert run.to_polars().rows() == [("q1", "b", 1.0), ("q2", "a", 2.0)]
    assert read_run(path, part="ltr", name="x").name == "x"
    with pytest.raises(DataError, match=r"runs of 2 systems \(bm25, ltr\)"):
        read_run(path).to_polars()


def test_a_file_with_one_system_is_one_run(tmp_path):
    TABLE.head(2).write_csv(tmp_path / "a.csv")
    assert [run.name for run in read_runs(tmp_path / "a.csv")] == ["bm25"]
    assert [run.name for run in read_runs(tmp_path / "a.csv", name="mine")] == ["mine"]
    assert read_run(tmp_path / "a.csv").to_polars().rows() == [("q1", "b", 1.0), ("q2", "a", 2.0)]
    TABLE.drop("system").head(2).write_csv(tmp_path / "b.csv")
    assert [run.name for run in read_runs(tmp_path / "b.csv")] == ["b"]
    assert read_run(tmp_path / "b.csv", part="other").to_polars()["score"].to_list() == [5.0, 4.0]
    assert read_judgments(tmp_path / "b.csv", column="other").to_polars()["value"].to_list() == [5.0, 4.0]


def test_duplicates_within_one_system_are_told_with_it(tmp_path):
    pl.concat([TABLE, TABLE.tail(1)]).write_csv(tmp_path / "a.csv")
    with pytest.raises(
        DataError, match=r"a\.csv: 1 of 4 rows repeats a document within a query\n    query q2, document z"
    ):
        evaluate(GRADES, tmp_path / "a.csv")
    assert evaluate(GRADES, read_runs(tmp_path / "a.csv", duplicates="best")).systems == ("bm25", "ltr")


def test_the_best_of_duplicates_is_kept_and_counted(tmp_path):
    (tmp_path / "a.run").write_text("q1 Q0 a 1 .5 t\nq1 Q0 b 2 .7 t\nq1 Q0 a 3 .9 t\nq1 Q0 a 4 .1 t\n")
    run = read_run(tmp_path / "a.run", duplicates="best")
    assert run.to_polars().rows() == [("q1", "a", 0.9), ("q1", "b", 0.7)]
    note = next(note for note in evaluate(GRADES, run).notes if note.kind == "duplicate-documents")
    assert (note.count, note.system) == (2, "a")
    assert "2 of 4 rows repeat a document within a query; the best of each was kept" in note.text
    assert note.examples == ("line 3: query q1, document a (first on line 1)",)

    (tmp_path / "a.qrels").write_text("q1 0 a 0\nq1 0 a 2\nq1 0 b 1\n")
    judgments = read_judgments(tmp_path / "a.qrels", duplicates="best")
    assert judgments.to_polars().rows() == [("q1", "a", 2.0), ("q1", "b", 1.0)]
    assert "duplicate-documents" in {note.kind for note in evaluate(judgments, run).notes}


def test_the_best_of_duplicates_in_memory():
    frame = pl.DataFrame({"query": ["q", "q"], "document": ["d", "d"], "score": [1.0, 2.0]})
    assert Run(frame, duplicates="best").to_polars().rows() == [("q", "d", 2.0)]
    assert Run({"q": ["d", "e", "d"]}, duplicates="best").to_polars().rows() == [("q", "d", -1.0), ("q", "e", -2.0)]
    assert Judgments({1: {"d": 1, 2: 3, "2": 5}}, duplicates="best").to_polars().rows() == [
        ("1", "d", 1.0),
        ("1", "2", 5.0),
    ]


@pytest.mark.parametrize("number", ["nan", "inf", "-inf"])
def test_a_number_that_is_none_is_never_hidden_behind_a_better_one(tmp_path, number):
    (tmp_path / "a.run").write_text(f"q1 Q0 a 1 .5 t\nq1 Q0 a 3 {number} t\n")
    with pytest.raises(DataError, match="not a finite number"):
        evaluate(GRADES, read_run(tmp_path / "a.run", duplicates="best"))


def test_a_pandas_frame_that_changes_later_changes_nothing():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"user_id": [1, 1, 2], "item_id": [5, 6, 7], "rating": [1.0, 0.0, 1.0]})
    judgments = Judgments(frame)
    frame.iloc[:, 1:] = 99
    assert judgments.to_polars().rows() == [("1", "5", 1.0), ("1", "6", 0.0), ("2", "7", 1.0)]


def test_a_system_is_named_by_its_tag_where_that_is_wished(tmp_path):
    path = tmp_path / "input.7.trec"
    path.write_text("# made today\nq1 Q0 a 1 2.0 bm25+rm3\n")
    assert read_run(path).name == "input.7"
    assert read_run(path, names="tag").name == "bm25+rm3"
    assert [run.name for run in read_runs(path, names="tag")] == ["bm25+rm3"]
    assert read_run(path, names="tag", name="mine").name == "mine"
    bare = tmp_path / "run.csv"
    bare.write_text("query,document,score\nq1,a,1\n")
    with pytest.raises(DataError, match="no tag"):
        read_runs(bare, names="tag")


def test_complete_judgments_ask_nothing_about_the_unjudged(tmp_path):
    path = tmp_path / "judged.json"
    path.write_text(json.dumps(GRADES))
    run = {"q1": {"a": 2, "z": 1}, "q2": {"y": 1}}
    asked, told = (evaluate(read_judgments(path, complete=complete), run, "P@2") for complete in (False, True))
    assert np.array_equal(asked.values, told.values)
    assert [note.kind for note in asked.notes] == ["unjudged-documents"]
    assert [note.kind for note in told.notes] == ["complete-judgments"]
    other = {query: {"y": 1.0, "z": 0.5} for query in "abc"}
    known = {query: {"d": 1} for query in "abc"}
    with pytest.raises(DataError, match="none of its documents is judged"):
        evaluate(known, other, "P@2")
    assert evaluate(Judgments(known, complete=True).only(["a", "b", "c"]), other, "P@2").mean() == {"run": {"P@2": 0.0}}
    with pytest.raises(UsageError, match="complete"):
        evaluate(Judgments(known, complete=True), other, "P@2", policy=Policy(unjudged="drop"))


def test_a_dict_of_runs_has_the_last_word_on_their_names() -> None:
    table = pl.DataFrame({"u": ["q1", "q1"], "i": ["d1", "d2"], "yhat": [0.4, 0.9]})
    made = {name: Run(table, query="u", document="i", score="yhat") for name in ("old", "new")}
    scores = evaluate({"q1": {"d1": 1}}, made, "RR")
    assert scores.systems == ("old", "new")
    assert made["old"].name == "run"
