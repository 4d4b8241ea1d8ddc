from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from rankgauge.cli.main import cli

QRELS = "q1 0 a 1\nq1 0 b 0\nq2 0 a 2\n"
RUN = "q1 Q0 a 1 2.5 t\nq1 Q0 x 2 1.5 t\nq2 Q0 b 1 .5 t\n"
QUERIES = "query_id,text,traffic\nq1,rambo,3\nq2,rocky,1\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "a.qrels").write_text(QRELS)
    (tmp_path / "bm25.trec").write_text(RUN)
    (tmp_path / "queries.csv").write_text(QUERIES)
    (tmp_path / "runs.csv").write_text("system,qid,docno,score,other\ns1,q1,a,1,5\ns2,q1,b,1,6\ns2,q2,a,2,7\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments, **options):
    return CliRunner().invoke(cli, arguments, **options)


def test_faults_end_with_2_and_the_whole_list(folder):
    (folder / "bm25.trec").write_text(RUN + "q2 Q0 b 2\nq1 Q0 a 1 1 t\n")
    result = run("check", "a.qrels", "bm25.trec", "none.trec", "--format", "json")
    assert result.exit_code == 2
    data = json.loads(result.stdout)
    assert [(error["file"], error["line"], error["kind"]) for error in data["errors"]] == [
        ("bm25.trec", 4, "wrong-fields"),
        ("bm25.trec", 5, "duplicate-documents"),
        ("none.trec", None, "unreadable"),
    ]
    assert run("check", "a.qrels", "bm25.trec", "--format", "csv").stdout.startswith(
        "level,kind,file,line,count,message"
    )


def mean(*arguments, **options):
    result = run("evaluate", *arguments, "--format", "json", catch_exceptions=False, **options)
    return json.loads(result.stdout)["mean"]


def test_names_parts_and_several_runs_on_the_command_line(folder):
    assert list(mean("a.qrels", "runs.csv", "mine=bm25.trec", "-m", "RR")) == ["s1", "s2", "mine"]
    assert list(mean("a.qrels", "new=runs.csv")) == ["new:s1", "new:s2"]
    assert list(mean("a.qrels", "runs.csv:s2", "x=runs.csv:s1")) == ["s2", "x"]
    (folder / "t.csv").write_text("qid,docno,bm25,grade\nq1,a,1,1\nq1,b,2,0\n")
    assert mean("t.csv:grade", "t.csv:bm25", "-m", "RR") == {"bm25": {"RR": 0.5}}


def test_standard_input_serves_as_judgments_or_run(folder):
    expected = mean("a.qrels", "bm25.trec")["bm25"]
    assert mean("a.qrels", "-", input=RUN) == {"stdin": expected}
    assert mean("-", "bm25.trec", input=QRELS) == {"bm25": expected}


def test_only_and_weights_choose_and_weight_queries(folder):
    assert mean("a.qrels", "bm25.trec", "-m", "RR") == {"bm25": {"RR": 0.5}}
    assert mean("a.qrels", "bm25.trec", "-m", "RR", "--only", "q1") == {"bm25": {"RR": 1.0}}
    assert mean("a.qrels", "bm25.trec", "-m", "RR", "--only", "queries.csv") == {"bm25": {"RR": 0.5}}
    weighted = mean("a.qrels", "bm25.trec", "-m", "RR", "--queries", "queries.csv", "--weights", "traffic")
    assert weighted == {"bm25": {"RR": 0.75}}
