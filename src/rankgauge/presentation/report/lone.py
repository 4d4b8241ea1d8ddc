"""The first half of a report on one system: its mean, and the queries on which it does worst."""

from __future__ import annotations

from rankgauge.analysis.compare.evidence import SystemSummary
from rankgauge.evaluation.intervals import mean_interval
from rankgauge.presentation.charts.changes import MANY_QUERIES, changes_histogram, scores_chart, sorted_changes
from rankgauge.presentation.report.material import Material
from rankgauge.presentation.report.page import Picture, Section, table_html
from rankgauge.presentation.report.queries import QueryRow, queries_html
from rankgauge.presentation.report.sections import LISTED, lists_of
from rankgauge.presentation.report.verdict import brief
from rankgauge.tables.table import Cell, Column, Estimate, Table, number


def summary_of(material: Material, measure: object = None) -> SystemSummary:
    """The only system, on the first measure unless another is named."""
    scores = material.scores
    name = str(measure or scores.measures[0])
    found = mean_interval(scores.matrix(name), confidence=material.confidence)
    mean = scores.mean()[scores.systems[0]][name]
    low, high, queries = float(found.low[0]), float(found.high[0]), int(found.queries[0])
    return SystemSummary(scores.systems[0], mean, low, high, float("nan"), queries, 1, 1, 1)


def means(material: Material) -> Section:
    found = [summary_of(material, measure) for measure in material.scores.measures]
    medians = material.scores.median()[material.scores.systems[0]]
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (str(measure), Estimate(one.mean, one.low, one.high), medians[str(measure)], one.query_count)
        for measure, one in zip(material.scores.measures, found, strict=True)
    )
    columns = (
        Column("measure"),
        number(f"mean [{100 * material.confidence:g} % interval]"),
        number("median"),
        number("queries"),
    )
    return Section("leaderboard", "Means", "", (table_html(Table(columns, rows)),))


def queries(material: Material) -> list[Section]:
    scores = material.scores
    system, measure = scores.systems[0], str(scores.measures[0])
    ranked = sorted_changes(scores.queries, scores.matrix(measure)[0])
    rows = [QueryRow(query, value) for query, value in ranked]
    many = len(rows) > MANY_QUERIES
    picture = (
        changes_histogram(ranked, measure, difference=False) if many else scores_chart(ranked, material.texts, measure)
    )
    tables = "".join(
        queries_html(part, material.texts, caption, (measure,), signed=False)
        for part, caption in ((rows[::-1][:LISTED], "Worst queries"), (rows[:LISTED], "Best queries"))
    )
    hint = (
        f"{len(rows):,} queries, counted by score; the extremes are listed below."
        if many
        else "One bar per query, best first."
    )
    parts = (
        '<div data-filter="queries"></div>',
        Picture(picture, f"{measure} of {brief(system)} per query"),
        f'<div class="columns">{tables}</div>',
    )
    first = Section("changes", f"{measure} per query", hint, parts)
    lists = lists_of(material, (system,))
    worst = rows[::-1][:LISTED]
    if lists is None or not worst:
        return [first]
    told = "The list with its judged values; ? marks a document that nobody judged."
    return [first, Section("lists", "The worst queries", told, (lists.html(worst, material.texts, signed=False),))]
