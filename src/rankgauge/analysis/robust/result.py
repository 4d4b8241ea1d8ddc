"""What `robust` found: one verdict per pair of systems."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal

from rankgauge.analysis.robust.pair import Corners, RobustPair, Significance
from rankgauge.analysis.robust.verdicts import Verdict
from rankgauge.analysis.robust.wording import corner_table, pair_notes, pair_table, wide_table
from rankgauge.analysis.score_table import position
from rankgauge.arrays import Floats
from rankgauge.errors import UsageError
from rankgauge.tables.notes import Note, gathered
from rankgauge.tables.shown import Shown
from rankgauge.tables.table import Table

WORDS: tuple[Verdict, ...] = ("robust", "depends", "open", "equal")


@dataclass(frozen=True, repr=False)
class Robustness(Shown):
    """Which differences hold whatever gain and discount are chosen."""

    json_names: ClassVar = {"query_count": "queries", "cutoffs": None, "thresholds": None, "at_corners": None}

    measure: str
    over: Literal["discount", "gain", "both"]
    query_count: int
    systems: tuple[str, ...]
    means: dict[str, float]
    baseline: str | None
    counts: dict[str, int]
    significance: Significance
    pairs: tuple[RobustPair, ...]
    summary: str
    notes: tuple[Note, ...]
    cutoffs: tuple[int, ...]
    thresholds: tuple[float, ...]
    at_corners: Floats = field(compare=False)
    """The mean of every system at every corner: [systems, cutoffs, thresholds]."""

    def pair(self, system: str, baseline: str) -> RobustPair:
        """The pair as it was compared; an error when it was not."""
        for pair in self.pairs:
            if (pair.system, pair.baseline) == (system, baseline):
                return pair
        raise UsageError(f"{system} was not compared with {baseline}; use all_pairs, or name another baseline.")

    def corners(self, system: str, baseline: str) -> Corners:
        """The differences of any two systems under plain cutoffs and grade thresholds."""
        first, second = (position(name, self.systems, "system") for name in (system, baseline))
        differences = (self.at_corners[first] - self.at_corners[second]).tolist()
        return Corners(system, baseline, self.cutoffs, self.thresholds, tuple(map(tuple, differences)))

    def corner_table(self, system: str, baseline: str) -> Table:
        """The same as a table, with who is ahead where in words."""
        return corner_table(self.corners(system, baseline))

    def table(self) -> Table:
        """One row per pair under the sentence, to read; of a single pair the corners."""
        if len(self.pairs) > 1:
            return pair_table(self.pairs, self.baseline, self.summary, self.remarks())
        pair = self.pairs[0]
        corners = self.corner_table(pair.system, pair.baseline)
        return replace(corners, caption=self.summary, notes=(corners.caption, *pair_notes(pair), *self.remarks()))

    def wide_table(self) -> Table:
        """One row per pair, named as in the JSON: for other programs."""
        return wide_table(self.pairs)

    def remarks(self) -> tuple[str, ...]:
        return tuple(gathered(self.notes))

    def __repr__(self) -> str:
        return f"Robustness({self.summary})"


def counted(verdicts: list[Verdict]) -> dict[str, int]:
    tally = Counter(verdicts)
    return {word: tally[word] for word in WORDS}
