"""What results can do: become plain data, show themselves as tables, give the part of a measure. Renderers are loaded late."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from rankgauge.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from rankgauge.tables.table import Table


P = TypeVar("P", bound=Any)
"""The part of a result that is about one `measure`."""


class Plain:
    """A dataclass that becomes JSON data field by field."""

    _json_names: ClassVar[Mapping[str, str | None]] = {}
    """Fields with another name in JSON; None leaves a field out."""
    _json_also: ClassVar[tuple[str, ...]] = ()
    """Properties that JSON has beside the fields."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, under the names that the command line prints."""
        from dataclasses import fields

        found: dict[str, Any] = {}
        own = [field.name for field in fields(self)]  # type: ignore[arg-type]  # subclasses are dataclasses
        for known in (*own, *self._json_also):
            name = self._json_names.get(known, known)
            if name is not None:
                value = getattr(self, known)
                found[name] = plain({part.measure: part for part in value} if known == "parts" else value)
        return found


class Shown(Plain, ABC):
    """A result that can show itself, through the table it describes."""

    @abstractmethod
    def table(self) -> Table:
        """The result as a table."""

    def __str__(self) -> str:
        from rankgauge.tables.table import to_text

        return to_text(self.table())

    def to_markdown(self, decimals: int | None = None) -> str:
        """The table as Markdown."""
        from rankgauge.tables.table import to_markdown

        return to_markdown(self.table(), decimals)

    def to_latex(self, decimals: int | None = None) -> str:
        """A booktabs table with the notes below."""
        from rankgauge.tables.table import to_latex

        return to_latex(self.table(), decimals)

    def _repr_html_(self) -> str:
        from rankgauge.tables.table import to_html

        return to_html(self.table())


class ByMeasure(Shown, Generic[P]):
    """A result with a part for every measure: `result["nDCG@10"]`."""

    _json_names: ClassVar[Mapping[str, str | None]] = {"parts": "measures"}
    parts: tuple[P, ...]

    @property
    def measures(self) -> tuple[str, ...]:
        return tuple(part.measure for part in self.parts)

    def __getitem__(self, measure: object) -> P:
        for part in self.parts:
            if part.measure == str(measure):
                return part
        raise UsageError(f"unknown measure {str(measure)!r}; {did_you_mean(str(measure), self.measures)}")

    def __iter__(self) -> Iterator[str]:
        return iter(self.measures)

    def __len__(self) -> int:
        return len(self.parts)

    def __contains__(self, measure: object) -> bool:
        return str(measure) in self.measures


def plain(value: Any) -> Any:
    """JSON data from results, mappings, sequences and arrays; undefined and infinite numbers become None."""
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(name): plain(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    for way in ("to_dict", "tolist"):
        if hasattr(value, way):
            return plain(getattr(value, way)())
    return str(value)
