"""The leaderboard: every system with its interval, its difference from the baseline and a verdict."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence

from rankgauge.analysis.compare.evidence import SystemSummary
from rankgauge.analysis.compare.result import Comparison
from rankgauge.analysis.compare.verdicts import MeasureComparison, Pair
from rankgauge.analysis.compare.wording import p_text, percent
from rankgauge.presentation.report.page import Section, table_html, text_html
from rankgauge.presentation.report.verdict import pairs_against
from rankgauge.tables.table import Cell, Column, Table, number, shortened

UP, DOWN, EVEN, GUIDE = "#1b7ca8", "#c2560c", "#c8ced6", "#8b95a1"
# With more systems than this, rows move closer together.
CROWD = 20
_HEADS = (
    ("rank", "name"),
    ("system", "name"),
    ("{measure}", "number"),
    ("{level} interval", "name"),
    ("Δ baseline", "number"),
    ("{decides} interval of Δ", "name"),
    ("p ({correction})", "number"),
    ("win/tie/loss", "name"),
    ("verdict", "name"),
)
# Classes by which a narrow screen arranges the cells of a row.
_CELLS = ("place", "name", "mean", "interval", "difference", "span", "p", "balance", "verdict")


def leaderboard_section(comparison: Comparison, found: MeasureComparison, baseline: str) -> Section:
    tables = [leaderboard_html(found, baseline, comparison)]
    others = comparison.parts[1:]
    if others:
        columns = (Column("system"), *(number(measure.measure) for measure in others))
        means = {measure.measure: {system.name: system.mean for system in measure.systems} for measure in others}
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (shortened(system.name, 120), *(means[measure.measure][system.name] for measure in others))
            for system in _ranked(found)
        )
        tables += ["<h3>Other measures</h3>", table_html(Table(columns, rows), sortable=True)]
    hint = (
        f"Sorted by mean {found.measure}. Parentheses give the ranks that a system could have on other queries like "
        f"these ({100 * comparison.confidence:g}%). The dashed line is the mean of the baseline. Verdicts follow the "
        f"adjusted p-value of the {comparison.test} test ({comparison.correction}); “undecided” means that these "
        f"queries are not enough to decide.{_stricter(comparison)}"
    )
    return Section("leaderboard", "Leaderboard", hint, tuple(tables))


def _stricter(comparison: Comparison) -> str:
    if comparison.interval_confidence == comparison.confidence:
        return ""
    return " Intervals of differences are at the stricter level that decides, so none contradicts its verdict."


def leaderboard_html(found: MeasureComparison, baseline: str, comparison: Comparison) -> str:
    """Best mean first; the marks in the cells are SVG with attributes for colors, so they need no stylesheet."""
    words = {
        "measure": found.measure,
        "level": percent(comparison.confidence),
        "decides": percent(comparison.interval_confidence),
        "correction": comparison.correction.capitalize() if comparison.correction != "none" else "raw",
    }
    heads = "".join(
        f'<th class="{kind}" align="{"right" if kind == "number" else "left"}">{html.escape(text.format(**words))}</th>'
        for text, kind in _HEADS
    )
    means = {system.name: system.mean for system in found.systems}
    scale = IntervalScale(found.systems, means[baseline])
    pairs = pairs_against(found, baseline)
    ranked = _ranked(found)
    rows = "".join(_row(system, pairs.get(system.name), baseline, scale) for system in ranked)
    crowd = " crowd" if len(ranked) > CROWD else ""
    return f'<div class="scroll"><table class="sortable leaderboard{crowd}" cellpadding="4"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>'


def _ranked(found: MeasureComparison) -> list[SystemSummary]:
    return sorted(found.systems, key=lambda system: (system.rank, -system.mean, system.name))


def _row(system: SystemSummary, pair: Pair | None, baseline: str, scale: IntervalScale) -> str:
    cells = [
        f'data-value="{system.rank}">{system.rank} <span class="soft">{_places(system)}</span>',
        f">{text_html(shortened(system.name, 120))}",
        f'data-value="{system.mean!r}">{system.mean:.4f}',
        f'data-value="{system.mean!r}">{scale.interval_svg(system)}',
    ]
    if pair is None:
        pill = '<span class="pill baseline">baseline</span>' if system.name == baseline else ""
        cells += [">", ">", ">", ">", f">{pill}"]
    else:
        cells += [
            f'data-value="{pair.difference!r}">{pair.difference:+.4f}',
            f'data-value="{pair.low!r}"><span class="soft">[{pair.low:+.3f}, {pair.high:+.3f}]</span>',
            f'data-value="{pair.p_adjusted!r}">{html.escape(p_text(pair.p_adjusted))}',
            f'data-value="{pair.wins - pair.losses}">{balance_svg(pair)} <span class="soft">{pair.wins}/{pair.ties}/{pair.losses}</span>',
            f'><span class="pill {pair.verdict}">{pair.verdict}</span>',
        ]
    marked = ' class="baseline"' if system.name == baseline else ""
    return f"<tr{marked}>{''.join(map(_cell, _HEADS, _CELLS, cells))}</tr>"


def _cell(head: tuple[str, str], name: str, inside: str) -> str:
    kind = 'number" align="right' if head[1] == "number" else "word"
    return f'<td class="{name} {kind}" {inside}</td>'


def _places(system: SystemSummary) -> str:
    """The ranks it could have on other queries."""
    return f"({system.rank_low}–{system.rank_high})" if system.rank_low != system.rank_high else ""


class IntervalScale:
    """A common scale for the intervals of all systems, with a guide at the mean of the baseline."""

    def __init__(self, systems: Sequence[SystemSummary], guide: float | None, width: int = 140) -> None:
        ends = [end for system in systems for end in (system.low, system.mean, system.high) if math.isfinite(end)]
        self.low, self.high = min(ends, default=0.0), max(ends, default=1.0)
        self.guide, self.width = guide, width

    def at(self, value: float) -> float:
        return 6 + (value - self.low) * (self.width - 12) / ((self.high - self.low) or 1.0)

    def interval_svg(self, system: SystemSummary) -> str:
        """A dot for the mean on a line for its interval; the title holds the numbers."""
        if math.isnan(system.mean):
            return ""
        words = f"{system.mean:.4f}"
        line = ""
        if math.isfinite(system.low):
            words += f" [{system.low:.4f}, {system.high:.4f}]"
            line = f'<line class="bar" x1="{self.at(system.low):.1f}" y1="8" x2="{self.at(system.high):.1f}" y2="8" stroke="{UP}" stroke-width="2"/>'
        guide = "" if self.guide is None or math.isnan(self.guide) else self.at(self.guide)
        rule = (
            f'<line class="guide" x1="{guide:.1f}" y1="0" x2="{guide:.1f}" y2="16" stroke="{GUIDE}" stroke-dasharray="2 2"/>'
            if guide
            else ""
        )
        return (
            f'<svg class="interval" width="{self.width}" height="16" viewBox="0 0 {self.width} 16" role="img" aria-label="{words}"><title>{words}</title>'
            f'{rule}{line}<circle cx="{self.at(system.mean):.1f}" cy="8" r="4" fill="{UP}"/></svg>'
        )


def balance_svg(pair: Pair, width: int = 64) -> str:
    """Wins, ties and losses as one bar."""
    total = max(pair.wins + pair.ties + pair.losses, 1)
    up, even = width * pair.wins / total, width * pair.ties / total
    words = f"{pair.wins} wins, {pair.ties} ties, {pair.losses} losses"
    return (
        f'<svg class="balance" width="{width}" height="12" viewBox="0 0 {width} 12" preserveAspectRatio="none" role="img" aria-label="{words}"><title>{words}</title>'
        f'<rect class="up" x="0" y="0" width="{up:.1f}" height="12" fill="{UP}"/>'
        f'<rect class="even" x="{up:.1f}" y="0" width="{even:.1f}" height="12" fill="{EVEN}"/>'
        f'<rect class="down" x="{up + even:.1f}" y="0" width="{width - up - even:.1f}" height="12" fill="{DOWN}"/></svg>'
    )
