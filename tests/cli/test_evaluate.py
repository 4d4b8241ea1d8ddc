from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import signal
import subprocess
import sys
import time

import pytest
from click.testing import CliRunner

from rankgauge.cli.main import COMMANDS, cli, main
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


def test_the_table_names_systems_measures_and_policy(folder):
    text = run("a.qrels", "bm25.trec", "ltr.trec", "-m", "nDCG@10 P@1").stdout
    lines = text.splitlines()
    assert lines[1].split() == ["system", "nDCG@10", "P@1"]
    assert lines[2].split() == ["ltr", "1.0000", "1.0000"]
    assert lines[3].split() == ["bm25", "0.5000", "0.5000"]
    assert "policy: ties=document" in text


def test_json_has_full_precision_and_the_same_bytes_each_time(folder):
    first = run("a.qrels", "bm25.trec", "--format", "json", "--per-query").stdout
    assert first == run("a.qrels", "bm25.trec", "--format", "json", "--per-query").stdout
    data = json.loads(first)
    assert data["mean"] == {"bm25": {"nDCG@10": 0.5}}
    assert data["per_query"]["bm25"] == {"q1": {"nDCG@10": 1.0}, "q2": {"nDCG@10": 0.0}}


def test_csv_per_query_has_one_row_each(folder):
    rows = list(csv.DictReader(io.StringIO(run("a.qrels", "x=bm25.trec", "--per-query", "--format", "csv").stdout)))
    assert rows[0] == {"system": "x", "query": "q1", "nDCG@10": "1.0"}


@pytest.mark.parametrize("form", ["md", "latex"])
def test_other_forms_have_the_same_numbers(folder, form):
    assert "0.500" in run("a.qrels", "bm25.trec", "--format", form, "--decimals", "3").stdout


def test_quiet_leaves_out_the_notes(folder):
    assert "policy" not in run("a.qrels", "bm25.trec", "--quiet").stdout


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


def test_success_ends_with_code_0(folder, capsys):
    code, out, _ = exits(["evaluate", "a.qrels", "bm25.trec"], capsys)
    assert code == 0
    assert "bm25" in out


def test_an_interrupt_ends_with_code_130(folder, capsys, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("rankgauge.evaluate", interrupted)
    code, out, err = exits(["evaluate", "a.qrels", "bm25.trec", "-o", "out.txt"], capsys)
    assert (code, out) == (130, "")
    assert "interrupted" in err
    assert not (folder / "out.txt").exists()


def test_a_reader_that_goes_away_is_no_fault(folder):
    command = f"{sys.executable} -m rankgauge evaluate a.qrels bm25.trec --per-query | head -1"
    result = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True, check=True)
    assert result.stderr == ""


def test_every_command_has_help():
    for name in COMMANDS:
        result = CliRunner().invoke(cli, [name, "--help"])
        assert result.exit_code == 0
        assert len(result.stdout.splitlines()[2].strip()) > 20, name


def test_the_version_is_told():
    assert "rankgauge, version 0." in CliRunner().invoke(cli, ["--version"]).stdout


def test_json_has_the_interval_of_every_mean(folder):
    data = json.loads(run("a.qrels", "bm25.trec", "--format", "json").stdout)
    assert data["low"]["bm25"]["nDCG@10"] < data["mean"]["bm25"]["nDCG@10"] < data["high"]["bm25"]["nDCG@10"]
    assert (data["interval"], data["confidence"]) == ("t", 0.95)


def test_the_table_shows_intervals_on_demand(folder):
    text = run("a.qrels", "bm25.trec", "ltr.trec", "-m", "nDCG@10 NumRet", "--interval", "bootstrap").stdout
    assert "0.5000 [0.0000, 1.0000]" in text
    assert "95% intervals of the mean over queries (bootstrap)" in text


def test_memory_may_be_limited(folder, capsys):
    plain, limited = (run("a.qrels", "bm25.trec", "--format", "json", *more) for more in ((), ("--memory", "200MB")))
    assert limited.stdout == plain.stdout
    code, _, err = exits(["evaluate", "a.qrels", "bm25.trec", "--memory", "lots"], capsys)
    assert code == 2
    assert "memory='lots' is not a memory size" in err


def test_a_full_disk_leaves_no_partial_file(folder):
    # A limit on the size of files stops the writing midway, as a full disk does.
    many = "".join(f"q{n} 0 a 1\n" for n in range(2000))
    (folder / "many.qrels").write_text(many)
    (folder / "many.run").write_text("".join(f"q{n} Q0 a 1 2.5 t\n" for n in range(2000)))
    before = sorted(path.name for path in folder.iterdir())
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)); from rankgauge.cli.main import main; "
    for output in (["--per-query", "-o", "out.txt"], ["--save", "out.csv"]):
        command = f"main({['evaluate', 'many.qrels', 'many.run', *output]})"
        result = subprocess.run(
            [sys.executable, "-c", limit + command], cwd=folder, capture_output=True, text=True, check=False
        )
        assert result.returncode == 2
        assert "cannot be written" in result.stderr
        assert sorted(path.name for path in folder.iterdir()) == before


def _interrupted(process):
    """A user who presses Ctrl-C, and again where it came between two steps and was not heard."""
    for _ in range(10):
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.communicate(timeout=5)
    raise AssertionError("the job goes on")


def test_an_interrupt_during_a_long_job_leaves_no_partial_file(folder):
    pipe = folder / "slow.trec"
    os.mkfifo(pipe)
    before = sorted(path.name for path in folder.iterdir())
    command = [sys.executable, "-m", "rankgauge", "evaluate", "a.qrels", "bm25.trec", str(pipe), "-o", "out.txt"]
    # Opening the pipe waits until the job reads from it.
    with subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True) as process, pipe.open("w") as writer:
        writer.write(RUN)
        writer.flush()
        _, err = _interrupted(process)
    assert process.returncode == 130
    assert "interrupted" in err
    assert sorted(path.name for path in folder.iterdir()) == before


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
