"""Every query: wins and losses of a pair or the scores of one system, rankings and slices, and what scripts compute with."""

from __future__ import annotations

import base64
import html
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rankgauge.analysis.compare.slices import Slices
from rankgauge.analysis.compare.tables import p_words
from rankgauge.analysis.compare.wording import Focus, brief, pair_of
from rankgauge.arrays import Floats
from rankgauge.errors import plural
from rankgauge.presentation.charts.queries import sorted_changes
from rankgauge.presentation.drawing.bars import histogram, query_bars
from rankgauge.presentation.drawing.canvas import typeset
from rankgauge.presentation.report.material import Material
from rankgauge.presentation.report.page import Section, figure
from rankgauge.presentation.report.queries import LISTED, LONGEST, QueryRow, anchor, queries_html, rankings_of
from rankgauge.tables.table import Cell, Column, Table, number, shortened

# Bars of more queries are too thin to point at.
MANY_QUERIES = 600


def changes_sections(material: Material, focus: Focus) -> list[Section]:
    """Losses come first: they are what a change breaks."""
    rows = _differences(material, focus)
    losses = [row for row in rows[::-1] if row.number < 0][:LISTED]
    gains = [row for row in rows if row.number > 0][:LISTED]
    rankings = rankings_of(material, (focus.first, focus.second))
    listed = [*losses, *gains] if rankings is not None else []
    anchors = {row.query: anchor(at) for at, row in enumerate(listed)}
    heads, texts = ("Δ", focus.first, focus.second), material.settings.texts
    tables = "".join(
        queries_html(part, texts, caption, heads, anchors)
        for part, caption in ((losses, "Largest losses"), (gains, "Largest gains"))
    )
    both = "columns" if gains and losses else ""
    label = f"{brief(focus.first)} − {brief(focus.second)}"
    sections = [
        Section(
            "changes",
            f"Wins and losses per query: {label}",
            _tally(focus),
            "",
            (f'<div id="pairs">{_chart(rows, focus, texts)}</div>', f'<div class="{both}">{tables}</div>'),
            label="Queries",
            opened=True,
        )
    ]
    if rankings is not None and listed:
        hint = (
            "Both rankings with the judged value of each document; ? marks an unjudged document. "
            "Parentheses give its rank in the other ranking; – means that it is missing there."
        )
        body = rankings.html(listed, texts)
        sections.append(
            Section(
                "lists",
                "The queries that changed most, side by side",
                f"{len(losses)} losses and {len(gains)} gains.",
                hint,
                (body,),
                label="Rankings",
            )
        )
    return [*sections, *_slices(material.slices, focus)]


def _tally(focus: Focus) -> str:
    pair = focus.pair
    return (
        f"{brief(pair.system)} wins on {pair.wins:,} of {plural(pair.query_count, 'query')}, loses on {pair.losses:,} "
        f"and ties on {pair.ties:,}."
    )


def _chart(rows: Sequence[QueryRow], focus: Focus, texts: Mapping[str, str]) -> str:
    changed = [(row.query, row.number) for row in rows]
    words = f"differences of {brief(focus.first)} − {brief(focus.second)} per query on {focus.found.measure}"
    if len(changed) > MANY_QUERIES:
        hint = f"{len(changed):,} queries, counted by difference. Right of 0, {brief(focus.first)} is better; ties are gray."
        drawing = histogram([value for _, value in changed], focus.found.measure, words)
    else:
        hint = f"One bar per query, sorted by difference. Above the line, {brief(focus.first)} is better."
        drawing = query_bars(changed, focus.found.measure, texts, words)
    return f'<p class="hint">{html.escape(hint)}</p>{figure(drawing)}'


def _differences(material: Material, focus: Focus) -> list[QueryRow]:
    scores = material.scores
    matrix = scores.matrix(focus.found.measure)
    mine, other = (matrix[scores.systems.index(system)] for system in (focus.first, focus.second))
    both = {query: pair for query, *pair in zip(scores.queries, mine.tolist(), other.tolist(), strict=True)}
    return [
        QueryRow(query, change, tuple(both[query])) for query, change in sorted_changes(scores.queries, mine - other)
    ]


def _slices(slices: Slices | None, focus: Focus) -> list[Section]:
    """The pair of the page within each slice."""
    if slices is None:
        return []
    rows: list[tuple[Cell, ...]] = []
    reached = []
    for part in slices.slices:
        pair = pair_of(part.comparison.parts[0], focus.first, focus.second)
        p = p_words(pair, part.comparison.floors)
        rows.append(
            (shortened(part.value, 80), part.query_count, pair.difference, pair.low, pair.high, p, pair.verdict)
        )
        if pair.verdict != "undecided":
            reached.append(f"{pair.verdict} for {shortened(part.value, 40)}")
    columns = (
        *(Column(slices.column), number("queries")),
        *(number(name, signed=True) for name in ("Δ", "low", "high")),
        *(number("p"), Column("verdict")),
    )
    title = f"Does it differ by {shortened(slices.column, 40)}?"
    pair_name = f"{brief(focus.first)} against {brief(focus.second)}"
    answer = (
        f"{pair_name}: {', '.join(reached)}; undecided elsewhere."
        if reached
        else f"Not shown: {pair_name} is undecided in every slice."
    )
    table = Table(columns, tuple(rows), f"Δ {focus.found.measure}, {pair_name}", slices.remarks())
    return [Section("slices", title, typeset(answer), "", (table,), label="Slices", opened=True)]


def query_sections(material: Material) -> list[Section]:
    scores = material.scores
    system, measure = scores.systems[0], str(scores.measures[0])
    ranked = sorted_changes(scores.queries, scores.matrix(measure)[0])
    rows = [QueryRow(query, value) for query, value in ranked]
    texts, worst = material.settings.texts, rows[::-1][: 2 * LISTED]
    rankings = rankings_of(material, (system,))
    anchors = {row.query: anchor(at) for at, row in enumerate(worst)} if rankings is not None else {}
    tables = "".join(
        queries_html(part, texts, caption, (measure,), anchors, signed=False)
        for part, caption in ((worst, "Worst queries"), (rows[: 2 * LISTED], "Best queries"))
    )
    hint = (
        f"{len(rows):,} queries, counted by score. The extremes are listed below."
        if len(rows) > MANY_QUERIES
        else "One bar per query, best first."
    )
    words = f"{measure} of {brief(system)} per query"
    drawing = (
        histogram([value for _, value in ranked], measure, words, difference=False)
        if len(ranked) > MANY_QUERIES
        else query_bars(ranked, measure, texts, words, difference=False)
    )
    parts = (figure(drawing), f'<div class="columns">{tables}</div>')
    first = Section("changes", f"{measure} per query", "", hint, parts, label="Queries", opened=True)
    if rankings is None or not worst:
        return [first]
    meaning = "The ranking with the judged value of each document; ? marks an unjudged document."
    body = rankings.html(worst, texts, signed=False)
    return [first, Section("lists", "The worst queries", "", meaning, (body,), label="Rankings")]


# Eight bytes each, and a third more as text.
MOST_SCORES = 60_000
VERDICTS = ("undecided", "better", "worse", "equivalent")


def page_data(material: Material, focus: Focus) -> dict[str, Any]:
    """Scores of as many systems as there is room for, those of the page's pair first."""
    scores, found = material.scores, focus.found
    room = max(2, MOST_SCORES // max(len(scores.queries), 1))
    order = list(dict.fromkeys([focus.first, focus.second, *(system.name for system in focus.ranked)]))[:room]
    matrix = scores.matrix(found.measure)
    texts = [shortened(material.settings.texts.get(query, ""), 200) for query in scores.queries]
    return {
        "measure": found.measure,
        "systems": [shortened(name, 120) for name in order],
        "queries": [shortened(query, LONGEST) for query in scores.queries],
        "texts": texts if any(texts) else [],
        "bars": len(scores.queries) <= MANY_QUERIES,
        "confidence": focus.comparison.interval_confidence,
        "correction": focus.comparison.correction,
        "values": _packed(np.array([matrix[scores.systems.index(name)] for name in order])),
        "pairs": _pairs(focus, order),
    }


def _pairs(focus: Focus, order: list[str]) -> dict[str, Any]:
    """Of every pair that was compared: which, its interval, its adjusted p-value and its verdict."""
    place = {name: at for at, name in enumerate(order)}
    kept = [pair for pair in focus.found.pairs if pair.system in place and pair.baseline in place]
    numbers = [[pair.low, pair.high, pair.p_adjusted] for pair in kept]
    return {
        "which": [at for pair in kept for at in (place[pair.system], place[pair.baseline])],
        "numbers": _packed(np.array(numbers)),
        "verdicts": "".join(str(VERDICTS.index(pair.verdict)) for pair in kept),
    }


def _packed(numbers: Floats) -> str:
    return base64.b64encode(np.ascontiguousarray(numbers, dtype="<f8").tobytes()).decode()
