"""The GitHub Action: its scripts are run as a runner would run them, on files that pass, fail and leave a rule open."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from rankgauge import simulate

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
STEPS = ACTION["runs"]["steps"]
LINK = "https://example.org/page"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A collection and three runs: the baseline, one far worse, one hardly different."""
    folder = tmp_path_factory.mktemp("files")
    made = simulate(systems=6, queries=40, seed=7)
    made.save(folder)
    return folder


class Runner:
    """A composite action, step by step; steps of other actions are taken to succeed."""

    def __init__(self, folder, inputs):
        self.folder = folder
        self.inputs = {name: about.get("default", "") for name, about in ACTION["inputs"].items()} | inputs
        self.summary, self.outputs = folder / "summary.md", {"upload": {"artifact-url": LINK}}

    def run(self, *, page=False):
        apart = {"Install rankgauge", *([] if page else ["Write the page"])}
        for step in STEPS:
            if "run" in step and step["name"] not in apart:
                done = self.step(step)
                if done.returncode:
                    return done
        return done

    def step(self, step):
        outputs = self.folder / "outputs"
        outputs.write_text("")
        environment = os.environ | {
            "GITHUB_OUTPUT": str(outputs),
            "GITHUB_STEP_SUMMARY": str(self.summary),
            "RUNNER_TEMP": str(self.folder),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            **{name: self.filled(text) for name, text in step.get("env", {}).items()},
        }
        # A runner's bash: `shell: bash` means -e and pipefail.
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False)
        found = dict(line.split("=", 1) for line in outputs.read_text().splitlines())
        self.outputs[step.get("id", "")] = found
        return done

    def filled(self, text):
        def value(match):
            place = match[1].split(".")
            return self.inputs[place[1]] if place[0] == "inputs" else self.outputs[place[1]][place[3]]

        return re.sub(r"\$\{\{ ([\w.-]+) \}\}", value, text)


@pytest.fixture
def runner(files, tmp_path):
    def make(**inputs):
        given = {
            "judgments": str(files / "judgments.qrels"),
            "baseline": f"live={files / 'runs' / 'system-01.trec'}",
            "runs": f"\n  new={files / 'runs' / 'system-02.trec'}\n\n",
        }
        return Runner(tmp_path, given | inputs)

    return make


def test_a_kept_rule_passes_with_the_table_and_the_link(runner):
    made = runner(rules="nDCG@10 < 0.0001\n")
    done = made.run(page=True)
    assert done.returncode == 0, done.stderr
    summary = made.summary.read_text()
    assert summary.startswith("## Search quality: pass\n")
    assert "| new" in summary
    assert f"[Open the page]({LINK})" in summary
    assert "<html" in (made.folder / "rankgauge.html").read_text()


def test_a_broken_rule_fails_after_the_summary(runner):
    made = runner(rules="nDCG@10 < 0.0001\nnDCG@10 > baseline - 0.9\n")
    done = made.run()
    assert (done.returncode, made.outputs["compare"]) == (1, {"outcome": "fail"})
    assert "::error::A quality rule is broken" in done.stdout
    assert "**Gate: nDCG@10 \\> baseline - 0.9: fail**" in made.summary.read_text()


def test_an_open_rule_does_as_told(runner):
    made = runner(rules="nDCG@10 < baseline")
    assert made.run().returncode == 3
    assert made.outputs["compare"] == {"outcome": "undecided"}
    for undecided, code in (("pass", 0), ("maybe", 2)):
        made.inputs["undecided"] = undecided
        assert made.step(STEPS[-1]).returncode == code


def test_inputs_are_data_and_never_run(runner):
    made = runner(rules='nDCG@10 < "$(touch hacked)"', runs="$(touch hacked); touch hacked")
    assert made.run().returncode == 2
    assert not (made.folder / "hacked").exists()
    assert not any("${{" in step.get("run", "") for step in STEPS)


def test_the_example_names_inputs_that_exist():
    workflow = yaml.safe_load((ROOT / "examples" / "search-quality.yml").read_text())
    (step,) = [step for step in workflow["jobs"]["compare"]["steps"] if "rankgauge" in step.get("uses", "")]
    assert set(step["with"]) <= set(ACTION["inputs"])
    assert {name for name, about in ACTION["inputs"].items() if about.get("required")} <= set(step["with"])
