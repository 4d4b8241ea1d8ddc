"""Tables of single queries, and the rankings behind them, side by side."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rankgauge.data.judgments import Judgments, Run
from rankgauge.data.policy import Policy
from rankgauge.evaluation.explain import Line, listed_under
from rankgauge.presentation.drawing.canvas import typeset
from rankgauge.presentation.report.page import scrolled, text_html
from rankgauge.tables.notes import NOUNS, shortened

if TYPE_CHECKING:
    from rankgauge.presentation.report.material import Material

LISTED = 5
DEEPEST = 20
LONGEST = 300


@dataclass(frozen=True)
class QueryRow:
    """A query with the number it is listed for, and others that explain it."""

    query: str
    number: float
    others: tuple[float, ...] = ()


def queries_html(
    rows: Sequence[QueryRow],
    texts: Mapping[str, str],
    caption: str,
    heads: Sequence[str],
    anchors: Mapping[str, str],
    *,
    signed: bool = True,
    noun: str = NOUNS[0],
) -> str:
    """A table of queries with their numbers under `heads`; a query whose rankings are shown (`anchors`) links to them."""
    if not rows:
        return f'<p class="soft">{html.escape(caption)}: none</p>'
    with_texts = any(texts.get(row.query) for row in rows)
    body = []
    for row in rows:
        text = shortened(texts.get(row.query, ""), LONGEST)
        words = html.escape(f"{shortened(row.query, LONGEST)} {text}", quote=True)
        cell = f'<td class="text"><bdi>{html.escape(text)}</bdi></td>' if with_texts else ""
        first = typeset(f"{row.number:+.4f}" if signed else f"{row.number:.4f}")
        others = "".join(_number(other, f"{other:.4f}") for other in row.others)
        name = text_html(shortened(row.query, 80))
        name = f'<a href="#{anchors[row.query]}">{name}</a>' if row.query in anchors else name
        body.append(
            f'<tr data-query="{words}">{_number(row.number, first)}<th scope="row">{name}</th>{cell}{others}</tr>'
        )
    first, *rest = (text_html(shortened(head, 60)) for head in heads)
    head = f'<th scope="col" class="number" align="right">{first}</th><th scope="col" align="left">{noun}</th>'
    head += '<th scope="col" align="left">text</th>' if with_texts else ""
    head += "".join(f'<th scope="col" class="number system" align="right">{name}</th>' for name in rest)
    return f"<div>{scrolled('sortable changes', head, body, caption)}</div>"


def _number(value: float, spelled: str) -> str:
    return f'<td class="number" align="right" data-value="{value!r}">{spelled}</td>'


@dataclass(frozen=True)
class Rankings:
    """The runs to show, the rule that orders their documents, and the number of ranks to show."""

    judgments: Judgments
    runs: tuple[Run, ...]
    policy: Policy
    ties: str
    depth: int
    documents: Mapping[str, str]
    """Document → title or text."""
    noun: str = NOUNS[1]
    """What the page calls a document."""

    def html(self, rows: Sequence[QueryRow], texts: Mapping[str, str], *, signed: bool = True) -> str:
        """For each query the ranking of every run, each document with its judged value."""
        # Files are read once, not once per query.
        loaded = tuple(Run(run.to_polars(), name=run.name) if callable(run.table.rows) else run for run in self.runs)
        blocks = []
        for at, row in enumerate(rows):
            lists = [listed_under(self.judgments, run, row.query, self.ties, self.policy) for run in loaded]
            shown = "".join(
                self._list(run.name, mine, lists[1 - side] if len(lists) > 1 else None)
                for side, (run, mine) in enumerate(zip(loaded, lists, strict=True))
            )
            text = shortened(texts.get(row.query, ""), LONGEST)
            name = html.escape(shortened(row.query, 80))
            words = f": <bdi>{html.escape(text)}</bdi>" if text else ""
            number = typeset(f"{row.number:+.4f}" if signed else f"{row.number:.4f}")
            blocks.append(
                f'<article class="query" id="{anchor(at)}" data-query="{html.escape(shortened(row.query, LONGEST), quote=True)}"><h3><bdi>{name}</bdi>{words} <span class="soft">{number}</span></h3>'
                f'<table class="pair" role="presentation" width="100%" cellpadding="2"><tr>{shown}</tr></table></article>'
            )
        return f'<div class="columns">{"".join(blocks)}</div>'

    def _document(self, document: str) -> str:
        """Its title, with the id to point at, or the id."""
        name, title = html.escape(shortened(document, 120)), shortened(self.documents.get(document, ""), 120)
        if not title:
            return f"<bdi>{name}</bdi>"
        return f'<bdi>{html.escape(title)}</bdi> <span class="soft"><bdi>{name}</bdi></span>'

    def _list(self, name: str, mine: Sequence[Line], other: Sequence[Line] | None) -> str:
        ranks = None if other is None else {found.document: found.rank for found in other}
        items = "".join(
            f"<li>{_grade(found.value)}{self._document(found.document)}{_elsewhere(found, ranks)}</li>"
            for found in mine[: self.depth]
        )
        body = f'<ol class="list">{items}</ol>' if items else f'<p class="soft">no {self.noun}s</p>'
        return f'<td valign="top" width="50%"><p class="soft who"><bdi>{html.escape(shortened(name, 80))}</bdi></p>{body}</td>'


def rankings_of(material: Material, systems: tuple[str, ...]) -> Rankings | None:
    """The rankings behind the scores, ordered as they were scored; None where judgments or runs are unknown."""
    if not set(systems) <= set(material.lists):
        return None
    scores = material.scores
    lead = scores.measures[0]
    depth = min(lead.cutoff, DEEPEST) if isinstance(lead.cutoff, int) else LISTED
    runs, ties = tuple(material.lists[system] for system in systems), scores.policy.ties or lead.definition.ties
    titles = material.settings.documents
    return Rankings(material.judgments, runs, scores.policy, ties, depth, titles, material.document)


def anchor(at: int) -> str:
    """The id of the rankings of a query, by their place."""
    return f"query-{at + 1}"


def _grade(value: float | None) -> str:
    if value is None:
        return '<b class="grade unjudged" title="unjudged">?</b> '
    kind = " relevant" if value > 0 else ""
    return f'<b class="grade{kind}" title="judged {value:g}">{value:g}</b> '


def _elsewhere(found: Line, ranks: Mapping[str, int] | None) -> str:
    if ranks is None:
        return ""
    rank = ranks.get(found.document)
    words = "missing from the other ranking" if rank is None else f"rank {rank} in the other ranking"
    return f' <span class="soft there" title="{words}">{"–" if rank is None else f"({rank})"}</span>'
