"""What the pages show is what a reader gets."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rankgauge
from contract.pages import PAGES, ROOT, blocks, fences, sessions
from spark.conftest import stop_spark, write_settings

SPARK = ROOT / "docs" / "spark.md"
PUBLIC_MODULES = ("measures", "plot", "results", "errors", "integrations", "examples")


def pages(chosen):
    """Each page by its name; the one that starts Spark takes longer."""
    return [pytest.param(page, id=page.name, marks=pytest.mark.slow if page == SPARK else ()) for page in chosen]


@pytest.fixture
def settings_of_spark(page, tmp_path_factory, monkeypatch):
    """A page that starts Spark gets one that is small, quiet and reachable from this machine only."""
    if page != SPARK:
        yield
        return
    monkeypatch.setenv("SPARK_CONF_DIR", str(write_settings(tmp_path_factory.mktemp("settings"))))
    yield
    stop_spark()


@pytest.mark.parametrize("page", pages(page for page in PAGES if blocks(page, "python")))
@pytest.mark.usefixtures("settings_of_spark")
def test_python_examples_print_what_the_page_shows(page, tmp_path, monkeypatch):
    """A block without >>> runs as a script; one with >>> must print what it shows."""
    monkeypatch.chdir(tmp_path)
    names = {}
    for at, block in enumerate(blocks(page, "python"), 1):
        if ">>>" not in block:
            exec(compile(block, f"{page.name}, block {at}", "exec"), names)  # noqa: S102 - the project's own pages
            continue
        test = doctest.DocTestParser().get_doctest(block, names, f"{page.name}, block {at}", str(page), 0)
        results = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, clear_globs=False)
        names.update(test.globs)
        assert results.failed == 0
        assert results.attempted > 0


@pytest.mark.parametrize("page", pages(PAGES))
def test_every_block_names_its_language_so_that_none_passes_unseen(page):
    known = {"python", "console", "text", "yaml", "toml", "json", "bibtex", "bash"}
    assert [block for language, block in fences(page) if language not in known] == []
    assert [block for block in blocks(page, "console") if not block.startswith("$ ")] == []
    assert re.findall(r"^ +```.*$", page.read_text(), re.MULTILINE) == []


@pytest.mark.parametrize("page", pages(page for page in PAGES if page.name != "CONTRIBUTING.md"))
def test_examples_use_public_names_only(page):
    """CONTRIBUTING.md is about the inside."""
    code = "\n".join(blocks(page, "python")).replace(">>> ", "").replace("... ", "")
    modules = set(re.findall(r"(?:from|import) (rankgauge[\w.]*)", code))
    assert modules <= {"rankgauge", *(f"rankgauge.{name}" for name in PUBLIC_MODULES)}
    used = set(re.findall(r"\brankgauge\.(\w+)", code))
    used |= {name for names in re.findall(r"from rankgauge import ([\w, ]+)", code) for name in names.split(", ")}
    assert used <= {*rankgauge.__all__, "__version__"}


@pytest.mark.parametrize("page", pages(page for page in PAGES if sessions(page)))
@pytest.mark.usefixtures("settings_of_spark")
def test_commands_print_what_the_page_shows(page, tmp_path):
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "NO_COLOR": "1",
        "COLUMNS": "80",
    }
    for command, shown in sessions(page):
        if command.startswith("make "):
            assert command.split()[1] + ":" in (ROOT / "Makefile").read_text()
            continue
        result = subprocess.run(
            ["bash", "-c", command], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert (result.stdout + result.stderr).rstrip("\n") == shown, command


def test_every_command_is_in_the_docs():
    from rankgauge.cli.main import COMMANDS

    text = "".join(page.read_text() for page in PAGES)
    assert [name for name in COMMANDS if f"rankgauge {name}" not in text] == []


def test_no_page_speaks_of_files_that_are_not_there():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
            assert (page.parent / target).exists() or shutil.which(target), f"{page.name}: {target}"
