"""Tables of cells and notes, and their texts for a terminal, Markdown, LaTeX, HTML and CSV.

Users' text is untrusted: each form escapes what it would obey. In a terminal rich measures the cells (wide and combining
characters). Its own table shortens every column when space is short; here only names give way, because a shortened
number is a wrong number.
"""

from __future__ import annotations

import itertools
import math
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rankgauge.tables import Plain
from rankgauge.tables.notes import clip, some, visible

BOLD = "bold: the best of each column"
"""A legend for where bold can be seen."""


@dataclass(frozen=True)
class Estimate(Plain):
    """A number with its interval; counts are whole numbers, or inf where no number is enough."""

    value: float
    low: float
    high: float

    def __float__(self) -> float:
        return float(self.value)

    def spell(self, decimals: int) -> str:
        """As in '0.823 [0.658, 0.937]'. Whole numbers have no thousands comma: it would pass for the one between."""

        def spelled(number: float) -> str:
            if math.isfinite(number):
                return str(number) if isinstance(number, int) else fixed(number, decimals)
            return "undefined" if math.isnan(number) else "∞" if number > 0 else "−∞"

        is_known = not (math.isnan(self.low) and math.isnan(self.high))
        around = f"{spelled(self.low)}, {spelled(self.high)}" if is_known else "undefined"
        return f"{spelled(self.value)} [{around}]"

    def __str__(self) -> str:
        return self.spell(3)


@dataclass(frozen=True)
class Marked:
    """One cell of a table: the number alone where other programs read it."""

    value: float
    mark: str


Cell = str | float | Estimate | Marked | None


@dataclass(frozen=True)
class Column:
    """A heading; numbers are right-aligned and rounded to `decimals` (None: the reader's choice)."""

    name: str
    is_number: bool = False
    decimals: int | None = None
    signed: bool = False
    is_p: bool = False
    """Whether what is below the last digit shown is written like <0.0001: a p-value is never 0."""
    is_verdict: bool = False
    """Whether its words (better, worse, …) may be colored; they are never shortened."""
    is_drawing: bool = False
    """Whether its cells are drawn with letters, and so never shortened."""
    is_secondary: bool = False
    """Whether its cells are dim in a terminal."""


def number(name: str, decimals: int | None = None, *, signed: bool = False) -> Column:
    return Column(name, is_number=True, decimals=decimals, signed=signed)


P = Column("p", is_number=True, is_p=True)


@dataclass(frozen=True)
class Table:
    """Rows under columns, a caption above and notes below."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""
    notes: tuple[str, ...] = ()
    marked: frozenset[int] = frozenset()
    """Highlighted rows, such as the baseline."""
    decimals: int = 4
    """Digits after the point unless the reader asks for others."""
    gap: int = 2
    """Blanks between columns in a terminal."""
    bold: frozenset[tuple[int, int]] = frozenset()
    """Highlighted cells (row, column), such as the best of each column."""
    label: str = ""
    """What LaTeX refers to the table by."""
    folded: bool = False
    """Whether notes are for the author rather than the reader: in LaTeX they are comments."""
    legend: tuple[str, ...] = ()
    """What marks mean and how the numbers were made: before the notes, and still there when these are silenced."""

    @property
    def below(self) -> tuple[str, ...]:
        return (*self.legend, *self.notes)

    @property
    def marks(self) -> frozenset[int]:
        """Columns in which a cell has a mark; the others leave a blank for it, so that digits stand below digits."""
        return frozenset(
            at for row in self.rows for at, cell in enumerate(row) if isinstance(cell, Marked) and cell.mark
        )


def fixed(number: float, decimals: int) -> str:
    """So many decimals; what rounds to 0 has no sign to show."""
    return f"{round(number, decimals) + 0.0:.{decimals}f}"


def spell(cell: Cell, column: Column, decimals: int) -> str:
    """A cell as text, before any escaping; what is undefined is a dash."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return "–"
    if isinstance(cell, str):
        return visible(cell)
    if isinstance(cell, int):
        return f"{cell:+,}" if column.signed else f"{cell:,}"
    places = decimals if column.decimals is None else column.decimals
    if isinstance(cell, Estimate):
        return cell.spell(places)
    if isinstance(cell, Marked):
        return spell(cell.value, column, decimals) + cell.mark
    shown = f"{cell:+.{places}f}" if column.signed else fixed(float(cell), places)
    return f"<{10.0**-places:.{places}f}" if column.is_p and cell < 10.0**-places else shown


def p_equals(p: float) -> str:
    """Such as 'p = 0.0130' or 'p < 0.0001'."""
    return f"p = {spell(p, P, 4)}".replace("= <", "< ")


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


def escape_markdown(text: str) -> str:
    """Round brackets do nothing once square ones are escaped; a plus does at the start of a line only."""
    return re.sub(r"([\\`*_{}\[\]<>#!|~&$]|^\+)", r"\\\1", visible(text))


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


_COMMANDS = r"""
    \ \textbackslash{}   ~ \textasciitilde{}   ^ \textasciicircum{}   < \textless{}   > \textgreater{}   | \textbar{}
    … \dots{}   – --   − $-$   ± $\pm$   ≤ $\leq$   ≥ $\geq$   ≈ $\approx$   × $\times$   ∞ $\infty$
    Δ $\Delta$   Φ $\Phi$   ρ $\rho$   τ $\tau$   ² \textsuperscript{2}
    ↑ \textsuperscript{$\uparrow$}   ↓ \textsuperscript{$\downarrow$}
"""
_LATEX = {character: f"\\{character}" for character in "&%$#_{}"} | dict(re.findall(r"(\S) (\S+)", _COMMANDS))
_NOT_SET = "[^\0-\u017e\u2010-\u2026\u2030\u2039\u203a\u20ac\u2122]"
"""Characters that pdfLaTeX refuses, once those with a command of their own are replaced."""


def _escape_latex(text: str) -> str:
    """Two hyphens stay two, one before a number is a minus; a bracket or star at the start is kept from the command before it."""
    pairs = itertools.pairwise(" " + visible(text))
    escaped = "".join("{}-" if pair == ("-", "-") else _LATEX.get(pair[1], pair[1]) for pair in pairs)
    escaped = re.sub(r"(?<![\w.}])-(?=\d)", "$-$", escaped)
    return "{}" + escaped if escaped.startswith(("[", "*")) else escaped


def to_latex(table: Table, decimals: int | None = None) -> str:
    marks = table.marks
    align = "".join("r" if column.is_number else "l" for column in table.columns)
    lines = [r"% needs \usepackage{booktabs}"]
    texts = [table.caption, *(column.name for column in table.columns), *itertools.chain.from_iterable(table.rows)]
    strange = [text for text in texts if isinstance(text, str) and re.search(_NOT_SET, _escape_latex(text))]
    if strange:  # Chinese, Japanese, Greek, emoji and others
        names = some([clip(text) for text in dict.fromkeys(strange)])
        lines.append(f"% needs XeLaTeX or LuaLaTeX, with a font that has these characters: {names}")
    lines += [f"% {visible(note)}" for note in table.notes] if table.folded else []
    lines += [r"\begin{table}", r"\centering"]
    if table.caption:
        lines.append(rf"\caption{{{_escape_latex(table.caption)}}}")
    if table.label:
        label = re.sub(r"[^\w:.-]", "-", table.label, flags=re.ASCII)
        lines.append(rf"\label{{{label}}}")
    heads = " & ".join(_escape_latex(column.name) for column in table.columns)
    lines += [rf"\begin{{tabular}}{{{align}}}", r"\toprule", heads + r" \\", r"\midrule"]
    for row in _spelled(table, decimals):
        cells = []
        for place, (_, column, spelled, mark, is_bold) in enumerate(row):
            text = _escape_latex(spelled)
            if column.is_number:  # a hyphen between two digits is a range
                text = re.sub(r"(?<=\d)-(?=\d)", "--", text)
            space = r"\hphantom{\textsuperscript{$\uparrow$}}" if place in marks and not mark else _escape_latex(mark)
            cells.append((rf"\textbf{{{text}}}" if text and is_bold else text) + space)
        lines.append(" & ".join(cells) + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}"]
    if below := table.legend if table.folded else table.below:
        lines += ["", r"\smallskip", r"\footnotesize", *(_escape_latex(note) + r"\par" for note in below)]
    return "\n".join([*lines, r"\end{table}"]) + "\n"


# The look of the report, in colours that are seen on white and on dark pages.
_CELL = "padding:.2em .6em;border-bottom:1px solid rgba(128,128,128,.35);font-variant-numeric:tabular-nums"
_MARKED_ROW = ' style="background:rgba(27,124,168,.12)"'
_TONES = {"better": "#1b7ca8", "worse": "#c2560c"}


def to_html(table: Table) -> str:
    """A fragment for notebooks, in the look of the report; what is essential needs no style."""
    import html

    def placed(tag: str, column: Column, content: str) -> str:
        side = "right" if column.is_number else "left"
        return f'<{tag} align="{side}" style="text-align:{side};{_CELL}">{content}</{tag}>'

    heads = "".join(placed("th", column, html.escape(column.name)) for column in table.columns)
    body = []
    for at, row in enumerate(_spelled(table, None)):
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


# Wide forms begin a formula where East Asian spreadsheets read them.
_FORMULA = ("=", "+", "-", "@", "\t", "\n", "＝", "＋", "－", "＠")


def to_csv(table: Table, decimals: int | None = None) -> str:
    """Comma-separated rows under a heading; full precision unless decimals are asked for.

    A column of estimates becomes three: the number, and the ends of its interval. Marks have a column of their own.
    A leading quote keeps a spreadsheet from running a cell as a formula; numbers stay numbers.
    """
    import csv
    import io

    def written(cell: object) -> object:
        if isinstance(cell, float):
            return "" if math.isnan(cell) else repr(cell) if decimals is None else f"{cell:.{decimals}f}"
        if not isinstance(cell, str):
            return cell  # None is written as nothing
        text = cell.replace("\r", "\n")  # csv quotes no carriage return, and it would end the row
        if text.startswith(_FORMULA):
            try:
                float(text)
            except ValueError:
                return "'" + text
        return text

    columns: list[list[object]] = []
    for at, column in enumerate(table.columns):
        cells = [row[at] for row in table.rows]
        columns.append([column.name, *(getattr(cell, "value", cell) for cell in cells)])
        beside = ["low", "high"] if any(isinstance(cell, Estimate) for cell in cells) else []
        beside += ["mark"] * (at in table.marks)
        columns += [[f"{column.name} {name}", *(getattr(cell, name, None) for cell in cells)] for name in beside]
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(
        [written(cell) for cell in row] for row in zip(*columns, strict=True)
    )
    return out.getvalue()


# Blue and yellow-brown in a terminal, as on the page: not told apart by green and red.
_VERDICTS = {"better": "1;34", "worse": "33", "equivalent": "36"}
_LEAST, _LONG_HEAD = 6, 12


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
    spelled, contents = list(_spelled(table, decimals)), []
    for at, column in enumerate(table.columns):
        room = " " * (at in marks)
        contents.append([visible(column.name), *(row[at][2] + (row[at][3] or room) for row in spelled)])
    widths = _fitted([max(map(cell_len, content)) for content in contents], table, wide)
    heads = [_cut(content[:1], room)[0] for content, room in zip(contents, widths, strict=True)]
    cut = [_cut(content[1:], room) for content, room in zip(contents, widths, strict=True)]
    lines = [styled(part, "1") for part in _wrap(table.caption, wide)]
    lines.append(styled(joined(heads, plain), "1"))
    for at, (cells, row) in enumerate(zip(zip(*cut, strict=True), spelled, strict=True)):
        codes = []
        for cell, (_, column, _, _, is_bold) in zip(cells, row, strict=True):
            tone = _VERDICTS.get(cell, "") if column.is_verdict else "2" if column.is_secondary else ""
            codes.append("1" if is_bold else tone)
        lines.append(styled(joined(cells, plain), "1") if at in table.marked else joined(cells, codes))
    for note in table.below:
        if note != BOLD or color:
            lines += [styled(part, "2") for part in _wrap(note, wide, indent="  ")]
    return "\n".join(lines)


def page_text(sentence: str, tables: Sequence[Table], notes: Sequence[str] = (), decimals: int | None = None) -> str:
    """A sentence, tables and notes below each other, with blank lines between."""
    bodies = [to_text(replace(table, legend=(), notes=()), decimals) for table in tables]
    foot = ["\n".join(map(wrapped, notes))] if notes else []
    return "\n\n".join([wrapped(sentence), *bodies, *foot])


def wrapped(text: str, width: int | None = None) -> str:
    """Text in lines that fit the terminal, without control characters."""
    return "\n".join(_wrap(text, width or terminal_width()))


def _wrap(text: str, wide: int, indent: str = "") -> list[str]:
    """Lines of at most `wide` columns; those without an indent keep long words and hyphenated ones whole."""
    import textwrap

    from rich.cells import cell_len

    # textwrap counts characters: one that is two columns wide takes a filler along, which `visible` has made free.
    filled = "".join(character + "\0" * (cell_len(character) - 1) for character in visible(text))
    cut = bool(indent)
    lines = textwrap.wrap(filled, wide, subsequent_indent=indent, break_long_words=cut, break_on_hyphens=cut)
    return [line.replace("\0", "") for line in lines]


def _fitted(needed: list[int], table: Table, wide: int) -> list[int]:
    """Names give way, the longest first, until the line fits or none is left to shorten."""
    from rich.cells import cell_len

    widths, least = list(needed), {}
    for at, column in enumerate(table.columns):
        if not (column.is_number or column.is_verdict or column.is_drawing):
            # A head is what a reader looks for: it is cut only where it is long itself.
            least[at] = max(_LEAST, min(cell_len(visible(column.name)), _LONG_HEAD))
    while sum(widths) + table.gap * (len(widths) - 1) > wide:
        longer = [at for at in least if widths[at] > least[at]]
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

    found = [[cut(cell, tail) for cell in cells] for tail in (width // 3, width // 2, 2 * width // 3)]
    return next((one for one in found if len(set(one)) == len(set(cells))), found[0])


def terminal_width() -> int:
    if not sys.stdout.isatty():
        return 80
    import shutil  # brings four packers with it

    return shutil.get_terminal_size((80, 24)).columns
