"""Tables as Markdown, LaTeX, HTML and CSV. Users' text is untrusted: each form escapes what it would obey."""

from __future__ import annotations

import csv
import html
import io
import itertools
import re
from dataclasses import replace

from rankgauge.tables.notes import clip, some
from rankgauge.tables.table import Cell, Column, Estimate, Marked, Table, spell, visible

_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "−": "$-$",
    "±": r"$\pm$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "Δ": r"$\Delta$",
    "Φ": r"$\Phi$",
    "ρ": r"$\rho$",
    "²": r"\textsuperscript{2}",
    "τ": r"$\tau$",
    "×": r"$\times$",
    "∞": r"$\infty$",
    "…": r"\dots{}",
    "–": "--",
    "↑": r"\textsuperscript{$\uparrow$}",
    "↓": r"\textsuperscript{$\downarrow$}",
    "≈": r"$\approx$",
}
# A hyphen before a digit, but not between two, is a minus; between two it is a range.
_NOT_SET = re.compile("[^\0-\u017e\u2010-\u2026\u2030\u2039\u203a\u20ac\u2122]")
"""Characters that pdfLaTeX refuses, once those with a command of their own are replaced."""
_MINUS = re.compile(r"(?<![\w.}])-(?=\d)")
_RANGE = re.compile(r"(?<=\d)-(?=\d)")
_LABEL = re.compile(r"[^\w:.-]", re.ASCII)
# Round brackets do nothing once square ones are escaped; a plus does at the start of a line only.
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#!|~&$]|^\+)")
# Wide forms begin a formula where East Asian spreadsheets read them.
_FORMULA = ("=", "+", "-", "@", "\t", "\n", "＝", "＋", "－", "＠")
# The look of the report, in colours that are seen on white and on dark pages.
_RULE = "border-bottom:1px solid rgba(128,128,128,.35)"
_CELL = f"padding:.2em .6em;{_RULE};font-variant-numeric:tabular-nums"
_SOFT = "opacity:.75;font-size:.9em"
_MARKED_ROW = ' style="background:rgba(27,124,168,.12)"'
_TONES = {"better": "#1b7ca8", "worse": "#c2560c"}


def escape_markdown(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", visible(text))


def escape_latex(text: str) -> str:
    """Two hyphens stay two, one before a number is a minus; a bracket or star at the start is kept from the command before it."""
    shown = visible(text)
    escaped = "".join(
        "{}-" if pair == ("-", "-") else _LATEX.get(pair[1], pair[1]) for pair in itertools.pairwise(" " + shown)
    )
    escaped = _MINUS.sub("$-$", escaped)
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


def to_markdown(table: Table, decimals: int | None = None) -> str:
    places = table.places(decimals)
    heads = [escape_markdown(column.name) for column in table.columns]
    lines = [
        "| " + " | ".join(heads) + " |",
        "|" + "|".join("---:" if c.is_number else "---" for c in table.columns) + "|",
    ]
    for at, row in enumerate(table.rows):
        cells = []
        for place, (cell, column) in enumerate(zip(row, table.columns, strict=True)):
            text, mark = _apart(cell, column, places)
            text = escape_markdown(text) if isinstance(cell, str | Estimate) else text
            is_bold = text and (at in table.marked or (at, place) in table.bold)
            cells.append((f"**{text}**" if is_bold else text) + mark)
        lines.append("| " + " | ".join(cells) + " |")
    head = [f"**{escape_markdown(table.caption)}**", ""] if table.caption else []
    notes = ["", *(f"- {escape_markdown(note)}" for note in table.below)] if table.below else []
    return "\n".join([*head, *lines, *notes]) + "\n"


def to_latex(table: Table, decimals: int | None = None) -> str:
    places, marks = table.places(decimals), table.marks
    align = "".join("r" if column.is_number else "l" for column in table.columns)
    lines = [r"% needs \usepackage{booktabs}", *_other_scripts(table)]
    lines += [f"% {visible(note)}" for note in table.notes] if table.folded else []
    lines += [r"\begin{table}", r"\centering"]
    if table.caption:
        lines.append(rf"\caption{{{escape_latex(table.caption)}}}")
    if table.label:
        lines.append(rf"\label{{{_LABEL.sub('-', table.label)}}}")
    lines += [
        rf"\begin{{tabular}}{{{align}}}",
        r"\toprule",
        " & ".join(escape_latex(c.name) for c in table.columns) + r" \\",
        r"\midrule",
    ]
    for at, row in enumerate(table.rows):
        cells = []
        for place, (cell, column) in enumerate(zip(row, table.columns, strict=True)):
            text, mark = _apart(cell, column, places)
            text = escape_latex(text)
            if column.is_number:
                text = _RANGE.sub("--", text)
            is_bold = text and (at in table.marked or (at, place) in table.bold)
            space = r"\hphantom{\textsuperscript{$\uparrow$}}" if place in marks and not mark else escape_latex(mark)
            cells.append((rf"\textbf{{{text}}}" if is_bold else text) + space)
        lines.append(" & ".join(cells) + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}"]
    below = table.legend if table.folded else table.below
    if below:
        lines += ["", r"\smallskip", r"\footnotesize", *(escape_latex(note) + r"\par" for note in below)]
    return "\n".join([*lines, r"\end{table}"]) + "\n"


def _other_scripts(table: Table) -> list[str]:
    """A comment on names in scripts that pdfLaTeX does not set: Chinese, Japanese, Greek, emoji and others."""
    texts = [table.caption, *(column.name for column in table.columns), *(cell for row in table.rows for cell in row)]
    found = dict.fromkeys(text for text in texts if isinstance(text, str) and _NOT_SET.search(escape_latex(text)))
    names = some([clip(text) for text in found])
    return [f"% needs XeLaTeX or LuaLaTeX, with a font that has these characters: {names}"] if found else []


def _apart(cell: Cell, column: Column, places: int) -> tuple[str, str]:
    """A cell as text, and its mark, which stays light where the number is bold."""
    return (
        (spell(cell.value, column, places), cell.mark)
        if isinstance(cell, Marked)
        else (spell(cell, column, places), "")
    )


def to_html(table: Table, decimals: int | None = None) -> str:
    """A fragment for notebooks, in the look of the report; what is essential needs no style."""
    places = table.places(decimals)
    align = ["right" if column.is_number else "left" for column in table.columns]
    heads = "".join(
        f'<th align="{a}" style="text-align:{a};{_CELL}">{html.escape(c.name)}</th>'
        for a, c in zip(align, table.columns, strict=True)
    )
    body = []
    for at, row in enumerate(table.rows):
        cells = "".join(
            f'<td align="{a}" style="text-align:{a};{_CELL}">{_html_cell(cell, column, places, bold=at in table.marked or (at, n) in table.bold)}</td>'
            for n, (a, cell, column) in enumerate(zip(align, row, table.columns, strict=True))
        )
        body.append(f"<tr{_MARKED_ROW if at in table.marked else ''}>{cells}</tr>")
    caption = (
        f'<caption align="top" style="text-align:left;padding:.3em 0">{html.escape(visible(table.caption))}</caption>'
    )
    notes = "".join(f'<div style="{_SOFT}"><small>{html.escape(visible(note))}</small></div>' for note in table.below)
    return (
        f'<div class="rankgauge"><table style="border-collapse:collapse">{caption if table.caption else ""}'
        f"<thead><tr>{heads}</tr></thead><tbody>{''.join(body)}</tbody></table>{notes}</div>"
    )


def _html_cell(cell: Cell, column: Column, places: int, *, bold: bool) -> str:
    text = f"<bdi>{html.escape(spell(cell, column, places))}</bdi>"
    if column.is_verdict and isinstance(cell, str) and cell in _TONES:
        text = f'<font color="{_TONES[cell]}"><b>{text}</b></font>'
    return f"<b>{text}</b>" if bold else text


def to_csv(table: Table, decimals: int | None = None) -> str:
    """Comma-separated rows under a heading; full precision unless decimals are asked for.

    A column of estimates becomes three: the number, and the ends of its interval. Marks have a column of their own.
    """
    table = _taken_apart(table)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([escape_csv(column.name) for column in table.columns])
    for row in table.rows:
        cells: list[object] = []
        for given in row:
            cell = given.value if isinstance(given, Marked) else given
            if isinstance(cell, str):
                cells.append(escape_csv(cell))
            elif isinstance(cell, float):
                cells.append("" if cell != cell else repr(cell) if decimals is None else f"{cell:.{decimals}f}")  # noqa: PLR0124 - nan
            else:
                cells.append("" if cell is None else cell)
        writer.writerow(cells)
    return out.getvalue()


def _taken_apart(table: Table) -> Table:
    """The same table with three plain columns for each column of estimates, and two for one with marks."""
    columns: list[Column] = []
    parts: list[tuple[Cell, ...]] = []
    contents = zip(*table.rows, strict=True) if table.rows else [()] * len(table.columns)
    for at, (column, cells) in enumerate(zip(table.columns, contents, strict=True)):
        columns.append(column)
        parts.append(tuple(cell.value if isinstance(cell, Estimate) else cell for cell in cells))
        if any(isinstance(cell, Estimate) for cell in cells):
            columns += [replace(column, name=f"{column.name} {end}") for end in ("low", "high")]
            parts.append(tuple(cell.low if isinstance(cell, Estimate) else None for cell in cells))
            parts.append(tuple(cell.high if isinstance(cell, Estimate) else None for cell in cells))
        if at in table.marks:
            columns.append(Column(f"{column.name} mark"))
            parts.append(tuple(cell.mark if isinstance(cell, Marked) else None for cell in cells))
    return replace(table, columns=tuple(columns), rows=tuple(zip(*parts, strict=True))) if table.rows else table
