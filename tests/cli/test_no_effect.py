"""An option that cannot change anything is refused, with the reason."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from rankgauge.cli.main import cli, main

DATA = ["judged", "old", "new"]
EXPLAINED = ["nDCG@3", "--judgments", "judged", "--run", "old", "--query", "q1"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("refused")
    (folder / "judged").write_text("q1 0 a 4\nq1 0 b 1\nq2 0 a 1\nq2 0 b 0\nq3 0 a 1\n")
    (folder / "old").write_text("q1 Q0 a 1 2 old\nq2 Q0 a 1 2 old\nq2 Q0 b 2 1 old\nq3 Q0 b 2 1 old\n")
    (folder / "new").write_text("q1 Q0 b 1 2 new\nq2 Q0 b 1 2 new\nq2 Q0 a 2 1 new\nq3 Q0 a 2 1 old\n")
    (folder / "queries.csv").write_text("query,text,kind,traffic\nq1,one,x,1\nq2,two,x,2\nq3,three,y,3\n")
    (folder / "numbers").write_text("3\n1\n")
    (folder / "matrix.csv").write_text("query,old,new\nq1,0.1,0.2\nq2,0.3,0.2\nq3,0.5,0.1\n")
    return folder


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["evaluate", *DATA, "--queries", "queries.csv"], "only --weights and --by use it"),
        (["evaluate", *DATA, "--seed", "7"], "only --interval bootstrap draws random numbers"),
        (["evaluate", *DATA, "--interval", "t", "--seed", "8"], "only --interval bootstrap draws random numbers"),
        (["evaluate", *DATA, "--confidence", "0.9"], "add --interval"),
        (["evaluate", *DATA, "--interval", "t", "--per-query"], "intervals are of means"),
        (["evaluate", *DATA, "--interval", "t", "--format", "trec"], "--format trec has no intervals"),
        (["evaluate", *DATA, "--confidence", "0.9", "--means-only"], "keeps no value per query"),
        (["evaluate", *DATA, "--buckets", "3"], "it is for --engine spark"),
        (["evaluate", *DATA, "--decimals", "3", "--format", "json"], "JSON has full precision"),
        (["compare", *DATA, "--decimals", "3", "--format", "json"], "JSON has full precision"),
        (["stability", *DATA, "--decimals", "3", "--format", "json"], "JSON has full precision"),
        (["compare", *DATA, "--queries", "queries.csv"], "only --by and --per-query use it"),
        (["compare", *DATA, "--test", "t", "--samples", "100"], "the t test draws no samples"),
        (["compare", *DATA, "--cutoff", "5"], "it is for --no-judgments"),
        (["compare", "--no-judgments", "old", "new", "--confidence", "0.9"], "needs judgments or scores"),
        (["compare", "--scores", "matrix.csv", "--duplicates", "best"], "these are scores"),
        (["compare", *DATA, "--rows", "queries"], "describes a matrix"),
        (["optimize", *DATA, "--folds", "0", "--repeats", "2"], "--folds 0"),
        (["optimize", *DATA, "--chart", "gain"], "name a file with --plot"),
        (["optimize", *DATA, "-m", "nDCG@5", "-m", "nDCG@10"], "takes one measure"),
        (["optimize", *DATA, "--memory", "1GB"], "No such option"),
        (["optimize", *DATA, "--queries", "queries.csv"], "No such option"),
        (["optimize", *DATA, "--weights", "traffic"], "No such option"),
        (["optimize", *DATA, "--rel", "2"], "No such option"),
        (["optimize", *DATA, "--undefined", "zero"], "a search leaves out queries with undefined values"),
        (["score", "nDCG", "numbers", "numbers", "--seed", "3"], "only --chance draws random numbers"),
        (["score", "nDCG", "numbers", "numbers", "--group", "user"], "names a column of the table"),
        (["score", "nDCG", "numbers", "numbers", "--depth", "3"], "No such option"),
        (["explain", "nDCG@10", "--decimals", "2"], "nothing to evaluate"),
        (["explain", "nDCG@10", "--ties", "mean"], "nothing to evaluate"),
        (["explain", *EXPLAINED, "--decimals", "2", "--format", "json"], "JSON has full precision"),
        (["check", *DATA, "--decimals", "2"], "No such option"),
        (["measures", "--decimals", "2"], "No such option"),
    ],
)
def test_an_option_without_effect_is_refused(folder, monkeypatch, capsys, arguments, reason):
    monkeypatch.chdir(folder)
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    out, err = capsys.readouterr()
    assert (stopped.value.code, out) == (2, "")
    assert reason in " ".join(err.split())
    assert "Traceback" not in err


@pytest.mark.parametrize("confidence", ["0", "1", "1.5"])
@pytest.mark.parametrize("name", ["evaluate", "compare", "stability", "report"])
def test_confidence_has_one_range(folder, monkeypatch, name, confidence):
    monkeypatch.chdir(folder)
    result = CliRunner().invoke(cli, [name, *DATA, "--confidence", confidence])
    assert str(result.exception) == f"--confidence is {float(confidence)}; it must lie between 0 and 1, such as 0.95."


@pytest.mark.parametrize("name", ["evaluate", "compare", "stability"])
def test_any_level_between_0_and_1_is_a_confidence(folder, monkeypatch, name):
    monkeypatch.chdir(folder)
    arguments = [name, *DATA, "--confidence", "0.3", "--format", "json"]
    assert CliRunner().invoke(cli, arguments, catch_exceptions=False).exit_code == 0


def test_what_has_an_effect_is_taken(folder, monkeypatch):
    monkeypatch.chdir(folder)
    for arguments in (
        ["evaluate", *DATA, "--interval", "bootstrap", "--seed", "8", "--confidence", "0.9"],
        ["evaluate", *DATA, "--confidence", "0.9", "--format", "json"],
        ["evaluate", *DATA, "--queries", "queries.csv", "--weights", "traffic"],
        ["compare", *DATA, "--queries", "queries.csv", "--per-query"],
        ["compare", "--no-judgments", "old", "new", "--queries", "queries.csv", "--cutoff", "5"],
        ["stability", *DATA, "--reach", "0.8", "--reach", "0.9"],
        ["score", "rankDCG", "numbers", "numbers", "--chance", "--seed", "3"],
    ):
        assert CliRunner().invoke(cli, arguments, catch_exceptions=False).exit_code == 0, arguments
