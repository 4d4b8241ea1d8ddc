"""Are these enough queries? Dependability, and how many pairs of systems each measure separates."""

from __future__ import annotations

import itertools
from dataclasses import replace

from rankgauge.presentation.charts.discrimination import discrimination_chart
from rankgauge.presentation.charts.stability import stability_chart
from rankgauge.presentation.report.material import Material
from rankgauge.presentation.report.page import Picture, Section, table_html
from rankgauge.tables.table import Column, Table, number


def stability_sections(material: Material) -> list[Section]:
    study = material.stability
    if study is None:
        return []
    hint = (
        "Dependability Φ: how well mean scores on these queries predict mean scores on other queries like them "
        "(1 = exactly). The vertical line marks the current number of queries."
    )
    picture = Picture(stability_chart(study), "dependability against the number of queries")
    table = study.table()
    # Data health shows the policy and what follows it.
    own = tuple(itertools.takewhile(lambda note: not note.startswith("policy"), table.notes))
    return [Section("stability", "Are these enough queries?", hint, (picture, table_html(replace(table, notes=own))))]


def discrimination_sections(material: Material) -> list[Section]:
    found = material.discrimination
    if found is None:
        return []
    columns = (Column("measure"), number("discriminative power", 3), number("required difference"))
    rows = tuple((measure.measure, measure.power, measure.required_difference) for measure in found.parts)
    few = len(found.systems) < len(material.scores.systems)
    which = f"the best {len(found.systems)} systems" if few else f"all {len(found.systems)} systems"
    hint = (
        f"Share of the {found.pairs:,} pairs of {which} that a measure separates at α = {found.alpha:g}. "
        "A curve that falls earlier separates more pairs."
    )
    picture = Picture(discrimination_chart(found), "achieved significance levels of all pairs")
    body = table_html(Table(columns, rows), sortable=True)
    return [Section("discrimination", "Which measure separates systems best?", hint, (picture, body))]
