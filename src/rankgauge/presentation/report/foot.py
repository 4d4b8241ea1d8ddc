"""The end of a report: what was odd in the data, and how the numbers were made."""

from __future__ import annotations

import html
import shlex
from collections.abc import Sequence

import rankgauge
from rankgauge.evaluation.scores import Scores
from rankgauge.presentation.report.material import MOST_SYSTEMS, Material
from rankgauge.presentation.report.page import Section
from rankgauge.tables.notes import Note, gathered
from rankgauge.tables.table import shortened

LONGEST_COMMAND = 20_000
LONGEST_NOTE = 600
KINDS = {
    "missing-queries": "queries missing from runs",
    "unjudged-documents": "unjudged documents",
    "ties": "ties that move a score",
    "no-relevant-documents": "queries without a relevant document, where measures are undefined",
}


def health(material: Material) -> Section:
    """The four things that most often spoil a comparison, be there any or none, and then everything else noted."""
    notes = material.scores.notes
    rows = "".join(
        _health_row(label, part)
        for kind, label in KINDS.items()
        for part in _by_measure([note for note in notes if note.kind == kind]) or [[]]
    )
    heads = "".join(f'<th align="left">{head}</th>' for head in ("what", "how many", "where most"))
    table = f'<div class="scroll"><table class="health" cellpadding="4"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>'
    items = "".join(f"<li>{html.escape(shortened(line, LONGEST_NOTE))}</li>" for line in _other_remarks(material))
    return Section(
        "health", "Data health", "What was odd but legal, counted.", (table + (f"<ul>{items}</ul>" if items else ""),)
    )


def _by_measure(notes: Sequence[Note]) -> list[list[Note]]:
    groups: dict[str | None, list[Note]] = {}
    for note in notes:
        groups.setdefault(note.measure, []).append(note)
    return list(groups.values())


def _health_row(label: str, notes: Sequence[Note]) -> str:
    if not notes:
        return f"<tr><td>{label}</td><td>none</td><td></td></tr>"
    most = max(notes, key=lambda note: note.count)
    least = min(note.count for note in notes)
    span = f"{most.count:,}" if least == most.count else f"{least:,} to {most.count:,}"
    systems = len({note.system for note in notes if note.system is not None})
    where = f" in {systems} {'system' if systems == 1 else 'systems'}" if systems else ""
    about = f" ({most.measure})" if most.measure else ""
    told = html.escape(shortened(most.text, LONGEST_NOTE))
    return f"<tr><td>{label}{html.escape(about)}</td><td>{span}{where}</td><td><bdi>{told}</bdi></td></tr>"


def _other_remarks(material: Material) -> list[str]:
    # A comparison of scores tells again what the scores noted.
    notes: tuple[Note, ...] = () if material.comparison is None else material.comparison.notes
    told = set(gathered([note for note in material.scores.notes if note.kind in KINDS]))
    lines = dict.fromkeys([*material.scores.remarks()[1:], *gathered(notes), *material.left_out])
    return [line for line in lines if line not in told and not line.startswith("policy: ")]


def making(material: Material) -> Section:
    scores, comparison = material.scores, material.comparison
    facts = [
        ("systems", f"{len(scores.systems):,}"),
        ("queries", f"{len(scores.queries):,}"),
        ("measures", ", ".join(map(str, scores.measures))),
        ("policy", scores.remarks()[0].removeprefix("policy: ")),
    ]
    if comparison is not None:
        samples = "–" if comparison.samples is None else f"{comparison.samples:,}"
        if comparison.finer_samples and comparison.finer_samples != comparison.samples:
            samples += f", {comparison.finer_samples:,} near the limit"
        facts += [
            ("test", f"{comparison.test}, correction {comparison.correction}, confidence {comparison.confidence:g}"),
            ("intervals", f"{comparison.interval}, {100 * comparison.confidence:g} % for each pair alone"),
            ("samples", samples),
        ]
    facts += [("seed", str(material.seed)), ("version", f"rankgauge {rankgauge.__version__}")]
    rows = "".join(
        f'<tr><th align="left">{html.escape(name)}</th><td>{html.escape(shortened(value, LONGEST_NOTE))}</td></tr>'
        for name, value in facts
    )
    body = f'<div class="scroll"><table class="facts" cellpadding="4"><tbody>{rows}</tbody></table></div>'
    return Section("making", "How these numbers were made", "", (body + _commands(material),))


def _commands(material: Material) -> str:
    """The command of this page, and those that print its numbers; only where the page came from a command."""
    if not material.command:
        return ""
    own = html.escape(shortened(material.command, LONGEST_COMMAND))
    lines = "".join(f"<li><code>{html.escape(line)}</code></li>" for line in same_numbers(material))
    told = f'<p class="hint">The same numbers in a terminal, with the judgments and runs of that command (and its policy and --only, if it sets them):</p><ul>{lines}</ul>'
    return f'<p class="command"><code>{own}</code></p>{told if lines else ""}'


def same_numbers(material: Material) -> list[str]:
    """Commands whose output has the numbers of the page; JUDGMENTS and RUN... stand for those of the page's own."""
    asked = _measures(material.scores)
    lines = [f"rankgauge evaluate JUDGMENTS RUN... {asked}"]
    if material.comparison is not None:
        found = material.comparison
        baseline = "" if found.baseline is None else f" --baseline {shlex.quote(found.baseline)}"
        lines.append(
            f"rankgauge compare JUDGMENTS RUN... {asked}{baseline} --confidence {found.confidence:g} --seed {found.seed}"
        )
    if material.stability is not None:
        lines.append(f"rankgauge stability JUDGMENTS RUN... {asked} --confidence {material.confidence:g}")
    if material.discrimination is not None:
        curves = material.discrimination
        names = shlex.quote(" ".join(one.measure for one in curves.parts))
        top = f" --top {MOST_SYSTEMS}" if len(curves.systems) < len(material.scores.systems) else ""
        lines.append(f"rankgauge discriminate JUDGMENTS RUN... -m {names}{top} --seed {curves.seed}")
    if material.agreement is not None and material.variants is not None:
        lines.append(f"rankgauge agreement JUDGMENTS RUN... {_measures(material.variants)}")
    return [shortened(line, 2_000) for line in lines]


def _measures(scores: Scores) -> str:
    return "-m " + shlex.quote(" ".join(map(str, scores.measures)))
