"""The sections of a report, in the order of the page: from who wins to how the numbers were made."""

from __future__ import annotations

import html
import itertools
from collections.abc import Sequence
from dataclasses import replace

import rankgauge
from rankgauge.analysis.comparison.findings import MeasureComparison
from rankgauge.presentation.changes_chart import MANY_QUERIES, changes_chart, changes_histogram, sorted_changes
from rankgauge.presentation.discrimination_chart import discrimination_chart
from rankgauge.presentation.leaderboard import leaderboard_html
from rankgauge.presentation.material import Material
from rankgauge.presentation.page import Picture, Section, table_html
from rankgauge.presentation.query_lists import changes_html, side_by_side_html
from rankgauge.presentation.stability_chart import stability_chart
from rankgauge.presentation.verdict import brief
from rankgauge.tables.table import Cell, Column, Table, number, shortened

LISTED = 10
LONGEST_COMMAND = 20_000


def leaderboard(material: Material, found: MeasureComparison, baseline: str) -> Section:
    comparison = material.comparison
    tables = [leaderboard_html(found, baseline, comparison.correction, comparison.confidence)]
    others = comparison.measures[1:]
    if others:
        columns = (Column("system"), *(number(measure.measure) for measure in others))
        means = {measure.measure: {system.name: system.mean for system in measure.systems} for measure in others}
        order = sorted(found.systems, key=lambda system: (-system.mean, system.name))
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (shortened(system.name, 120), *(means[measure.measure][system.name] for measure in others))
            for system in order
        )
        tables += ["<h3>Other measures</h3>", table_html(Table(columns, rows), sortable=True)]
    hint = (
        f"Best mean {found.measure} first. The verdict follows the adjusted p of the {comparison.test} test "
        f"({comparison.correction}); “undecided” means that these queries cannot tell."
    )
    return Section("leaderboard", "Leaderboard", hint, tuple(tables))


def changes(material: Material, found: MeasureComparison, baseline: str, challenger: str) -> list[Section]:
    if challenger == baseline:
        return []
    changed = _differences(material, found, baseline, challenger)
    label = f"{brief(challenger)} − {brief(baseline)}"
    many = len(changed) > MANY_QUERIES
    picture = (
        changes_histogram(changed, found.measure) if many else changes_chart(changed, material.texts, found.measure)
    )
    gains = [change for change in changed[:LISTED] if change[1] > 0]
    losses = [change for change in changed[::-1][:LISTED] if change[1] < 0]
    lists = "".join(
        changes_html(part, material.texts, caption)
        for part, caption in ((gains, "Largest gains"), (losses, "Largest losses"))
    )
    hint = f"One bar per query, sorted by difference; above the line {brief(challenger)} is better."
    if many:
        hint = f"{len(changed):,} queries, counted by difference; right of 0 {brief(challenger)} is better. The extremes are listed below."
    parts = (
        '<div data-filter="queries"></div>',
        Picture(picture, f"differences of {label} per query on {found.measure}"),
        f'<div class="columns">{lists}</div>',
    )
    first = Section("changes", f"Wins and losses per query: {label}", hint, parts)
    return [first, *_lists(material, changed, baseline, challenger)]


def _differences(
    material: Material, found: MeasureComparison, baseline: str, challenger: str
) -> list[tuple[str, float]]:
    scores = material.scores
    matrix = scores.matrix(found.measure)
    difference = matrix[scores.systems.index(challenger)] - matrix[scores.systems.index(baseline)]
    return sorted_changes(scores.queries, difference)


def _lists(material: Material, changed: Sequence[tuple[str, float]], baseline: str, challenger: str) -> list[Section]:
    if material.judgments is None or not {challenger, baseline} <= set(material.runs):
        return []
    most = sorted((change for change in changed if change[1]), key=lambda change: (-abs(change[1]), change[0]))[:LISTED]
    if not most:
        return []
    runs = (material.runs[challenger], material.runs[baseline])
    body = side_by_side_html(material.judgments, runs, most, material.texts, LISTED)
    hint = "Both lists with their judged values; ? marks a document that nobody judged."
    return [Section("lists", "The queries that changed most, side by side", hint, (body,))]


def variants(material: Material) -> list[Section]:
    if material.variants is None or material.agreement is None or len(material.variants.measures) < 2:
        return []
    columns = (Column("measure"), Column("winner"), number("its mean"), number("τ to the first", 3))
    means = material.variants.mean()
    rows: list[tuple[Cell, ...]] = []
    for place, measure in enumerate(material.variants.measures):
        name = str(measure)
        winner = max(material.variants.systems, key=lambda system: means[system][name])
        rows.append((name, shortened(winner, 120), means[winner][name], float(material.agreement.tau[0][place])))
    winners = {row[1] for row in rows}
    answer = (
        f"{rows[0][1]} wins under all {len(rows)} gains and discounts."
        if len(winners) == 1
        else f"{len(winners)} different winners under {len(rows)} gains and discounts."
    )
    hint = (
        f"{answer} τ says how far the order of all systems agrees with the first line (Kendall's τ-b; 1 = same order)."
    )
    body = table_html(Table(columns, tuple(rows), marked=frozenset({0})), sortable=True)
    return [Section("variants", "Does the choice of measure change the order?", hint, (body,))]


def stability(material: Material) -> list[Section]:
    study = material.stability
    if study is None:
        return []
    hint = "Dependability Φ: how far the mean scores would stay the same with other queries like these. The upright line is the present number of queries."
    picture = Picture(stability_chart(study), "dependability against the number of queries")
    table = study.table()
    # What follows the policy is said under data health.
    own = tuple(itertools.takewhile(lambda note: not note.startswith("policy"), table.notes))
    parts = (picture, table_html(replace(table, notes=own)))
    return [Section("stability", "Are these enough queries?", hint, parts)]


def discrimination(material: Material) -> list[Section]:
    found = material.discrimination
    if found is None:
        return []
    columns = (Column("measure"), number("discriminative power", 3), number("required difference"))
    rows = tuple((measure.measure, measure.power, measure.required_difference) for measure in found.measures)
    few = len(found.systems) < len(material.scores.systems)
    which = f"the best {len(found.systems)} systems" if few else f"all {len(found.systems)} systems"
    hint = (
        f"Share of the {found.pairs:,} pairs of {which} that a measure tells apart at α = {found.alpha:g}; "
        "a curve that falls earlier separates more pairs."
    )
    picture = Picture(discrimination_chart(found), "achieved significance levels of all pairs")
    body = table_html(Table(columns, rows), sortable=True)
    return [Section("discrimination", "Which measure tells systems apart?", hint, (picture, body))]


def health(material: Material) -> Section:
    # A comparison of scores tells again what the scores noted.
    remarks = list(dict.fromkeys([*material.scores.remarks()[1:], *material.comparison.notes]))
    told = (remark for remark in remarks if not remark.startswith("policy: "))
    items = "".join(f"<li>{html.escape(shortened(remark, 600))}</li>" for remark in told)
    odd = {note.kind for note in material.scores.notes}
    kinds = {
        "missing-queries": "no query is missing",
        "unjudged-documents": "no unjudged document stands above the cutoffs",
        "ties": "no ties that move a score",
        "no-relevant-documents": "every query has relevant documents",
    }
    fine = "; ".join(words for kind, words in kinds.items() if kind not in odd)
    items += f"<li>{fine[0].upper()}{fine[1:]}.</li>" if fine else ""
    return Section("health", "Data health", "What was odd but legal, counted.", (f"<ul>{items}</ul>",))


def making(material: Material) -> Section:
    scores, comparison = material.scores, material.comparison
    samples = "–" if comparison.samples is None else f"{comparison.samples:,}"
    if comparison.finer_samples and comparison.finer_samples != comparison.samples:
        samples += f", {comparison.finer_samples:,} near the limit"
    facts = [
        ("systems", f"{len(scores.systems):,}"),
        ("queries", f"{len(scores.queries):,}"),
        ("measures", ", ".join(map(str, scores.measures))),
        ("policy", scores.remarks()[0].removeprefix("policy: ")),
        ("test", f"{comparison.test}, correction {comparison.correction}, confidence {comparison.confidence:g}"),
        ("intervals", f"{comparison.interval}, {100 * comparison.confidence:g} % for each pair alone"),
        ("samples", samples),
        ("seed", str(comparison.seed)),
        ("version", f"rankgauge {rankgauge.__version__}"),
    ]
    rows = "".join(
        f'<tr><th align="left">{html.escape(name)}</th><td>{html.escape(value)}</td></tr>' for name, value in facts
    )
    command = shortened(material.command, LONGEST_COMMAND)
    body = f'<div class="scroll"><table cellpadding="4"><tbody>{rows}</tbody></table></div>'
    return Section(
        "making", "How these numbers were made", "", (body + (f"<pre>{html.escape(command)}</pre>" if command else ""),)
    )
