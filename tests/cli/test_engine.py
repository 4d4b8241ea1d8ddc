"""Options of `evaluate` that say where the work is done and what comes back; the work itself is in tests/spark."""

from __future__ import annotations

import sys

import pytest

from rankgauge import evaluate, read_judgments, read_run
from rankgauge.cli.main import main

JUDGED, FOUND = "q1 0 a 1\nq1 0 b 0\nq2 0 a 2\n", "q1 Q0 b 1 2.5 t\nq1 Q0 a 2 1.5 t\nq2 Q0 a 1 .5 t\n"


@pytest.fixture
def command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.qrels").write_text(JUDGED)
    (tmp_path / "bm25.trec").write_text(FOUND)

    def run(*options):
        with pytest.raises(SystemExit) as ended:
            main(["evaluate", "a.qrels", "bm25.trec", *options])
        return ended.value.code, *capsys.readouterr()

    return run


@pytest.mark.parametrize("package", ["pyspark", "pyspark.sql"])
def test_spark_that_is_not_installed_is_named_with_its_install_line(command, monkeypatch, package):
    for loaded in [name for name in sys.modules if name == "pyspark" or name.startswith("pyspark.")]:
        monkeypatch.delitem(sys.modules, loaded)  # by tests before this one
    monkeypatch.setitem(sys.modules, package, None)
    code, _, text = command("--engine", "spark")
    assert code == 2
    assert text == (
        "rankgauge: --engine spark needs packages that are not installed.\n"
        "Install them with: pip install 'rankgauge[spark]'\n"
    )


def test_means_alone_are_the_same_means(command):
    code, text, _ = command("--means-only", "--format", "csv")
    value = evaluate(read_judgments("a.qrels"), read_run("bm25.trec")).mean()["bm25"]["nDCG@10"]
    assert (code, text) == (0, f"system,nDCG@10\nbm25,{value!r}\n")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--buckets", "4"], "--buckets has no effect here because it is for --engine spark"),
        (["--engine", "spark", "--duplicates", "best"], "--duplicates has no effect here because Spark reads tables"),
        (["--engine", "spark", "--columns", "query=who"], "--columns has no effect here because it is about judgments"),
        (["--engine", "spark", "--group-sizes", "s.csv"], "--group-sizes has no effect here because it is about"),
        (
            ["--means-only", "--per-query"],
            "--per-query has no effect here because --means-only keeps no value per query",
        ),
        (
            ["--means-only", "--save", "s.csv"],
            "--save has no effect here because --means-only keeps no value per query",
        ),
        (
            ["--means-only", "--interval", "t"],
            "--interval has no effect here because --means-only keeps no value per query",
        ),
        (["--means-only", "--format", "trec"], "--format trec has no --means-only"),
    ],
)
def test_options_that_do_not_go_together_are_refused(command, options, message):
    code, text, told = command(*options)
    assert (code, text) == (2, "")
    assert message in told
