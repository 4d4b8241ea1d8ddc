"""The link from the report to the explorer, with the pair of the report."""

from __future__ import annotations

import html
import os
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote, urlencode

from rankgauge.presentation.report.page import Section


def explorer_address(explorer: str | os.PathLike[str] | None, page: Path) -> str:
    """The address of the explorer: of the web as given, of a file relative to the page, so that both may move."""
    if explorer is None:
        return ""
    given = os.fspath(explorer)
    if given.startswith(("http://", "https://")):
        return quote(given, safe=":/?&=%~")
    return quote(os.path.relpath(given, page.parent).replace(os.sep, "/"))


def with_explorer(section: Section, address: str, first: str, second: str) -> Section:
    """The section with a link below it, where an explorer is known."""
    if not address:
        return section
    target = html.escape(f"{address}#{urlencode({'a': first, 'b': second})}", quote=True)
    words = "Change discount, gain and cutoff in the explorer, and see what follows"
    return replace(section, parts=(*section.parts, f'<p><a href="{target}">{words}</a>.</p>'))
