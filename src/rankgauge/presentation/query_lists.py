"""The queries that changed most: their texts, and the two result lists side by side."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence

from rankgauge.data.judgments import Judgments
from rankgauge.data.ranked import RankedDocument, ranked_list
from rankgauge.data.run import Run
from rankgauge.tables.table import shortened

LONGEST = 300


def changes_html(differences: Sequence[tuple[str, float]], texts: Mapping[str, str], caption: str) -> str:
    """A table of queries with their differences; rows carry the text for the filter box."""
    if not differences:
        return f'<div><h3>{html.escape(caption)}</h3><p class="soft">none</p></div>'
    with_texts = any(texts.get(query) for query, _ in differences)
    rows = []
    for query, difference in differences:
        text = shortened(texts.get(query, ""), LONGEST)
        words = html.escape(f"{shortened(query, LONGEST)} {text}", quote=True)
        cell = f"<td><bdi>{html.escape(text)}</bdi></td>" if with_texts else ""
        rows.append(
            f'<tr data-query="{words}"><td class="number" align="right" data-value="{difference!r}">{difference:+.4f}</td>'
            f"<td><bdi>{html.escape(shortened(query, 80))}</bdi></td>{cell}</tr>"
        )
    head = '<th class="number" align="right">Δ</th><th align="left">query</th>'
    head += '<th align="left">text</th>' if with_texts else ""
    return (
        f'<div><h3>{html.escape(caption)}</h3><div class="scroll"><table class="sortable changes" cellpadding="4">'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div></div>"
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
        text = shortened(texts.get(query, ""), LONGEST)
        name = html.escape(shortened(query, 80))
        words = f": <bdi>{html.escape(text)}</bdi>" if text else ""
        blocks.append(
            f'<article class="query"><h3><bdi>{name}</bdi>{words} <span class="soft">{difference:+.4f}</span></h3>'
            f'<div class="pair">{lists}</div></article>'
        )
    return f'<div class="columns">{"".join(blocks)}</div>'


def _list(name: str, found: Sequence[RankedDocument]) -> str:
    items = "".join(
        f"<li>{_grade(document.value)}<bdi>{html.escape(shortened(document.document, 120))}</bdi></li>"
        for document in found
    )
    body = f'<ol class="list">{items}</ol>' if items else '<p class="soft">nothing returned</p>'
    return f'<div><h4 class="soft"><bdi>{html.escape(shortened(name, 80))}</bdi></h4>{body}</div>'


def _grade(value: float | None) -> str:
    if value is None:
        return '<span class="grade unjudged" title="unjudged">?</span> '
    kind = " relevant" if value > 0 else ""
    return f'<span class="grade{kind}" title="judged {value:g}">{value:g}</span> '
