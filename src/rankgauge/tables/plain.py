"""Tables for a terminal, through rich: fitted to the width, in colour where the terminal has any."""

from __future__ import annotations

import io
import shutil
import sys

from rankgauge.tables.table import Table, spell, visible


def to_text(table: Table, decimals: int = 4, *, width: int | None = None, colour: bool = False) -> str:
    """Lines no longer than `width` (the terminal's, or 80); names too long for it are shortened, numbers never."""
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    wide = width or terminal_width()
    console = Console(
        file=io.StringIO(),
        width=wide,
        force_terminal=colour,
        no_color=not colour,
        highlight=False,
        legacy_windows=False,
    )
    grid = RichTable(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold", show_edge=False)
    for column in table.columns:
        grid.add_column(
            Text(visible(column.name)),
            justify="right" if column.is_number else "left",
            no_wrap=True,
            overflow="ellipsis",
            min_width=None if column.is_number else 4,
        )
    for at, row in enumerate(table.rows):
        cells = [Text(spell(cell, column, decimals)) for cell, column in zip(row, table.columns, strict=True)]
        grid.add_row(*cells, style="bold" if at in table.marked else None)
    if table.caption:
        console.print(Text(visible(table.caption)), style="bold")
    console.print(grid)
    for note in table.notes:
        console.print(Text(visible(note)), style="dim")
    text: str = console.file.getvalue()  # type: ignore[attr-defined]
    return "\n".join(line.rstrip() for line in text.splitlines())


def terminal_width() -> int:
    return shutil.get_terminal_size((80, 24)).columns if sys.stdout.isatty() else 80
