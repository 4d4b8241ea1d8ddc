"""Where and why two measures part: the parts add up to the means, and each ranking to what explain() says of it."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner

import rankgauge
from rankgauge import Policy, evaluate, explain
from rankgauge.cli.main import cli, main
from rankgauge.errors import AnalysisError, UsageError

JUDGED = {
    "q1": {"a": 2, "b": 1, "c": 0, "d": 1},
    "q2": {"a": 1, "e": 2},
    "q3": {"f": 0},
}
RUN = {
    "q1": {"c": 0.9, "x": 0.8, "a": 0.7, "b": 0.6, "d": 0.1},
    "q2": {"e": 0.9, "a": 0.2},
    "q3": {"f": 0.9},
}


@pytest.fixture(scope="module")
def simulated():
    return rankgauge.simulate(3, 8, documents=40, seed=5)


@pytest.mark.parametrize("versus", ["nDCG(gain=exp)@5", "AP", "RR@10", "P@5", "nDCG@20", "ERR@10"])
def test_the_parts_add_up_to_the_means_of_evaluate(simulated, versus):
    judged, runs = simulated.judgments(), simulated.runs()
    found = explain("nDCG@10", judged, runs, versus=versus)
    scores = evaluate(judged, runs, ["nDCG@10", versus])
    means = [float(np.mean([one[name] for one in scores.mean().values()])) for name in map(str, scores.measures)]
    for parts in (found.by_rank, found.by_document):
        assert sum(part.first for part in parts) == pytest.approx(means[0], abs=1e-12)
        assert sum(part.second for part in parts) == pytest.approx(means[1], abs=1e-12)
    assert found.difference == pytest.approx(means[1] - means[0], abs=1e-12)
    assert len(found.rankings) == 24


def test_each_ranking_is_the_contrast_of_its_query(simulated):
    judged, run = simulated.judgments(), dict(list(simulated.runs().items())[:1])
    found = explain("nDCG@10", judged, run, versus="nDCG(discount=zipf)@10")
    for one in found.rankings:
        pair = explain("nDCG@10", judged, run, one.query, versus="nDCG(discount=zipf)@10")
        assert (one.first, one.second) == (pair.first.value, pair.second.value)
        parted = [
            rank
            for rank, (a, b) in enumerate(zip(pair.first.lines, pair.second.lines, strict=True), 1)
            if abs(a.running - b.running) > 1e-12
        ]
        assert one.rank == (parted[0] if parted else None)


def test_by_hand():
    found = explain("P@3", JUDGED, RUN, versus="P(rel=2)@3")
    assert [(one.query, one.first, one.second, one.rank) for one in found.rankings] == [
        ("q1", pytest.approx(1 / 3), pytest.approx(1 / 3), None),
        ("q2", pytest.approx(2 / 3), pytest.approx(1 / 3), 2),
        ("q3", 0, 0, None),
    ]
    by_rank = {part.name: (part.first, part.second) for part in found.by_rank}
    assert by_rank["rank 1"] == (pytest.approx(1 / 9), pytest.approx(1 / 9))
    assert by_rank["ranks 2–3"] == (pytest.approx(2 / 9), pytest.approx(1 / 9))
    by_document = {part.name: (part.first, part.second) for part in found.by_document}
    assert by_document == {
        "judged 2": (pytest.approx(2 / 9), pytest.approx(2 / 9)),
        "judged 1": (pytest.approx(1 / 9), 0),
        "judged 0": (0, 0),
    }
    assert found.largest(1)[0].query == "q2"


def test_many_values_are_shown_by_their_place_in_the_best_order():
    judged = {"q": {f"d{at}": float(at**2) for at in range(30)}}
    run = {"q": {f"d{at}": float(-abs(at - 20)) for at in range(30)}}
    found = explain("nDCG@20", judged, run, versus="nDCG(relevance=phi)@20")
    assert next(part.name for part in found.by_document).endswith("best")
    assert sum(part.second for part in found.by_document) == pytest.approx(found.rankings[0].second, abs=1e-12)


def test_a_policy_and_a_run_may_differ_instead():
    tied = {"q1": {"c": 0.5, "a": 0.5, "b": 0.4}, "q2": {"e": 0.9}, "q3": {"f": 1.0}}
    found = explain("RR", JUDGED, tied, versus="ties=worst")
    assert found.names[1].startswith("RR (")
    assert found.rankings[0].difference == pytest.approx(0.5 - 1 if found.rankings[0].first == 1 else 0)
    other = explain("RR", JUDGED, {"one": RUN}, versus={"two": tied})
    assert other.names == ("RR", "RR (two)")
    assert other.rankings[0].first == pytest.approx(1 / 3)
    same = explain("RR", JUDGED, RUN, versus="RR")
    assert (same.names, same.difference) == (("RR", "RR"), 0)


def test_queries_without_a_value_under_both_are_left_out():
    found = explain("nDCG", JUDGED, RUN, versus="AP", policy=Policy(undefined="drop"))
    assert (len(found.rankings), found.left_out) == (2, 1)
    assert "left out" in found.table().notes[-1]
    returned = {"q1": {"x": 1}, "q2": {"a": 1}, "q3": {"f": 1}}  # q1 has no judged document, and is not missing
    kept = explain("RR", JUDGED, returned, versus="AP", policy=Policy(unjudged="drop", missing="drop"))
    assert (len(kept.rankings), kept.left_out) == (3, 0)
    with pytest.raises(AnalysisError, match="nothing to contrast"):
        explain("nDCG", {"q3": {"f": 0}}, {"q3": {"f": 1}}, versus="AP", policy=Policy(undefined="drop"))


def test_without_a_query_something_to_contrast_is_needed():
    with pytest.raises(UsageError, match="name a query"):
        explain("nDCG", JUDGED, RUN)


def test_the_command_sums_up_over_all_queries(tmp_path, simulated, capsys):
    simulated.save(tmp_path)
    run = min((tmp_path / "runs").iterdir())
    words = ["explain", "nDCG@5", "--judgments", str(tmp_path / "judgments.qrels"), "--run", str(run)]
    told = CliRunner().invoke(cli, [*words, "--versus", "RR@10", "--format", "json"], catch_exceptions=False)
    assert json.loads(told.stdout) == explain("nDCG@5", tmp_path / "judgments.qrels", run, versus="RR@10").to_dict()
    text = CliRunner().invoke(cli, [*words, "--versus", "RR@10"], catch_exceptions=False).stdout
    assert text.startswith("nDCG@5 (first) versus RR@10 (second) on 8 rankings")
    assert max(map(len, text.splitlines())) <= 80
    table = CliRunner().invoke(cli, [*words, "--versus", "RR@10", "--format", "csv"], catch_exceptions=False).stdout
    assert {type(float(cell)) for line in table.splitlines()[1:] for cell in line.split(",")[1:]} == {float}
    with pytest.raises(SystemExit, match="2"):
        main([*words, "--versus", "RR@10", "--plot", str(tmp_path / "x.svg")])
    assert "draws one query" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        main([*words, "--ties", "mean"])
    assert "--query is missing" in capsys.readouterr().err
