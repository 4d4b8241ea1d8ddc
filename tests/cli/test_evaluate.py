from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from rankgauge.cli.main import cli, main
from rankgauge.errors import UsageError

QRELS = "q1 0 a 1\nq1 0 b 0\nq2 0 a 2\n"
RUN = "q1 Q0 a 1 2.5 t\nq1 Q0 x 2 1.5 t\nq2 Q0 b 1 .5 t\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "a.qrels").write_text(QRELS)
    (tmp_path / "bm25.trec").write_text(RUN)
    (tmp_path / "ltr.trec").write_text(RUN.replace("Q0 b", "Q0 a"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments):
    return CliRunner().invoke(cli, ["evaluate", *arguments], catch_exceptions=False)


def test_output_goes_to_a_file_whole_or_not_at_all(folder):
    result = run("a.qrels", "bm25.trec", "--format", "csv", "-o", "out.csv")
    assert result.stdout == ""
    assert (folder / "out.csv").read_text() == "system,nDCG@10\nbm25,0.5\n"
    assert sorted(path.name for path in folder.iterdir()) == ["a.qrels", "bm25.trec", "ltr.trec", "out.csv"]


def exits(arguments, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    out, err = capsys.readouterr()
    return stopped.value.code, out, err


def test_faults_end_with_code_2_one_message_and_nothing_on_stdout(folder, capsys):
    code, out, err = exits(["evaluate", "a.qrels", "none.trec"], capsys)
    assert (code, out) == (2, "")
    assert err == "rankgauge: none.trec: there is no such file\n"
    code, out, err = exits(["evaluate", "a.qrels", "bm25.trec", "-o", "nowhere/out"], capsys)
    assert (code, out) == (2, "")
    assert "cannot be written" in err
    code, _, err = exits(["evaluate", "a.qrels", "bm25.trec", "--ties", "odd"], capsys)
    assert code == 2
    assert err.startswith("rankgauge: unknown --ties 'odd'; known: document, ")


def test_an_interrupt_ends_with_code_130(folder, capsys, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("rankgauge.evaluate", interrupted)
    code, out, err = exits(["evaluate", "a.qrels", "bm25.trec", "-o", "out.txt"], capsys)
    assert (code, out) == (130, "")
    assert "interrupted" in err
    assert not (folder / "out.txt").exists()


def test_medians_stand_beside_their_means(folder):
    shown = run("a.qrels", "bm25.trec", "-m", "nDCG@10 AP", "--median", "--format", "csv").stdout.splitlines()
    assert shown[0] == "system,nDCG@10,median,AP,median"
    data = json.loads(run("a.qrels", "bm25.trec", "-m", "nDCG@10 AP", "--format", "json").stdout)
    mean, median = (list(data[which]["bm25"].values()) for which in ("mean", "median"))
    cells = [float(cell) for cell in shown[1].split(",")[1:]]
    assert cells == [value for pair in zip(mean, median, strict=True) for value in pair]


@pytest.mark.parametrize("words", [["--means-only"], ["--per-query"], ["--format", "trec"]])
def test_medians_are_refused_where_none_are_printed(folder, words):
    with pytest.raises(UsageError, match="--median has no effect"):
        run("a.qrels", "bm25.trec", "--median", *words)
