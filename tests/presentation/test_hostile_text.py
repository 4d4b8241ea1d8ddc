"""Hostile names and texts are text in every form a result can take."""

from __future__ import annotations

import csv
import io
import re
from html.parser import HTMLParser

from presentation.hostile import HOSTILE, hostile_material
from rankgauge.presentation.report import report_bytes
from rankgauge.tables.markup import to_csv


class Elements(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.scripts, self.pictures, self.handlers = 0, 0, []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.scripts += tag == "script"
        self.pictures += tag == "img"
        self.handlers += [name for name, _ in attrs if name.startswith("on")]


def test_hostile_text_is_text_on_the_page():
    text = report_bytes(hostile_material()).decode()
    found = Elements(text)
    # Three specifications, the bundle, and the page's own script.
    assert (found.scripts, found.pictures, found.handlers) == (5, 0, [])
    assert "x" * 700 not in text
    assert len(text) < 2_000_000


def test_hostile_names_are_text_in_markdown_latex_and_csv():
    scores = hostile_material().scores
    bold = scores.to_markdown().splitlines()
    rows = [line for line in bold if line.startswith("| ")][1:]
    assert len(rows) == len(HOSTILE)
    assert all(re.sub(r"\\.", "", row).count("|") == 3 for row in rows)
    assert all("<" not in re.sub(r"\\.", "", row) for row in rows)
    lines = scores.to_latex().splitlines()
    body = lines[lines.index(r"\midrule") + 1 : lines.index(r"\bottomrule")]
    assert len(body) == len(HOSTILE)
    assert all(len(re.findall(r"(?<!\\)&", line)) == 1 for line in body)
    cells = [row[0] for row in csv.reader(io.StringIO(to_csv(scores.table())))][1:]
    assert {cell.removeprefix("'") for cell in cells} == set(HOSTILE)
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in cells)
