from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from rankgauge import Policy, evaluate, optimize, simulate, stability
from rankgauge.cli.main import cli
from rankgauge.errors import RankgaugeError, UsageError

COLLECTION = simulate(systems=6, queries=20, documents=60, seed=3)
JUDGED, RUNS = COLLECTION.judgments(), COLLECTION.runs(depth=20)


def test_the_optimum_is_a_measure_that_evaluate_finds_more_stable():
    found = optimize(JUDGED, RUNS, "nDCG@10", folds=0)
    scores = evaluate(JUDGED, RUNS, [found.start.measure, found.optimum.measure])
    before, after = (stability(scores)[str(measure)].dependability(1).value for measure in scores.measures)
    assert after >= before
    assert after == pytest.approx(found.optimum.dependability, abs=1e-8)
    assert before == pytest.approx(found.start.dependability, abs=1e-9)


def test_the_command_tells_the_recommendation(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    CliRunner().invoke(cli, ["simulate", "--systems", "5", "--queries", "12", "--documents", "40", "-o", "c"])
    runs = sorted(map(str, (tmp_path / "c" / "runs").glob("*")))
    call = ["optimize", "c/judgments.qrels", *runs, "-m", "nDCG@5", "--folds", "2", "--repeats", "1"]
    data = json.loads(CliRunner().invoke(cli, [*call, "--format", "json"], catch_exceptions=False).stdout)
    assert data["start"] == "nDCG@5"
    assert data["dependability_per_query"]["optimum"] >= data["dependability_per_query"]["start"]
    assert f"recommendation: {data['recommendation']}" in CliRunner().invoke(cli, call).stdout.replace("\n  ", " ")


def test_official_runs_have_the_known_optimum(collections):
    folder = collections / "trec-covid-round3"
    found = optimize(folder / "qrels.txt.gz", sorted((folder / "runs").glob("*.gz")), "nDCG@20", folds=0)
    assert round(found.start.dependability, 6) == 0.331974
    assert round(found.optimum.dependability, 4) == 0.3357
    assert found.gap <= 1e-7


@pytest.mark.parametrize(
    ("measure", "policy", "message"),
    [
        ("AP", None, "name an nDCG with a cutoff"),
        ("nDCG", None, "name an nDCG with a cutoff"),
        ("nDCG@5", Policy(ties="mean"), "one order"),
    ],
)
def test_what_cannot_be_searched_is_refused(measure, policy, message):
    with pytest.raises(UsageError, match=message):
        optimize(JUDGED, RUNS, measure, policy=policy)


def test_too_many_grades_are_refused():
    judged = {query: {d: n / 7 for n, d in enumerate(found)} for query, found in JUDGED.items()}
    with pytest.raises(RankgaugeError):
        optimize({q: {d: v + i for d, v in f.items()} for i, (q, f) in enumerate(judged.items())}, RUNS, "nDCG@5")
