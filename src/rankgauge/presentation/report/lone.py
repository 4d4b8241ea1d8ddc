"""The page of a single system: its means, and the queries on which it does worst."""

from __future__ import annotations

from rankgauge.analysis.compare.evidence import SystemSummary
from rankgauge.evaluation.intervals import mean_interval
from rankgauge.presentation.charts.changes import MANY_QUERIES, changes_chart, sorted_changes
from rankgauge.presentation.report.material import Material
from rankgauge.presentation.report.page import Picture, Section, table_html
from rankgauge.presentation.report.queries import LISTED, QueryRow, queries_html, rankings_of
from rankgauge.presentation.report.verdict import brief
from rankgauge.tables.table import Cell, Column, Estimate, Table, number


def summary_of(material: Material, measure: object = None) -> SystemSummary:
    """The only system, on the first measure unless another is named."""
    scores = material.scores
    name = str(measure or scores.measures[0])
    found = mean_interval(scores.matrix(name), confidence=material.settings.confidence)
    mean = scores.mean()[scores.systems[0]][name]
    low, high, queries = float(found.low[0]), float(found.high[0]), int(found.queries[0])
    return SystemSummary(scores.systems[0], mean, low, high, float("nan"), queries, 1, 1, 1)


def lone_sections(material: Material) -> list[Section]:
    return [_means(material), *_queries(material)]


def _means(material: Material) -> Section:
    found = [summary_of(material, measure) for measure in material.scores.measures]
    medians = material.scores.median()[material.scores.systems[0]]
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (str(measure), Estimate(one.mean, one.low, one.high), medians[str(measure)], one.query_count)
        for measure, one in zip(material.scores.measures, found, strict=True)
    )
    columns = (
        Column("measure"),
        number(f"mean [{100 * material.settings.confidence:g}% interval]"),
        number("median"),
        number("queries"),
    )
    return Section("leaderboard", "Means", "", (table_html(Table(columns, rows)),))


def _queries(material: Material) -> list[Section]:
    scores = material.scores
    system, measure = scores.systems[0], str(scores.measures[0])
    ranked = sorted_changes(scores.queries, scores.matrix(measure)[0])
    rows = [QueryRow(query, value) for query, value in ranked]
    texts, worst = material.settings.texts, rows[::-1][:LISTED]
    tables = "".join(
        queries_html(part, texts, caption, (measure,), signed=False)
        for part, caption in ((worst, "Worst queries"), (rows[:LISTED], "Best queries"))
    )
    hint = (
        f"{len(rows):,} queries, counted by score. The extremes are listed below."
        if len(rows) > MANY_QUERIES
        else "One bar per query, best first."
    )
    picture = Picture(
        changes_chart(ranked, measure, texts, difference=False), f"{measure} of {brief(system)} per query"
    )
    parts = ('<div data-filter="queries"></div>', picture, f'<div class="columns">{tables}</div>')
    first = Section("changes", f"{measure} per query", hint, parts)
    rankings = rankings_of(material, (system,))
    if rankings is None or not worst:
        return [first]
    meaning = "The ranking with the judged value of each document; ? marks an unjudged document."
    return [first, Section("lists", "The worst queries", meaning, (rankings.html(worst, texts, signed=False),))]
