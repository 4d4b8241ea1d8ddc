"""Every query: wins and losses of a pair or the scores of one system, rankings and slices, and what scripts compute with."""

from __future__ import annotations

import base64
import html
from collections.abc import Sequence
from typing import Any

import numpy as np

from rankgauge.analysis.compare.tables import p_words
from rankgauge.analysis.compare.verdicts import Pair
from rankgauge.analysis.compare.wording import Focus, brief, pair_of
from rankgauge.arrays import Floats, Ints
from rankgauge.errors import plural
from rankgauge.presentation.charts.queries import by_change
from rankgauge.presentation.drawing.bars import histogram, query_bars
from rankgauge.presentation.report.material import Material
from rankgauge.presentation.report.page import Section, figure
from rankgauge.presentation.report.queries import LISTED, LONGEST, QueryRow, anchor, queries_html, rankings_of
from rankgauge.tables.notes import shortened
from rankgauge.tables.table import Cell, Column, Table, number

# Bars of more queries are too thin to point at.
MANY_QUERIES = 600


class _Listing:
    """Queries by number, best first; of many queries only those that are shown are made into rows."""

    def __init__(self, queries: Sequence[str], numbers: Floats, others: tuple[Floats, ...] = ()) -> None:
        self.queries, self.numbers, self.others = queries, numbers, others
        self.order = by_change(queries, numbers)

    def __len__(self) -> int:
        return len(self.order)

    def best(self, count: int) -> list[QueryRow]:
        return self._rows(self.order[:count])

    def worst(self, count: int) -> list[QueryRow]:
        return self._rows(self.order[::-1][:count])

    def _rows(self, places: Ints) -> list[QueryRow]:
        return [
            QueryRow(self.queries[at], float(self.numbers[at]), tuple(float(other[at]) for other in self.others))
            for at in places.tolist()
        ]


def changes_sections(material: Material, focus: Focus) -> list[Section]:
    """Losses come first: they are what a change breaks."""
    pair, measure, scores = focus.pair, focus.found.measure, material.scores
    mine, other = (scores.matrix(measure)[scores.systems.index(system)] for system in (focus.first, focus.second))
    rows = _Listing(scores.queries, mine - other, (mine, other))
    losses = [row for row in rows.worst(LISTED) if row.number < 0]
    gains = [row for row in rows.best(LISTED) if row.number > 0]
    first, names = brief(focus.first), (focus.first, focus.second)
    tables = ((losses, "Largest losses"), (gains, "Largest gains"))
    listed, rankings = _listed(material, names, [*losses, *gains], tables, ("Δ", *names))
    hint = f"One bar per {material.query}, sorted by difference. Above the line, {first} is better."
    if len(rows) > MANY_QUERIES:
        hint = f"{len(rows):,} {material.queries}, counted by difference. Right of 0, {first} is better; ties are gray."
    label = f"{first} − {brief(focus.second)}"
    chart = _chart(material, rows, measure, f"differences of {label} per {material.query} on {measure}")
    answer = (
        f"{brief(pair.system)} wins on {pair.wins:,} of {plural(pair.query_count, material.query)}, loses on {pair.losses:,} "
        f"and ties on {pair.ties:,}."
    )
    parts = (
        f'<div id="pairs"><p class="hint">{html.escape(hint)}</p>{chart}</div>',
        f'<div class="{"columns" if gains and losses else ""}">{listed}</div>',
    )
    title = f"Wins and losses per {material.query}: {label}"
    sections = [Section("changes", title, parts, answer, label=material.queries.capitalize(), opened=True)]
    if rankings:
        hint = (
            f"Both rankings with the judged value of each {material.document}; ? marks an unjudged {material.document}. "
            "Parentheses give its rank in the other ranking; – means that it is missing there."
        )
        title, answer = (
            f"The {material.queries} that changed most, side by side",
            f"{len(losses)} losses and {len(gains)} gains.",
        )
        sections.append(Section("lists", title, (rankings,), answer, hint, label="Rankings"))
    return [*sections, *_slices(material, focus)]


def query_sections(material: Material) -> list[Section]:
    """The page of a single system: the queries on which it does worst."""
    scores = material.scores
    system, measure = scores.systems[0], str(scores.measures[0])
    rows = _Listing(scores.queries, scores.matrix(measure)[0])
    worst, best = rows.worst(2 * LISTED), rows.best(2 * LISTED)
    tables = ((worst, f"Worst {material.queries}"), (best, f"Best {material.queries}"))
    listed, rankings = _listed(material, (system,), worst, tables, (measure,), signed=False)
    hint = f"One bar per {material.query}, best first."
    if len(rows) > MANY_QUERIES:
        hint = f"{len(rows):,} {material.queries}, counted by score. The extremes are listed below."
    chart = _chart(material, rows, measure, f"{measure} of {brief(system)} per {material.query}", difference=False)
    parts = (f'<div id="pairs">{chart}</div>', f'<div class="columns">{listed}</div>')
    sections = [
        Section(
            "changes",
            f"{measure} per {material.query}",
            parts,
            "",
            hint,
            label=material.queries.capitalize(),
            opened=True,
        )
    ]
    if rankings:
        document = material.document
        hint = f"The ranking with the judged value of each {document}; ? marks an unjudged {document}."
        sections.append(Section("lists", f"The worst {material.queries}", (rankings,), "", hint, label="Rankings"))
    return sections


def _listed(
    material: Material,
    systems: tuple[str, ...],
    shown: Sequence[QueryRow],
    tables: Sequence[tuple[Sequence[QueryRow], str]],
    heads: Sequence[str],
    *,
    signed: bool = True,
) -> tuple[str, str]:
    """Tables of queries with their captions, and the rankings of `shown`, to which they link; empty if unknown."""
    rankings, texts = rankings_of(material, systems), material.settings.texts
    anchors = {} if rankings is None else {row.query: anchor(at) for at, row in enumerate(shown)}
    parts = [
        queries_html(rows, texts, caption, heads, anchors, signed=signed, noun=material.query)
        for rows, caption in tables
    ]
    return "".join(parts), rankings.html(shown, texts, signed=signed) if rankings is not None and shown else ""


def _chart(material: Material, rows: _Listing, measure: str, words: str, *, difference: bool = True) -> str:
    about: dict[str, Any] = {"difference": difference, "noun": material.query}
    if len(rows) > MANY_QUERIES:
        return figure(histogram(rows.numbers[rows.order], measure, words, **about))
    values = [(row.query, row.number) for row in rows.best(len(rows))]
    return figure(query_bars(values, measure, material.settings.texts, words, **about))


def _slices(material: Material, focus: Focus) -> list[Section]:
    """The pair of the page within each slice."""
    slices = material.slices
    if slices is None:
        return []
    rows: list[tuple[Cell, ...]] = []
    found: list[tuple[str, Pair]] = []
    for part in slices.slices:
        pair = pair_of(part.comparison.parts[0], focus.first, focus.second)
        p = p_words(pair, part.comparison.floors)
        numbers = (part.query_count, pair.difference, pair.low, pair.high)
        rows.append((shortened(part.value, 80), *numbers, p, pair.word))
        found.append((shortened(part.value, 40), pair))
    signed = (number(name, signed=True) for name in ("Δ", "low", "high"))
    columns = (Column(slices.column), number(material.queries), *signed, number("p"), Column("verdict"))
    title = f"Does it differ by {shortened(slices.column, 40)}?"
    pair_name = f"{brief(focus.first)} against {brief(focus.second)}"
    table = Table(columns, tuple(rows), f"Δ {focus.found.measure}, {pair_name}", slices.remarks())
    return [Section("slices", title, (table,), _slices_answer(found, focus), label="Slices", opened=True)]


def _slices_answer(found: Sequence[tuple[str, Pair]], focus: Focus) -> str:
    """Only verdicts that exclude each other show that slices differ: undecided may be anything."""
    first, second = brief(focus.first), brief(focus.second)
    verdicts = {pair.verdict for _, pair in found}
    if verdicts == {"undecided"}:
        return f"Not shown: {first} against {second} is undecided in every slice."
    if len(verdicts) == 1:
        words = (
            f"{first} and {second} are equivalent"
            if "equivalent" in verdicts
            else f"{first} is {found[0][1].verdict} than {second}"
        )
        return f"No: {words} in every slice."
    reached = ", ".join(f"{pair.verdict} for {name}" for name, pair in found if pair.verdict != "undecided")
    differs = "Yes" if len(verdicts - {"undecided"}) > 1 else "Not shown"
    rest = "; undecided elsewhere" if "undecided" in verdicts else ""
    return f"{differs}: {first} against {second} is {reached}{rest}."


# Eight bytes each, and a third more as text.
MOST_SCORES = 60_000
VERDICTS = ("undecided", "better", "worse", "equivalent")


def page_data(material: Material, focus: Focus | None) -> dict[str, Any]:
    """Scores of as many systems as there is room for, those of the page's pair first."""
    scores = material.scores
    measure, order = str(scores.measures[0]), list(scores.systems[:1])
    if focus is not None:
        room = max(2, MOST_SCORES // max(len(scores.queries), 1))
        order = list(dict.fromkeys([focus.first, focus.second, *(system.name for system in focus.ranked)]))[:room]
    matrix = scores.matrix(measure)
    known = material.settings.texts
    texts = [shortened(known.get(query, ""), 200) for query in scores.queries] if known else []
    return {
        "measure": measure,
        "nouns": [material.query, material.queries],
        "systems": [shortened(name, 120) for name in order],
        "queries": [shortened(query, LONGEST) for query in scores.queries],
        "texts": texts if any(texts) else [],
        "bars": len(scores.queries) <= MANY_QUERIES,
        "values": _packed(np.array([matrix[scores.systems.index(name)] for name in order])),
        "pairs": {"which": [], "numbers": "", "verdicts": "", "bounds": ""} if focus is None else _pairs(focus, order),
    }


def _pairs(focus: Focus, order: list[str]) -> dict[str, Any]:
    """Of every pair that was compared: which, its interval, its adjusted p-value and its verdict."""
    place = {name: at for at, name in enumerate(order)}
    kept = [pair for pair in focus.found.pairs if pair.system in place and pair.baseline in place]
    numbers = [[pair.low, pair.high, pair.p_adjusted] for pair in kept]
    return {
        "which": [at for pair in kept for at in (place[pair.system], place[pair.baseline])],
        "numbers": _packed(np.array(numbers)),
        "verdicts": "".join(str(VERDICTS.index(pair.verdict)) for pair in kept),
        "bounds": "".join(str(int(p_words(pair, focus.comparison.floors).startswith("≤"))) for pair in kept),
    }


def _packed(numbers: Floats) -> str:
    return base64.b64encode(np.ascontiguousarray(numbers, dtype="<f8").tobytes()).decode()
