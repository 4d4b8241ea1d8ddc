"""Paired differences between systems, query by query, and what they add up to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rankgauge.errors import UsageError
from rankgauge.kernels.resampling import ROUNDING, FloatArray


@dataclass(frozen=True, slots=True)
class QueryDifference:
    """One query of two systems."""

    query: str
    system: float
    baseline: float
    difference: float

    def to_dict(self) -> dict[str, object]:
        return {"query": self.query, "system": self.system, "baseline": self.baseline, "difference": self.difference}


def paired_differences(first: npt.ArrayLike, second: npt.ArrayLike) -> FloatArray:
    """One minus the other, nan where either is missing; a difference that only rounding made is 0, and so a tie."""
    first, second = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    differences = np.subtract(first, second)
    rounded = np.abs(differences) <= ROUNDING * np.maximum(np.abs(first), np.abs(second))
    return np.where(rounded, 0.0, differences)


def query_differences(
    system: npt.ArrayLike, baseline: npt.ArrayLike, queries: Sequence[str]
) -> tuple[QueryDifference, ...]:
    """Every query that both systems have a score for, from the worst loss to the best win; equal ones as given."""
    system, baseline = np.asarray(system, dtype=np.float64), np.asarray(baseline, dtype=np.float64)
    if system.shape != (len(queries),) or baseline.shape != (len(queries),):
        shapes = f"{system.shape} and {baseline.shape}"
        raise UsageError(f"scores of shape {shapes} do not match {len(queries)} queries: give one score a query.")
    differences = paired_differences(system, baseline)
    order = np.argsort(differences, kind="stable")
    return tuple(
        QueryDifference(queries[i], float(system[i]), float(baseline[i]), float(differences[i]))
        for i in order[: len(order) - int(np.isnan(differences).sum())]
    )
