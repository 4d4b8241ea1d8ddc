from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from rankgauge.cli.main import cli
from rankgauge.errors import RankgaugeError


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "truth.csv").write_text("value\n3\n2\n1\n")
    (tmp_path / "predicted.csv").write_text("0.1\n0.5\n0.2\n")
    (tmp_path / "t.csv").write_text("user,clicks,model\nu1,3,0.1\nu1,2,0.5\nu2,1,0.2\nu2,0,0.1\n")
    return tmp_path


def run(*arguments):
    return CliRunner().invoke(cli, ["score", *arguments])


def test_two_files_of_one_column_give_one_number(folder):
    data = json.loads(run("nDCG", "truth.csv", "predicted.csv", "--format", "json").stdout)
    assert (data["measure"], data["items"], data["ties"]) == ("nDCG", 3, "mean")
    assert 0 < data["value"] < 1


def test_columns_of_a_table_give_one_number_per_group(folder):
    data = json.loads(
        run(
            "RR", "--file", "t.csv", "--truth", "clicks", "--predicted", "model", "--group", "user", "--format", "json"
        ).stdout
    )
    assert data["per_group"] == {"u1": 1.0, "u2": 1.0}
    assert data["mean"] == 1.0
    assert "u2" in run("RR", "--file", "t.csv", "--truth", "clicks", "--predicted", "model", "--group", "user").stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["AP", "truth.csv"], "give two files"),
        (["AP", "truth.csv", "none.csv"], "no such file"),
        (["AP", "--file", "t.csv", "--truth", "clicks"], "--file needs"),
        (["AP", "--file", "none.csv", "--truth", "a", "--predicted", "b"], "no such file"),
        (["AP", "--file", "t.csv", "--truth", "click", "--predicted", "model"], "did you mean 'clicks'"),
        (["AP", "--file", "t.csv", "--truth", "user", "--predicted", "model"], "line 2: 'u1'"),
        (["AP", "t.csv", "truth.csv"], "are not finite numbers"),
        (["AP", "truth.csv", "predicted.csv", "--chance"], "chance is for rankDCG"),
    ],
)
def test_faults_are_told(folder, arguments, message):
    result = run(*arguments)
    assert isinstance(result.exception, RankgaugeError)
    assert message in str(result.exception)


def test_a_list_with_nothing_to_order_is_said(folder):
    (folder / "flat.csv").write_text("user,karma,guess\nu1,1,2\nu1,1,3\nu2,1,5\nu2,2,6\n")
    columns = ["--file", "flat.csv", "--truth", "karma", "--predicted", "guess", "--group", "user"]
    text = " ".join(run("rankDCG", *columns).stdout.split())
    assert "undefined on 1 of 2 lists, left out of the mean (u1)" in text
    assert "counted as 0 (u1)" in " ".join(run("rankDCG", *columns, "--undefined", "zero").stdout.split())
    data = json.loads(run("rankDCG", *columns, "--format", "json").stdout)
    assert data["mean"] == 1.0
    assert data["notes"][0]["examples"] == ["u1"]


def test_chance_stands_beside_the_value(folder):
    text = " ".join(run("rankDCG", "truth.csv", "predicted.csv", "--chance").stdout.split())
    assert "expect 0.5000" in text
    assert "p = 0.6667 (exact, 6 outcomes)" in text
