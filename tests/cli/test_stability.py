from __future__ import annotations

import numpy as np
import pytest
from click.testing import CliRunner

import rankgauge
from rankgauge.cli.main import cli, main

MEASURES = ["nDCG@10", "nDCG(discount=zipf)@10"]


@pytest.fixture(scope="module")
def collection(tmp_path_factory):
    folder = tmp_path_factory.mktemp("collection")
    arguments = ["simulate", "--systems", "5", "--queries", "12", "--documents", "60", "-o", str(folder)]
    assert CliRunner().invoke(cli, arguments).exit_code == 0
    # A query on which nDCG is 0/0.
    with (folder / "judgments.qrels").open("a") as file:
        file.write("empty 0 d 0\n")
    return folder


def run(*arguments, command="stability", **options):
    return CliRunner().invoke(cli, [command, *map(str, arguments)], catch_exceptions=False, **options)


def files(collection):
    return [collection / "judgments.qrels", *sorted((collection / "runs").glob("*"))]


def scores(collection, undefined="drop"):
    judgments, *runs = files(collection)
    return rankgauge.evaluate(judgments, runs, MEASURES, policy=rankgauge.Policy(undefined=undefined))


def fails(arguments, capsys):
    with pytest.raises(SystemExit) as stopped:
        main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    assert (stopped.value.code, out) == (2, "")
    return err


def test_queries_without_a_relevant_document_are_left_out_and_named_unless_they_are_to_count(collection):
    text = run(*files(collection)).stdout
    assert "stability of 5 systems on 12 queries" in text
    assert "1 query without a score for some system, left out for all (empty)" in text
    assert "undefined=drop" in text
    kept = run(*files(collection), "--undefined", "zero").stdout
    assert "stability of 5 systems on 13 queries" in kept
    assert "on 13 queries" in run(*files(collection), "--like", "trec_eval-9", "--missing", "zero").stdout


def test_zeros_in_kept_scores_are_pointed_out(collection, tmp_path):
    run(*files(collection), "--save", tmp_path / "s.parquet", command="evaluate")
    assert 'evaluate with undefined="drop"' in " ".join(run("--scores", tmp_path / "s.parquet").stdout.split())


MATRIX = "topic,bm25,ltr,neural\n301,.1,.2,.4\n302,.3,.2,.5\n303,.1,.6,.7\n"
VALUES = np.array([[0.1, 0.3, 0.1], [0.2, 0.2, 0.6], [0.4, 0.5, 0.7]])


def test_an_id_column_that_looks_like_a_system_is_refused_and_both_ways_out_work(tmp_path, capsys):
    path = tmp_path / "m.csv"
    path.write_text(MATRIX.replace("topic", "x"))
    message = fails(["stability", "--scores", path], capsys)
    assert "the first column may be a system or the numbers of the queries" in message
    assert "--ids first" in message
    assert "of 3 systems" in run("--scores", path, "--ids", "first").stdout
    assert "of 4 systems" in run("--scores", path, "--ids", "none").stdout


def test_missing_cells_are_refused_with_their_places_unless_told_what_to_do(tmp_path, capsys):
    path = tmp_path / "m.csv"
    path.write_text(MATRIX + "304,,.4,.1\n")
    message = fails(["stability", "--scores", path], capsys)
    assert "1 of 12 cells are empty" in message
    assert "line 5, bm25: ''" in message
    assert "--missing drop" in message
    dropped = run("--scores", path, "--missing", "drop").stdout
    assert "3 systems on 3 queries" in dropped
    assert "left out for all (304)" in dropped
    assert "3 systems on 4 queries" in run("--scores", path, "--missing", "zero").stdout


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("topic,a,b\n1,.1,.2\n", "rows of scores: 1; at least 2 are needed"),
        ("topic,a\n1,.1\n2,.3\n", "columns of scores: 1; at least 2 are needed"),
        ("topic,a,b\n1,.5,.5\n2,.5,.5\n", "all 4 scores are 0.5; there is no variance to analyze"),
        ("", "is empty"),
        ("system,query,nDCG@10\nbm25,q1,.5\nbm25,q2,.4\n", "systems to compare: 1; at least 2 are needed"),
        ("system,query,nDCG@10\nbm25,q1,.5\nltr,q1,.4\n", "queries to use: 1; at least 2 are needed"),
        ("system,query,nDCGG@10\nbm25,q1,.5\nltr,q1,.4\n", "a column is not a measure"),
    ],
)
def test_scores_without_an_answer_are_refused_with_the_reason(tmp_path, capsys, text, message):
    path = tmp_path / "m.csv"
    path.write_text(text)
    assert message in fails(["stability", "--scores", path], capsys)


def test_one_run_or_one_query_is_too_few(collection, tmp_path, capsys):
    judgments, first, second, *_ = files(collection)
    assert "systems to compare: 1; at least 2 are needed" in fails(["stability", judgments, first], capsys)
    (tmp_path / "one.qrels").write_text("q01 0 q01-d01 1\n")
    message = fails(["stability", tmp_path / "one.qrels", first, second], capsys)
    assert "queries to use: 1; at least 2 are needed" in message


def test_arguments_that_do_not_go_together_are_refused(collection, tmp_path, capsys):
    judgments, first, *_ = files(collection)
    matrix, kept = tmp_path / "m.csv", tmp_path / "s.csv"
    matrix.write_text(MATRIX)
    run(*files(collection), "--save", kept, command="evaluate")
    for arguments, message in [
        ([], "judgments and at least one run are needed"),
        ([judgments], "judgments and at least one run are needed"),
        ([judgments, first, "--scores", matrix], "give either JUDGMENTS and RUN, or --scores, not both"),
        ([judgments, first, "--ids", "first"], "--ids has no effect here because it describes a matrix"),
        (["--scores", matrix, "--ties", "mean"], "--ties has no effect here"),
        (["--scores", kept, "--missing", "drop"], "missing has no effect on"),
        (["--scores", kept, "--header"], "header has no effect on"),
        (["--scores", kept, "-m", "AP"], "no scores for AP"),
        (["--scores", matrix, "-m", "a", "-m", "b"], "holds one measure"),
        (["--scores", tmp_path / "none.csv"], "there is no such file"),
        (["--scores", matrix, "--reach", "0.9,high"], "is not a list of numbers such as 0.9,0.95"),
        (["--scores", matrix, "--reach", "1"], "--reach has 1.0; each must lie between 0 and 1, such as 0.95."),
        (["--scores", matrix, "--queries-at", "2.5"], "is not a list of numbers such as 50,100"),
        (["--scores", matrix, "--drop", "1"], "--drop is 1.0; it must be a share from 0 to below 1"),
        (["--scores", matrix, "--plot", "chart.gif"], "known: .svg, .png, .json"),
    ]:
        assert message in fails(["stability", *arguments], capsys), arguments


def test_a_matrix_that_is_no_text_is_refused(tmp_path, capsys):
    (tmp_path / "m.csv").write_bytes(b"\xff\xfe\x00")
    assert "is not UTF-8 text" in fails(["stability", "--scores", tmp_path / "m.csv"], capsys)
