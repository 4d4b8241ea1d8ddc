"""A preset: the decisions of one tool, in one value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rankgauge.data.policy import Policy
from rankgauge.measures.measure import Measure


@dataclass(frozen=True)
class Preset:
    """A policy, and the options that a measure of that tool has by default."""

    words: str
    """What the tool does differently."""
    policy: Policy
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    lacks: frozenset[str] = frozenset()
    """Definitions that the tool does not have, so that its sets (all_trec) are without them."""
    by_measure: Mapping[str, Policy] = field(default_factory=dict)
    """Where measures differ: "RR" for every RR, "RR@" for those with a cutoff."""
    cutoff: int | None = None
    """The cutoff of measures that are asked for without one."""
    caveat: str = ""
    """What the preset cannot promise."""
    only: tuple[str, ...] = ()
    """The measures that the tool has, where these are few."""

    @property
    def draws_ties(self) -> bool:
        """Whether the tool draws lots for the order of equal scores."""
        return "at random" in self.caveat

    def has(self, measure: Measure) -> bool:
        return not self.only or measure.definition.name in self.only

    def adapt(self, measure: Measure) -> Measure:
        """The measure as that tool means it; options given explicitly stay."""
        ours = self.options.get(measure.definition.name, {})
        adapted = measure(**{name: value for name, value in ours.items() if name not in measure.given})
        if self.cutoff is not None and measure.cutoff is None and measure.definition.cutoff is not None:
            return adapted @ self.cutoff
        return adapted

    def policy_of(self, measure: Measure) -> Policy:
        """The policy for this measure."""
        name = measure.definition.name
        own = self.by_measure.get(name, Policy())
        if measure.cutoff is not None:
            own = self.by_measure.get(f"{name}@", Policy()).over(own)
        return own.over(self.policy)


OURS = Preset("as this package does", Policy())
