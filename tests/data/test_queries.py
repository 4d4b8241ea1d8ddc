from __future__ import annotations

import json

import polars as pl
import pytest

from rankgauge import Judgments, evaluate
from rankgauge.data.about import Queries, chosen_queries, read_queries
from rankgauge.errors import DataError, UsageError
from rankgauge.evaluation.storage import read_scores

ROWS = {"query_id": ["007", "q2"], "text": ["rambo", "rocky, again"], "traffic": [10, 2.5], "kind": ["head", None]}


def written(folder, name):
    path, frame = folder / name, pl.DataFrame(ROWS, strict=False)
    match path.suffix:
        case ".csv":
            frame.write_csv(path)
        case ".tsv":
            frame.write_csv(path, separator="\t")
        case ".parquet":
            frame.write_parquet(path)
        case ".jsonl":
            frame.rename({"query_id": "_id"}).write_ndjson(path)
        case _:
            path.write_text(json.dumps({"name": "x", "queries": frame.to_dicts()}, indent=1))
    return path


@pytest.mark.parametrize("name", ["q.csv", "q.tsv", "q.parquet", "q.jsonl", "q.json"])
def test_queries_are_read_from_every_kind_of_table(tmp_path, name):
    queries = read_queries(written(tmp_path, name))
    assert queries.ids == ("007", "q2")
    assert queries.text("q2") == "rocky, again"
    assert queries.columns == ("traffic", "kind")
    assert queries.column("kind") == {"007": "head", "q2": None}
    assert queries.weights("traffic") == {"007": 10.0, "q2": 2.5}
    assert "q2" in queries
    assert len(queries) == 2


@pytest.mark.parametrize(
    ("text", "ids", "words"),
    [
        ("301\tfoo bar\n007\tbaz\n", ("301", "007"), "foo bar"),
        ("301 foo bar\n007 baz\n", ("301", "007"), "foo bar"),
        ('{"301": "foo bar", "007": "baz"}', ("301", "007"), "foo bar"),
        ('{"301": {"title": "foo bar"}, "007": {"title": "baz"}}', ("301", "007"), "foo bar"),
        ("qid,query\n301,foo bar\n007,baz\n", ("301", "007"), "foo bar"),
        ("301\n007\n", ("301", "007"), None),
    ],
)
def test_bare_lines_and_small_json_will_do(tmp_path, text, ids, words):
    (tmp_path / "q.txt").write_text(text)
    queries = read_queries(tmp_path / "q.txt")
    assert queries.ids == ids
    assert queries.text("301") == words


def test_where_only_the_words_are_known_they_are_the_id(tmp_path):
    (tmp_path / "q.json").write_text('{"name": "x", "querySetQueries": [{"queryText": "t towels"}]}')
    assert read_queries(tmp_path / "q.json").ids == ("t towels",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ("qid,text\n1,a\n1,b\n", r"line 3: query 1 \(first on line 2\)"),
        ("qid,text\n1,a,b\n", r"line 2: 1,a,b  \(3 fields\)"),
        ("qid,w,w\n1,2,3\n", r"two columns have the same name \(w\)"),  # seen red: the last was taken
        ("qid,text\n,a\n", "'' is not a query id\n    line 2"),
        ('[{"words": 1}]', "no column for the query id\n    columns: words"),
        ("[1, 2]", "no records"),
        ('[{"id": "q1"}, {"id": "q1"}]', "duplicate query id"),
        ('{"a": ', "not JSON"),
        ('qid,text\n1,"a\n', "cannot be read"),
        ("\0", "binary"),
        ("PAR1", "Parquet"),
    ],
)
def test_bad_files_of_queries_are_named(tmp_path, text, message):
    (tmp_path / "q.csv").write_text(text)
    with pytest.raises(DataError, match=message):
        read_queries(tmp_path / "q.csv")


def test_weights_are_numbers_from_0_on():
    queries = Queries({"id": ["a", "b"], "w": [1, -1], "v": ["2", "nan"], "t": ["2", "1_0"], "u": [0, 1]})
    for column in "wvt":  # seen red: 1_0 was 10
        with pytest.raises(DataError, match=f"column '{column}' gives 1 query no weight"):
            queries.weights(column)
    assert queries.weights("U") == {"a": 0.0, "b": 1.0}
    with pytest.raises(UsageError, match="has no column 'x'; known: w, v, t, u"):
        queries.column("x")
    with pytest.raises(UsageError, match="it has only ids and texts"):
        Queries({"id": ["a"]}).column("x")
    with pytest.raises(DataError, match=r"columns have different lengths\n    id: 1 cell\n    w: 2 cells"):
        Queries({"id": ["a"], "w": [1, 2]})
    with pytest.raises(DataError, match="column 'w' is not a list of cells"):
        Queries({"id": ["a"], "w": 5})
    with pytest.raises(UsageError, match=r"weight 1e[+]308 of query q1 is too large; weights are at most 1e[+]100"):
        evaluate(GRADES, RUN, "RR", weights=dict.fromkeys(GRADES, 1e308))


GRADES = {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 1}}
RUN = {"q1": {"a": 1.0}, "q2": {"b": 2.0, "a": 1.0}, "q3": {"b": 2.0}, "q4": {"a": 1.0}}


def test_weights_enter_the_mean_and_are_kept_with_the_scores(tmp_path):
    scores = evaluate(GRADES, RUN, "RR", weights={"q1": 1, "q2": 4, "q3": 5, "q9": 7})
    assert scores.mean() == {"run": {"RR": (1 * 1 + 4 * 0.5 + 5 * 0) / 10}}
    assert scores.notes[0].kind == "weights"
    scores.save(tmp_path / "kept.parquet")
    assert read_scores(tmp_path / "kept.parquet").mean() == scores.mean()
    assert evaluate(GRADES, RUN, "RR", weights={"q1": 2, "q2": 2, "q3": 2}).mean() == evaluate(GRADES, RUN, "RR").mean()


@pytest.mark.parametrize("as_frame", [False, True])
def test_only_some_queries_count(as_frame):
    judged = Judgments(Judgments(GRADES).to_polars() if as_frame else GRADES)
    scores = evaluate(judged, RUN, "RR", only=["q1", "q2", "q7"])
    assert scores.queries == ("q1", "q2")
    assert scores.mean() == {"run": {"RR": 0.75}}
    notes = {note.kind: note for note in scores.notes}
    assert notes["chosen-unjudged"].examples == ("q7",)
    assert "unjudged-queries" not in notes  # those of the run were not chosen
    assert "missing-queries" not in notes
    with pytest.raises(DataError, match=r"no chosen query is judged \(Q1\)"):
        evaluate(judged, RUN, "RR", only=["Q1"])


def test_what_is_said_of_judgments_is_said_of_some_of_them():
    """Seen red: of dicts, the note went."""
    scores = evaluate({"q1": ["a"], "q2": ["a"]}, RUN, "RR", only=["q1"])
    assert "no-values" in [note.kind for note in scores.notes]


def test_chosen_queries_come_from_a_file_or_between_commas(tmp_path):
    assert chosen_queries("q1, q2,,q1") == ["q1", "q2"]
    (tmp_path / "ids").write_text("q1\n\nt towels kitchen\n q3\tmore\n")
    assert chosen_queries(str(tmp_path / "ids")) == ["q1", "t towels kitchen", "q3"]
    (tmp_path / "ids.csv").write_text("qid,text\nq1,x\n")
    assert chosen_queries(str(tmp_path / "ids.csv")) == ["q1"]
