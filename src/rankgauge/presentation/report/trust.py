"""Can the numbers be trusted? People and a judge, unjudged documents, oddities of the input, and the number of queries."""

from __future__ import annotations

import html
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from rankgauge.analysis.compare.statistics.judged import RANDOM, PairJudge
from rankgauge.analysis.compare.tables import percent
from rankgauge.analysis.compare.verdicts import Pair
from rankgauge.analysis.compare.wording import Focus, brief
from rankgauge.analysis.judging.holes import holes
from rankgauge.analysis.judging.holes_result import Holes, PairHoles
from rankgauge.analysis.stability.result import Stability
from rankgauge.errors import MeasureError, PolicyError, UsageError, many, plural
from rankgauge.evaluation.means import remarks
from rankgauge.presentation.drawing.curves import dependability_curves
from rankgauge.presentation.report.material import Material
from rankgauge.presentation.report.page import (
    LONGEST_TEXT,
    Section,
    figure,
    listed_html,
    scrolled,
    table_html,
    text_html,
)
from rankgauge.tables.notes import LOUD, Note, document_of, gathered, shortened
from rankgauge.tables.table import Column, Table, number

TO_JUDGE = 10
MOST_QUERIES = 5_000
"""Bounds go through the lists of every query, a millisecond each; a page of more queries names the command instead."""


def judgment_sections(material: Material, focus: Focus) -> list[Section]:
    """Holes where the rankings are known, and three differences where a judge had a say."""
    judged = _judge_section(focus.pair, focus.found.measure, material.settings.confidence, material.query)
    return [*judged, *_holes_section(material, focus)]


def confidence_of(pair: Pair) -> float:
    """That of a t interval as wide as the shown one: what is said of unjudged documents starts from the page's verdict."""
    from scipy.special import stdtr

    error = pair.deviation / math.sqrt(pair.query_count)
    half = (pair.high - pair.low) / 2
    if pair.judge is not None or not (error > 0 and math.isfinite(half)):
        return math.nan
    return float(1 - 2 * stdtr(pair.query_count - 1, -half / error))


def _judge_section(pair: Pair, measure: str, confidence: float, noun: str) -> list[Section]:
    judge = pair.judge
    if judge is None:
        return []
    alone = judge.human_only
    human, every = plural(judge.human_queries, noun), plural(judge.queries, noun)
    columns = (Column("source"), *(number(name, signed=True) for name in ("difference", "low", "high")))
    rows = (
        (f"people alone ({human})", alone.difference, alone.low, alone.high),
        (f"judge alone ({every})", judge.judge_only, None, None),
        ("both together", pair.difference, *pair.alone),
    )
    hint = (
        f"{measure}, {brief(pair.system)} − {brief(pair.baseline)}. The judge's differences on all {many(noun)} correct those of "
        f"the human {many(noun)}; a constant error of the judge cancels. It {RANDOM}. "
        f"{percent(confidence)} intervals of this pair alone."
    )
    table = table_html(Table(columns, rows, marked=frozenset({2})))
    worth = f"<p>{_worth(judge, many(noun))}</p>"
    title = "What people and the judge say"
    return [Section("judge", title, (table, worth), hint=hint, label="Judge", opened=True)]


def _worth(judge: PairJudge, queries: str) -> str:
    if math.isnan(judge.correlation) or math.isnan(judge.effective_queries):
        return "The judge's differences, or those of people, do not vary: nothing says how well they go together."
    helps = "" if judge.effective_queries >= judge.human_queries else ": the judge does not help here"
    return (
        f"On the human {queries} the differences correlate with {judge.correlation:.2f}. Together they are worth about "
        f"{judge.effective_queries:.0f} human {queries}{helps}."
    )


def _holes_section(material: Material, focus: Focus) -> list[Section]:
    title, queries = f"Could unjudged {material.document}s change this?", len(material.scores.queries)
    if queries > MOST_QUERIES and material.lists:
        answer = (
            f"Not computed: the page does this for up to {MOST_QUERIES:,} {material.queries}, and here are {queries:,}. "
            "rankgauge holes computes it for any number."
        )
        return [Section("holes", title, [], answer, label="Unjudged")]
    found = _holes(material, focus)
    if found is None:
        return []
    pair = found.pairs[0]
    hint = (
        f"An unjudged {material.document} among the first of either ranking may have any grade from 0 to {found.max_grade:g}. "
        "Bounds that no grades can pass; no model is involved."
    )
    parts: list[str | Table] = []
    if pair.holes:
        words = f"{pair.half_widths[0].upper()}{pair.half_widths[1:]}: {pair.advice}."
        parts += [_spans(pair), f"<p>{html.escape(words)}</p>", *_next(found)]
    changes = pair.holes and not (pair.verdict_settled and pair.sign_settled)
    answer = f"{'Yes' if changes else 'No'}. {found.summary}"
    return [Section("holes", title, parts, answer, hint, label="Unjudged")]


def _holes(material: Material, focus: Focus) -> Holes | None:
    scores, confidence = material.scores, confidence_of(focus.pair)
    if not 0 < confidence < 1:
        confidence = material.settings.confidence
    runs = [material.lists[name] for name in (focus.second, focus.first) if name in material.lists]
    if len(runs) < 2 or len(scores.queries) < 2:
        return None
    measure, rule = scores.measures[0], scores.policy
    try:
        return holes(material.judgments, runs, measure, policy=rule, only=scores.queries, confidence=confidence)
    except (MeasureError, PolicyError, UsageError):
        return None  # a measure or a policy without bounds


def _spans(pair: PairHoles) -> Table:
    columns = (Column("what may vary"), *(number(name, signed=True) for name in ("low", "high")))
    rows = (
        (f"grades of unjudged {document_of(pair.noun)}s", pair.low, pair.high),
        (f"{many(pair.noun)} (the interval that decides)", pair.interval_low, pair.interval_high),
        ("both together", pair.lowest_limit, pair.highest_limit),
    )
    return Table(columns, rows, marked=frozenset({2}))


def _next(found: Holes) -> list[str]:
    """The first documents to judge, as a list that can be opened."""
    pair = found.pairs[0]
    if pair.verdict_settled and pair.verdict != "undecided":
        return []
    listed = found.next(TO_JUDGE) if found.worklist else ()
    useful = [one for one in listed if one.score > 0]
    if not useful:
        return []
    items = "".join(f"<li>{text_html(one.query)}: {text_html(one.document)}</li>" for one in useful)
    return [
        f"<details><summary>Judge these next ({found.noun}: {document_of(found.noun)})</summary><ol>{items}</ol></details>"
    ]


KINDS = {
    "missing-queries": "{queries} missing from runs",
    "unjudged-documents": "unjudged {document}s",
    "ties": "ties that affect a score",
    "no-relevant-documents": "{queries} without a relevant {document} (measures are undefined)",
}


def health_section(material: Material) -> Section:
    """Loud notes, then the four things that most often spoil a comparison, present or not, then every other note."""
    notes, labels = material.scores.notes, _labels(material)
    loud = by_severity([note for note in notes if note.text.startswith(LOUD)])
    rows = [
        _count_row(label, part)
        for kind, label in labels.items()
        for part in _by_measure([note for note in notes if note.kind == kind]) or [[]]
    ]
    heads = "".join(f'<th scope="col" align="left">{head}</th>' for head in ("what", "count", "most affected"))
    table = scrolled("health", heads, rows, "Unusual but valid input")
    body = listed_html((note.text for note in loud), "loud") + table + listed_html(_other_notes(material))
    answer = _soundness(notes, loud, labels)
    return Section("health", "Is the input sound?", (body,), answer, label="Input", opened=bool(loud))


def _labels(material: Material) -> dict[str, str]:
    words = {"queries": material.queries, "document": material.document}
    return {kind: label.format(**words) for kind, label in KINDS.items()}


def by_severity(notes: Sequence[Note]) -> list[Note]:
    """The gravest first; counts decide between equals."""
    return sorted(notes, key=lambda note: (-note.severity, -note.count))


def _soundness(notes: Sequence[Note], loud: Sequence[Note], labels: Mapping[str, str]) -> str:
    if loud:
        systems = {note.system for note in loud}
        some = brief(str(loud[0].system)) if len(systems) == 1 else f"{len(systems)} systems"
        return f"No: ties decide the numbers of {some}."
    found = [label for kind, label in labels.items() if any(note.kind == kind for note in notes)]
    *most, last = found or [""]
    some = f"{', '.join(most)} and {last}" if most else last
    return f"Yes, but there are {some}." if found else "Yes: nothing unusual was found."


def _by_measure(notes: Sequence[Note]) -> list[list[Note]]:
    groups: dict[str | None, list[Note]] = {}
    for note in notes:
        groups.setdefault(note.measure, []).append(note)
    return list(groups.values())


def _count_row(label: str, notes: Sequence[Note]) -> str:
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
    lines = dict.fromkeys([*remarks(material.scores)[1:], *gathered(notes), *material.left_out])
    return [line for line in lines if line not in shown and not line.startswith("policy: ")]


def stability_sections(material: Material) -> list[Section]:
    """Nothing where Φ cannot be estimated: an empty chart says less than no chart."""
    study = material.stability
    if study is None or not can_be_estimated(study):
        return []
    queries = material.queries
    hint = (
        f"Dependability Φ: how well mean scores on these {queries} predict mean scores on other {queries} like them "
        f"(1 = exactly). The vertical line marks the current number of {queries}, bands are intervals."
    )
    drawing = figure(dependability_curves(study, f"dependability against the number of {queries}"))
    table = study.table()
    # Data health shows the policy and what follows it.
    own = tuple(itertools.takewhile(lambda note: not note.startswith(("policy", LOUD)), table.notes))
    parts = (drawing, table_html(replace(table, notes=own)))
    title = f"Are these enough {queries} to order the systems?"
    return [Section("stability", title, parts, _enough(study), hint, label=f"Enough {queries}?")]


def can_be_estimated(study: Stability) -> bool:
    """Whether the systems differ by more than noise; otherwise no number of queries would be enough."""
    lead = study.parts[0]
    value = lead.dependability().value
    return math.isfinite(value) and value > 0 and lead.systems > 2


def _enough(study: Stability) -> str:
    lead = study.parts[0]
    value, targets = lead.dependability().value, lead.options.reach
    now = f"on {plural(lead.query_count, lead.noun)} Φ is {value:.4f}"
    if not targets:
        return f"{now[0].upper()}{now[1:]}."
    needed = lead.queries_needed(targets[-1]).value
    if value >= targets[-1]:
        return f"Yes, on the whole: {now}, above {targets[-1]:g}. Single pairs may need more."
    more = f"about {needed:,.0f} would reach" if math.isfinite(needed) else "no number reaches"
    return f"{'Almost' if value >= targets[0] else 'No'}: {now}; {more} {targets[-1]:g}."
