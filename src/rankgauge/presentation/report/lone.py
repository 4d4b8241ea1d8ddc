"""The page of a single system: its means, and the queries on which it does worst."""

from __future__ import annotations

from rankgauge.analysis.compare.evidence import SystemSummary
from rankgauge.analysis.compare.wording import brief
from rankgauge.evaluation.intervals import mean_interval
from rankgauge.presentation.charts.changes import sorted_changes
from rankgauge.presentation.drawing.bars import histogram, query_bars
from rankgauge.presentation.report.changes import MANY_QUERIES
from rankgauge.presentation.report.material import Material
from rankgauge.presentation.report.page import Section, figure, table_html
from rankgauge.presentation.report.queries import LISTED, QueryRow, anchor, queries_html, rankings_of
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
    rows: list[tuple[Cell, ...]] = [
        (str(measure), Estimate(one.mean, one.low, one.high), medians[str(measure)], one.query_count)
        for measure, one in zip(material.scores.measures, found, strict=True)
    ]
    if material.judged is not None:
        (share,) = material.judged.measures
        mean = material.judged.mean()[material.scores.systems[0]][str(share)]
        rows.append((f"{share} (share of judged documents)", mean, None, len(material.scores.queries)))
    columns = (
        Column("measure"),
        number(f"mean [{100 * material.settings.confidence:g}% interval]"),
        number("median"),
        number("queries"),
    )
    return Section("leaderboard", "Means", "", "", (table_html(Table(columns, tuple(rows))),), opened=True)


def _queries(material: Material) -> list[Section]:
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
