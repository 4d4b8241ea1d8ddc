"""One pair of systems: its verdict, and the corners that explain it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rankgauge.analysis.robust.verdicts import Verdict
from rankgauge.tables.shown import Plain


@dataclass(frozen=True, slots=True)
class RobustPair(Plain):
    """One system against another.

    `robust`: the `winner` is ahead, or at least level, under every measure considered. `depends`: `witness` is a measure
    under which another system wins than under the user's, with `witness_difference`; `witness_holds` says whether the same
    is true "from" it on or "up to" it. `open`: the budget was not enough. `equal`: no measure tells the two apart.
    `resampled` is the share of resamples of the queries in which the winner stays robust, `p` the paired t test's.
    """

    system: str
    baseline: str
    verdict: Verdict
    winner: str | None
    difference: float
    witness: str | None
    witness_difference: float | None
    witness_holds: Literal["from", "up to", ""]
    resampled: float | None
    p: float


@dataclass(frozen=True, slots=True)
class Corners(Plain):
    """The differences of one pair under plain cutoffs (rows) and grade thresholds (columns).

    Under a cutoff and threshold all ranks down to the cutoff and all grades from the threshold on count alike; queries
    without such a document use the next lower grade that they have.
    """

    system: str
    baseline: str
    cutoffs: tuple[int, ...]
    """Empty where the discount is fixed."""
    thresholds: tuple[float, ...]
    """Empty where the gain is fixed."""
    differences: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class Significance(Plain):
    """Pairs by robust and significant: the two are different questions."""

    both: int
    robust_only: int
    significant_only: int
    neither: int
