"""What the pages show is what a reader gets."""

from __future__ import annotations

import doctest
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from contract.pages import PAGES, ROOT, blocks, sessions
from spark.conftest import stop_spark, write_settings

SPARK = ROOT / "docs" / "spark.md"


def pages(chosen):
    """Each page by its name; the one that starts Spark takes longer."""
    return [pytest.param(page, id=page.name, marks=pytest.mark.slow if page == SPARK else ()) for page in chosen]


@pytest.fixture(autouse=True)
def settings_of_spark(request, tmp_path_factory, monkeypatch):
    """A page that starts Spark gets one that is small, quiet and reachable from this machine only."""
    if getattr(request.node, "callspec", None) is None or request.node.callspec.params.get("page") != SPARK:
        yield
        return
    monkeypatch.setenv("SPARK_CONF_DIR", str(write_settings(tmp_path_factory.mktemp("settings"))))
    yield
    stop_spark()


@pytest.mark.parametrize("page", pages(PAGES))
def test_python_examples_print_what_the_page_shows(page, tmp_path, monkeypatch):
    examples = [block for block in blocks(page, "python") if ">>>" in block]
    if not examples:
        return
    monkeypatch.chdir(tmp_path)
    source = "\n".join(examples)
    test = doctest.DocTestParser().get_doctest(source, {}, page.name, str(page), 0)
    results = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test)
    assert results.failed == 0
    assert results.attempted > 0


@pytest.mark.parametrize("page", pages(page for page in PAGES if sessions(page)))
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


def test_every_command_stands_in_the_docs():
    from rankgauge.cli.main import COMMANDS

    text = "".join(page.read_text() for page in PAGES)
    assert [name for name in COMMANDS if f"rankgauge {name}" not in text] == []


def test_no_page_speaks_of_files_that_are_not_there():
    import re

    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
            assert (page.parent / target).exists() or shutil.which(target), f"{page.name}: {target}"
