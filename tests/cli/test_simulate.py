from __future__ import annotations

import json

from click.testing import CliRunner

from rankgauge.cli.main import cli


def simulate(folder, *more):
    return CliRunner().invoke(cli, ["simulate", "--systems", "3", "--queries", "5", "-o", str(folder), *more])


def test_a_simulated_collection_can_be_evaluated_and_tells_its_truth(tmp_path):
    assert simulate(tmp_path / "c").exit_code == 0
    truth = json.loads((tmp_path / "c" / "truth.json").read_text())
    assert sorted(truth["best_first"]) == ["system-01", "system-02", "system-03"]
    runs = sorted(map(str, (tmp_path / "c" / "runs").glob("*")))
    result = CliRunner().invoke(cli, ["evaluate", str(tmp_path / "c" / "judgments.qrels"), *runs, "--format", "json"])
    assert json.loads(result.stdout)["queries"] == 5
    assert (tmp_path / "c" / "queries.csv").read_text().splitlines()[0] == "query,text,segment,language"


def test_the_same_seed_gives_the_same_bytes(tmp_path):
    for name, seed in (("a", "1"), ("b", "1"), ("c", "2")):
        simulate(tmp_path / name, "--seed", seed)
    files = {name: (tmp_path / name / "runs" / "system-01.trec").read_bytes() for name in "abc"}
    assert files["a"] == files["b"] != files["c"]


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    result = simulate(tmp_path / "file" / "c")
    assert result.exit_code != 0
    assert "cannot be created" in str(result.exception)
