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


def test_several_measures_and_columns_make_one_table(folder):
    (folder / "many.csv").write_text(
        "user,clicks,old,new\n"
        + "".join(f"u{user},{value},{-value},{value}\n" for user in range(9) for value in (0, 1, 3))
    )
    words = ["rankDCG tau_b, rho exact_AP nDCG@2", "--file", "many.csv", "--truth", "clicks", "--group", "user"]
    data = json.loads(run(*words, "--predicted", "old", "--predicted", "new", "--format", "json").stdout)
    assert data["measures"] == ["rankDCG", "tau_b", "rho", "exact_AP", "nDCG@2"]
    assert [data["mean"][column]["tau_b"] for column in ("old", "new")] == [-1, 1]
    assert data["mean"]["old"]["exact_AP"] == pytest.approx((1 + 1 / 2 + 1 / 3) / 3)
    pairs = {name: one["pairs"][0] for name, one in data["comparison"]["measures"].items()}
    assert {(pair["baseline"], pair["system"], pair["verdict"]) for pair in pairs.values()} == {
        ("old", "new", "better")
    }
    assert pairs["rankDCG"]["difference"] == 1
    text = run(*words, "--predicted", "old", "--predicted", "new").stdout
    assert "27 items in 9 lists" in text
    assert "difference to old" in text


def test_one_list_has_values_and_no_tests(folder):
    data = json.loads(run("rankDCG tau_b", "truth.csv", "predicted.csv", "--format", "json").stdout)
    assert data["comparison"] is None
    assert data["mean"]["predicted"]["tau_b"] == pytest.approx(-1 / 3)


def test_a_correlation_of_a_constant_is_undefined_and_said(folder):
    (folder / "flat.csv").write_text("1\n1\n1\n")
    assert "tau_b is undefined on 1 of 1 list" in run("tau_b", "truth.csv", "flat.csv").stdout


def test_chance_and_seed_are_for_one_measure_and_one_column(folder):
    assert "one measure and one column" in str(run("rankDCG tau_b", "truth.csv", "predicted.csv", "--chance").exception)
    assert "--seed has no effect" in str(run("rankDCG tau_b", "truth.csv", "predicted.csv", "--seed", "3").exception)


@pytest.mark.parametrize("first", ["1_0", "1,5", "0x10", "1d5", "nan", "NA", "null", "true", "-1_0", ".5.5", "12 kg"])
def test_a_first_line_that_is_meant_as_a_number_is_not_a_heading(folder, first):
    for name in ("truth.csv", "predicted.csv"):
        (folder / name).write_text(f"{first}\n2\n3\n")
    result = run("nDCG", "truth.csv", "predicted.csv")
    assert isinstance(result.exception, RankgaugeError)
    assert f".csv: 1 of 3 cells are not finite numbers\n    line 1: {first!r}" in str(result.exception)


@pytest.mark.parametrize("text", ["\n2\n3\n", "1\n\n3\n", "value\n\n1\n2\n"])
def test_a_blank_line_may_be_a_missing_number(folder, text):
    """Without it, the numbers behind it would be those of other items."""
    (folder / "truth.csv").write_text(text)
    (folder / "predicted.csv").write_text("1\n2\n")
    result = run("nDCG", "truth.csv", "predicted.csv")
    assert isinstance(result.exception, RankgaugeError)
    assert str(result.exception).startswith("truth.csv: a line is blank\n    line ")


def test_blank_lines_at_the_end_are_nothing(folder):
    (folder / "truth.csv").write_text("value\n3\n2\n1\n\n\n")
    assert run("nDCG", "truth.csv", "predicted.csv").exit_code == 0


def test_files_of_different_lengths_are_named(folder):
    (folder / "truth.csv").write_text("1\n2\n")
    result = run("nDCG", "truth.csv", "predicted.csv")
    assert str(result.exception).startswith("truth.csv: has 2 items, but predicted.csv has 3\n")


def test_a_file_of_a_heading_alone_is_named(folder):
    (folder / "predicted.csv").write_text("value\n")
    result = run("nDCG", "truth.csv", "predicted.csv")
    assert str(result.exception) == "predicted.csv: contains no numbers, only a heading"
