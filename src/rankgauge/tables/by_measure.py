"""Results with a part for every measure; apart from `shown`, which every score needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, Generic, Protocol, TypeVar

from rankgauge.errors import UsageError, did_you_mean
from rankgauge.tables.shown import Shown


class _Part(Protocol):
    @property
    def measure(self) -> str: ...


P = TypeVar("P", bound=_Part)


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
