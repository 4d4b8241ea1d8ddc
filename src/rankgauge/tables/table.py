"""A table is described first and rendered later: cells, columns, notes."""

from __future__ import annotations

import math
from dataclasses import dataclass

BOLD = "bold: the best of each column"
"""A legend for where bold can be seen."""
JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"


@dataclass(frozen=True)
class Estimate:
    """A number with its interval; counts are whole numbers, or inf where no number is enough."""

    value: float
    low: float
    high: float

    def __float__(self) -> float:
        return float(self.value)

    def to_dict(self) -> dict[str, float | None]:
        """Numbers for JSON: an undefined or infinite one is None."""
        parts = {"value": self.value, "low": self.low, "high": self.high}
        return {name: part if math.isfinite(part) else None for name, part in parts.items()}

    def spell(self, decimals: int) -> str:
        """As in '0.823 [0.658, 0.937]'. Whole numbers have no thousands comma: it would pass for the one between."""

        def spelled(number: float) -> str:
            if math.isfinite(number):
                return str(number) if isinstance(number, int) else fixed(number, decimals)
            return "undefined" if math.isnan(number) else "∞" if number > 0 else "−∞"

        around = (
            "undefined"
            if math.isnan(self.low) and math.isnan(self.high)
            else f"{spelled(self.low)}, {spelled(self.high)}"
        )
        return f"{spelled(self.value)} [{around}]"

    def __str__(self) -> str:
        return self.spell(3)


def fixed(number: float, decimals: int) -> str:
    """So many decimals; what rounds to 0 has no sign to show."""
    return f"{round(number, decimals) + 0.0:.{decimals}f}" if math.isfinite(number) else f"{number:.{decimals}f}"


@dataclass(frozen=True)
class Marked:
    """One cell of a table: the number alone where other programs read it."""

    value: float
    mark: str

    def __float__(self) -> float:
        return float(self.value)


Cell = str | float | int | Estimate | Marked | None


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


def visible(text: str) -> str:
    """One line without control characters, which could move a terminal's cursor, turn the text round or break a row;
    joiners, of which emoji and some scripts are made, stay.
    """
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() or character in JOINERS else "\N{REPLACEMENT CHARACTER}"
        for character in text
    )


def shortened(text: str, limit: int) -> str:
    """One visible line of at most `limit` characters; the rest is an ellipsis."""
    line = visible(" ".join(text.split()))
    return line if len(line) <= limit else line[: limit - 1] + "…"


def number(name: str, decimals: int | None = None, *, signed: bool = False) -> Column:
    return Column(name, is_number=True, decimals=decimals, signed=signed)


P = Column("p", is_number=True, is_p=True)
