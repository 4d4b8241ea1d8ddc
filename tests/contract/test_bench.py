"""The benchmark compares like with like: on small data, all contenders come to the same means."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench"


@pytest.fixture
def bench(monkeypatch):
    """Modules of the benchmark by name."""
    monkeypatch.syspath_prepend(str(BENCH))
    return importlib.import_module


@pytest.fixture
def means(bench, capsys):
    def said(name, *arguments):
        getattr(bench("jobs"), name)(*map(str, arguments))
        return json.loads(capsys.readouterr().out)["means"]

    return said


def test_every_layout_of_the_large_file_has_the_same_bits_and_the_peer_s_means(tmp_path, bench, means):
    bench("generate").big_file(tmp_path, 30, 40, judged=9)
    judged, plain = tmp_path / "judgments.qrels", tmp_path / "plain.run"
    want = means("file_rankgauge", judged, plain)
    assert min(want) > 0
    for path in bench("workloads").LAYOUTS.values():
        assert means("file_rankgauge", judged, tmp_path / path) == want
    assert means("file_rankgauge", judged, plain, bench("jobs").OURS, "200MB") == want
    assert means("file_pytrec_eval", judged, plain) == pytest.approx(want, rel=1e-12)
    assert means("file_ir_measures", judged, plain) == pytest.approx(want, rel=1e-12)


def test_contenders_agree_on_many_files_dicts_and_matrices(tmp_path, bench, means):
    bench("generate").many_files(tmp_path, 3, 5, 120)
    files = [tmp_path / "judgments.qrels", *sorted((tmp_path / "runs").iterdir())]
    assert means("many_pytrec_eval", *files) == pytest.approx(means("many_rankgauge", *files), rel=1e-12)
    for how in ("built", "reused"):
        ours, theirs = (means(f"dicts_{who}", 20, 15, how) for who in ("rankgauge", "pytrec_eval"))
        assert ours == pytest.approx(theirs, rel=1e-12)
    for how in ("ties", "no-ties"):
        ours, theirs = (means(f"matrix_{who}", 30, 20, how) for who in ("rankgauge", "sklearn"))
        assert ours == pytest.approx(theirs, rel=1e-12)


def test_a_claim_is_held_against_what_was_measured(bench):
    trial, claim = bench("trials").Trial, bench("workloads").Claim
    trials = {"ours": trial(2.0, 3.0, 250.0), "peer": trial(9.0, 9.0, 500.0)}
    for kind, limit, measured in (
        ("faster", 4, 4.5),
        ("slower", 0.3, 2 / 9),
        ("memory", 0.6, 0.5),
        ("megabytes", 300, 250),
    ):
        one = claim("ours", kind, limit, "" if kind == "megabytes" else "peer")
        assert one.measured(trials) == pytest.approx(measured)
        assert one.holds(measured)
        assert not one.holds(measured * (0.5 if kind == "faster" else 2))
    assert claim("ours", "faster", 2, "absent").measured(trials) is None


def test_what_compiles_runs_once_before_it_counts(bench, monkeypatch):
    trials = bench("trials")
    seconds, ran = {"ours": [1.0, 2.0], "peer": [0.5, 4.0]}, []

    def run(command, source=None):
        ran.append(command)
        return trials.Trial(seconds[command].pop(0), 0.0, 0.0)

    monkeypatch.setattr(trials, "run", run)
    found = trials.in_turn({"ours": "ours", "peer": "peer"}, 2, once=("peer",), compiles=("peer",))
    assert ran == ["ours", "peer", "peer", "ours"]
    assert {name: trial.wall for name, trial in found.items()} == {"ours": 1.0, "peer": 4.0}
