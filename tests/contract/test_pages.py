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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
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


@pytest.mark.parametrize("page", [page for page in PAGES if sessions(page)], ids=lambda page: page.name)
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
