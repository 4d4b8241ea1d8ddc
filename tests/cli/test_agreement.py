from __future__ import annotations

import csv
import io
import json

import pytest
from click.testing import CliRunner

import rankgauge
from rankgauge.cli.main import cli, main

QRELS = "".join(f"q{q} 0 d{d} {(d * q) % 3}\n" for q in range(1, 5) for d in range(1, 7))
MEASURES = "nDCG@5 P@1 RR"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "a.qrels").write_text(QRELS)
    for system in range(1, 5):
        lines = [
            f"q{q} Q0 d{d} 0 {(d * (system + 2) + 3 * q * system) % 7}.{d} t\n"
            for q in range(1, 5)
            for d in range(1, 7)
        ]
        (tmp_path / f"s{system}.trec").write_text("".join(lines))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments, command="agreement"):
    systems = [f"s{system}.trec" for system in range(1, 5)]
    return CliRunner().invoke(cli, [command, "a.qrels", *systems, "-m", MEASURES, *arguments], catch_exceptions=False)


def test_the_json_has_three_matrices_over_the_measures(folder):
    found = json.loads(run("--format", "json").stdout)
    assert found["measures"] == ["nDCG@5", "P@1", "RR"]
    scores = rankgauge.evaluate("a.qrels", [f"s{system}.trec" for system in range(1, 5)], MEASURES)
    expected = rankgauge.agreement(scores)
    for name in ("tau", "tau_ap", "rmse"):
        assert [tuple(row) for row in found[name]] == list(getattr(expected, name))
    assert found["tau"][0][1] == found["tau"][1][0] != 1


def test_the_table_and_csv_have_the_same_numbers(folder):
    lines = run("--decimals", "6").stdout.splitlines()
    rows = list(csv.DictReader(io.StringIO(run("--format", "csv").stdout)))
    assert [row["coefficient"] for row in rows] == ["τ-b"] * 3 + ["τ_AP"] * 3 + ["RMSE"] * 3
    for line, row in zip(lines[2:11], rows, strict=True):
        assert line.split()[2:] == [f"{float(row[name]):.6f}" for name in ("nDCG@5", "P@1", "RR")]


def test_the_policy_is_told_and_quiet_hides_it(folder):
    assert "policy: ties=document" in run().stdout
    assert "policy" not in run("--quiet").stdout


def test_kept_scores_can_be_compared(folder):
    run("--save", "s.parquet", command="evaluate")
    result = CliRunner().invoke(cli, ["agreement", "--scores", "s.parquet", "--format", "json"])
    assert json.loads(result.stdout)["tau"] == json.loads(run("--format", "json").stdout)["tau"]


def test_the_chart_has_a_panel_per_pair(folder):
    pytest.importorskip("altair", reason="the extra `report` is not installed")
    run("--plot", "a.json")
    assert len(json.loads((folder / "a.json").read_text())["concat"]) == 3


def test_one_measure_or_one_system_is_too_few(folder, capsys):
    for arguments, message in [
        (["a.qrels", "s1.trec", "s2.trec"], "agreement is between two or more measures"),
        (["a.qrels", "s1.trec", "-m", MEASURES], "systems to compare: 1; at least 2 are needed"),
    ]:
        with pytest.raises(SystemExit) as stopped:
            main(["agreement", *arguments])
        assert stopped.value.code == 2
        assert message in capsys.readouterr().err
