"""A number with its interval: what analyses find, and one cell of a table."""

from __future__ import annotations

import math

from rankgauge.frozen import dataclass


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
        if math.isnan(self.low) and math.isnan(self.high):
            return f"{_spelled(self.value, decimals)} [undefined]"
        low, high = _spelled(self.low, decimals), _spelled(self.high, decimals)
        return f"{_spelled(self.value, decimals)} [{low}, {high}]"

    def __str__(self) -> str:
        return self.spell(3)


def _spelled(number: float, decimals: int) -> str:
    if math.isnan(number):
        return "undefined"
    if math.isinf(number):
        return "∞" if number > 0 else "−∞"
    return str(number) if isinstance(number, int) else f"{number:.{decimals}f}"
