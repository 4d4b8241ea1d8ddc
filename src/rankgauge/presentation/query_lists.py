"""The queries that changed most: their texts, and the two result lists side by side."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence

from rankgauge.data.judgments import Judgments
from rankgauge.data.ranked import RankedDocument, ranked_list
from rankgauge.data.run import Run
from rankgauge.tables.table import visible

LONGEST = 300


def shortened(text: str, limit: int = LONGEST) -> str:
    """One visible line that does not flood the page."""
    line = visible(text.replace("\n", " "))
    return line if len(line) <= limit else line[: limit - 1] + "…"


def changes_html(differences: Sequence[tuple[str, float]], texts: Mapping[str, str], caption: str) -> str:
    """A table of queries with their differences; rows carry the text for the filter box."""
    rows = []
    for query, difference in differences:
        text = shortened(texts.get(query, ""))
        words = html.escape(f"{query} {text}", quote=True)
        rows.append(
            f'<tr data-query="{words}"><td class="number" align="right" data-value="{difference!r}">{difference:+.4f}</td>'
            f'<td class="name">{html.escape(shortened(query, 80))}</td><td>{html.escape(text)}</td></tr>'
        )
    head = '<tr><th class="number" align="right">Δ</th><th align="left">query</th><th align="left">text</th></tr>'
    return (
        f'<div><h3>{html.escape(caption)}</h3><div class="scroll"><table class="sortable" cellpadding="4"><thead>{head}</thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div></div>"
    )


def side_by_side_html(
    judgments: Judgments,
    runs: tuple[Run, Run],
    changed: Sequence[tuple[str, float]],
    texts: Mapping[str, str],
    depth: int,
) -> str:
    """For each query both lists down to `depth`, every document with its grade, unjudged ones marked."""
    loaded = tuple(Run(run.to_polars(), name=run.name) for run in runs)
    blocks = []
    for query, difference in changed:
        lists = "".join(_list(run.name, ranked_list(judgments, run, query)[:depth]) for run in loaded)
        text = shortened(texts.get(query, ""))
        title = f"{shortened(query, 80)}{': ' + text if text else ''} ({difference:+.4f})"
        blocks.append(
            f'<details open><summary>{html.escape(title)}</summary><div class="columns">{lists}</div></details>'
        )
    return "\n".join(blocks)


def _list(name: str, found: Sequence[RankedDocument]) -> str:
    items = "".join(
        f"<li>{_grade(document.value)}{html.escape(shortened(document.document, 120))}</li>" for document in found
    )
    body = f'<ol class="list">{items}</ol>' if items else '<p class="soft">nothing returned</p>'
    return f"<div><h3>{html.escape(shortened(name, 80))}</h3>{body}</div>"


def _grade(value: float | None) -> str:
    if value is None:
        return '<span class="grade unjudged" title="unjudged">?</span> '
    kind = " relevant" if value > 0 else ""
    return f'<span class="grade{kind}" title="judged {value:g}">{value:g}</span> '
