from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from rankgauge.cli.main import cli
from rankgauge.errors import RankgaugeError


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.qrels").write_text("q 0 a 2\nq 0 b 1\nq 0 z 3\n")
    (tmp_path / "one.trec").write_text("q Q0 b 1 0.9 t\nq Q0 x 2 0.8 t\nq Q0 a 3 0.8 t\n")
    (tmp_path / "two.trec").write_text("q Q0 a 1 0.9 t\n")
    return tmp_path


def run(*arguments):
    base = ["explain", "nDCG@3", "--judgments", "a.qrels", "--run", "one.trec", "--query", "q"]
    return CliRunner().invoke(cli, [*base, *arguments])


def test_the_sum_is_shown_rank_by_rank(folder):
    text = run().stdout
    assert "nDCG@3 of one on query q" in text
    assert "equal scores at ranks 2–3" in text


def test_json_adds_up_to_what_evaluate_prints(folder):
    told = json.loads(run("--format", "json").stdout)
    whole = CliRunner().invoke(cli, ["evaluate", "a.qrels", "one.trec", "-m", "nDCG@3", "--format", "json"]).stdout
    assert told["value"] == told["ranks"][-1]["running"] == json.loads(whole)["mean"]["one"]["nDCG@3"]


@pytest.mark.parametrize("versus", ["sklearn", "ties=best", "depth=1", "two.trec", "nDCG(gain=exp)@3"])
def test_it_contrasts_with_a_preset_a_policy_a_run_or_a_measure(folder, versus):
    assert "they differ from rank" in run("--versus", versus).stdout


def test_it_is_drawn(folder):
    assert run("--plot", "one.svg").exit_code == 0
    assert run("--versus", "ties=best", "--plot", "two.svg").exit_code == 0
    assert "value up to this rank" in (folder / "one.svg").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--versus", "nonsense"], "is none of a preset"),
        (["--versus", "depth=x"], "not a number"),
        (["--query", "p"], "query 'p' is not judged"),
    ],
)
def test_faults_are_told(folder, arguments, message):
    result = run(*arguments)
    assert isinstance(result.exception, RankgaugeError)
    assert message in str(result.exception)


def test_half_of_the_data_is_not_enough(folder):
    result = CliRunner().invoke(cli, ["explain", "AP", "--judgments", "a.qrels"])
    assert "--run is missing" in str(result.exception)
