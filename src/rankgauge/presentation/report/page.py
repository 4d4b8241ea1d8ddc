"""Sections to one self-contained HTML file that needs no network and is readable without scripts or styles."""

from __future__ import annotations

import functools
import html
import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

import rankgauge
from rankgauge.errors import MissingExtraError
from rankgauge.presentation.charts import style
from rankgauge.tables.table import Table, shortened, spell

# Of static charts; with scripts they take the full width of the page.
WIDTH = 960
SHORT = 24
LONGEST_TEXT = 600


@dataclass(frozen=True)
class Picture:
    """A chart with its description for screen readers."""

    chart: Any
    words: str


@dataclass(frozen=True)
class Section:
    """A heading, how to read what follows, and parts: escaped HTML, tables or pictures."""

    id: str
    title: str
    hint: str
    parts: tuple[str | Table | Picture, ...]


def page_bytes(title: str, verdict: Sequence[str], sections: Sequence[Section], footer: str) -> bytes:
    """Render the page; the same input gives the same bytes."""
    jinja2 = load_jinja2()
    specs: list[dict[str, str]] = []
    shown = [
        {
            "id": section.id,
            "title": section.title,
            "label": section.title.split(":")[0],
            "hint": section.hint,
            "body": jinja2.Markup("\n".join(_part(part, section, specs) for part in section.parts)),
        }
        for section in sections
    ]
    template = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined).from_string(_asset("page.html.j2"))
    text = template.render(
        title=title,
        version=rankgauge.__version__,
        verdict=list(verdict),
        sections=shown,
        footer=footer,
        css=jinja2.Markup(_asset("page.css")),
        script=jinja2.Markup(_asset("page.js")),
        bundle=jinja2.Markup(_bundle()) if specs else "",
        specs=[{"id": spec["id"], "json": jinja2.Markup(spec["json"])} for spec in specs],
    )
    return str(text).encode()


def _part(part: str | Table | Picture, section: Section, specs: list[dict[str, str]]) -> str:
    if isinstance(part, Picture):
        name = f"{section.id}-{len(specs) + 1}"
        specification = style.specification(part.chart) | {"width": WIDTH}
        specs.append({"id": name, "json": script_json(specification)})
        words = html.escape(shortened(part.words, 200))
        return f'<figure class="chart" data-spec="{name}" role="img" aria-label="{words}">{style.svg(specification, name)}</figure>'
    return table_html(part) if isinstance(part, Table) else part


def table_html(table: Table, *, sortable: bool = False) -> str:
    """A table that keeps its alignment where styles are not allowed."""
    kinds = ["number" if column.is_number else "name" for column in table.columns]
    align = {"number": "right", "name": "left"}
    heads = "".join(
        f'<th class="{kind}" align="{align[kind]}">{html.escape(column.name)}</th>'
        for kind, column in zip(kinds, table.columns, strict=True)
    )
    rows = []
    for at, row in enumerate(table.rows):
        cells = "".join(
            f'<td class="{kind}" align="{align[kind]}">{text_html(spell(cell, column, 4))}</td>'
            for kind, cell, column in zip(kinds, row, table.columns, strict=True)
        )
        mark = ' class="baseline"' if at in table.marked else ""
        rows.append(f"<tr{mark}>{cells}</tr>")
    notes = "".join(f'<p class="hint">{html.escape(note)}</p>' for note in table.below)
    kind = ' class="sortable"' if sortable else ""
    return f'<div class="scroll"><table{kind} cellpadding="4"><thead><tr>{heads}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>{notes}'


def text_html(text: str) -> str:
    """Escaped text that may be right-to-left; it wraps only if it is long."""
    kind = ' class="short"' if len(text) <= SHORT else ""
    return f"<bdi{kind}>{html.escape(text)}</bdi>"


def script_json(data: Any) -> str:
    """JSON that cannot end the script element around it."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


@functools.cache
def _bundle() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script, from the installed package; nothing is fetched."""
    return style.javascript().replace("</script", "<\\/script")


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
