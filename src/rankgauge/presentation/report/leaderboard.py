"""The leaderboard: every system with its mean, its difference drawn on a common scale, and a verdict."""

from __future__ import annotations

import html
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from urllib.parse import quote, urlencode

from rankgauge.analysis.compare.evidence import SystemSummary
from rankgauge.analysis.compare.result import Comparison
from rankgauge.analysis.compare.tables import p_words, percent
from rankgauge.analysis.compare.verdicts import MeasureComparison, Pair
from rankgauge.analysis.compare.wording import Focus, brief, ranked
from rankgauge.errors import many
from rankgauge.evaluation.scores import Scores
from rankgauge.presentation.drawing.canvas import typeset
from rankgauge.presentation.drawing.rows import Forest, Group, balance_svg, groups_of, lanes_svg, lanes_width
from rankgauge.presentation.report.material import Material
from rankgauge.presentation.report.page import Section, common_beginning, scrolled, text_html
from rankgauge.tables.notes import LOUD, Note, shortened
from rankgauge.tables.table import Cell, Column, Estimate, Table, number

# With more systems than this, rows move closer together, and the rest is shown on request.
CROWD = 20


@dataclass(frozen=True)
class Board:
    """One table: a measure, and what its rows need to know."""

    focus: Focus
    found: MeasureComparison
    notes: tuple[Note, ...] = ()
    judged: Scores | None = None

    @cached_property
    def beginning(self) -> str:
        return common_beginning([system.name for system in self.found.systems])

    def short(self, name: str) -> str:
        return shortened(name.removeprefix(self.beginning), 120)

    @cached_property
    def warnings(self) -> Mapping[str, str]:
        """System → what ties do to its mean on this measure."""
        mine = (note for note in self.notes if note.system and note.text.startswith(LOUD))
        return {str(note.system): note.text for note in mine if note.measure in {None, self.found.measure}}

    @cached_property
    def shares(self) -> Mapping[str, float]:
        if self.judged is None:
            return {}
        (measure,) = map(str, self.judged.measures)
        return {system: row[measure] for system, row in self.judged.mean().items()}


def leaderboard_section(focus: Focus, notes: tuple[Note, ...], judged: Scores | None) -> Section:
    comparison = focus.comparison
    boards = [Board(focus, found, notes, judged if found is focus.found else None) for found in comparison.parts]
    against = f"{brief(focus.reference)}, {'the leader' if focus.about_top else 'the baseline'}"
    hint = (
        f"Sorted by mean; brackets hold {100 * comparison.confidence:g}% intervals. Differences are from {against}, with the "
        f"{percent(comparison.interval_confidence)} intervals that decide{together(comparison)}: an interval that crosses the "
        "line at 0 is undecided."
    )
    if any(system.rank_low < system.rank_high for found in comparison.parts for system in found.systems):
        hint += (
            f" Parentheses hold the ranks that a system could have on other {many(focus.noun)} like these "
            f"({100 * comparison.confidence:g}% confidence for each system by itself)."
        )
    if boards[0].beginning:
        hint += f" All names begin with “{shortened(boards[0].beginning, 80)}”, which is left out."
    tables = [board_html(board) for board in boards]
    if len(tables) > 1:
        shown = "".join(
            f'<div class="choice" data-choice="{html.escape(board.found.measure, quote=True)}"><h3>{html.escape(board.found.measure)}</h3>{table}</div>'
            for board, table in zip(boards, tables, strict=True)
        )
        tables = [f'<div data-switch="measure">{shown}</div>']
    return Section("leaderboard", "Leaderboard", tables, hint=hint, opened=True)


def together(comparison: Comparison) -> str:
    """Intervals of max-t cover all differences at once, others each its own."""
    simultaneous = comparison.correction == "max-t" and comparison.interval_for != "pair"
    return " and hold for all pairs at once" if simultaneous else ""


def board_html(board: Board) -> str:
    """Best mean first."""
    focus, found = board.focus, board.found
    rows = focus.rows_on(found)
    forest = Forest.of(rows.values(), focus.comparison.equivalence)
    groups = groups_of(found)
    head = _head(board, forest, groups)
    body = []
    for at, system in enumerate(ranked(found)):
        bars = [f'<td class="bars" width="{lanes_width(groups)}">{lanes_svg(groups, at)}</td>'] if groups else []
        cells = _cells(board, system, rows.get(system.name), forest, bars)
        kept = at < CROWD or system.name == focus.reference
        kind = ("baseline " if system.name == focus.reference else "") + ("" if kept else "later")
        named = f' class="{kind.strip()}"' if kind else ""
        body.append(f"<tr{named}>{''.join(cells)}</tr>")
    crowd = " crowd" if len(body) > CROWD else ""
    words = "Bars beside the ranks join systems that do not differ significantly."
    legend = f'<p class="hint joined">{words}</p>' if groups else ""
    return scrolled(f"sortable leaderboard{crowd}", head, body, f"Systems by mean {found.measure}") + legend


def _head(board: Board, forest: Forest, groups: tuple[Group, ...]) -> str:
    comparison = board.focus.comparison
    correction = {"holm": "Holm", "bh": "BH", "none": "raw"}.get(comparison.correction, comparison.correction)
    alone = sum(len(part.pairs) for part in comparison.parts) == 1
    level = percent(comparison.interval_confidence)
    heads = [
        ("rank", "number", "ascending"),
        *([("", "bars", "")] if groups else []),
        ("system", "name", "ascending"),
        (board.found.measure, "number", "descending"),
        ("Δ", "number", "descending"),
        (f"{level} interval of Δ", "forest", "descending"),
        ("p" if alone else f"p ({correction})", "number", "ascending"),
        ("win/tie/loss", "balance", "descending"),
        *([(str(board.judged.measures[0]), "number", "ascending")] if board.judged is not None else []),
        ("verdict", "name", "ascending"),
    ]
    return "".join(
        f'<th scope="col" class="{kind}" align="{"right" if kind == "number" else "left"}" data-first="{first}">'
        f"{html.escape(name)}{forest.axis() if kind == 'forest' else ''}</th>"
        if name
        else f'<td class="bars" style="min-width: {lanes_width(groups)}px"></td>'
        for name, kind, first in heads
    )


def _cells(board: Board, system: SystemSummary, pair: Pair | None, forest: Forest, bars: list[str]) -> list[str]:
    warning = board.warnings.get(system.name, "")
    mark = f' <span class="warning" title="{html.escape(warning, quote=True)}">⚠ ties</span>' if warning else ""
    full = f' title="{html.escape(shortened(system.name, 300), quote=True)}"' if board.beginning else ""
    span = f'<br><span class="soft">[{system.low:.3f}, {system.high:.3f}]</span>' if math.isfinite(system.low) else ""
    cells = [
        _cell("place number", "rank", f"{system.rank}{_places(system)}", system.rank),
        *bars,
        f'<th scope="row" class="name" align="left"{full}>{text_html(board.short(system.name))}{mark}</th>',
        _cell("mean number", board.found.measure, f"{system.mean:.4f}{typeset(span)}", system.mean),
    ]
    judged = []
    if board.judged is not None:
        share = board.shares.get(system.name)
        spelled = "–" if share is None else f"{share:.3f}"
        judged = [_cell("judged number", str(board.judged.measures[0]), spelled, share)]
    if pair is None:
        word = ("leader" if board.focus.about_top else "baseline") if system.name == board.focus.reference else ""
        pill = f'<span class="pill baseline">{word}</span>' if word else ""
        empty = ["<td></td>", f'<td class="forest">{forest.zero()}</td>', "<td></td>", "<td></td>"]
        return [*cells, *empty, *judged, f'<td class="verdict word">{pill}</td>']
    span = f'<br><span class="soft">[{pair.low:+.3f}, {pair.high:+.3f}]</span>' if math.isfinite(pair.low) else ""
    p = html.escape(p_words(pair, board.focus.comparison.floors))
    tally = f'<span class="soft">{pair.wins:,}/{pair.ties:,}/{pair.losses:,}</span>'
    return [
        *cells,
        _cell("difference number", "Δ", typeset(f"{pair.difference:+.4f}{span}"), pair.difference),
        f'<td class="forest" data-value="{pair.difference!r}">{forest.row(pair)}</td>',
        _cell("p number", "p", p, pair.p_adjusted),
        f'<td class="balance" data-label="win/tie/loss" data-value="{pair.wins - pair.losses}">{balance_svg(pair)} {tally}</td>',
        *judged,
        f'<td class="verdict word"><span class="pill {pair.verdict}">{pair.word}</span></td>',
    ]


def _cell(kind: str, name: str, inside: str, value: float | None) -> str:
    known = "" if value is None else f' data-value="{value!r}"'
    return f'<td class="{kind}" align="right" data-label="{html.escape(name, quote=True)}"{known}>{inside}</td>'


def _places(system: SystemSummary) -> str:
    """The ranks it could have on other queries."""
    if system.rank_low == system.rank_high:
        return ""
    return f' <span class="soft">({system.rank_low}–{system.rank_high})</span>'


def explorer_address(explorer: str | os.PathLike[str] | None, page: Path) -> str:
    """The address of the explorer: of the web as given, of a file relative to the page, so that both may move."""
    if not explorer:
        return ""
    given = os.fspath(explorer)
    if given.startswith(("http://", "https://")):
        return quote(given, safe=":/?&=%~", errors="replace")
    return quote(os.path.relpath(given, page.parent).replace(os.sep, "/"), errors="replace")


def with_explorer(section: Section, address: str, first: str, second: str) -> Section:
    """The section with a link below it, where an explorer is known."""
    if not address:
        return section
    target = html.escape(f"{address}#{urlencode({'a': first, 'b': second})}", quote=True)
    words = "Change discount, gain and cutoff in the explorer, and see what follows"
    return replace(section, parts=(*section.parts, f'<p><a href="{target}">{words}</a>.</p>'))


def summary_of(material: Material, measure: object = None) -> SystemSummary:
    """The only system, on the first measure unless another is named."""
    scores = material.scores
    name = str(measure or scores.measures[0])
    means, system = scores.select([name]).means(), scores.systems[0]
    mean = means.mean()[system][name]
    found = scores.select([name]).intervals(confidence=material.settings.confidence)[system]
    sides = found.get(name, Estimate(mean, float("nan"), float("nan")))  # a sum over queries has none
    return SystemSummary(system, mean, sides.low, sides.high, float("nan"), int(means.counts[0, 0]), 1, 1, 1)


def means_section(material: Material) -> Section:
    found = [summary_of(material, measure) for measure in material.scores.measures]
    medians = material.scores.median()[material.scores.systems[0]]
    rows: list[tuple[Cell, ...]] = [
        (
            str(measure),
            Estimate(one.mean, one.low, one.high) if measure.definition.aggregate == "mean" else one.mean,
            medians[str(measure)],
            one.query_count,
        )
        for measure, one in zip(material.scores.measures, found, strict=True)
    ]
    if material.judged is not None:
        (share,) = material.judged.measures
        mean = material.judged.mean()[material.scores.systems[0]][str(share)]
        rows.append((f"{share} (share of judged {material.document}s)", mean, None, len(material.scores.queries)))
    heads = (f"mean [{100 * material.settings.confidence:g}% interval]", "median", material.queries)
    columns = (Column("measure"), *map(number, heads))
    return Section("leaderboard", "Means", (Table(columns, tuple(rows)),), opened=True)
