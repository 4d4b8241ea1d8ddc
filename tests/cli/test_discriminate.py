from __future__ import annotations

import csv
import io
import json

import pytest
from click.testing import CliRunner

import rankgauge
from rankgauge.cli.main import cli


@pytest.fixture(scope="module")
def collection(tmp_path_factory):
    folder = tmp_path_factory.mktemp("collection")
    arguments = ["simulate", "--systems", "6", "--queries", "20", "--documents", "60", "-o", str(folder)]
    assert CliRunner().invoke(cli, arguments).exit_code == 0
    return folder


def run(collection, *arguments):
    files = [collection / "judgments.qrels", *sorted((collection / "runs").glob("*"))]
    asked = ["discriminate", *files, "-m", "nDCG@10 P@5", *arguments]
    return CliRunner().invoke(cli, list(map(str, asked)), catch_exceptions=False)


def test_the_json_is_that_of_the_public_function(collection):
    found = json.loads(run(collection, "--top", "4", "--samples", "200", "--alpha", "0.1", "--format", "json").stdout)
    runs = sorted((collection / "runs").glob("*"))
    scores = rankgauge.evaluate(collection / "judgments.qrels", runs, "nDCG@10 P@5")
    expected = rankgauge.discriminate(scores, top=4, samples=200, alpha=0.1)
    assert found == json.loads(json.dumps(expected.to_dict()))
    assert (found["systems"], found["pairs"], found["samples"], found["alpha"]) == (4, 6, 200, 0.1)
    assert len(found["measures"]["nDCG@10"]["asl"]) == 6


def test_the_table_puts_the_most_discriminating_measure_first_and_fits_80_columns(collection):
    lines = run(collection).stdout.splitlines()
    powers = [float(line.split()[1]) for line in lines[2:4]]
    assert powers == sorted(powers, reverse=True)
    assert max(map(len, lines)) <= 80


def test_csv_has_the_level_of_every_pair(collection):
    rows = list(csv.DictReader(io.StringIO(run(collection, "--format", "csv").stdout)))
    assert len(rows) == 30
    levels = [float(row["asl"]) for row in rows[:15]]
    assert levels == sorted(levels, reverse=True)


def test_kept_scores_give_the_same_answer(collection, tmp_path):
    files = [collection / "judgments.qrels", *sorted((collection / "runs").glob("*"))]
    asked = ["evaluate", *files, "-m", "nDCG@10 P@5", "--save", tmp_path / "s.parquet"]
    CliRunner().invoke(cli, list(map(str, asked)), catch_exceptions=False)
    kept = CliRunner().invoke(cli, ["discriminate", "--scores", str(tmp_path / "s.parquet"), "--format", "json"])
    assert json.loads(kept.stdout)["measures"] == json.loads(run(collection, "--format", "json").stdout)["measures"]


def test_the_chart_has_a_curve_per_measure(collection, tmp_path):
    pytest.importorskip("altair", reason="the extra `report` is not installed")
    run(collection, "--plot", tmp_path / "asl.json")
    chart = json.loads((tmp_path / "asl.json").read_text())
    curves = [layer for layer in chart["layer"] if layer["mark"].get("type") == "line"]
    found = json.loads(run(collection, "--format", "json").stdout)["measures"]
    drawn = {}
    for curve in curves:
        rows = curve["data"].get("values") or chart["datasets"][curve["data"]["name"]]
        drawn[rows[0]["measure"]] = [row["asl"] for row in rows]
    # A curve comes in from the upper edge: the last level above it, and all below.
    expected = {}
    for name, one in found.items():
        above = sum(asl >= 0.15 for asl in one["asl"])
        expected[f"{name}: {one['power']:.1%}"] = one["asl"][max(above - 1, 0) :]
    assert drawn == expected
