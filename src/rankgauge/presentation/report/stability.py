"""Are these enough queries? Dependability, and how many pairs of systems each measure separates."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

from rankgauge.analysis.stability.result import Stability
from rankgauge.presentation.drawing.curves import dependability_curves, level_curves
from rankgauge.presentation.report.material import Material
from rankgauge.presentation.report.page import Section, figure, table_html
from rankgauge.tables.table import Column, Table, number


def stability_sections(material: Material) -> list[Section]:
    """Nothing where Φ cannot be estimated: an empty chart says less than no chart."""
    study = material.stability
    if study is None or not can_be_estimated(study):
        return []
    hint = (
        "Dependability Φ: how well mean scores on these queries predict mean scores on other queries like them "
        "(1 = exactly). The vertical line marks the current number of queries, bands are intervals."
    )
    drawing = figure(dependability_curves(study, "dependability against the number of queries"))
    table = study.table()
    # Data health shows the policy and what follows it.
    own = tuple(itertools.takewhile(lambda note: not note.startswith("policy"), table.notes))
    parts = (drawing, table_html(replace(table, notes=own)))
    return [
        Section(
            "stability",
            "Are these enough queries to order the systems?",
            _answer(study),
            hint,
            parts,
            label="Enough queries?",
        )
    ]


def can_be_estimated(study: Stability) -> bool:
    """Whether the systems differ by more than noise; otherwise no number of queries would be enough."""
    lead = study.parts[0]
    value = lead.dependability().value
    return math.isfinite(value) and value > 0 and lead.systems > 2


def _answer(study: Stability) -> str:
    lead = study.parts[0]
    value, targets = lead.dependability().value, lead.options.reach
    now = f"on {lead.query_count:,} queries Φ is {value:.2f}"
    if not targets:
        return f"{now[0].upper()}{now[1:]}."
    needed = lead.queries_needed(targets[-1]).value
    if value >= targets[-1]:
        return f"Yes: {now}, above {targets[-1]:g}."
    more = (
        f"{needed:,.0f} would reach {targets[-1]:g}" if math.isfinite(needed) else f"no number reaches {targets[-1]:g}"
    )
    return f"{'Yes' if value >= targets[0] else 'No'}: {now}; {more}."


def discrimination_sections(material: Material) -> list[Section]:
    found = material.discrimination
    if found is None:
        return []
    columns = (Column("measure"), number("discriminative power", 3), number("required difference"))
    rows = tuple((measure.measure, measure.power, measure.required_difference) for measure in found.parts)
    few = len(found.systems) < len(material.scores.systems)
    which = f"the best {len(found.systems)} systems" if few else f"all {len(found.systems)} systems"
    best = max(found.parts, key=lambda one: one.power)
    answer = f"{best.measure}: {best.power:.1%} of the {found.pairs:,} pairs of {which}."
    hint = f"Share of the pairs that a measure separates at α = {found.alpha:g}. A curve that falls earlier separates more pairs."
    drawing = figure(level_curves(found, "achieved significance levels of all pairs"))
    body = table_html(Table(columns, rows), sortable=True)
    return [
        Section(
            "discrimination", "Which measure separates systems best?", answer, hint, (drawing, body), label="Separation"
        )
    ]
