"""How many pairs keep their winner whatever gain and discount are chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rankgauge.analysis.robust.robust import robust
from rankgauge.data.judgments import Judgments, Run
from rankgauge.errors import AnalysisError, UsageError
from rankgauge.evaluation.ranked import Ranked
from rankgauge.evaluation.scores import Scores

CODES = {"robust": 1, "depends": 2, "open": 3, "equal": 4}
MOST_SYSTEMS = 150
"""Pairs grow with the square; beyond this a certificate for each would take minutes."""


@dataclass(frozen=True)
class Robust:
    """The count of such pairs; where certified, `codes` has one of `CODES` for systems × systems."""

    count: int
    total: int
    codes: np.ndarray | None = None

    def sentence(self, measure: str) -> str:
        if not self.total:
            return ""
        share = f"{self.count:,} of {self.total:,} pairs ({self.count / self.total:.0%})"
        if self.codes is not None:
            return f"{share} have the same winner under every gain and discount of {measure}."
        return f"{share} keep their order under every DCG with this cutoff, whatever gain and discount; for DCG only."


def certified(judgments: Judgments, runs: Sequence[Run], scores: Scores) -> Robust | None:
    """The verdicts of `robust` on every pair; None where it cannot say, as with gains that fall."""
    systems = scores.systems
    if not 2 <= len(systems) <= MOST_SYSTEMS:
        return None
    weights = None if scores.weights is None else dict(zip(scores.queries, scores.weights.tolist(), strict=True))
    measure, policy = scores.measures[0], scores.policy
    try:
        found = robust(judgments, runs, measure, all_pairs=True, samples=0, policy=policy, weights=weights)
    except (AnalysisError, UsageError):
        return None
    place = {system: at for at, system in enumerate(systems)}
    codes = np.zeros((len(systems), len(systems)), np.uint8)
    for pair in found.pairs:
        one, other = place[pair.system], place[pair.baseline]
        codes[one, other] = codes[other, one] = CODES[pair.verdict]
    return Robust(sum(pair.verdict == "robust" for pair in found.pairs), len(found.pairs), codes)


def dcg_robust(view: Ranked, cutoff: int) -> Robust:
    """Pairs whose order no DCG can change: one system has at least as many documents of every grade or better down to
    every rank, over all queries. Each such DCG is a mixture of these counts.
    """
    levels, counts = len(view.levels), []
    for run in range(len(view.ruled)):
        found = view.found(run, cutoff)
        cell = np.searchsorted(view.levels, found.worth) * cutoff + found.rank - 1
        at = np.bincount(cell, found.share, levels * cutoff).reshape(levels, cutoff)
        counts.append(np.cumsum(np.cumsum(at, axis=1)[::-1], axis=0))
    first, second = np.triu_indices(len(counts), 1)
    kept = 0
    for one, other in zip(first.tolist(), second.tolist(), strict=True):
        apart = counts[one] - counts[other]
        kept += not (np.any(apart > 1e-9) and np.any(apart < -1e-9))
    return Robust(kept, len(first))
