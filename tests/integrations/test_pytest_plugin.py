"""The plugin in a real pytest of its own, on scores that a rule passes, breaks and leaves open."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

TEST = """
import numpy as np
import pytest
from rankgauge import Scores

SCORES = np.random.default_rng(1).uniform(0.2, 0.8, (1, 60))
BETTER, WORSE = SCORES + 0.05 * np.linspace(0.9, 1.1, 60), SCORES - 0.05 * np.linspace(0.9, 1.1, 60)
NOISY = SCORES + np.random.default_rng(2).normal(0, 0.2, (1, 60))


@pytest.mark.parametrize("other", [BETTER, WORSE, NOISY], ids=["better", "worse", "noisy"])
def test_quality(rankgauge_gate, other):
    scores = Scores.from_matrix(np.concatenate([SCORES, other]), rows="systems")
    gate = rankgauge_gate(scores, baseline="system1", rules="score < baseline - 0.01")
    assert gate.outcome == "pass"
"""


@pytest.fixture
def run(tmp_path):
    def run(text=TEST, *options, ini=""):
        (tmp_path / "test_it.py").write_text(text)
        (tmp_path / "pytest.ini").write_text(f"[pytest]\n{ini}\n")
        plugin = ["-p", "rankgauge.integrations.pytest_plugin", "-p", "no:cacheprovider"]
        command = [sys.executable, "-m", "pytest", "-v", "-rsf", *plugin, *options]
        environment = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "COLUMNS": "400", "PYTEST_ADDOPTS": ""}
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    return run


def test_a_rule_passes_fails_or_skips_with_the_reason(run):
    result = run()
    assert "[better] PASSED" in result.stdout
    assert "[worse] FAILED" in result.stdout
    assert "[noisy] SKIPPED" in result.stdout
    assert "1 failed, 1 passed, 1 skipped" in result.stdout
    assert "fail: fail if score < baseline - 0.01" in result.stdout
    assert "system2 is worse than system1" in result.stdout
    assert "queries would decide it" in result.stdout
    assert "test_it.py:" not in result.stdout.split("FAILURES")[1].split("short test summary")[0]  # no traceback


@pytest.mark.parametrize(("options", "ini"), [(["--rankgauge-undecided=fail"], ""), ([], "rankgauge_undecided = fail")])
def test_an_undecided_rule_fails_if_asked_to(run, options, ini):
    result = run(TEST, "-k", "noisy", *options, ini=ini)
    assert "1 failed, 2 deselected" in result.stdout


def test_wrong_use_is_our_error(run):
    assert "rankgauge_undecided is 'skip' or 'fail', not 'maybe'" in run(TEST, ini="rankgauge_undecided = maybe").stdout


def test_judgments_runs_and_several_rules(run):
    text = """
def test_quality(rankgauge_gate):
    judged = {f"q{n}": {"a": 1, "b": 0} for n in range(20)}
    good, bad = {q: {"a": 1.0, "b": 0.5} for q in judged}, {q: {"a": 0.5, "b": 1.0} for q in judged}
    found = rankgauge_gate(
        judged, {"old": bad, "new": good}, "nDCG@10 RR", baseline="old", rules=["nDCG@10 < baseline", "RR < 0.9"]
    )
    assert [result.outcome for result in found.rules] == ["pass", "pass"]
"""
    result = run(text)
    assert "1 passed" in result.stdout, result.stdout
