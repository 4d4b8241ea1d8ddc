"""Claims tables that an author would accept: every quote is in the paper, every verdict is one of the five."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import missing

PAPERS = Path(__file__).parents[2] / "papers"
NAMES = ("ndcg-phi", "ndcg-practice", "optimal-ndcg", "rankdcg")
VERDICT = re.compile(
    r"(holds|holds partly|does not hold|holds by construction|cannot be tested here \([^)]+\))(: \d+ of \d+)?"
)
GREEK = {r"\Phi": "Φ", r"E\rho^2": "Eρ²", r"\tau": "τ", r"\log": "log"}


def claims(name):
    """The rows of the first table under the heading of the claims."""
    page = (PAPERS / name / "results" / "README.md").read_text(encoding="utf-8")
    part = re.split(r"^## (?:The paper's claims|What the notes say)$", page, flags=re.MULTILINE)[1].split("\n## ")[0]
    rows = [line for line in part.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows[2:]]


def plain(text):
    """A paper's text without the marks of its typesetting: line ends, hyphens at them, dollars, Greek letters by name."""
    for mark, letter in GREEK.items():
        text = text.replace(mark, letter)
    text = text.replace("$", "").replace("’", "'").replace("-\n", "")
    return re.sub(r" ([,.;])", r"\1", re.sub(r"\s+", " ", text))


def parts(quote):
    """What stands between the dots of an omission."""
    return [part.strip() for part in plain(quote).split("[…]")]


@pytest.fixture(scope="module")
def texts(collections):
    folder = collections.parent / "papers"
    if not folder.is_dir():
        missing(f"the texts of the papers are not in {folder}")
    return {name: plain((folder / f"{name}.txt").read_text(encoding="utf-8")) for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_every_quote_is_in_the_paper(name, texts):
    rows = claims(name)
    assert len(rows) >= 9
    for row in rows:
        quote = next(cell for cell in row[:2] if cell.startswith("“"))
        at = 0
        for part in parts(quote.strip("“”")):
            found = texts[name].find(part, at)
            assert found >= 0, f"{name}: {part!r} is not in the paper after character {at}"
            at = found + len(part)


@pytest.mark.parametrize("name", NAMES)
def test_every_row_has_what_a_reader_needs(name):
    for row in claims(name):
        *_, computed, printed, ours, verdict = row
        assert all((computed, printed, ours)), row
        assert VERDICT.fullmatch(verdict.strip("*")), verdict


@pytest.mark.parametrize("name", NAMES)
def test_what_the_paper_does_not_claim_has_a_table_of_its_own(name):
    page = (PAPERS / name / "results" / "README.md").read_text(encoding="utf-8")
    assert re.search(r"^## Ours", page, flags=re.MULTILINE)


@pytest.mark.parametrize("name", NAMES)
def test_a_page_says_which_commit_made_it(name):
    page = (PAPERS / name / "results" / "README.md").read_text(encoding="utf-8")
    found = re.search(r"from commit\s+`([0-9a-f]{7,})(\*?)`", page)
    assert found, "no commit on the page"
    assert not found.group(2), f"{name}: made from changed programs; commit them, then run make papers"


def test_a_quote_that_is_not_in_the_paper_is_found_out(texts):
    assert "the log discount function is the best" not in texts["optimal-ndcg"]
    assert parts("one […] two") == ["one", "two"]


def test_results_do_not_count_as_programs():
    # A page made anew must not make the next one look as if it came from changed programs (seen red).
    code = "import kept; print(kept._git('ls-files', '--', *kept.PROGRAMS))"
    done = subprocess.run([sys.executable, "-c", code], cwd=PAPERS, capture_output=True, text=True, check=True)
    listed = done.stdout.split()
    assert "papers/kept.py" in listed
    assert not [path for path in listed if "/results/" in path or path.endswith("page.md")]
