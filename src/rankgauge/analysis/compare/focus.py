"""What a comparison is about: the pair to speak of first, and the system that differences are measured from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from rankgauge.analysis.compare.evidence import SystemSummary
from rankgauge.analysis.compare.verdicts import MeasureComparison, Pair, Verdict
from rankgauge.tables.table import shortened

if TYPE_CHECKING:
    from rankgauge.analysis.compare.result import Comparison

LONGEST_NAME = 60
TURNED: dict[Verdict, Verdict] = {"better": "worse", "worse": "better"}


def brief(name: str) -> str:
    """A name that leaves room for a sentence around it."""
    return shortened(name, LONGEST_NAME)


@dataclass(frozen=True)
class Focus:
    """Without a baseline (`about_top`) the first system against the second, else the best of the others against it."""

    comparison: Comparison
    about_top: bool

    @classmethod
    def of(cls, comparison: Comparison, *, about_top: bool | None = None) -> Focus:
        top = comparison.baseline is None if about_top is None else about_top
        return cls(comparison, top and len(comparison.parts[0].systems) > 2)

    @property
    def found(self) -> MeasureComparison:
        """On the first measure, which decides."""
        return self.comparison.parts[0]

    @cached_property
    def ranked(self) -> list[SystemSummary]:
        return ranked(self.found)

    @property
    def reference(self) -> str:
        """The system that differences are from: the baseline, or the leader."""
        if self.about_top:
            return self.ranked[0].name
        return self.comparison.baseline or self.found.systems[0].name

    @property
    def first(self) -> str:
        others = [system for system in self.ranked if system.name != self.reference]
        return self.reference if self.about_top else max(others, key=lambda system: system.mean).name

    @property
    def second(self) -> str:
        return self.ranked[1].name if self.about_top else self.reference

    @property
    def pair(self) -> Pair:
        """The first against the second."""
        return self.pair_on(self.found)

    def pair_on(self, found: MeasureComparison) -> Pair:
        """The same two on another measure."""
        return pair_of(found, self.first, self.second)

    @property
    def rows(self) -> dict[str, Pair]:
        """{system: its pair with the reference}."""
        return self.rows_on(self.found)

    def rows_on(self, found: MeasureComparison) -> dict[str, Pair]:
        return pairs_against(found, self.reference)

    @property
    def unbeaten(self) -> list[str]:
        """The systems that no other one is found to beat, best first; the explorer has the same rule."""
        worse = {pair.system for pair in self.found.pairs if pair.verdict == "worse"}
        worse |= {pair.baseline for pair in self.found.pairs if pair.verdict == "better"}
        return [system.name for system in self.ranked if system.name not in worse]


def ranked(found: MeasureComparison) -> list[SystemSummary]:
    return sorted(found.systems, key=lambda system: (system.rank, -system.mean, system.name))


def pairs_against(found: MeasureComparison, baseline: str) -> dict[str, Pair]:
    """{system: its pair with the baseline}; a comparison of all pairs may hold some the other way round."""
    pairs: dict[str, Pair] = {}
    for pair in found.pairs:
        if pair.baseline == baseline:
            pairs[pair.system] = pair
        elif pair.system == baseline:
            pairs[pair.baseline] = turned(pair)
    return pairs


def pair_of(found: MeasureComparison, system: str, baseline: str) -> Pair:
    pairs = pairs_against(found, baseline)
    return pairs[system] if system in pairs else turned(pairs_against(found, system)[baseline])


def turned(pair: Pair) -> Pair:
    """The same pair with the systems swapped."""
    return replace(
        pair,
        system=pair.baseline,
        baseline=pair.system,
        difference=0.0 - pair.difference,
        low=0.0 - pair.high,
        high=0.0 - pair.low,
        effect_size=0.0 - pair.effect_size,
        effect_low=0.0 - pair.effect_high,
        effect_high=0.0 - pair.effect_low,
        wins=pair.losses,
        losses=pair.wins,
        verdict=TURNED.get(pair.verdict, pair.verdict),
        alone=(0.0 - pair.alone[1], 0.0 - pair.alone[0]),
        judge=pair.judge and pair.judge.turned(),
    )
