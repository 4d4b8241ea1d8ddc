"""Reads the tables of a page back."""

from __future__ import annotations

import re
from html.parser import HTMLParser


class Tables(HTMLParser):
    """Cells of the tables below each section, as text and as the number they sort by."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: dict[str, list[list[list[tuple[str, str | None]]]]] = {}
        self.section, self.open = "", False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        if tag == "section":
            self.section = named["id"]
        elif tag == "table":
            self.found.setdefault(self.section, []).append([])
        elif tag == "tr":
            self.found[self.section][-1].append([])
        elif tag in {"td", "th"}:
            self.found[self.section][-1][-1].append(("", named.get("data-value")))
            self.open = True

    def handle_endtag(self, tag):
        if tag in {"td", "th"}:
            self.open = False

    def handle_data(self, data):
        if self.open:
            row = self.found[self.section][-1][-1]
            row[-1] = (row[-1][0] + data, row[-1][1])


def leaderboard(text: str, at: int = 0) -> dict[str, dict[str, tuple[str, str | None]]]:
    """System → head of the column → cell, of the leaderboard of one measure."""
    head, *rows = Tables(text).found["leaderboard"][at]
    names = [re.sub(r" interval of Δ.*", " interval of Δ", name) for name, _ in head]
    boards = [dict(zip(names, row, strict=True)) for row in rows]
    return {board["system"][0].partition(" ⚠")[0]: board for board in boards}
