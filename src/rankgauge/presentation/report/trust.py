"""The second half of a report: how far the numbers can be trusted."""

from __future__ import annotations

import itertools
from dataclasses import replace

from rankgauge.presentation.charts.discrimination import discrimination_chart
from rankgauge.presentation.charts.stability import stability_chart
from rankgauge.presentation.report.material import Material
from rankgauge.presentation.report.measure_grid import answer, found_variants, grid_html, variant_table
from rankgauge.presentation.report.page import Picture, Section, table_html
from rankgauge.tables.table import Column, Table, number


def variants(material: Material) -> list[Section]:
    alone = len(material.scores.systems) == 1
    title = "Does the choice of measure change the number?" if alone else "Does the choice of measure change the order?"
    parts: list[str | Table] = []
    hint = ""
    scores = material.variants
    if scores is not None and len(scores.measures) > 1:
        found = found_variants(scores, material.agreement)
        hint = (
            "The mean under other gains (worth of a judged value) and discounts (worth of a rank)."
            if alone
            else f"{answer(found)} In each cell: Kendall's τ-b between the order of all systems under this gain and discount "
            f"and that under {scores.measures[0]} (1 = same order), and the winner with its mean; ≠ marks another winner."
        )
        parts.append(grid_html(found, alone=alone))
    if material.orders is not None:
        table = variant_table(found_variants(material.scores, material.orders))
        parts += ["<h3>The measures asked for</h3>", table] if parts else [table]
        hint = hint or "Kendall's τ-b between the order under each measure and that under the first (1 = same order)."
    return [Section("variants", title, hint, tuple(parts))] if parts else []


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
    rows = tuple((measure.measure, measure.power, measure.required_difference) for measure in found.parts)
    few = len(found.systems) < len(material.scores.systems)
    which = f"the best {len(found.systems)} systems" if few else f"all {len(found.systems)} systems"
    hint = (
        f"Share of the {found.pairs:,} pairs of {which} that a measure tells apart at α = {found.alpha:g}; "
        "a curve that falls earlier separates more pairs."
    )
    picture = Picture(discrimination_chart(found), "achieved significance levels of all pairs")
    body = table_html(Table(columns, rows), sortable=True)
    return [Section("discrimination", "Which measure tells systems apart?", hint, (picture, body))]
