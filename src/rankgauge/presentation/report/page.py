"""Sections to one self-contained HTML file that needs no network and is readable without scripts or styles."""

from __future__ import annotations

import html
import itertools
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

import rankgauge
from rankgauge.errors import MissingExtraError
from rankgauge.presentation.drawing.canvas import typeset
from rankgauge.presentation.report.verdict import VerdictBox
from rankgauge.tables.table import Table, spell

SHORT = 24
LONGEST_TEXT = 600
ICONS = {"better": "✓", "worse": "✗", "undecided": "?", "equivalent": "≈", "plain": "i"}


@dataclass(frozen=True)
class Section:
    """A heading, the answer to the question it asks, how to read what follows, and parts: escaped HTML or tables."""

    id: str
    title: str
    answer: str
    hint: str
    parts: tuple[str | Table, ...]
    label: str = ""
    """The name in the navigation; the title where it is empty."""
    opened: bool = False
    """Whether it is open from the start; the others are opened by their heading."""


def page_bytes(title: str, verdict: VerdictBox, sections: Sequence[Section], data: Any, footer: str) -> bytes:
    """Render the page; the same input gives the same bytes. `data` is for the scripts of the page."""
    jinja2 = load_jinja2()
    shown = [
        {
            "id": section.id,
            "title": section.title,
            "label": section.label or section.title,
            "answer": typeset(section.answer),
            "hint": section.hint,
            "opened": section.opened,
            "body": jinja2.Markup(
                "\n".join(table_html(part) if isinstance(part, Table) else part for part in section.parts)
            ),
        }
        for section in sections
    ]
    template = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined).from_string(_asset("page.html.j2"))
    text = template.render(
        title=title,
        version=rankgauge.__version__,
        verdict=verdict,
        icon=ICONS[verdict.outcome],
        typeset=typeset,
        sections=shown,
        footer=footer,
        css=jinja2.Markup(_asset("page.css")),
        script=jinja2.Markup(_asset("page.js") + ("" if data is None else _asset("pairs.js"))),
        data="" if data is None else jinja2.Markup(script_json(data)),
    )
    return str(text).encode()


def figure(drawing: str) -> str:
    return f'<figure class="chart">{drawing}</figure>'


def table_html(table: Table, *, sortable: bool = False) -> str:
    """A table that keeps its alignment where styles are not allowed."""
    kinds = ["number" if column.is_number else "name" for column in table.columns]
    align = {"number": "right", "name": "left"}
    heads = "".join(
        f'<th scope="col" class="{kind}" align="{align[kind]}">{html.escape(column.name)}</th>'
        if column.name
        else "<td></td>"
        for kind, column in zip(kinds, table.columns, strict=True)
    )
    rows = []
    for at, row in enumerate(table.rows):
        cells = "".join(
            f'<td class="{kind}" align="{align[kind]}">{text_html(typeset(spell(cell, column, 4)))}</td>'
            for kind, cell, column in zip(kinds, row, table.columns, strict=True)
        )
        mark = ' class="baseline"' if at in table.marked else ""
        rows.append(f"<tr{mark}>{cells}</tr>")
    caption = f"<caption>{html.escape(table.caption)}</caption>" if table.caption else ""
    notes = "".join(f'<p class="hint">{html.escape(note)}</p>' for note in table.below)
    kind = ' class="sortable"' if sortable else ""
    return f'<div class="scroll"><table{kind} cellpadding="4">{caption}<thead><tr>{heads}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>{notes}'


def text_html(text: str) -> str:
    """Escaped text that may be right-to-left; it wraps only if it is long."""
    kind = ' class="short"' if len(text) <= SHORT else ""
    return f"<bdi{kind}>{html.escape(text)}</bdi>"


def script_json(data: Any) -> str:
    """JSON that cannot end the script element around it."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _asset(name: str) -> str:
    return (resources.files("rankgauge.presentation.report") / "assets" / name).read_text(encoding="utf-8")


def load_jinja2() -> Any:
    try:
        import jinja2
        import markupsafe
    except ImportError:
        raise MissingExtraError("the page", "report") from None
    jinja2.Markup = markupsafe.Markup  # type: ignore[attr-defined]
    return jinja2


# A shorter beginning costs no room.
WORTH_CUTTING = 8
_SEPARATORS = re.compile(r"[-_./ ](?=[^-_./ ]*$)")


def common_beginning(names: Sequence[str]) -> str:
    """What all names begin with, up to a separator; empty where the rest would say nothing or be ambiguous."""
    if len(names) < 3:
        return ""
    first, last = min(names), max(names)
    same = itertools.takewhile(lambda letters: letters[0] == letters[1], zip(first, last, strict=False))
    shared = "".join(letter for letter, _ in same)
    found = _SEPARATORS.search(shared)
    shared = shared[: found.end()] if found else ""
    rests = [name[len(shared) :] for name in names]
    telling = all(any(letter.isalpha() for letter in rest) for rest in rests)
    return shared if len(shared) >= WORTH_CUTTING and telling and len(set(rests)) == len(names) else ""
