"""Names for whole policies: what another tool does, in one word."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from rankgauge.data.policy import Policy
from rankgauge.errors import UsageError, did_you_mean
from rankgauge.frozen import dataclass
from rankgauge.measures.measure import Measure


@dataclass(frozen=True)
class Preset:
    """A policy, and the options that a measure of that tool has by default."""

    words: str
    policy: Policy
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    lacks: frozenset[str] = frozenset()
    """Definitions that the tool does not have, so that its sets (all_trec) are without them."""

    def adapt(self, measure: Measure) -> Measure:
        """The measure as that tool means it; options given explicitly stay."""
        ours = self.options.get(measure.definition.name, {})
        return measure(**{name: value for name, value in ours.items() if name not in measure.given})


OURS = Preset("as this package does", Policy())
_TREC_9 = {"rounding": "trec"}
_TREC_10 = {"rounding": "nearest"}

PRESETS = {
    "trec_eval-9": Preset(
        "scores compared in single precision; the mean is over the queries in the run",
        Policy(ties="document", missing="drop", undefined="zero", precision="single"),
        {"IPrec": _TREC_9, "IAP": _TREC_9, "Rprec": _TREC_9},
        frozenset({"RBP", "RBPResidual", "Unjudged"}),
    ),
    "trec_eval-10": Preset(
        "scores compared in double precision; the mean is over the queries in the run",
        Policy(ties="document", missing="drop", undefined="zero"),
        {
            "IPrec": _TREC_10,
            "IAP": _TREC_10,
            "Rprec": _TREC_9,
            "RBP": {"p": 0.9, "max": "query"},
            "RBPResidual": {"p": 0.9},
        },
    ),
    "gdeval": Preset(
        "exponential gain, grades up to 4; only queries in the run that have a relevant document",
        Policy(ties="document", missing="drop", undefined="drop"),
        {"nDCG": {"gain": "exp"}, "DCG": {"gain": "exp"}, "ERR": {"max": 4}, "nERR": {"max": 4}},
    ),
    "sklearn": Preset(
        "ties averaged over all orders; a query without a relevant document scores 0",
        Policy(ties="mean", missing="zero", undefined="zero"),
    ),
}


def preset(name: str) -> Preset:
    if name not in PRESETS:
        raise UsageError(f"unknown preset {name!r}; " + did_you_mean(name, PRESETS))
    return PRESETS[name]
