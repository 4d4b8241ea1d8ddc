from __future__ import annotations

import csv
import io
import json

import pytest
from click.testing import CliRunner

import rankgauge
from rankgauge.cli.main import cli, main
from rankgauge.measures import parse


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


def test_the_json_is_the_optimum_of_python(folder):
    found = json.loads(run(folder, *QUICK, "--format", "json").stdout)
    judgments, *runs = files(folder)
    assert found == json.loads(json.dumps(rankgauge.optimize(judgments, runs, "nDCG@5", folds=2, repeats=1).to_dict()))
    assert found["start"] == "nDCG@5"
    assert found["dependability_per_query"]["optimum"] >= found["dependability_per_query"]["start"]


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


@pytest.mark.parametrize("over", ["discount", "gain", "both"])
def test_the_table_fits_a_narrow_terminal_and_says_what_to_do(folder, over):
    text = run(folder, *QUICK, "--over", over).stdout
    assert max(map(len, text.splitlines())) <= 80
    told = text.replace("\n  ", " ")
    assert "recommendation: " in told
    assert "optimum: nDCG(" in told
    assert "seed 7" in told
    assert "policy: ties=document" in told
    assert "\ncandidate " in text
    narrow = rankgauge.tables.render.to_text(_table(folder, over), width=60)
    assert max(map(len, narrow.splitlines())) <= 60


def _table(folder, over):
    judgments, *runs = files(folder)
    return rankgauge.optimize(judgments, runs, "nDCG@5", over=over, folds=2, repeats=1).table()


def test_csv_has_every_candidate_and_its_measure(folder):
    rows = list(csv.DictReader(io.StringIO(run(folder, *QUICK, "--format", "csv").stdout)))
    assert [row["candidate"] for row in rows] == ["start", "log2", "zipf", "linear", "optimum", "family", "shrunk"]
    assert {row["recommended"] for row in rows} <= {"yes", "no"}
    assert any(row["recommended"] == "yes" for row in rows)
    for row in rows:
        assert str(parse(row["measure"])) == row["measure"]
        assert float(row["held_out"]) == pytest.approx(float(rows[0]["held_out"]) + float(row["lead"]))
    without = list(csv.DictReader(io.StringIO(run(folder, "-m", "nDCG@5", "--folds", "0", "--format", "csv").stdout)))
    assert "held_out" not in without[0]


@pytest.mark.parametrize("chart", ["discount", "gain", "queries", "relevant", None])
def test_each_chart_is_drawn(folder, tmp_path, chart):
    pytest.importorskip("altair", reason="the extra `report` is not installed")
    path = tmp_path / "chart.json"
    chosen = ["--chart", chart] if chart else ["--over", "gain"]
    run(folder, "-m", "nDCG@5", "--folds", "0", "--plot", path, *chosen)
    title = json.loads(path.read_text())["title"]["text"]
    words = {"discount": "discount", "gain": "gains", "queries": "Queries", "relevant": "Relevant", None: "gains"}
    assert words[chart] in title


def test_options_reach_the_search(folder):
    free = json.loads(run(folder, *QUICK, "--unconstrained", "--format", "json").stdout)
    assert free["constrained"] is False
    other = json.loads(
        run(folder, *QUICK, "--reach", "0.8", "--only", "q01,q02,q03,q04,q05", "--format", "json").stdout
    )
    assert other["queries"] == 5
    assert list(other["queries_needed"]["start"]) == ["0.8"]
    like = json.loads(run(folder, *QUICK, "--like", "gdeval", "--format", "json").stdout)
    assert like["start"] == "nDCG(gain=exp)@5"


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
    ],
)
def test_what_cannot_be_done_is_said(folder, options, message, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["optimize", *map(str, files(folder)), *options])
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err


def test_progress_names_its_stages_on_a_terminal(folder, monkeypatch):
    from rankgauge.cli.commands import optimize

    told = []
    report = optimize._staged(lambda done, total, stage: told.append((stage, done, total)))
    judgments, *runs = files(folder)
    rankgauge.optimize(judgments, runs, "nDCG@5", folds=2, repeats=1, progress=report)
    assert [stage for stage, done, _ in told if done == 1] == ["reading", "searching", "cross-validating"]
    assert all(done <= total for _, done, total in told)
    assert optimize._staged(None) is None


@pytest.mark.parametrize("objective", ["erho", "power"])
def test_another_objective_is_maximized_and_tried_on_unseen_queries(folder, objective):
    found = json.loads(run(folder, *QUICK, "--objective", objective, "--format", "json").stdout)
    assert found["objective"] == objective
    assert set(found["held_out"]["lead"]) >= {"start", "log2", "zipf", "linear", "optimum", "family", "shrunk"}
    table = run(folder, *QUICK, "--objective", objective).stdout
    sign = {"erho": "Eρ²", "power": "power"}[objective]
    assert table.splitlines()[1].split()[:2] == ["candidate", sign]
    assert "Φ" not in table
    if objective == "erho":
        assert found["value"]["optimum"] >= found["value"]["start"] - 1e-9
        assert found["queries_needed"]["start"].keys() == {"0.9", "0.95"}
    else:
        assert found["queries_needed"] == {"start": {}, "optimum": {}}
        assert "expected-power" in {note["kind"] for note in found["notes"]}
        assert "the count has no certificate" in " ".join(table.split())


def test_power_is_the_share_that_discriminate_counts(folder):
    found = json.loads(run(folder, *QUICK, "--objective", "power", "--format", "json").stdout)
    measures = ("-m", found["start"], "-m", found["optimum"])
    told = run(folder, *measures, "--samples", "20000", "--format", "json", command="discriminate")
    for name in ("start", "optimum"):
        # Of 15 pairs; the t-test and the bootstrap may differ on one that is close.
        assert json.loads(told.stdout)["measures"][found[name]]["power"] == pytest.approx(
            found["value"][name], abs=0.07
        )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--objective", "power", "--reach", "0.8"), "do not follow from power"),
        (("--objective", "power", "--plot", "x.svg", "--chart", "queries"), "no curve by the number of queries"),
    ],
)
def test_what_power_cannot_say_is_refused(folder, options, words, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["optimize", *map(str, files(folder)), *options])
    assert words in capsys.readouterr().err
