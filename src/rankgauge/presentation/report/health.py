"""Data health: unusual but valid input, counted."""

from __future__ import annotations

import html
from collections.abc import Sequence

from rankgauge.errors import plural
from rankgauge.presentation.report.material import Material
from rankgauge.presentation.report.page import LONGEST_TEXT, Section
from rankgauge.tables.notes import Note, gathered
from rankgauge.tables.table import shortened

KINDS = {
    "missing-queries": "queries missing from runs",
    "unjudged-documents": "unjudged documents",
    "ties": "ties that affect a score",
    "no-relevant-documents": "queries without a relevant document (measures are undefined)",
}


def health_section(material: Material) -> Section:
    """The four things that most often spoil a comparison, present or not, and then every other note."""
    notes = material.scores.notes
    rows = "".join(
        _row(label, part)
        for kind, label in KINDS.items()
        for part in _by_measure([note for note in notes if note.kind == kind]) or [[]]
    )
    heads = "".join(f'<th align="left">{head}</th>' for head in ("what", "count", "most affected"))
    table = f'<div class="scroll"><table class="health" cellpadding="4"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>'
    items = "".join(f"<li>{html.escape(shortened(line, LONGEST_TEXT))}</li>" for line in _other_notes(material))
    body = table + (f"<ul>{items}</ul>" if items else "")
    return Section("health", "Data health", "Unusual but valid input.", (body,))


def _by_measure(notes: Sequence[Note]) -> list[list[Note]]:
    groups: dict[str | None, list[Note]] = {}
    for note in notes:
        groups.setdefault(note.measure, []).append(note)
    return list(groups.values())


def _row(label: str, notes: Sequence[Note]) -> str:
    if not notes:
        return f"<tr><td>{label}</td><td>none</td><td></td></tr>"
    most = max(notes, key=lambda note: note.count)
    least = min(note.count for note in notes)
    span = f"{most.count:,}" if least == most.count else f"{least:,}–{most.count:,}"
    systems = len({note.system for note in notes if note.system is not None})
    where = f" in {plural(systems, 'system')}" if systems else ""
    about = f" ({most.measure})" if most.measure else ""
    text = html.escape(shortened(most.text, LONGEST_TEXT))
    return f"<tr><td>{label}{html.escape(about)}</td><td>{span}{where}</td><td><bdi>{text}</bdi></td></tr>"


def _other_notes(material: Material) -> list[str]:
    # A comparison repeats the notes of its scores.
    notes: tuple[Note, ...] = () if material.comparison is None else material.comparison.notes
    shown = set(gathered([note for note in material.scores.notes if note.kind in KINDS]))
    lines = dict.fromkeys([*material.scores.remarks()[1:], *gathered(notes), *material.left_out])
    return [line for line in lines if line not in shown and not line.startswith("policy: ")]
