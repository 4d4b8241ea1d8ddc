"""Names for whole policies: what another tool does, in one word."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rankgauge.data.policy import Policy
from rankgauge.errors import UsageError, did_you_mean
from rankgauge.measures.measure import Measure


@dataclass(frozen=True)
class Preset:
    """A policy, and the options that a measure of that tool has by default."""

    words: str
    policy: Policy
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def adapt(self, measure: Measure) -> Measure:
        """The measure as that tool means it; options given explicitly stay."""
        ours = self.options.get(measure.definition.name, {})
        given = dict(measure.options)
        return measure(**{name: value for name, value in ours.items() if name not in given})


PRESETS = {
    "trec_eval-9": Preset(
        "scores compared in single precision; the mean is over the queries that the run answers",
        Policy(ties="document", missing="drop", undefined="zero", precision="single"),
    ),
    "trec_eval-10": Preset(
        "scores compared in double precision; the mean is over the queries that the run answers",
        Policy(ties="document", missing="drop", undefined="zero"),
    ),
}


def preset(name: str) -> Preset:
    if name not in PRESETS:
        raise UsageError(f"unknown preset {name!r}; " + did_you_mean(name, PRESETS))
    return PRESETS[name]
