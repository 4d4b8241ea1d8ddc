"""What an open project has: versions that agree, files that parse, targets and charts that are up to date."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

import rankgauge

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def test_every_file_that_names_the_version_names_the_same():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert rankgauge.__version__ == version
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text())["version"] == version
    assert re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)[1] == version


def test_the_root_holds_the_files_of_a_project_and_nothing_else():
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    files = {name for name in listed if "/" not in name and not name.startswith(".") and (ROOT / name).exists()}
    project = {"Makefile", "LICENSE", "CITATION.cff", "action.yml", "mkdocs.yml", "pyproject.toml"}
    pages = {"README.md", "CHANGELOG.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "SECURITY.md"}
    assert files == project | pages


def test_tests_run_on_every_python_that_the_package_says_it_supports():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = [name.rpartition(" ")[2] for name in project["classifiers"] if re.search(r":: 3\.\d+$", name)]
    matrix = yaml.safe_load((ROOT / ".github/workflows/test.yml").read_text())["jobs"]["matrix"]["strategy"]["matrix"]
    assert matrix["python"] == named
    assert {one.partition("-")[0] for one in matrix["os"]} == {"ubuntu", "macos", "windows"}


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_parses_and_calls_targets_that_exist(path):
    jobs = yaml.safe_load(path.read_text())["jobs"]
    commands = "\n".join(step.get("run", "") for job in jobs.values() for step in job["steps"])
    for target in re.findall(r"\bmake ([a-z-]+)", commands):
        assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE), target


def test_forms_and_settings_parse():
    for path in [*(ROOT / ".github").rglob("*.yml"), ROOT / ".pre-commit-config.yaml", ROOT / "CITATION.cff"]:
        assert isinstance(yaml.safe_load(path.read_text()), dict), path


def test_make_help_lists_every_target():
    shown = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    targets = re.search(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)[1].split()
    assert sorted(re.findall(r"^  make (\S+)", shown, re.MULTILINE)) == sorted(targets)


def test_the_speeds_of_the_readme_are_those_of_the_page_on_performance():
    sys.path.insert(0, str(ROOT / "tools"))
    from make_charts import measured

    drawn = (ROOT / "docs" / "images" / "speed.svg").read_text()
    assert list(measured()) == ["rankgauge", "pytrec_eval", "ir_measures", "ranx"]
    for tool, seconds in measured().items():
        assert f"tool: {tool}" in drawn
        assert f">{seconds:.1f}</text>" in drawn, "run python tools/make_charts.py"
