"""The first half of a report: who wins, and on which queries."""

from __future__ import annotations

from collections.abc import Sequence

from rankgauge.analysis.compare.result import Comparison
from rankgauge.analysis.compare.verdicts import MeasureComparison
from rankgauge.presentation.charts.changes import MANY_QUERIES, changes_chart, changes_histogram, sorted_changes
from rankgauge.presentation.report.leaderboard import leaderboard_html
from rankgauge.presentation.report.material import Material
from rankgauge.presentation.report.page import Picture, Section, table_html
from rankgauge.presentation.report.queries import Lists, QueryRow, queries_html
from rankgauge.presentation.report.verdict import brief
from rankgauge.tables.table import Cell, Column, Table, number, shortened

LISTED = 10
DEEPEST = 20


def leaderboard(comparison: Comparison, found: MeasureComparison, baseline: str) -> Section:
    tables = [leaderboard_html(found, baseline, comparison.correction, comparison.confidence)]
    others = comparison.parts[1:]
    if others:
        columns = (Column("system"), *(number(measure.measure) for measure in others))
        means = {measure.measure: {system.name: system.mean for system in measure.systems} for measure in others}
        order = sorted(found.systems, key=lambda system: (system.rank, -system.mean, system.name))
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (shortened(system.name, 120), *(means[measure.measure][system.name] for measure in others))
            for system in order
        )
        tables += ["<h3>Other measures</h3>", table_html(Table(columns, rows), sortable=True)]
    hint = (
        f"Best mean {found.measure} first; beside a rank stand the ranks it could have on other queries like these "
        f"({100 * comparison.confidence:g} %). The dashed line is the baseline. The verdict follows the adjusted p of "
        f"the {comparison.test} test ({comparison.correction}); “undecided” means that these queries cannot tell."
    )
    return Section("leaderboard", "Leaderboard", hint, tuple(tables))


def changes(material: Material, found: MeasureComparison, baseline: str, challenger: str) -> list[Section]:
    rows = _changes(material, found, baseline, challenger)
    label = f"{brief(challenger)} − {brief(baseline)}"
    changed = [(row.query, row.number) for row in rows]
    many = len(changed) > MANY_QUERIES
    picture = (
        changes_histogram(changed, found.measure) if many else changes_chart(changed, material.texts, found.measure)
    )
    gains = [row for row in rows[:LISTED] if row.number > 0]
    losses = [row for row in rows[::-1][:LISTED] if row.number < 0]
    heads = ("Δ", challenger, baseline)
    lists = "".join(
        queries_html(part, material.texts, caption, heads)
        for part, caption in ((losses, "Largest losses"), (gains, "Largest gains"))
    )
    hint = f"One bar per query, sorted by difference; above the line {brief(challenger)} is better."
    if many:
        hint = f"{len(changed):,} queries, counted by difference; right of 0 {brief(challenger)} is better. The extremes are listed below."
    both = "columns" if gains and losses else ""
    parts = (
        '<div data-filter="queries"></div>',
        Picture(picture, f"differences of {label} per query on {found.measure}"),
        f'<div class="{both}">{lists}</div>',
    )
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
    lists = lists_of(material, systems)
    if lists is None or not most:
        return []
    hint = (
        "Both lists with their judged values; ? marks a document that nobody judged. "
        "In brackets the rank in the other list, – where that list lacks the document."
    )
    body = lists.html(most, material.texts)
    return [Section("lists", "The queries that changed most, side by side", hint, (body,))]


def lists_of(material: Material, systems: tuple[str, ...]) -> Lists | None:
    """The lists behind the scores, ordered as they were scored; None where judgments or runs were not given."""
    if material.judgments is None or not set(systems) <= set(material.runs):
        return None
    scores = material.scores
    lead = scores.measures[0]
    depth = min(lead.cutoff, DEEPEST) if isinstance(lead.cutoff, int) else LISTED
    runs = tuple(material.runs[system] for system in systems)
    return Lists(material.judgments, runs, scores.policy, scores.ties_of()[str(lead)], depth)
