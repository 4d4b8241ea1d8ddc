"""Wins and losses query by query, and the rankings of the queries that changed most."""

from __future__ import annotations

from collections.abc import Sequence

from rankgauge.analysis.compare.verdicts import MeasureComparison
from rankgauge.presentation.charts.changes import MANY_QUERIES, changes_chart, sorted_changes
from rankgauge.presentation.report.material import Material
from rankgauge.presentation.report.page import Picture, Section
from rankgauge.presentation.report.queries import LISTED, QueryRow, queries_html, rankings_of
from rankgauge.presentation.report.verdict import brief


def changes_sections(material: Material, found: MeasureComparison, baseline: str, challenger: str) -> list[Section]:
    rows = _changes(material, found, baseline, challenger)
    label = f"{brief(challenger)} − {brief(baseline)}"
    changed = [(row.query, row.number) for row in rows]
    texts = material.settings.texts
    gains = [row for row in rows[:LISTED] if row.number > 0]
    losses = [row for row in rows[::-1][:LISTED] if row.number < 0]
    heads = ("Δ", challenger, baseline)
    lists = "".join(
        queries_html(part, texts, caption, heads)
        for part, caption in ((losses, "Largest losses"), (gains, "Largest gains"))
    )
    hint = f"One bar per query, sorted by difference. Above the line, {brief(challenger)} is better."
    if len(changed) > MANY_QUERIES:
        hint = f"{len(changed):,} queries, counted by difference. Right of 0, {brief(challenger)} is better. The extremes are listed below."
    both = "columns" if gains and losses else ""
    picture = Picture(
        changes_chart(changed, found.measure, texts), f"differences of {label} per query on {found.measure}"
    )
    parts = ('<div data-filter="queries"></div>', picture, f'<div class="{both}">{lists}</div>')
    first = Section("changes", f"Wins and losses per query: {label}", hint, parts)
    return [first, *_side_by_side(material, rows, (challenger, baseline))]


def _changes(material: Material, found: MeasureComparison, baseline: str, challenger: str) -> list[QueryRow]:
    scores = material.scores
    matrix = scores.matrix(found.measure)
    mine, other = (matrix[scores.systems.index(system)] for system in (challenger, baseline))
    both = {query: pair for query, *pair in zip(scores.queries, mine.tolist(), other.tolist(), strict=True)}
    return [
        QueryRow(query, change, tuple(both[query])) for query, change in sorted_changes(scores.queries, mine - other)
    ]


def _side_by_side(material: Material, rows: Sequence[QueryRow], systems: tuple[str, str]) -> list[Section]:
    most = sorted((row for row in rows if row.number), key=lambda row: (-abs(row.number), row.query))[:LISTED]
    rankings = rankings_of(material, systems)
    if rankings is None or not most:
        return []
    hint = (
        "Both rankings with the judged value of each document; ? marks an unjudged document. "
        "Parentheses give its rank in the other ranking; – means that it is missing there."
    )
    body = rankings.html(most, material.settings.texts)
    return [Section("lists", "The queries that changed most, side by side", hint, (body,))]
