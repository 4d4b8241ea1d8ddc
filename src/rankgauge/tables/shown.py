"""Results show themselves through the table they describe."""

from __future__ import annotations

from abc import ABC, abstractmethod

from rankgauge.tables.markup import to_html, to_latex, to_markdown
from rankgauge.tables.plain import to_text
from rankgauge.tables.table import Table


class Shown(ABC):
    """A result that can show itself, through the table it describes."""

    @abstractmethod
    def table(self) -> Table:
        """The result as a table."""

    def __str__(self) -> str:
        return to_text(self.table())

    def to_markdown(self, decimals: int | None = None) -> str:
        return to_markdown(self.table(), decimals)

    def to_latex(self, decimals: int | None = None) -> str:
        """A booktabs table; the notes stand below it."""
        return to_latex(self.table(), decimals)

    def _repr_html_(self) -> str:
        return to_html(self.table())
