"""The notebooks: what the tutorials say, and all of it runs."""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = ("ordering", "paper", "ranker", "recommender", "search")

sys.path.insert(0, str(ROOT / "tools"))
from make_notebooks import TUTORIALS, executed, notebook_of  # noqa: E402 - a script


def sources(notebook):
    return [(cell["cell_type"], cell["source"]) for cell in notebook.cells]


def test_every_tutorial_has_a_notebook():
    assert [page.stem for page in TUTORIALS] == list(NOTEBOOKS)
    assert sorted(path.stem for path in (ROOT / "examples").glob("*.ipynb")) == list(NOTEBOOKS)


@pytest.mark.parametrize("page", TUTORIALS, ids=NOTEBOOKS)
def test_a_notebook_says_what_its_page_says_and_shows_its_chart(page):
    kept = nbformat.read(ROOT / "examples" / f"{page.stem}.ipynb", as_version=4)
    assert sources(kept) == sources(notebook_of(page)), "run `make notebooks`"
    shown = [output["data"] for cell in kept.cells for output in cell.get("outputs", []) if "data" in output]
    assert any("image/svg+xml" in data for data in shown)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
@pytest.mark.parametrize("page", TUTORIALS, ids=NOTEBOOKS)
def test_a_notebook_runs_to_its_end_and_draws(page, tmp_path):
    """What it prints is what the page shows, and tests/contract/test_pages.py compares that."""
    found = executed(notebook_of(page), tmp_path)
    assert all(cell["execution_count"] for cell in found.cells if cell["cell_type"] == "code")
    assert "image/svg+xml" in str([cell.get("outputs") for cell in found.cells])
