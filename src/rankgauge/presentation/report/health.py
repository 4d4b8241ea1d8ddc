"""Data health: unusual but valid input, counted; what may decide a number comes first and in full."""

from __future__ import annotations

import html
from collections.abc import Sequence

from rankgauge.errors import plural
from rankgauge.presentation.report.material import Material
from rankgauge.presentation.report.page import LONGEST_TEXT, Section
from rankgauge.tables.notes import LOUD, Note, gathered
from rankgauge.tables.table import shortened

KINDS = {
    "missing-queries": "queries missing from runs",
    "unjudged-documents": "unjudged documents",
    "ties": "ties that affect a score",
    "no-relevant-documents": "queries without a relevant document (measures are undefined)",
}


def health_section(material: Material) -> Section:
    """Loud notes, then the four things that most often spoil a comparison, present or not, then every other note."""
    notes = material.scores.notes
    loud = by_severity([note for note in notes if note.text.startswith(LOUD)])
    rows = "".join(
        _row(label, part)
        for kind, label in KINDS.items()
        for part in _by_measure([note for note in notes if note.kind == kind]) or [[]]
    )
    heads = "".join(f'<th scope="col" align="left">{head}</th>' for head in ("what", "count", "most affected"))
    table = (
        '<div class="scroll"><table class="health" cellpadding="4"><caption>Unusual but valid input</caption>'
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )
    shouted = "".join(f"<li>{html.escape(shortened(note.text, LONGEST_TEXT))}</li>" for note in loud)
    items = "".join(f"<li>{html.escape(shortened(line, LONGEST_TEXT))}</li>" for line in _other_notes(material))
    body = (f'<ul class="loud">{shouted}</ul>' if loud else "") + table + (f"<ul>{items}</ul>" if items else "")
    return Section("health", "Is the input sound?", _answer(notes, loud), "", (body,), label="Input", opened=bool(loud))


def by_severity(notes: Sequence[Note]) -> list[Note]:
    """The gravest first; counts decide between equals."""
    return sorted(notes, key=lambda note: (-note.severity, -note.count))


def _answer(notes: Sequence[Note], loud: Sequence[Note]) -> str:
    if loud:
        systems = len({note.system for note in loud})
        return f"No: ties decide the numbers of {plural(systems, 'system')}."
    found = [label for kind, label in KINDS.items() if any(note.kind == kind for note in notes)]
    return f"Yes, but there are {', '.join(found)}." if found else "Yes: nothing unusual was found."


def _by_measure(notes: Sequence[Note]) -> list[list[Note]]:
    groups: dict[str | None, list[Note]] = {}
    for note in notes:
        groups.setdefault(note.measure, []).append(note)
    return list(groups.values())


def _row(label: str, notes: Sequence[Note]) -> str:
    if not notes:
        return f'<tr><th scope="row">{label}</th><td>none</td><td></td></tr>'
    worst = by_severity(notes)[0]
    counts = [note.count for note in notes]
    span = f"{max(counts):,}" if min(counts) == max(counts) else f"{min(counts):,}–{max(counts):,}"
    systems = len({note.system for note in notes if note.system is not None})
    where = f" in {plural(systems, 'system')}" if systems else ""
    about = f" ({worst.measure})" if worst.measure else ""
    text = html.escape(shortened(worst.text, LONGEST_TEXT))
    return f'<tr><th scope="row">{label}{html.escape(about)}</th><td>{span}{where}</td><td><bdi>{text}</bdi></td></tr>'


def _other_notes(material: Material) -> list[str]:
    # A comparison repeats the notes of its scores.
    notes: tuple[Note, ...] = () if material.comparison is None else material.comparison.notes
    shown = set(gathered([note for note in material.scores.notes if note.kind in KINDS]))
    lines = dict.fromkeys([*material.scores.remarks()[1:], *gathered(notes), *material.left_out])
    return [line for line in lines if line not in shown and not line.startswith("policy: ")]
