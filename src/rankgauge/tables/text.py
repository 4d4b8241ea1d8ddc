"""Tables for a terminal: fitted to its width, in colour where it has any.

rich measures the cells (wide and combining characters) and colours them. Its own table shortens every column when
space is short; here only names give way, because a shortened number is a wrong number.
"""

from __future__ import annotations

import sys
import textwrap

from rankgauge.tables.table import Table, spell, visible

_GAP = 2
_LEAST = 6


def to_text(table: Table, decimals: int | None = None, *, width: int | None = None, colour: bool = False) -> str:
    """Lines no longer than `width` (the terminal's, or 80) unless the numbers alone need more."""
    from rich.cells import cell_len

    wide = width or terminal_width()
    heads = [visible(column.name) for column in table.columns]
    places = table.places(decimals)
    rows = [
        [spell(cell, column, places) for cell, column in zip(row, table.columns, strict=True)] for row in table.rows
    ]
    needed = [max(map(cell_len, column)) for column in zip(heads, *rows, strict=True)]
    widths = _fitted(needed, [column.is_number for column in table.columns], wide)
    caption = textwrap.wrap(visible(table.caption), wide, break_long_words=False, break_on_hyphens=False)
    lines = [_style(part, "1", colour) for part in caption]
    lines.append(_style(_line(heads, widths, table), "1", colour))
    for at, row in enumerate(rows):
        lines.append(_style(_line(row, widths, table), "1" if at in table.marked else "", colour))
    for note in table.notes:
        lines += [_style(part, "2", colour) for part in textwrap.wrap(visible(note), wide, subsequent_indent="  ")]
    return "\n".join(lines)


def _fitted(needed: list[int], is_number: list[bool], wide: int) -> list[int]:
    """Names give way, the longest first, until the line fits or none is left to shorten."""
    widths = list(needed)
    names = [at for at, number in enumerate(is_number) if not number]
    while names and sum(widths) + _GAP * (len(widths) - 1) > wide:
        longest = max(names, key=widths.__getitem__)
        if widths[longest] <= _LEAST:
            break
        widths[longest] -= 1
    return widths


def _line(cells: list[str], widths: list[int], table: Table) -> str:
    from rich.cells import cell_len, set_cell_size

    parts = []
    for cell, width, column in zip(cells, widths, table.columns, strict=True):
        size = cell_len(cell)
        # The end of a name stays in sight: measures differ in their cutoffs, systems in their numbers.
        end = cell[-(width // 3) :] if size > width else ""
        shown = cell if size <= width else set_cell_size(cell, width - 1 - cell_len(end)) + "…" + end
        blank = " " * (width - cell_len(shown))
        parts.append(blank + shown if column.is_number else shown + blank)
    return (" " * _GAP).join(parts).rstrip()


def _style(line: str, code: str, colour: bool) -> str:  # noqa: FBT001 - a private helper
    return f"\x1b[{code}m{line}\x1b[0m" if colour and code and line else line


def terminal_width() -> int:
    if not sys.stdout.isatty():
        return 80
    import shutil  # brings four packers with it

    return shutil.get_terminal_size((80, 24)).columns
