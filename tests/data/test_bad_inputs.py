"""A table of bad inputs: each ends with our own error, which says where and what to do."""

from __future__ import annotations

import gzip
import math

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rankgauge
from rankgauge import Judgments, Policy, Run, evaluate, read_judgments, read_run, read_runs
from rankgauge.cli.main import main
from rankgauge.data.about import Queries
from rankgauge.data.check import check
from rankgauge.errors import DataError, MeasureError, PolicyError, RankgaugeError, UsageError

QRELS = "q1 0 a 1\nq1 0 b 0\nq2 0 a 2\n"
RUN = "q1 Q0 a 1 2.5 t\nq1 Q0 x 2 1.5 t\nq2 Q0 a 1 .5 t\n"
CSV = "query_id,doc_id,score\nq1,a,2.5\nq1,x,1.5\nq2,a,0.5\n"
QUERIES = "query_id,text,traffic\nq1,rambo,10\nq2,rocky,3\n"

# The file named `bad`, what it holds, the arguments after `rankgauge`, and what the message must have.
FILES = [
    ("run.trec", RUN + "q2 Q0 b 2\n", "evaluate a.qrels bad", ["run.trec", "line 4: q2 Q0 b 2", "(4 fields)", "6 fields per line"]),
    ("run.trec", RUN + "q2 Q0 b 2 high t\n", "evaluate a.qrels bad", ["run.trec", "line 4: score 'high' of query q2, document b"]),
    ("run.trec", RUN + "q2 Q0 b 2 nan t\n", "evaluate a.qrels bad", ["run.trec", "line 4: score nan of query q2, document b"]),
    ("run.trec", RUN + "q2 Q0 b 2 1e999 t\n", "evaluate a.qrels bad", ["run.trec", "line 4: score inf of query q2, document b"]),
    ("run.trec", RUN + "q1 Q0 a 3 .1 t\n", "evaluate a.qrels bad", ["run.trec", "line 4: query q1, document a (first on line 1)", 'duplicates="best"']),
    ("run.trec", RUN.replace("q1", "1").replace("q2", "2"), "evaluate a.qrels bad", ["run.trec", "none of its 2 queries is judged in a.qrels", "nearest: '1' in the run, 'q1' in the judgments"]),
    ("run.trec", "", "evaluate a.qrels bad", ["run.trec", "empty"]),
    ("run.trec", "# nothing\n\n", "evaluate a.qrels bad", ["run.trec", "contains no documents"]),
    ("run.trec", b"\x7fELF\0\0\1", "evaluate a.qrels bad", ["run.trec", "binary"]),
    ("run.trec", RUN.encode("utf-16"), "evaluate a.qrels bad", ["run.trec", "UTF-16", "Convert"]),
    ("run.trec", RUN.encode().replace(b"x", b"\xe9"), "evaluate a.qrels bad", ["run.trec", "line 2", "not UTF-8", "Convert"]),
    ("run.trec", QRELS, "evaluate a.qrels bad", ["run.trec", "looks like judgments", "a run is expected"]),
    ("run.gz", gzip.compress(RUN.encode(), mtime=0)[:-8], "evaluate a.qrels bad", ["run.gz", "damaged"]),
    ("run.zst", b"\x28\xb5\x2f\xfd\x00", "evaluate a.qrels bad", ["run.zst", "damaged"]),
    ("ranks.txt", "q1 a 1\nq1 b 2.5\n", "evaluate a.qrels bad", ["ranks.txt", "line 2: rank '2.5' of query q1, document b", "whole number"]),
    ("a2.qrels", RUN, "evaluate bad good.trec", ["a2.qrels", "looks like a run", "judgments are expected", "first"]),
    ("a2.qrels", QRELS + "q2 0 c\n", "evaluate bad good.trec", ["a2.qrels", "line 4: q2 0 c", "(3 fields)"]),
    ("a2.qrels", QRELS + "q2 0 c good\n", "evaluate bad good.trec", ["a2.qrels", "line 4: value 'good' of query q2, document c"]),
    ("a2.qrels", QRELS + "q2 0 a 1\n", "evaluate bad good.trec", ["a2.qrels", "line 4: query q2, document a (first on line 3)"]),
    ("a2.qrels", QRELS + "q2 0 c inf\n", "evaluate bad good.trec", ["a2.qrels", "line 4: value inf of query q2, document c"]),
    ("run.csv", CSV.replace("doc_id", "what"), "evaluate a.qrels bad", ["run.csv", "no column for the document", "query_id, what, score", "docid"]),
    ("run.csv", CSV.replace("score", "grade"), "evaluate a.qrels bad", ["run.csv", "looks like judgments"]),
    ("qrels.csv", CSV.replace("score", "rank"), "evaluate bad good.trec", ["qrels.csv", "looks like a run"]),
    ("run.csv", CSV + "q2,b\n", "evaluate a.qrels bad", ["run.csv", "line 5: q2,b", "(2 fields)"]),
    ("run.csv", CSV + "q2,b,1,2\n", "evaluate a.qrels bad", ["run.csv", "line 5: q2,b,1,2", "(4 fields)"]),
    ("run.csv", CSV + "q2,b,\n", "evaluate a.qrels bad", ["run.csv", "line 5: score '' of query q2, document b"]),
    ("run.csv", CSV + ",b,1\n", "evaluate a.qrels bad", ["run.csv", "line 5: query ''"]),
    ("run.csv", CSV + 'q2,"b\n', "evaluate a.qrels bad", ["run.csv", "after line 4"]),
    ("run.csv", CSV + "q2,a,7\n", "evaluate a.qrels bad", ["run.csv", "line 5: query q2, document a (first on line 4)"]),
    ("run.csv", "q1,a,2.5\nq1,x,1.5\n", "evaluate a.qrels bad", ["run.csv", "no column for the query", "q1, a, 2.5", "first line"]),
    ("run.json", '{"q1": {"a": 1,\n"b" 2}}', "evaluate a.qrels bad", ["run.json", "line 2", "not JSON"]),
    ("run.json", '{"q1": {"a": 1,\n"b": "high"}}', "evaluate a.qrels bad", ["run.json", "line 2: score 'high' of query q1, document b"]),
    ("run.json", '{"q1": {"a": 1,\n"b": 2,\n"a": 3}}', "evaluate a.qrels bad", ["run.json", "line 3: query q1, document a (first on line 1)"]),
    ("run.json", '{"q1": {"a": 1,\n"b": NaN}}', "evaluate a.qrels bad", ["run.json", "line 2: score nan of query q1, document b"]),
    ("run.json", '{"q1": 3}', "evaluate a.qrels bad", ["run.json", "line 1: query q1: 3"]),
    ("qrels.json", '{"q1": 3}', "evaluate bad good.trec", ["qrels.json", "line 1: query q1: 3"]),
    ("run.jsonl", '{"qid": "q1", "docid": "a", "score": 1}\n{"qid": "q1", "docid": "b"}\n', "evaluate a.qrels bad", ["run.jsonl", "line 2", "no column for the score"]),
    ("run.jsonl", '{"qid": "q1", "docid": "a", "score": 1}\n{"qid": "q1", \n', "evaluate a.qrels bad", ["run.jsonl", "line 2"]),
    ("run.jsonl", '{"qid": "q1", "docid": 1.5, "score": 1}\n{}\n', "evaluate a.qrels bad", ["run.jsonl", "line 2"]),
    ("run.parquet", b"PAR1 and so on", "evaluate a.qrels bad", ["run.parquet", "Parquet"]),
    ("ltr.letor", "2 qid:1 1:0.5 # a\n1 qid:1 1:x # b\n", "evaluate bad good.trec", ["ltr.letor", "line 2: 1 qid:1 1:x  ('1:x' is not feature:value)"]),
    ("ltr.letor", "2 1:0.5 # a\n", "evaluate bad good.trec", ["ltr.letor", "line 1: 2 1:0.5  (no qid:)"]),
    ("ltr.letor", "2 qid:q1 1:0.5 # a\n1 qid:q1 1:3 # b\n", "evaluate a.qrels bad:9", ["ltr.letor", "no feature '9'", "known: 1"]),
    ("several.csv", CSV.replace("query_id", "system,query_id").replace("\nq", "\ns1,q"), "evaluate a.qrels bad:s2", ["several.csv", "no column 's2'"]),
    ("run.csv", CSV, "evaluate a.qrels bad:doc_id", ["run.csv", "column 'doc_id' holds ids, not numbers"]),
    ("run.csv", CSV + 'q2,b,"\n', "evaluate a.qrels bad", ["run.csv", "after line 4", "quote"]),
    ("queries.csv", QUERIES + "q2,again,1\n", "evaluate a.qrels good.trec --queries bad --weights traffic", ["queries.csv", "line 4: query q2 (first on line 3)"]),
    ("queries.csv", QUERIES.replace(",3", ",many"), "evaluate a.qrels good.trec --queries bad --weights traffic", ["queries.csv", "query q2", "'many'"]),
    ("queries.csv", QUERIES.replace("q2,", "q9,"), "evaluate a.qrels good.trec --queries bad --weights traffic", ["1 judged query without a weight (q2)"]),
    ("queries.csv", QUERIES, "evaluate a.qrels good.trec --queries bad --weights trafficc", ["no column 'trafficc'", "did you mean 'traffic'?"]),
    ("only.txt", "q7\nq8\n", "evaluate a.qrels good.trec --only bad", ["a.qrels", "no chosen query is judged (q7, q8)"]),
    ("only.txt", "\n\n", "evaluate a.qrels good.trec --only bad", ["empty"]),
]  # fmt: skip

OPTIONS = [
    ("evaluate a.qrels none.trec", ["none.trec", "no such file"]),
    ("evaluate a.qrels .", ["this is a folder"]),
    ("evaluate a.qrels good.trec sub/good.trec", ["two runs are called 'good'", "good.trec and sub/good.trec", "NAME=PATH"]),
    ("evaluate a.qrels - -", ["standard input can be read only once"]),
    ("evaluate a.qrels good.trec -m nDCG@0", ["nDCG@0", "^"]),
    ("evaluate a.qrels good.trec -m nDCG@-3", ["nDCG@-3", "^"]),
    ("evaluate a.qrels good.trec -m nDCGG@10", ["nDCGG@10\n", "^", "did you mean 'nDCG'?"]),
    ("evaluate a.qrels good.trec -m nDCG(gian=exp)@10", ["^", "did you mean 'gain'?"]),
    ("evaluate a.qrels good.trec -m nDCG(gain=exp@10", ["^"]),
    ("evaluate a.qrels good.trec --depth 0", ["--depth", "0"]),
    ("evaluate a.qrels good.trec --rel -1", ["--rel is -1.0; it must be a number above 0."]),
    ("evaluate a.qrels good.trec --ties menan", ["unknown --ties 'menan'; did you mean 'mean'?"]),
    ("evaluate a.qrels good.trec --duplicates worst", ["unknown --duplicates 'worst'", "best"]),
    ("evaluate a.qrels good.trec --like trec_evil-9", ["trec_eval-9"]),
    ("evaluate a.qrels good.trec --weights traffic", ["--weights traffic needs --queries"]),
    ("evaluate a.qrels good.trec --only ,", ["names no queries"]),
    ("evaluate a.qrels good.trec --only q01", ["no chosen query is judged (q01)", "nearest: 'q01'"]),
    ("evaluate a.qrels good.trec --queries none.csv --weights traffic", ["none.csv", "no such file"]),
    ("evaluate a.qrels good.trec -o nowhere/out.txt", ["nowhere/out.txt", "cannot be written"]),
    ("evaluate a.qrels good.trec --format xml", ["unknown --format 'xml'", "json"]),
    ("evaluate a.qrels good.trec:score", ["good.trec", "no columns", "'score'"]),
    ("evaluate a.qrels", ["RUN"]),
    ("evaluat a.qrels good.trec", ["evaluat"]),
]  # fmt: skip

FRAME = pl.DataFrame({"query": ["q1", "q1"], "document": ["a", "b"], "score": [1.0, 2.0]})
GRADES = {"q1": {"a": 1}}
CALLS = [
    (lambda: Judgments(3), UsageError, ["int", "dict of dicts"]),
    (lambda: Judgments({"q1": {"a": "good"}}).queries, DataError, ["'good' of query q1, document a"]),
    (lambda: Judgments({"q1": 5}), DataError, ["query q1 holds 5"]),
    (lambda: Judgments({1.5: {"a": 1}}), DataError, ["1.5 is not a query id"]),
    (lambda: Judgments({1: {"a": 1}, "1": {"a": 1}}), DataError, ["two queries have the same id '1'"]),
    *(
        (lambda judged=judged: evaluate(judged, judged), error, ["a\\ud800' has half a character"])
        for judged, error in (
            ({"a\ud800": {"b": 1}}, DataError), ({"q1": {"b": 1, "a\ud800": 1}}, DataError),
            ({"q1": ["a\ud800"]}, DataError), ([("q1", "a\ud800", 1)], UsageError),
        )
    ),
    (lambda: Judgments({}).queries, DataError, ["contains no judgments"]),
    (lambda: Run({"q1": ["a", "b", "a"]}), DataError, ["1 document repeated", "query q1, document a", "best"]),
    (lambda: Run({"q1": "abc"}), DataError, ["query q1 holds 'abc'"]),
    (lambda: evaluate(GRADES, {"q1": {"a": 10**400}}), DataError, ["of query q1, document a is not a number"]),
    (lambda: evaluate(GRADES, {"q1": {"a": math.nan}}), DataError, ["score nan of query q1, document a"]),
    (lambda: evaluate(GRADES, []), UsageError, ["no runs"]),
    (lambda: Run(FRAME.rename({"document": "file"})), DataError, ["no column for the document", "query, file, score"]),
    (lambda: Run(FRAME.with_columns(query=pl.Series([1.0, 1.5]))), DataError, ["column 'query'", "decimal numbers"]),
    (lambda: Run(FRAME.with_columns(score=pl.Series(["1", "x"]))), DataError, ["row 1: score 'x' of query q1, document b"]),
    (lambda: Run(FRAME.with_columns(score=pl.Series([1.0, None]))), DataError, ["row 1: score None of query q1, document b"]),
    (lambda: Run(FRAME.with_columns(document=pl.Series(["a", None]))), DataError, ["row 1: document None of query q1", "1 of 2 rows lacks the document"]),
    (lambda: Run(FRAME.with_columns(document=pl.Series(["a", ""]))), DataError, ["row 1: document ''"]),
    (lambda: Run(FRAME.with_columns(score=pl.Series([[1], [2]]))), DataError, ["column 'score' is not numeric (List"]),
    (lambda: Run(FRAME.with_columns(query=pl.Series([[1], [2]]))), DataError, ["column 'query' does not hold ids (List"]),
    (lambda: evaluate(GRADES, pl.concat([FRAME, FRAME])), DataError, ["row 2: query q1, document a (first on row 0)"]),
    (lambda: Run(FRAME.with_columns(system=pl.Series(["s1", "s2"]))), DataError, ["runs of 2 systems (s1, s2)", "read_runs"]),
    (lambda: Run(pd.DataFrame({"query": ["q1", 7.5], "document": ["a", "b"], "score": [1, 2]})), DataError, ["column 'query' does not hold ids (Object"]),
    (lambda: read_run("x", duplicates="worst"), UsageError, ["'worst'", "best"]),
    (lambda: evaluate(GRADES, {"q1": {"a": 1.0}}, only="q1"), UsageError, ["list of query ids"]),
    (lambda: evaluate(GRADES, {"q1": {"a": 1.0}}, weights={"q1": -1}), UsageError, ["weight -1 of query q1"]),
    (lambda: evaluate(GRADES, {"q1": {"a": 1.0}}, weights={"q1": 0}), UsageError, ["all judged queries are 0"]),
    (lambda: evaluate(GRADES, {"q1": {"a": 1.0}}, weights={}), UsageError, ["without a weight (q1)"]),
    (lambda: evaluate(GRADES, {"q1": {"a": 1.0}}, "nDCG@1.5"), MeasureError, ["^"]),
    (lambda: evaluate(GRADES, {"q1": {"a": 1.0}}, []), UsageError, ["no measure"]),
    (lambda: evaluate(GRADES, {"q1": {"a": 1.0}}, [3]), UsageError, ["measures is [3]"]),
    (lambda: evaluate(GRADES, {"Q1": {"a": 1.0}}), DataError, ["its only query is not judged", "'Q1' in the run"]),
    (lambda: evaluate({**GRADES, "q2": {"a": 1}}, {"q1": {"a": 1}}, policy=Policy(missing="error")), PolicyError, ["q2"]),
    (lambda: Policy(depth=0), UsageError, ["depth is 0"]),
    (lambda: Queries({"words": ["x"]}), DataError, ["no column for the query id", "words"]),
    (lambda: Queries({"id": [None]}), DataError, ["None is not a query id", "row 0"]),
    (lambda: Queries(3), UsageError, ["int"]),
    (lambda: read_runs("none.letor"), DataError, ["none.letor", "no such file"]),
    (lambda: read_runs("a\0b"), DataError, ["cannot be read"]),
    (lambda: read_judgments("x" * 5000).queries, DataError, ["cannot be read"]),
]  # fmt: skip


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "a.qrels").write_text(QRELS)
    (tmp_path / "good.trec").write_text(RUN)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "good.trec").write_text(RUN)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ends(command, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(command.split())
    return stopped.value.code, *capsys.readouterr()


def assert_told(code, out, err, parts):
    assert code == 2, err
    assert out == ""
    assert "Traceback" not in err
    for part in parts:
        assert part in err


@pytest.mark.parametrize(("name", "data", "command", "parts"), FILES)
def test_a_bad_file_is_named_with_line_and_advice(folder, capsys, name, data, command, parts):
    (folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())
    assert_told(*ends(command.replace("bad", name), capsys), parts)


@pytest.mark.parametrize(("command", "parts"), OPTIONS)
def test_a_bad_option_is_told(folder, capsys, command, parts):
    assert_told(*ends(command, capsys), parts)


@pytest.mark.parametrize(("call", "error", "parts"), CALLS)
def test_a_bad_call_raises_our_own_error(folder, call, error, parts):
    with pytest.raises(error) as caught:
        call()
    assert isinstance(caught.value, RankgaugeError)
    for part in parts:
        assert part in str(caught.value)


@pytest.mark.parametrize(("name", "data", "command"), [case[:3] for case in FILES if "--" not in case[2]])
def test_check_finds_what_evaluate_refuses(folder, capsys, name, data, command):
    (folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())
    code, out, err = ends(command.replace("bad", name).replace("evaluate", "check"), capsys)
    assert (code, err) == (2, "")
    assert name in out
    assert " error" in out.splitlines()[0]


def test_what_is_sound_passes(folder, capsys):
    code, out, err = ends("evaluate a.qrels good.trec --only q1,q2 --depth 5", capsys)
    assert (code, err) == (0, "")
    assert "good" in out
    assert check("a.qrels", "good.trec").is_sound
    assert evaluate(GRADES, {"q1": {"a": np.float32(0.5)}}).mean() == {"run": {"nDCG@10": 1.0}}
    assert rankgauge.Run(FRAME).name == "run"


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            [("q", "a", 0), ("q", "b", 1), ("q", "c")],
            r"row 2 \('q', 'c'\) has 2 cells, not 3 \(query, document, score\)",
        ),
        ([("q", "a", 1, 9.5), ("q", "b", 2, 8.5)], r"row 0 \('q', 'a', 1, 9.5\) has 4 cells, not 3"),
        ([("q", "a", 1), {"query": "q", "document": "b", "score": 2}], "is not a row of query, document and score"),
        ([("q", "\ud800", 1)], "half a character"),
    ],
)
def test_every_row_has_as_many_cells_as_the_first(rows, message):
    """Seen red: the third cells of the others were dropped, and a rank was taken for the score, without a word."""
    with pytest.raises(UsageError, match=message):
        evaluate({"q": {"a": 1}}, rows)


@pytest.mark.parametrize("numbers", [(1, 2.5), (True, 2), (1, "2.5"), (2**70, 1.5)])
def test_rows_may_mix_whole_and_other_numbers(numbers):
    """Seen red: the rows did not fit together."""
    rows = [("q", name, number) for name, number in zip("ab", numbers, strict=True)]
    whole = {"q": dict(zip("ab", map(float, numbers), strict=True))}
    assert evaluate(rows, {"q": ["b", "a"]}, "nDCG").mean() == evaluate(whole, {"q": ["b", "a"]}, "nDCG").mean()
