"""How many pairs keep their winner whatever gain and discount are chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankgauge.arrays import Floats
from rankgauge.data.matching import Match
from rankgauge.data.policy import Policy
from rankgauge.evaluation.counted.plan import Plan


@dataclass(frozen=True)
class Robust:
    """The count of such pairs; `pairs`, where certified, holds a code per pair of systems (see `CODES`)."""

    count: int
    total: int
    certified: bool = False
    pairs: tuple[int, ...] = ()

    def sentence(self, measure: str) -> str:
        if not self.total:
            return ""
        share = f"{self.count:,} of {self.total:,} pairs ({self.count / self.total:.0%})"
        if self.certified:
            return f"{share} have the same winner under every gain and discount of {measure}."
        return f"{share} keep their order under every DCG with this cutoff, whatever gain and discount; for DCG only."

    def to_dict(self) -> dict[str, Any] | None:
        """For the page, which counts the pairs of DCG itself."""
        return {"count": self.count, "pairs": list(self.pairs)} if self.certified else None


def dcg_robust(matches: Sequence[Match], policy: Policy, ties: str, cutoff: int, grades: Floats) -> Robust:
    """Pairs whose order no DCG can change: one system has at least as many documents of every grade or better down to
    every rank, over all queries. Each such DCG is a mixture of these counts.
    """
    counts = np.stack([_counts(Plan(matched, policy), ties, cutoff, grades) for matched in matches])
    first, second = np.triu_indices(len(counts), 1)
    kept = 0
    for one, other in zip(first.tolist(), second.tolist(), strict=True):
        apart = counts[one] - counts[other]
        kept += not (np.any(apart > 1e-9) and np.any(apart < -1e-9))
    return Robust(kept, len(first))


def _counts(plan: Plan, ties: str, cutoff: int, grades: Floats) -> Floats:
    """Documents of each grade or better in the first k ranks, k = 1 … cutoff; tied ones by their share of each rank."""
    hits = plan.under(ties)
    steps = np.zeros((len(grades), cutoff + 2))
    share = 1.0 / (hits.last - hits.first + 1)
    code = np.searchsorted(grades, np.where(hits.value < 0, -1.0, hits.value))
    begin, end = np.minimum(hits.first, cutoff + 1), np.minimum(hits.last + 1, cutoff + 1)
    np.add.at(steps, (code, begin), share)
    np.add.at(steps, (code, end), -share)
    found = np.cumsum(np.cumsum(steps[:, : cutoff + 1], axis=1), axis=1)
    above: Floats = np.cumsum(found[::-1], axis=0)[::-1][grades > 0]
    return above
