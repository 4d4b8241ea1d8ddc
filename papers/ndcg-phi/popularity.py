"""Real popularity: news ranked by the shares of their first hours, with the final shares as the truth.

The paper's tweets are not public; these are the Facebook shares of 7,687 news items on Palestine (UCI, News Popularity in
Multiple Social Media Platforms), collected by the same authors. A window is 100 items that follow each other in time.
"""

from __future__ import annotations

import functools
import gzip
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import rankgauge

Floats = NDArray[np.float64]
WINDOW, LAST = 100, 144
CUTOFFS = (5, 10, 15, 20)  # those of Figure 3
SLICES = (3, 6, 12, 36)  # of 20 minutes: 1, 2, 4 and 12 hours after publication
TIERS = "nDCG(relevance=tiers(10, 25, 50), gain=exp)"
PHI = "nDCG(relevance=phi, gain=exp)"


@dataclass(frozen=True)
class Cell:
    """All windows, ranked by the shares at one age and evaluated at one cutoff."""

    slices: int
    cutoff: int
    tiers: Floats
    phi: Floats

    @property
    def apart(self) -> Floats:
        return self.tiers - self.phi


def found() -> bool:
    return bool(os.environ.get("RANKGAUGE_DATA"))


def path() -> Path:
    return Path(os.environ["RANKGAUGE_DATA"]) / "phi" / "Facebook_Palestine.csv.gz"


@functools.cache
def shares() -> tuple[Floats, dict[int, Floats]]:
    """Final shares and those at each age, windows × items; what is not yet observed (-1) is 0."""
    with gzip.open(path(), "rt", encoding="utf-8") as file:
        names = [name.strip('"') for name in file.readline().strip().split(",")]
        wanted = [names.index(f"TS{at}") for at in (*SLICES, LAST)]
        rows = [[float(line.split(",")[at]) for at in wanted] for line in file]
    table = np.array(rows)
    table = np.maximum(table[table[:, -1] >= 0], 0)
    windows = table[: len(table) // WINDOW * WINDOW].reshape(-1, WINDOW, table.shape[1])
    return windows[:, :, -1], {at: windows[:, :, column] for column, at in enumerate(SLICES)}


@functools.cache
def cells() -> tuple[Cell, ...]:
    truth, early = shares()

    def values(measure: str, predicted: Floats) -> Floats:
        scored = rankgauge.score(measure, truth, predicted, details=True)
        return np.array(list(scored.per_group.values()))

    return tuple(
        Cell(at, cutoff, values(f"{TIERS}@{cutoff}", early[at]), values(f"{PHI}@{cutoff}", early[at]))
        for at in SLICES
        for cutoff in CUTOFFS
    )


@functools.cache
def partings() -> dict[int, rankgauge.results.Partings]:
    """Where and why ad-hoc tiers and phi part @10, by age: the paper's future work, by `explain(…, versus=…)`."""
    truth, early = shares()

    def keyed(table: Floats) -> dict[str, dict[str, float]]:
        return {
            f"w{row:02}": {f"i{at:02}": value for at, value in enumerate(values)}
            for row, values in enumerate(table.tolist())
        }

    judged = keyed(truth)
    policy = rankgauge.Policy(ties="mean")
    return {
        at: rankgauge.explain(f"{TIERS}@10", judged, keyed(early[at]), versus=f"{PHI}@10", policy=policy)
        for at in SLICES
    }


def standard_error(values: Floats) -> float:
    """Of the mean over windows; windows that follow each other share a news cycle, so it is a floor."""
    return float(values.std(ddof=1) / np.sqrt(len(values)))


def slope(cell: Cell) -> tuple[float, float]:
    """Spearman's ρ between nDCG with tiers and its difference to nDCG-phi, and a bootstrap standard error."""
    random = np.random.default_rng(7)
    rho = rankgauge.score("rho tau_b", cell.tiers, cell.apart).scores.values[0, 0, 0]
    drawn = []
    for _ in range(200):
        rows = random.integers(0, len(cell.tiers), len(cell.tiers))
        drawn.append(rankgauge.score("rho", cell.tiers[rows], cell.apart[rows]).scores.values[0, 0, 0])
    return float(rho), float(np.std(drawn, ddof=1))
