"""The code of every page in docs/ runs, and prints what the page shows."""

from __future__ import annotations

import doctest
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from rankgauge.cli.main import cli

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
PAGES = sorted(page for page in DOCS.rglob("*.md") if BLOCK.search(page.read_text()))


@pytest.fixture(scope="session")
def simulated(tmp_path_factory):
    """What pages may suppose to find beside them: judgments.qrels, runs/*.trec and queries.csv."""
    folder = tmp_path_factory.mktemp("docs") / "collection"
    arguments = ["simulate", "--systems", "12", "--queries", "50", "-o", str(folder)]
    assert CliRunner().invoke(cli, arguments).exit_code == 0
    return folder


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(DOCS)) for page in PAGES])
def test_the_code_of_a_page_runs_and_prints_what_it_shows(page, simulated, tmp_path, monkeypatch):
    shutil.copytree(simulated, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    names = {}
    faults = []
    text = page.read_text()
    for block in BLOCK.finditer(text):
        line = text.count("\n", 0, block.start(1))
        if ">>> " in block[1]:
            example = doctest.DocTestParser().get_doctest(block[1], {}, page.name, str(page), line)
            # One namespace for the page: DocTest copies the one it is made with.
            example.globs = names
            doctest.DocTestRunner().run(example, out=faults.append, clear_globs=False)
        else:
            exec(compile("\n" * line + block[1], str(page), "exec"), names)  # noqa: S102 - our own pages
    assert not faults, "".join(faults)


def test_every_picture_of_a_page_exists():
    for page in DOCS.rglob("*.md"):
        for picture in re.findall(r"!\[[^]]*\]\(([^)]+)\)", page.read_text()):
            assert (page.parent / picture).is_file(), (page, picture)
