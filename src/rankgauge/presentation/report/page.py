"""Sections to one self-contained HTML file that needs no network and is readable without scripts or styles."""

from __future__ import annotations

import html
import itertools
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

import rankgauge
from rankgauge.errors import MissingExtraError
from rankgauge.presentation.drawing.canvas import typeset
from rankgauge.presentation.report.verdict import VerdictBox
from rankgauge.tables.notes import shortened
from rankgauge.tables.table import Table, spell

SHORT = 24
LONGEST_TEXT = 600
ICONS = {"better": "✓", "worse": "✗", "undecided": "?", "equivalent": "≈", "plain": "i"}


@dataclass(frozen=True)
class Section:
    """A heading, the answer to the question it asks, how to read what follows, and parts: escaped HTML or tables."""

    id: str
    title: str
    parts: Sequence[str | Table]
    answer: str = ""
    hint: str = ""
    label: str = ""
    """The name in the navigation; the title where it is empty."""
    opened: bool = False
    """Whether it is open from the start; the others are opened by their heading."""


def page_bytes(title: str, verdict: VerdictBox, sections: Sequence[Section], data: Any, footer: str) -> bytes:
    """Render the page; the same input gives the same bytes. `data` is for the scripts of the page."""
    return rendered(
        "report",
        title=title,
        verdict=verdict,
        icon=ICONS[verdict.outcome],
        typeset=typeset,
        sections=[_shown(section) for section in sections],
        footer=footer,
        css=asset("report", "page.css"),
        script="".join(asset("report", name) for name in ("page.js", "pairs.js")),
        data=script_json(data),
    )


def _shown(section: Section) -> dict[str, Any]:
    body = "\n".join(table_html(part) if isinstance(part, Table) else part for part in section.parts)
    label, answer = section.label or section.title, typeset(section.answer)
    return {**vars(section), "label": label, "answer": answer, "body": body}


def rendered(room: str, **content: Any) -> bytes:
    """The template of a room of `presentation`, filled: it says what is not to be escaped."""
    try:
        from jinja2 import Environment, StrictUndefined
    except ImportError:
        raise MissingExtraError("the page", "report") from None
    template = Environment(autoescape=True, undefined=StrictUndefined).from_string(asset(room, "page.html.j2"))
    text: str = template.render(version=rankgauge.__version__, **content)
    return text.encode(errors="replace")  # half a character, as names of files may have


def asset(room: str, name: str) -> str:
    return (resources.files(f"rankgauge.presentation.{room}") / "assets" / name).read_text(encoding="utf-8")


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
    notes = "".join(f'<p class="hint">{html.escape(note)}</p>' for note in table.below)
    return scrolled("sortable" if sortable else "", heads, rows, table.caption) + notes


def scrolled(kind: str, heads: str, rows: Iterable[str], caption: str = "", padding: int = 4) -> str:
    """A table of ready cells, which scrolls where the page is narrow."""
    named = f' class="{kind}"' if kind else ""
    above = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    above += f"<thead><tr>{heads}</tr></thead>" if heads else ""
    body = f"<tbody>{''.join(rows)}</tbody>"
    return f'<div class="scroll"><table{named} cellpadding="{padding}">{above}{body}</table></div>'


def fact_row(name: str, inside: str) -> str:
    return f'<tr><th scope="row" align="left">{html.escape(name)}</th><td>{inside}</td></tr>'


def listed_html(texts: Iterable[str], kind: str = "") -> str:
    """Long texts as a list; nothing without them."""
    items = "".join(f"<li>{html.escape(shortened(text, LONGEST_TEXT))}</li>" for text in texts)
    named = f' class="{kind}"' if kind else ""
    return f"<ul{named}>{items}</ul>" if items else ""


def text_html(text: str) -> str:
    """Escaped text that may be right-to-left; it wraps only if it is long."""
    kind = ' class="short"' if len(text) <= SHORT else ""
    return f"<bdi{kind}>{html.escape(text)}</bdi>"


def script_json(data: Any) -> str:
    """JSON that cannot end the script element around it."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


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
