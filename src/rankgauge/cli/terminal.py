"""A comparison on a terminal: the answer, what may spoil it, a table as wide as the screen, and what to do next."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rankgauge.tables.notes import LOUD
from rankgauge.tables.table import Column, Table, to_text, wrapped

if TYPE_CHECKING:
    from rankgauge.results import Comparison

# From this width on there is room for a drawing of each interval.
WIDE = 120
DRAWN, MOST_DRAWN = 31, 71
SECONDARY = {"rank", "low", "high", "w/t/l"}


def terminal_text(
    comparison: Comparison, decimals: int | None, *, width: int, color: bool, every_note: bool, quiet: bool
) -> str:
    """Loud notes come before the numbers that they are about; the others are counted unless asked for."""
    from rich.cells import cell_len

    method, *notes = comparison.remarks()
    loud, rest = ([line for line in notes if line.startswith(LOUD) == is_loud] for is_loud in (True, False))
    parts = [_styled(wrapped(comparison.summary, width), "1", color=color)]
    if loud and not quiet:
        parts.append("\n".join(_styled(wrapped(f"! {line}", width), "1;33", color=color) for line in loud))
    for table in comparison.measure_tables():
        shown = replace(table, notes=(), legend=(), columns=tuple(map(_secondary, table.columns)))
        if width >= WIDE:
            taken = max(map(cell_len, to_text(shown, decimals, width=10**6).splitlines()))
            shown = with_intervals(shown, max(DRAWN, min(MOST_DRAWN, width - taken - shown.gap)))
        parts.append(to_text(shown, decimals, width=width, color=color))
    parts.append(_styled(wrapped(f"Next: {comparison.next_step}", width), "1", color=color))
    if ", the first run; " in method:
        method += " Name another baseline with --baseline, or ask who leads with --all-pairs."
    below = [method] if quiet else [method, *(rest if every_note else _counted(rest))]
    parts.append("\n".join(_styled(wrapped(line, width), "2", color=color) for line in below))
    return "\n\n".join(parts)


def _counted(notes: Sequence[str]) -> list[str]:
    if not notes:
        return []
    return [
        f"{len(notes)} {'note' if len(notes) == 1 else 'notes'}: add --notes to read {'it' if len(notes) == 1 else 'them'}."
    ]


def with_intervals(table: Table, wide: int = DRAWN) -> Table:
    """The table with a drawing of each interval, on one scale with 0, before the verdict."""
    names = [column.name for column in table.columns]
    if not {"diff.", "low", "high"} <= set(names):
        return table
    places = [names.index(name) for name in ("diff.", "low", "high")]
    spans = [[_number(row[at]) for at in places] for row in table.rows]
    known = [end for span in spans for end in span if math.isfinite(end)]
    if not known:
        return table
    low, high = min([*known, 0.0]), max([*known, 0.0])
    # Before the verdict, which ends the row.
    at = next(at for at, column in enumerate(table.columns) if column.is_verdict)
    drawings = [interval_drawing(span, low, high, wide) for span in spans]
    column = Column(_scale(low, high, wide), is_drawing=True)
    rows = tuple((*row[:at], drawing, *row[at:]) for row, drawing in zip(table.rows, drawings, strict=True))
    return replace(table, columns=(*table.columns[:at], column, *table.columns[at:]), rows=rows)


def interval_drawing(span: Sequence[float], least: float, most: float, wide: int = DRAWN) -> str:
    """├──●──┤ with │ at 0, for the middle and the ends; blank where there is no interval."""
    middle, low, high = span
    if not all(map(math.isfinite, (middle, low, high))):
        return ""

    def place(value: float) -> int:
        return round((wide - 1) * (value - least) / ((most - least) or 1.0))

    cells = [" "] * wide
    cells[place(0.0)] = "│"
    for at in range(place(low), place(high) + 1):
        cells[at] = "─"
    cells[place(low)], cells[place(high)], cells[place(middle)] = "├", "┤", "●"
    return "".join(cells)


def _scale(low: float, high: float, wide: int) -> str:
    """The ends, with the decimals that tell them apart, and 0 where there is room for it."""
    decimals = max(0, 1 - math.floor(math.log10((high - low) or 1.0)))
    left, right = (f"{end:+.{decimals}f}" if end else "0" for end in (low, high))
    zero = round((wide - 1) * -low / ((high - low) or 1.0))
    cells = list(left.ljust(wide - len(right)) + right)
    if len(left) < zero < wide - len(right) - 1:
        cells[zero] = "0"
    return "".join(cells)


def _secondary(column: Column) -> Column:
    return replace(column, is_secondary=column.name in SECONDARY)


def _number(cell: object) -> float:
    return float(cell) if isinstance(cell, (int, float)) else math.nan


def _styled(text: str, code: str, *, color: bool) -> str:
    """Line by line, so that a pager may cut between them."""
    return "\n".join(f"\x1b[{code}m{line}\x1b[0m" for line in text.split("\n")) if color else text
