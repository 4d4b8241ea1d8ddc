"""Tables as text for a terminal, Markdown, LaTeX, HTML and CSV. Users' text is untrusted: each form escapes what it would obey.

In a terminal rich measures the cells (wide and combining characters). Its own table shortens every column when space is
short; here only names give way, because a shortened number is a wrong number.
"""

from __future__ import annotations

import csv
import html
import io
import itertools
import re
import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace

from rankgauge.tables.notes import clip, some
from rankgauge.tables.table import BOLD, Cell, Column, Estimate, Marked, Table, spell, visible

_LATEX = {
    **{character: "\\" + character for character in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "…": r"\dots{}",
    "–": "--",
    "−": "$-$",
    "±": r"$\pm$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "≈": r"$\approx$",
    "×": r"$\times$",
    "∞": r"$\infty$",
    "Δ": r"$\Delta$",
    "Φ": r"$\Phi$",
    "ρ": r"$\rho$",
    "τ": r"$\tau$",
    "²": r"\textsuperscript{2}",
    "↑": r"\textsuperscript{$\uparrow$}",
    "↓": r"\textsuperscript{$\downarrow$}",
}
_NOT_SET = "[^\0-\u017e\u2010-\u2026\u2030\u2039\u203a\u20ac\u2122]"
"""Characters that pdfLaTeX refuses, once those with a command of their own are replaced."""
# Wide forms begin a formula where East Asian spreadsheets read them.
_FORMULA = ("=", "+", "-", "@", "\t", "\n", "＝", "＋", "－", "＠")
# The look of the report, in colours that are seen on white and on dark pages.
_CELL = "padding:.2em .6em;border-bottom:1px solid rgba(128,128,128,.35);font-variant-numeric:tabular-nums"
_MARKED_ROW = ' style="background:rgba(27,124,168,.12)"'
_TONES = {"better": "#1b7ca8", "worse": "#c2560c"}
# Blue and yellow-brown in a terminal, as on the page: not told apart by green and red.
_VERDICTS = {"better": "1;34", "worse": "33", "equivalent": "36"}
_LEAST, _LONG_HEAD = 6, 12


def escape_markdown(text: str) -> str:
    """Round brackets do nothing once square ones are escaped; a plus does at the start of a line only."""
    return re.sub(r"([\\`*_{}\[\]<>#!|~&$]|^\+)", r"\\\1", visible(text))


def escape_latex(text: str) -> str:
    """Two hyphens stay two, one before a number is a minus; a bracket or star at the start is kept from the command before it."""
    pairs = itertools.pairwise(" " + visible(text))
    escaped = "".join("{}-" if pair == ("-", "-") else _LATEX.get(pair[1], pair[1]) for pair in pairs)
    escaped = re.sub(r"(?<![\w.}])-(?=\d)", "$-$", escaped)
    return "{}" + escaped if escaped.startswith(("[", "*")) else escaped


def escape_csv(text: str) -> str:
    """A leading quote keeps a spreadsheet from running the cell as a formula; numbers stay numbers."""
    # csv quotes no carriage return, and it would end the row.
    text = text.replace("\r", "\n")
    if not text.startswith(_FORMULA):
        return text
    try:
        float(text)
    except ValueError:
        return "'" + text
    return text


def _spelled(table: Table, decimals: int | None) -> Iterator[list[tuple[Cell, Column, str, str, bool]]]:
    """The rows, each cell with its column, its text, its mark, which stays light beside a bold number, and if it is bold."""
    places = table.decimals if decimals is None else decimals
    for at, row in enumerate(table.rows):
        cells = []
        for place, (cell, column) in enumerate(zip(row, table.columns, strict=True)):
            bare, mark = (cell.value, cell.mark) if isinstance(cell, Marked) else (cell, "")
            is_bold = at in table.marked or (at, place) in table.bold
            cells.append((cell, column, spell(bare, column, places), mark, is_bold))
        yield cells


def to_markdown(table: Table, decimals: int | None = None) -> str:
    lines = [f"**{escape_markdown(table.caption)}**", ""] if table.caption else []
    lines.append("| " + " | ".join(escape_markdown(column.name) for column in table.columns) + " |")
    lines.append("|" + "|".join("---:" if column.is_number else "---" for column in table.columns) + "|")
    for row in _spelled(table, decimals):
        cells = []
        for cell, _, spelled, mark, is_bold in row:
            text = escape_markdown(spelled) if isinstance(cell, str | Estimate) else spelled
            cells.append((f"**{text}**" if text and is_bold else text) + mark)
        lines.append("| " + " | ".join(cells) + " |")
    notes = ["", *(f"- {escape_markdown(note)}" for note in table.below)] if table.below else []
    return "\n".join([*lines, *notes]) + "\n"


def to_latex(table: Table, decimals: int | None = None) -> str:
    marks = table.marks
    align = "".join("r" if column.is_number else "l" for column in table.columns)
    lines = [r"% needs \usepackage{booktabs}"]
    texts = [table.caption, *(column.name for column in table.columns), *itertools.chain.from_iterable(table.rows)]
    strange = [text for text in texts if isinstance(text, str) and re.search(_NOT_SET, escape_latex(text))]
    if strange:  # Chinese, Japanese, Greek, emoji and others
        names = some([clip(text) for text in dict.fromkeys(strange)])
        lines.append(f"% needs XeLaTeX or LuaLaTeX, with a font that has these characters: {names}")
    lines += [f"% {visible(note)}" for note in table.notes] if table.folded else []
    lines += [r"\begin{table}", r"\centering"]
    if table.caption:
        lines.append(rf"\caption{{{escape_latex(table.caption)}}}")
    if table.label:
        label = re.sub(r"[^\w:.-]", "-", table.label, flags=re.ASCII)
        lines.append(rf"\label{{{label}}}")
    heads = " & ".join(escape_latex(column.name) for column in table.columns)
    lines += [rf"\begin{{tabular}}{{{align}}}", r"\toprule", heads + r" \\", r"\midrule"]
    for row in _spelled(table, decimals):
        cells = []
        for place, (_, column, spelled, mark, is_bold) in enumerate(row):
            text = escape_latex(spelled)
            if column.is_number:  # a hyphen between two digits is a range
                text = re.sub(r"(?<=\d)-(?=\d)", "--", text)
            space = r"\hphantom{\textsuperscript{$\uparrow$}}" if place in marks and not mark else escape_latex(mark)
            cells.append((rf"\textbf{{{text}}}" if text and is_bold else text) + space)
        lines.append(" & ".join(cells) + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}"]
    below = table.legend if table.folded else table.below
    if below:
        lines += ["", r"\smallskip", r"\footnotesize", *(escape_latex(note) + r"\par" for note in below)]
    return "\n".join([*lines, r"\end{table}"]) + "\n"


def to_html(table: Table, decimals: int | None = None) -> str:
    """A fragment for notebooks, in the look of the report; what is essential needs no style."""

    def placed(tag: str, column: Column, content: str) -> str:
        side = "right" if column.is_number else "left"
        return f'<{tag} align="{side}" style="text-align:{side};{_CELL}">{content}</{tag}>'

    heads = "".join(placed("th", column, html.escape(column.name)) for column in table.columns)
    body = []
    for at, row in enumerate(_spelled(table, decimals)):
        cells = []
        for cell, column, spelled, mark, is_bold in row:
            text = f"<bdi>{html.escape(spelled + mark)}</bdi>"
            if column.is_verdict and cell in _TONES:
                text = f'<font color="{_TONES[spelled]}"><b>{text}</b></font>'
            cells.append(placed("td", column, f"<b>{text}</b>" if is_bold else text))
        body.append(f"<tr{_MARKED_ROW if at in table.marked else ''}>{''.join(cells)}</tr>")
    caption = html.escape(visible(table.caption))
    top = f'<caption align="top" style="text-align:left;padding:.3em 0">{caption}</caption>' if caption else ""
    notes = "".join(
        f'<div style="opacity:.75;font-size:.9em"><small>{html.escape(visible(note))}</small></div>'
        for note in table.below
    )
    return (
        f'<div class="rankgauge"><table style="border-collapse:collapse">{top}'
        f"<thead><tr>{heads}</tr></thead><tbody>{''.join(body)}</tbody></table>{notes}</div>"
    )


def to_csv(table: Table, decimals: int | None = None) -> str:
    """Comma-separated rows under a heading; full precision unless decimals are asked for.

    A column of estimates becomes three: the number, and the ends of its interval. Marks have a column of their own.
    """

    def written(cell: object) -> object:
        if isinstance(cell, float):
            return "" if cell != cell else repr(cell) if decimals is None else f"{cell:.{decimals}f}"  # noqa: PLR0124 - nan
        return escape_csv(cell) if isinstance(cell, str) else cell  # None is written as nothing

    columns = []
    for at, column in enumerate(table.columns):
        cells = [row[at] for row in table.rows]
        parts = {"": [cell.value if isinstance(cell, Estimate | Marked) else cell for cell in cells]}
        if any(isinstance(cell, Estimate) for cell in cells):
            parts[" low"] = [cell.low if isinstance(cell, Estimate) else None for cell in cells]
            parts[" high"] = [cell.high if isinstance(cell, Estimate) else None for cell in cells]
        if at in table.marks:
            parts[" mark"] = [cell.mark if isinstance(cell, Marked) else None for cell in cells]
        columns += [[column.name + what, *part] for what, part in parts.items()]
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(
        [written(cell) for cell in row] for row in zip(*columns, strict=True)
    )
    return out.getvalue()


def to_text(table: Table, decimals: int | None = None, *, width: int | None = None, color: bool = False) -> str:
    """Lines no longer than `width` (the terminal's, or 80) unless the numbers alone need more."""
    from rich.cells import cell_len

    def styled(line: str, code: str) -> str:
        return f"\x1b[{code}m{line}\x1b[0m" if color and code and line else line

    def joined(cells: Sequence[str], codes: Sequence[str]) -> str:
        parts = []
        for cell, code, room, column in zip(cells, codes, widths, table.columns, strict=True):
            blank = " " * (room - cell_len(cell))
            parts.append(styled(blank + cell if column.is_number else cell + blank, code))
        return (" " * table.gap).join(parts).rstrip()

    wide, marks, plain = width or terminal_width(), table.marks, [""] * len(table.columns)
    spelled = list(_spelled(table, decimals))
    contents = [
        [
            visible(column.name),
            *(
                row[at][2] + (row[at][3] or " " * (at in marks and not isinstance(row[at][0], Marked)))
                for row in spelled
            ),
        ]
        for at, column in enumerate(table.columns)
    ]
    widths = _fitted([max(map(cell_len, content)) for content in contents], table, wide)
    heads = [_cut(content[:1], room)[0] for content, room in zip(contents, widths, strict=True)]
    cut = [_cut(content[1:], room) for content, room in zip(contents, widths, strict=True)]
    lines = [styled(part, "1") for part in _wrap(table.caption, wide)]
    lines.append(styled(joined(heads, plain), "1"))
    for at, (cells, row) in enumerate(zip(zip(*cut, strict=True), spelled, strict=True)):
        if at in table.marked:
            lines.append(styled(joined(cells, plain), "1"))
            continue
        codes = []
        for cell, (_, column, _, _, is_bold) in zip(cells, row, strict=True):
            tone = _VERDICTS.get(cell, "") if column.is_verdict else "2" if column.is_secondary else ""
            codes.append("1" if is_bold else tone)
        lines.append(joined(cells, codes))
    for note in table.below:
        if note != BOLD or color:
            lines += [styled(part, "2") for part in _wrap(note, wide, indent="  ", unbroken=False)]
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


def terminal_width() -> int:
    if not sys.stdout.isatty():
        return 80
    import shutil  # brings four packers with it

    return shutil.get_terminal_size((80, 24)).columns
