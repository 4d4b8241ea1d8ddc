"""Tables for a terminal: fitted to its width, in color where it has any.

rich measures the cells (wide and combining characters). Its own table shortens every column when space is short; here
only names give way, because a shortened number is a wrong number.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Sequence
from dataclasses import replace

from rankgauge.tables.table import BOLD, Marked, Table, spell, visible

_LEAST, _LONG_HEAD = 6, 12
# Blue and yellow-brown, as on the page: not told apart by green and red.
_VERDICTS = {"better": "1;34", "worse": "33", "equivalent": "36"}


def to_text(table: Table, decimals: int | None = None, *, width: int | None = None, color: bool = False) -> str:
    """Lines no longer than `width` (the terminal's, or 80) unless the numbers alone need more."""
    from rich.cells import cell_len

    wide = width or terminal_width()
    heads = [visible(column.name) for column in table.columns]
    places, marks = table.places(decimals), table.marks
    rows = [
        [
            spell(cell, column, places) + " " * (at in marks and not isinstance(cell, Marked))
            for at, (cell, column) in enumerate(zip(row, table.columns, strict=True))
        ]
        for row in table.rows
    ]
    needed = [max(map(cell_len, column)) for column in zip(heads, *rows, strict=True)]
    widths = _fitted(needed, table, wide)
    columns = [_cut([row[at] for row in rows], width) for at, width in enumerate(widths)]
    rows = [list(row) for row in zip(*columns, strict=True)]
    lines = [_style(part, "1", color) for part in _wrap(table.caption, wide)]
    heads = [_cut([head], width)[0] for head, width in zip(heads, widths, strict=True)]
    lines.append(_style(_line(heads, widths, table), "1", color))
    for at, row in enumerate(rows):
        bold = frozenset(place for line, place in table.bold if line == at)
        if color and at not in table.marked:
            lines.append(_colored(row, widths, table, bold))
        else:
            lines.append(_style(_line(row, widths, table), "1", color))
    for note in table.below:
        if note == BOLD and not color:
            continue
        lines += [_style(part, "2", color) for part in _wrap(note, wide, indent="  ", unbroken=False)]
    return "\n".join(lines)


def page_text(
    sentence: str,
    tables: Sequence[Table],
    notes: Sequence[str] = (),
    decimals: int | None = None,
    *,
    width: int | None = None,
) -> str:
    """A sentence, tables and notes below each other, with blank lines between."""
    bodies = [to_text(replace(table, legend=(), notes=()), decimals, width=width) for table in tables]
    foot = ["\n".join(wrapped(note, width) for note in notes)] if notes else []
    return "\n\n".join([wrapped(sentence, width), *bodies, *foot])


def wrapped(text: str, width: int | None = None) -> str:
    """Text in lines that fit the terminal, without control characters."""
    return "\n".join(_wrap(text, width or terminal_width()))


def _wrap(text: str, wide: int, *, indent: str = "", unbroken: bool = True) -> list[str]:
    """Lines of at most `wide` columns; `unbroken` keeps long words and hyphenated ones whole."""
    from rich.cells import cell_len

    # textwrap counts characters: one that is two columns wide takes a filler along, which `visible` has made free.
    filled = "".join(character + "\0" * (cell_len(character) - 1) for character in visible(text))
    lines = textwrap.wrap(
        filled, wide, subsequent_indent=indent, break_long_words=not unbroken, break_on_hyphens=not unbroken
    )
    return [line.replace("\0", "") for line in lines]


def _fitted(needed: list[int], table: Table, wide: int) -> list[int]:
    """Names give way, the longest first, until the line fits or none is left to shorten."""
    from rich.cells import cell_len

    widths = list(needed)
    # A head is what a reader looks for: it is cut only where it is long itself.
    least = [max(_LEAST, min(cell_len(visible(column.name)), _LONG_HEAD)) for column in table.columns]
    names = [
        at
        for at, column in enumerate(table.columns)
        if not (column.is_number or column.is_verdict or column.is_drawing)
    ]
    while sum(widths) + table.gap * (len(widths) - 1) > wide:
        longer = [at for at in names if widths[at] > least[at]]
        if not longer:
            break
        widths[max(longer, key=widths.__getitem__)] -= 1
    return widths


def _line(cells: list[str], widths: list[int], table: Table) -> str:
    return (" " * table.gap).join(_padded(cells, widths, table)).rstrip()


def _colored(cells: list[str], widths: list[int], table: Table, bold: frozenset[int]) -> str:
    """The same with verdicts in their colors, the best in bold and secondary cells dim."""
    parts = []
    for at, padded in enumerate(_padded(cells, widths, table)):
        column = table.columns[at]
        code = _VERDICTS.get(cells[at], "") if column.is_verdict else "2" if column.is_secondary else ""
        code = "1" if at in bold else code
        parts.append(_style(padded, code, color=True))
    return (" " * table.gap).join(parts).rstrip()


def _cut(cells: list[str], width: int) -> list[str]:
    """Names as wide as their column. The end of a name stays in sight, because measures differ in their cutoffs and
    systems in their numbers; more of it where names would look the same.
    """
    from rich.cells import cell_len, set_cell_size

    def cut(cell: str, tail: int) -> str:
        if cell_len(cell) <= width:
            return cell
        end = cell[-tail:] if tail else ""
        return set_cell_size(cell, width - 1 - cell_len(end)) + "…" + end

    if all(cell_len(cell) <= width for cell in cells):
        return cells
    found = [[cut(cell, tail) for cell in cells] for tail in (width // 3, width // 2, 2 * width // 3)]
    return next((one for one in found if len(set(one)) == len(set(cells))), found[0])


def _padded(cells: list[str], widths: list[int], table: Table) -> list[str]:
    from rich.cells import cell_len

    parts = []
    for cell, width, column in zip(cells, widths, table.columns, strict=True):
        blank = " " * (width - cell_len(cell))
        parts.append(blank + cell if column.is_number else cell + blank)
    return parts


def _style(line: str, code: str, color: bool) -> str:  # noqa: FBT001 - a private function
    return f"\x1b[{code}m{line}\x1b[0m" if color and code and line else line


def terminal_width() -> int:
    if not sys.stdout.isatty():
        return 80
    import shutil  # brings four packers with it

    return shutil.get_terminal_size((80, 24)).columns
