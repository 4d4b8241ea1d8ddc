from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from rankgauge.cli.main import cli, main


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("collection")
    made = ["simulate", "--systems", "6", "--queries", "14", "--documents", "50", "-o", str(folder)]
    assert CliRunner().invoke(cli, made).exit_code == 0
    return folder


def files(folder):
    return [folder / "judgments.qrels", *sorted((folder / "runs").glob("*"))]


def run(folder, *arguments, command="optimize", **options):
    every = [command, *map(str, files(folder)), *map(str, arguments)]
    return CliRunner().invoke(cli, every, catch_exceptions=False, **options)


QUICK = ("-m", "nDCG@5", "--folds", "2", "--repeats", "1")


def test_the_optimum_is_written_and_read_back_by_every_command(folder, tmp_path):
    path = tmp_path / "measure.json"
    assert run(folder, *QUICK, "--output", path).stdout == ""
    found = json.loads(path.read_text())
    parts = {"": "optimum", ":optimum": "optimum", ":recommendation": "recommendation", ":start": "start"}
    for part, name in parts.items():
        means = json.loads(run(folder, "-m", f"@{path}{part}", "--format", "json", command="evaluate").stdout)
        assert means["measures"] == [found[name]]
    for command in ("compare", "stability", "discriminate"):
        measured = json.loads(run(folder, "-m", f"@{path}", "--format", "json", command=command).stdout)["measures"]
        assert list(measured) == [found["optimum"]]
    both = run(folder, "-m", f"@{path}", "-m", "nDCG@5", "--format", "json", command="agreement")
    assert json.loads(both.stdout)["tau"][0][1] == pytest.approx(found["tau"])
    again = json.loads(run(folder, "-m", f"@{path}", "--folds", "0", "--format", "json").stdout)
    assert again["start"] == found["optimum"]
    assert again["dependability_per_query"]["start"] == pytest.approx(again["dependability_per_query"]["optimum"])
    explained = CliRunner().invoke(cli, ["explain", f"@{path}"], catch_exceptions=False).stdout
    assert explained.startswith(found["optimum"])


def test_stability_agrees_with_what_the_search_says_of_the_optimum(folder, tmp_path):
    path = tmp_path / "measure.json"
    run(folder, *QUICK, "-o", path)
    found, said = json.loads(path.read_text()), run(folder, "-m", f"@{path}", "--format", "json", command="stability")
    (one,) = json.loads(said.stdout)["measures"].values()
    assert one["queries_needed"]["dependability"]["0.95"]["value"] == found["queries_needed"]["optimum"]["0.95"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-m", "AP"], "AP cannot be optimized; name an nDCG with a cutoff"),
        (["-m", "nDCG@5 nDCG@10"], "nDCG@5 nDCG@10 cannot be optimized"),
        (["-m", "@none.json"], "none.json: cannot be read"),
        (["--chart", "gain"], "name a file with --plot"),
        (["--plot", "chart.doc"], "cannot be saved as '.doc'"),
        (["--unjudged", "bounds"], "gives no single order"),
        (["--ties", "mean"], "one order"),
        (["--folds", "9"], "too few for 9 folds"),
        (["-m", "nDCG@5", "--objective", "power", "--reach", "0.8"], "do not follow from power"),
        (
            ["-m", "nDCG@5", "--objective", "power", "--plot", "x.svg", "--chart", "queries"],
            "no curve by the number of queries",
        ),
    ],
)
def test_what_cannot_be_done_is_said(folder, options, message, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["optimize", *map(str, files(folder)), *options])
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err


def test_power_is_the_share_that_discriminate_counts(folder):
    found = json.loads(run(folder, *QUICK, "--objective", "power", "--format", "json").stdout)
    measures = ("-m", found["start"], "-m", found["optimum"])
    told = run(folder, *measures, "--samples", "20000", "--format", "json", command="discriminate")
    for name in ("start", "optimum"):
        # Of 15 pairs; the t-test and the bootstrap may differ on one that is close.
        assert json.loads(told.stdout)["measures"][found[name]]["power"] == pytest.approx(
            found["value"][name], abs=0.07
        )
