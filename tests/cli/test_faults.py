"""Wrong calls end with one message and exit code 2; faults of ours with 70, never with the codes of the gate."""

from __future__ import annotations

import subprocess
import sys

import pytest
from click.testing import CliRunner

from rankgauge.cli.commands import evaluate as command
from rankgauge.cli.main import cli, main

VALUE = ["explain", "AP", "--judgments", "judged", "--run", "old", "--query", "q1"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("faults")
    (folder / "judged").write_text("q1 0 a 4\nq2 0 a 1\nq2 0 b 0\n")
    (folder / "old").write_text("q1 Q0 a 1 2 old\nq2 Q0 a 1 2 old\nq2 Q0 b 2 1 old\n")
    (folder / "new").write_text("q1 Q0 b 1 2 new\nq2 Q0 b 1 2 new\nq2 Q0 a 2 1 new\n")
    (folder / "both.csv").write_text("system,query,document,score\none,q1,a,1\ntwo,q1,a,1\n")
    (folder / "numbers").write_text("3\n1\n")
    return folder


def ends(arguments, folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    return stopped.value.code, capsys.readouterr()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["compare", "judged", "old", "new", "--seed", "-1"], "--seed is -1; it must be a whole number of at least 0."),
        (["score", "nDCG", "numbers"], "TRUTH"),
        (["score", "nDCG", "numbers", "numbers", "--depth", "1"], "No such option"),
        (["score", "nDCG", "numbers", "numbers", "--group", "user"], "--group has no effect here"),
        (["evaluate", "-", "-"], "only once"),
        (["evaluate", "judged", "one=-", "two=-"], "only once"),
        (["evaluate", "judged", "-", "--only", "-"], "only once"),
        (["compare", "-", "old", "new=-"], "only once"),
        (["evaluate", "judged", "old", "-m", "P@99999999999999999999"], "is above 1,000,000,000,000"),
        (["explain", "ERR", "--ties", "mean"], "--ties has no effect here"),
        (["explain", "AP", "--judgments", "judged", "--run", "both.csv", "--query", "q1"], "there are 2: one, two"),
        (
            [*VALUE, "--plot", "no/x.svg"],
            "cannot be written",
        ),
        (
            ["compare", "--no-judgments", "old", "new", "--test", "t"],
            "--test has no effect here because it needs judgments",
        ),
        (["compare", "--no-judgments", "old", "new", "--only", "q1,q9"], "neither run has query 'q9'"),
        (["relevance", "judged", "--plot", "no/x.svg"], "cannot be written"),
        (["evalute", "judged", "old"], "no such command 'evalute'; did you mean 'evaluate'?"),
        (["simulate", "--systems", "2", "-o", "judged/made"], "cannot be created"),
        (["agreement", "judged", "old", "new"], "agreement is between two or more measures"),
        ([*VALUE, "--versus", "nonsense"], "is none of a preset"),
        ([*VALUE, "--versus", "depth=x"], "not a number"),
        (["explain", "AP", "--judgments", "judged"], "--run is missing"),
        (["evaluate", "judged", "old", "--memory", "lots"], "memory='lots' is not a memory size"),
        (["relevance", "judged", "--knots", "k.json", "--preset", "paper"], "leave out preset, or the knots"),
    ],
)
def test_a_wrong_call_ends_with_one_message(folder, monkeypatch, capsys, arguments, message):
    code, said = ends(arguments, folder, monkeypatch, capsys)
    assert (code, said.out) == (2, "")
    assert message in said.err
    assert "Traceback" not in said.err


def test_a_fault_of_ours_is_owned_and_is_no_verdict(folder, monkeypatch, capsys):
    def broken(_):
        raise KeyError("unforeseen")

    monkeypatch.setattr(command.options, "policy_from", broken)
    code, said = ends(["evaluate", "judged", "old"], folder, monkeypatch, capsys)
    assert code == 70
    assert "KeyError: 'unforeseen'" in said.err
    assert said.err.rstrip().endswith("please report it with the lines above")


def test_output_that_cannot_be_written_is_told_once(folder):
    if not sys.platform.startswith("linux"):
        pytest.skip("/dev/full is a device of Linux")
    program = [sys.executable, "-m", "rankgauge", "evaluate", "judged", "old"]
    with open("/dev/full", "w") as full:  # noqa: PTH123 - a device
        done = subprocess.run(program, cwd=folder, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "rankgauge: No space left on device\n")


def test_a_column_of_judged_values_is_named_for_every_command(folder, monkeypatch):
    monkeypatch.chdir(folder)
    (folder / "two.csv").write_text("query,document,grade,other\nq1,a,0,1\nq1,b,1,0\n")
    run = ["--run", "old", "--query", "q1", "--format", "json"]
    for column, value in (("grade", 0.0), ("other", 1.0)):
        done = CliRunner().invoke(cli, ["explain", "P@1", "--judgments", f"two.csv:{column}", *run])
        assert f'"value": {value}' in done.stdout
        assert CliRunner().invoke(cli, ["relevance", f"two.csv:{column}"]).exit_code == 0


def test_lines_of_several_runs_can_be_told_apart(folder, monkeypatch):
    monkeypatch.chdir(folder)
    lines = CliRunner().invoke(cli, ["evaluate", "judged", "old", "new", "--format", "trec", "-m", "map"]).stdout
    assert [line.split("\t")[2] for line in lines.splitlines() if line.startswith("runid")] == ["old", "new"]
    alone = CliRunner().invoke(cli, ["evaluate", "judged", "old", "--format", "trec", "-m", "map"]).stdout
    assert "runid" not in alone


@pytest.mark.parametrize(
    "words",
    [
        ("evaluate", "judged", "old", "-o", "judged"),
        ("evaluate", "judged", "name=old", "-o", "./old"),
        ("evaluate", "judged", "both.csv:one", "--save", "both.csv"),
        ("compare", "judged", "old", "new", "--also", "json=link"),
        ("report", "judged", "old", "new", "-o", "new"),
    ],
)
def test_no_input_is_overwritten(words, folder, monkeypatch, capsys):
    """Seen red: the judgments were gone."""
    (folder / "link").unlink(missing_ok=True)
    (folder / "link").symlink_to("judged")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    code, said = ends(list(words), folder, monkeypatch, capsys)
    assert (code, "is one of the inputs, and would be overwritten" in said.err) == (2, True)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
