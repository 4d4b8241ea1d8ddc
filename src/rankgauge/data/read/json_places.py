"""Where a value is in the text of a JSON file; parsers do not say."""

from __future__ import annotations

import re

_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)

Path = tuple[int, ...]
"""Positions from the outside in: the place of a member or element within what holds it, from 0."""


def line_of(text: str, wanted: Path) -> int | None:
    """The line on which the value at this path begins."""
    path: list[int] = []
    expecting = True
    for match in _WORD.finditer(text):
        word = match.group()
        if word in "}]":
            path.pop()
            expecting = False
        elif word == ",":
            path[-1] += 1
            expecting = True
        elif word == ":":
            expecting = True
        elif expecting:
            # Inside an object a string first names the member: its value is the one after the colon.
            if tuple(path) == wanted and not _is_name(text, match.end(), word):
                return 1 + text.count("\n", 0, match.start())
            if word in "{[":
                path.append(0)
            else:
                expecting = False
    return None


def _is_name(text: str, end: int, word: str) -> bool:
    return word.startswith('"') and text[end : end + 200].lstrip().startswith(":")
