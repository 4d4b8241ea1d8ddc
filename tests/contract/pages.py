"""The pages of the project: their Python examples and their shell sessions."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    [
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        *(ROOT / "docs").glob("*.md"),
        *(ROOT / "docs" / "tutorials").glob("*.md"),
    ]
)


def fences(page: Path) -> list[tuple[str, str]]:
    """Every fenced block with the language it names, in order."""
    return re.findall(r"^```([^\n]*)\n(.*?)^```$", page.read_text(), re.DOTALL | re.MULTILINE)


def blocks(page: Path, language: str) -> list[str]:
    """The fenced blocks of one language, in order."""
    return [text for named, text in fences(page) if named == language]


def sessions(page: Path) -> list[tuple[str, str]]:
    """Commands after '$ ' and the output shown below each."""
    found = []
    for block in blocks(page, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            while command.endswith("\\"):
                more, _, shown = shown.partition("\n")
                command = command[:-1] + more
            found.append((command, shown.rstrip("\n")))
    return found
