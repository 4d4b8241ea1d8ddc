"""A number with a sign beside it, such as the arrow of a significant difference; a note says what the sign means."""

from __future__ import annotations

from rankgauge.frozen import dataclass


@dataclass(frozen=True)
class Marked:
    """One cell of a table: the number alone where other programs read it."""

    value: float
    mark: str

    def __float__(self) -> float:
        return float(self.value)
