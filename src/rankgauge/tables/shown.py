"""Results show themselves through the table they describe; renderers are loaded when one is asked for."""

from __future__ import annotations

from abc import ABC, abstractmethod

from rankgauge.tables.table import Table


class Shown(ABC):
    """A result that can show itself, through the table it describes."""

    @abstractmethod
    def table(self) -> Table:
        """The result as a table."""

    def __str__(self) -> str:
        from rankgauge.tables.text import to_text

        return to_text(self.table())

    def to_markdown(self, decimals: int | None = None) -> str:
        from rankgauge.tables.markup import to_markdown

        return to_markdown(self.table(), decimals)

    def to_latex(self, decimals: int | None = None) -> str:
        """A booktabs table; the notes stand below it."""
        from rankgauge.tables.markup import to_latex

        return to_latex(self.table(), decimals)

    def _repr_html_(self) -> str:
        from rankgauge.tables.markup import to_html

        return to_html(self.table())
