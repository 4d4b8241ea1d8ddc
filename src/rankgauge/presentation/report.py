"""report(): one page that settles the discussion, from verdict to how the numbers were made."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

import rankgauge
from rankgauge.analysis.agreement import Agreement
from rankgauge.analysis.comparison import Comparison
from rankgauge.analysis.discrimination import Discrimination
from rankgauge.analysis.findings import MeasureComparison
from rankgauge.analysis.stability_results import Stability
from rankgauge.data.judgments import Judgments
from rankgauge.data.run import Run
from rankgauge.evaluation.scores import Scores
from rankgauge.presentation.changes_chart import changes_chart, changes_histogram
from rankgauge.presentation.discrimination_chart import discrimination_chart
from rankgauge.presentation.leaderboard import leaderboard_html
from rankgauge.presentation.page import Picture, Section, page_bytes, table_html
from rankgauge.presentation.query_lists import changes_html, side_by_side_html
from rankgauge.presentation.stability_chart import stability_chart
from rankgauge.tables.table import Cell, Column, Table, number

MANY_QUERIES = 2000
LISTED = 10


@dataclass(frozen=True)
class Material:
    """Everything a report may show; what is None is left out, and the page says nothing of it."""

    scores: Scores
    comparison: Comparison
    stability: Stability | None = None
    discrimination: Discrimination | None = None
    variants: Scores | None = None
    """The same runs under other gains and discounts."""
    agreement: Agreement | None = None
    judgments: Judgments | None = None
    runs: Mapping[str, Run] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    command: str = ""
    title: str = ""


def report_bytes(material: Material) -> bytes:
    """The page as bytes: the same material gives the same bytes."""
    found = material.comparison.measures[0]
    baseline = material.comparison.baseline or found.systems[0].name
    challenger = challenger_of(found, baseline)
    sections = [
        _leaderboard(material, found, baseline),
        *_changes(material, found, baseline, challenger),
        *_variants(material),
        *_stability(material),
        *_discrimination(material),
        _health(material),
        _making(material),
    ]
    title = material.title or f"{challenger} versus {baseline}"
    verdict = [material.comparison.summary, *_small_print(found, baseline, challenger)]
    footer = f"rankgauge {rankgauge.__version__}. One file, no network."
    return page_bytes(title, verdict, sections, footer)


def challenger_of(found: MeasureComparison, baseline: str) -> str:
    """The system the page argues about: the best other than the baseline."""
    others = [system for system in found.systems if system.name != baseline]
    return max(others, key=lambda system: system.mean).name if others else baseline


def _small_print(found: MeasureComparison, baseline: str, challenger: str) -> list[str]:
    pairs = [pair for pair in found.pairs if (pair.system, pair.baseline) == (challenger, baseline)]
    if not pairs:
        return []
    (pair,) = pairs
    line = (
        f"{challenger} against {baseline} on {found.measure}: {pair.difference:+.4f} [{pair.low:+.4f}, {pair.high:+.4f}], "
        f"adjusted p = {pair.p_adjusted:.3g}; {pair.wins} wins, {pair.ties} ties, {pair.losses} losses on {pair.queries:,} queries."
    )
    power = f"The smallest difference that these queries can detect (80 % power) is {pair.detectable_difference:.4f}."
    if pair.queries_needed is not None:
        power += f" About {pair.queries_needed:,} queries would settle a difference of this size."
    return [line, power]


def _leaderboard(material: Material, found: MeasureComparison, baseline: str) -> Section:
    comparison = material.comparison
    tables = [leaderboard_html(found, baseline, comparison.correction, comparison.confidence)]
    others = comparison.measures[1:]
    if others:
        columns = (Column("system"), *(number(measure.measure) for measure in others))
        means = {measure.measure: {system.name: system.mean for system in measure.systems} for measure in others}
        order = sorted(found.systems, key=lambda system: (-system.mean, system.name))
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (system.name, *(means[measure.measure][system.name] for measure in others)) for system in order
        )
        tables += ["<h3>Other measures</h3>", table_html(Table(columns, rows), sortable=True)]
    hint = (
        f"Best mean {found.measure} first. The verdict follows the adjusted p of {comparison.test} "
        f"({comparison.correction}); 'undecided' means that these queries cannot tell."
    )
    return Section("leaderboard", "Leaderboard", hint, tuple(tables))


def _changes(material: Material, found: MeasureComparison, baseline: str, challenger: str) -> list[Section]:
    if challenger == baseline:
        return []
    scores = material.scores
    matrix = scores.matrix(found.measure)
    difference = matrix[scores.systems.index(challenger)] - matrix[scores.systems.index(baseline)]
    there = ~np.isnan(difference)
    changes = [
        (query, float(value)) for query, value, kept in zip(scores.queries, difference, there, strict=True) if kept
    ]
    changes.sort(key=lambda change: (-change[1], change[0]))
    label = f"{challenger} − {baseline}"
    picture = (
        changes_histogram(changes, found.measure, label)
        if len(changes) > MANY_QUERIES
        else changes_chart(changes, material.texts, found.measure, label)
    )
    gains = [change for change in changes[:LISTED] if change[1] > 0]
    losses = [change for change in changes[::-1][:LISTED] if change[1] < 0]
    lists = (
        '<div class="columns">'
        + changes_html(gains, material.texts, "Largest gains")
        + changes_html(losses, material.texts, "Largest losses")
        + "</div>"
    )
    hint = f"One bar per query, sorted by difference; above the line {challenger} is better."
    if len(changes) > MANY_QUERIES:
        hint = f"{len(changes):,} queries, counted by difference; right of 0 {challenger} is better. The extremes are listed below."
    words = f"differences of {label} per query on {found.measure}"
    sections = [
        Section(
            "changes",
            f"Wins and losses per query: {label}",
            hint,
            ('<div data-filter="queries"></div>', Picture(picture, words), lists),
        )
    ]
    if material.judgments is not None and {challenger, baseline} <= set(material.runs):
        changed = sorted(changes, key=lambda change: (-abs(change[1]), change[0]))[:LISTED]
        runs = (material.runs[challenger], material.runs[baseline])
        body = side_by_side_html(material.judgments, runs, changed, material.texts, LISTED)
        hint = "Both lists with their judged values; ? marks a document that nobody judged."
        sections.append(Section("lists", "The queries that changed most, side by side", hint, (body,)))
    return sections


def _variants(material: Material) -> list[Section]:
    if material.variants is None or material.agreement is None:
        return []
    columns = (Column("measure"), Column("winner"), number("its mean"), number("τ to the first", 3))
    means = material.variants.mean()
    rows = []
    for place, measure in enumerate(material.variants.measures):
        name = str(measure)
        winner = max(material.variants.systems, key=lambda system: means[system][name])
        rows.append((name, winner, means[winner][name], float(material.agreement.tau[0][place])))
    hint = "The same runs under other gains and discounts: who wins, and how far the order of systems agrees (Kendall's τ-b; 1 = same order)."
    return [
        Section(
            "variants",
            "Does the choice of measure change the order?",
            hint,
            (table_html(Table(columns, tuple(rows)), sortable=True),),
        )
    ]


def _stability(material: Material) -> list[Section]:
    if material.stability is None:
        return []
    hint = "Dependability Φ: how far the mean scores would stay the same with other queries like these. The vertical line is the present number of queries."
    picture = Picture(stability_chart(material.stability), "dependability against the number of queries")
    return [Section("stability", "Are these enough queries?", hint, (picture, table_html(material.stability.table())))]


def _discrimination(material: Material) -> list[Section]:
    if material.discrimination is None:
        return []
    found = material.discrimination
    columns = (Column("measure"), number("discriminative power", 3), number("required difference"))
    rows = tuple((measure.measure, measure.power, measure.required_difference) for measure in found.measures)
    hint = f"Share of the {found.pairs:,} pairs of systems that a measure tells apart at α = {found.alpha:g}; curves further left and lower are better."
    picture = Picture(discrimination_chart(found), "achieved significance levels of all pairs")
    return [
        Section(
            "discrimination", "Which measure tells systems apart?", hint, (picture, table_html(Table(columns, rows)))
        )
    ]


def _health(material: Material) -> Section:
    remarks = [*material.scores.remarks()[1:], *material.comparison.notes]
    items = "".join(f"<li>{html.escape(remark)}</li>" for remark in remarks)
    body = (
        f"<ul>{items}</ul>"
        if items
        else "<p>Nothing odd: every judged query was answered, and every document in the top ranks is judged.</p>"
    )
    return Section("health", "Data health", "What was odd but legal, counted.", (body,))


def _making(material: Material) -> Section:
    scores, comparison = material.scores, material.comparison
    facts = [
        ("systems", f"{len(scores.systems):,}"),
        ("queries", f"{len(scores.queries):,}"),
        ("measures", ", ".join(map(str, scores.measures))),
        ("policy", scores.remarks()[0].removeprefix("policy: ")),
        ("test", f"{comparison.test}, correction {comparison.correction}, confidence {comparison.confidence:g}"),
        ("seed", str(comparison.seed)),
        ("samples", "–" if comparison.samples is None else f"{comparison.samples:,}"),
        ("version", f"rankgauge {rankgauge.__version__}"),
    ]
    rows = "".join(
        f"<tr><th align=left>{html.escape(name)}</th><td>{html.escape(value)}</td></tr>" for name, value in facts
    )
    command = f"<pre>{html.escape(material.command)}</pre>" if material.command else ""
    return Section(
        "making", "How these numbers were made", "", (f'<table cellpadding="4"><tbody>{rows}</tbody></table>{command}',)
    )
