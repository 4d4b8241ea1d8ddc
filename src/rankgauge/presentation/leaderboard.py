"""The leaderboard of a report: every system with its interval, its difference to the baseline and a verdict."""

from __future__ import annotations

import html

from rankgauge.analysis.comparison.findings import MeasureComparison, Pair, SystemSummary
from rankgauge.analysis.comparison.wording import p_text
from rankgauge.presentation.page import text_html
from rankgauge.tables.table import shortened

WORDS = {"better": "better", "worse": "worse", "undecided": "undecided", "equivalent": "equivalent"}
_HEADS = (
    ("#", "number"),
    ("system", "name"),
    ("{measure}", "number"),
    ("{level} interval", "name"),
    ("Δ baseline", "number"),
    ("{level} interval of Δ", "name"),
    ("p ({correction})", "number"),
    ("win/tie/loss", "name"),
    ("verdict", "name"),
)


def leaderboard_html(found: MeasureComparison, baseline: str, correction: str, confidence: float) -> str:
    """Best mean first; the marks in the cells are SVG with attributes for colours, so they need no style."""
    words = {
        "measure": found.measure,
        "level": f"{confidence:.0%}",
        "correction": correction.capitalize() if correction != "none" else "raw",
    }
    heads = "".join(
        f'<th class="{kind}" align="{"right" if kind == "number" else "left"}">{html.escape(text.format(**words))}</th>'
        for text, kind in _HEADS
    )
    low = min(system.low for system in found.systems)
    high = max(system.high for system in found.systems)
    pairs = {pair.system: pair for pair in found.pairs if pair.baseline == baseline}
    ranked = sorted(found.systems, key=lambda system: (-system.mean, system.name))
    rows = "".join(
        _row(place, system, pairs.get(system.name), baseline, (low, high)) for place, system in enumerate(ranked, 1)
    )
    return f'<div class="scroll"><table class="sortable" cellpadding="4"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>'


def _row(place: int, system: SystemSummary, pair: Pair | None, baseline: str, span: tuple[float, float]) -> str:
    name = text_html(shortened(system.name, 120))
    cells = [
        f'<td class="number" align="right">{place}</td>',
        f'<td class="name">{name}</td>',
        f'<td class="number" align="right" data-value="{system.mean!r}">{system.mean:.4f}</td>',
        f'<td data-value="{system.mean!r}">{interval_svg(system, span)}</td>',
    ]
    if system.name == baseline:
        cells.append('<td></td><td></td><td></td><td></td><td><span class="pill baseline">baseline</span></td>')
    elif pair is None:
        cells.append("<td></td>" * 5)
    else:
        cells += [
            f'<td class="number" align="right" data-value="{pair.difference!r}">{pair.difference:+.4f}</td>',
            f'<td class="soft nowrap" data-value="{pair.low!r}">[{pair.low:+.3f}, {pair.high:+.3f}]</td>',
            f'<td class="number" align="right" data-value="{pair.p_adjusted!r}">{html.escape(p_text(pair.p_adjusted))}</td>',
            f'<td class="nowrap" data-value="{pair.wins - pair.losses}">{balance_svg(pair)} <span class="soft">{pair.wins}/{pair.ties}/{pair.losses}</span></td>',
            f'<td><span class="pill {pair.verdict}">{WORDS[pair.verdict]}</span></td>',
        ]
    kind = ' class="baseline"' if system.name == baseline else ""
    return f"<tr{kind}>{''.join(cells)}</tr>"


def interval_svg(system: SystemSummary, span: tuple[float, float], width: int = 150) -> str:
    """A dot for the mean on a line for its interval; the title tells the numbers."""
    low, high = span
    scale = (width - 12) / ((high - low) or 1.0)
    left, middle, right = (6 + (value - low) * scale for value in (system.low, system.mean, system.high))
    words = f"{system.mean:.4f} [{system.low:.4f}, {system.high:.4f}]"
    return (
        f'<svg class="interval" width="{width}" height="16" role="img" aria-label="{words}"><title>{words}</title>'
        f'<line x1="{left:.1f}" y1="8" x2="{right:.1f}" y2="8" stroke="#1b7ca8" stroke-width="2"/>'
        f'<circle cx="{middle:.1f}" cy="8" r="4.5" fill="#1b7ca8"/></svg>'
    )


def balance_svg(pair: Pair, width: int = 84) -> str:
    """Wins, ties and losses as one bar."""
    total = max(pair.wins + pair.ties + pair.losses, 1)
    up, even = width * pair.wins / total, width * pair.ties / total
    words = f"{pair.wins} wins, {pair.ties} ties, {pair.losses} losses"
    return (
        f'<svg class="balance" width="{width}" height="12" role="img" aria-label="{words}"><title>{words}</title>'
        f'<rect class="up" x="0" y="0" width="{up:.1f}" height="12" fill="#1b7ca8"/>'
        f'<rect class="even" x="{up:.1f}" y="0" width="{even:.1f}" height="12" fill="#c8ced6"/>'
        f'<rect class="down" x="{up + even:.1f}" y="0" width="{width - up - even:.1f}" height="12" fill="#c2560c"/></svg>'
    )
